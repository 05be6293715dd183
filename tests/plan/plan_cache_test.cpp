#include "ixora/plan/plan_cache.hpp"

#include "catch.hpp"
#include "sample_index.hpp"

using namespace ixora;
using plan::PlanCache;
using Admission = plan::PlanCache::Admission;

namespace {

const PlanCache::Indexes list{test::shared_index("{_id: 1}", "unique"), test::shared_index("{a: 1}")};

plan::PlanCacheEntryPtr entry(const std::string& command_key = "eqa|||", std::size_t padding = 0) {
    auto made = std::make_shared<plan::PlanCacheEntry>();
    made->command_key = command_key;
    made->query_hash = std::string(padding, 'x');
    return made;
}

// What the executor does after a trial.
Admission won(PlanCache& cache, const std::string& key, std::int64_t works, const Knobs& knobs = {}) {
    const Admission admission = cache.admit(list, key, works, knobs);
    if (admission != Admission::refused) cache.put(list, key, entry(), works, admission == Admission::active, knobs);
    return admission;
}

std::int64_t works_of_only_entry(PlanCache& cache) {
    const auto entries = cache.list(list);
    REQUIRE(entries.size() == 1);
    return entries.front().works;
}

}  // namespace

TEST_CASE("an entry starts inactive, and a trial that is no worse makes it active", "[plan_cache]") {
    PlanCache cache;
    CHECK(cache.empty());
    CHECK(won(cache, "k", 11) == Admission::inactive);
    CHECK_FALSE(cache.empty());
    CHECK_FALSE(cache.find_active(list, "k"));
    CHECK(won(cache, "k", 11) == Admission::active);
    REQUIRE(cache.find_active(list, "k"));
    CHECK(cache.find_active(list, "k")->works == 11);
    CHECK_FALSE(cache.find_active(list, "other"));
}

TEST_CASE("works of an inactive entry grow with every worse trial", "[plan_cache]") {
    PlanCache cache;
    won(cache, "k", 11);
    for (const std::int64_t works : {22, 44, 88, 176}) {
        CHECK(won(cache, "k", 1000) == Admission::refused);
        CHECK(works_of_only_entry(cache) == works);
        CHECK_FALSE(cache.find_active(list, "k"));
    }
    CHECK(won(cache, "k", 100) == Admission::active);
    CHECK(works_of_only_entry(cache) == 100);
    // By one at least, whatever the coefficient.
    Knobs slow;
    slow.internalQueryCacheWorksGrowthCoefficient = 1.0;
    won(cache, "slow", 5, slow);
    CHECK(won(cache, "slow", 6, slow) == Admission::refused);
    CHECK(won(cache, "slow", 6, slow) == Admission::active);
}

TEST_CASE("an active entry gives way to a trial that is no worse only", "[plan_cache]") {
    PlanCache cache;
    won(cache, "k", 11);
    won(cache, "k", 10);
    CHECK(won(cache, "k", 50) == Admission::refused);
    CHECK(works_of_only_entry(cache) == 10);
    CHECK(cache.find_active(list, "k"));
    CHECK(won(cache, "k", 9) == Admission::active);
    CHECK(works_of_only_entry(cache) == 9);
    cache.deactivate("k");
    CHECK_FALSE(cache.find_active(list, "k"));
    CHECK(won(cache, "k", 50) == Admission::refused);
    CHECK(works_of_only_entry(cache) == 18);
}

TEST_CASE("the knob makes new entries active", "[plan_cache]") {
    PlanCache cache;
    Knobs knobs;
    knobs.internalQueryCacheDisableInactiveEntries = true;
    CHECK(won(cache, "k", 11, knobs) == Admission::active);
    CHECK(cache.find_active(list, "k"));
}

TEST_CASE("another list of indexes empties the cache", "[plan_cache]") {
    PlanCache cache;
    won(cache, "k", 1);
    won(cache, "k", 1);
    PlanCache::Indexes changed = list;
    SECTION("one index more") { changed.push_back(test::shared_index("{b: 1}")); }
    SECTION("one index less") { changed.pop_back(); }
    SECTION("an index turned multikey") { changed.back() = test::shared_index("{a: 1}", "multikey"); }
    CHECK_FALSE(cache.find_active(changed, "k"));
    CHECK(cache.empty());
    CHECK(cache.list(changed).empty());
}

TEST_CASE("what was not used for longest goes first", "[plan_cache]") {
    PlanCache cache;
    Knobs knobs;
    knobs.internalQueryCacheMaxEntriesPerCollection = 3;
    knobs.internalQueryCacheDisableInactiveEntries = true;
    for (const char* key : {"a", "b", "c"}) won(cache, key, 1, knobs);
    CHECK(cache.find_active(list, "a"));
    won(cache, "d", 1, knobs);
    CHECK(cache.find_active(list, "a"));
    CHECK_FALSE(cache.find_active(list, "b"));
    CHECK(cache.find_active(list, "c"));
    CHECK(cache.find_active(list, "d"));
    CHECK(cache.list(list).size() == 3);
}

TEST_CASE("the bytes of a cache are bounded and counted", "[plan_cache]") {
    const auto total = std::make_shared<plan::PlanCacheTotal>(0);
    Knobs knobs;
    knobs.planCacheSize = "10000";
    {
        PlanCache cache(total);
        for (int i = 0; i < 100; ++i) {
            cache.put(list, std::to_string(i), entry("x", 900), 1, true, knobs);
            REQUIRE(total->load() <= 10000);
        }
        CHECK(cache.list(list).size() >= 5);
        CHECK(cache.find_active(list, "99"));
        std::size_t sum = 0;
        for (const PlanCache::Listed& listed : cache.list(list)) sum += listed.bytes;
        CHECK(total->load() == static_cast<std::int64_t>(sum));
        cache.put(list, "huge", entry("x", 20000), 1, true, knobs);
        CHECK(cache.empty());
        CHECK(total->load() == 0);
        cache.put(list, "k", entry(), 1, true, knobs);
        Knobs strict;
        strict.internalQueryCacheMaxSizeBytesBeforeStripDebugInfo = 1;
        CHECK(cache.keeps_debug_info(knobs));
        CHECK_FALSE(cache.keeps_debug_info(strict));
    }
    CHECK(total->load() == 0);
}

TEST_CASE("the caches of a database share their bytes, and none is starved", "[plan_cache]") {
    const auto total = std::make_shared<plan::PlanCacheTotal>(0);
    PlanCache busy(total), late(total);
    Knobs knobs;
    knobs.planCacheSize = "10KB";
    for (int i = 0; i < 100; ++i) busy.put(list, std::to_string(i), entry("x", 900), 1, true, knobs);
    for (int i = 0; i < 3; ++i) {
        late.put(list, std::to_string(i), entry("x", 900), 1, true, knobs);
        CHECK(late.list(list).size() == 1);
        CHECK(late.find_active(list, std::to_string(i)));
    }
    busy.clear();
    for (int i = 0; i < 100; ++i) late.put(list, std::to_string(i), entry("x", 900), 1, true, knobs);
    CHECK(late.list(list).size() >= 5);
    knobs.planCacheSize = "0%";
    late.put(list, "k", entry("x", 900), 1, true, knobs);
    CHECK(late.empty());
}

TEST_CASE("entries go by key, by shape or all", "[plan_cache]") {
    PlanCache cache;
    cache.put(list, "1", entry("eqa|||"), 1, true, {});
    cache.put(list, "2", entry("eqa|||"), 1, true, {});
    cache.put(list, "3", entry("eqb|||"), 1, true, {});
    cache.put(list, "4", entry("eqb|||"), 1, true, {});
    cache.remove("4");
    CHECK(cache.list(list).size() == 3);
    cache.remove_shape("eqa|||");
    CHECK(cache.list(list).size() == 1);
    CHECK(cache.find_active(list, "3"));
    cache.clear();
    CHECK(cache.empty());
}
