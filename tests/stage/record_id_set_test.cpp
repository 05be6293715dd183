// The hybrid set of record ids against a plain set.
#include <random>
#include <set>

#include "catch.hpp"
#include "ixora/stage/record_id_set.hpp"

using namespace ixora;

TEST_CASE("RecordIdSet answers like a set for dense, sparse and huge numbers") {
    for (const std::int64_t span : {100LL, 5'000LL, 1'000'000LL, 1LL << 34, 1LL << 62}) {
        std::mt19937_64 random(static_cast<std::uint64_t>(span));
        stage::RecordIdSet set;
        std::set<std::int64_t> expected;
        for (int i = 0; i < 3000; ++i) {
            const auto number = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(span)) + 1;
            REQUIRE(set.insert(key::RecordId(number)) == expected.insert(number).second);
            REQUIRE(set.contains(key::RecordId(number)));
            const auto other = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(span)) + 1;
            REQUIRE(set.contains(key::RecordId(other)) == (expected.count(other) == 1));
        }
        set.clear();
        CHECK_FALSE(set.contains(key::RecordId(*expected.begin())));
        CHECK(set.insert(key::RecordId(*expected.begin())));
    }
}

TEST_CASE("RecordIdSet tells byte strings from numbers") {
    stage::RecordIdSet set;
    const std::uint8_t bytes[] = {1, 2, 3};
    const key::RecordId text{std::span<const std::uint8_t>(bytes)};
    const key::RecordId prefix{std::span<const std::uint8_t>(bytes, 2)};
    CHECK(set.insert(text));
    CHECK_FALSE(set.insert(text));
    CHECK(set.insert(prefix));
    CHECK(set.insert(key::RecordId(1)));
    CHECK_FALSE(set.insert(key::RecordId(1)));
}
