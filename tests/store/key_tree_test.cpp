// Trees of several levels under splits and merges, checked entry by entry through the store.
#include <algorithm>
#include <random>
#include <set>

#include "ixora/store/memory_store.hpp"
#include "store_contract/support.hpp"

namespace {

using namespace ixora;
using namespace ixora::test::store_contract;
using Entries = std::set<std::pair<std::string, std::int64_t>>;

void check(store::MemoryStore& store, store::MemoryStore::Unit& unit, TableId index, const Entries& expected) {
    REQUIRE(store.key_count(unit, index) == static_cast<std::int64_t>(expected.size()));
    for (const Direction direction : both_directions) {
        std::vector<std::pair<std::string, std::int64_t>> found;
        auto cursor = store.index_cursor(unit, index, direction);
        for (const auto* entry = cursor.seek(key::as_bytes(scan_start(direction))); entry != nullptr;) {
            found.emplace_back(text_of(entry->key), entry->id.number());
            entry = cursor.next();
        }
        if (direction == Direction::backward) std::reverse(found.begin(), found.end());
        REQUIRE(std::equal(found.begin(), found.end(), expected.begin(), expected.end()));
    }
}

// Inserts everything in a given order over several commits, then removes it in random order.
void grow_and_shrink(std::vector<std::pair<std::string, std::int64_t>> entries, std::uint64_t seed) {
    store::MemoryStore store;
    const TableId index = store.create_index({});
    Entries expected;
    std::size_t at = 0;
    for (std::size_t part = 1; part <= 4; ++part) {
        commit(store, [&](auto& unit) {
            for (; at < entries.size() * part / 4; ++at) {
                REQUIRE(insert_key(store, unit, index, entries[at].first, entries[at].second) == Status::inserted);
                expected.insert(entries[at]);
            }
            check(store, unit, index, expected);
        });
    }
    std::mt19937_64 random(seed);
    std::shuffle(entries.begin(), entries.end(), random);
    for (at = 0; at < entries.size();) {
        commit(store, [&](auto& unit) {
            for (const std::size_t stop = std::min(entries.size(), at + entries.size() / 3 + 1); at < stop; ++at) {
                remove_key(store, unit, index, entries[at].first, entries[at].second);
                expected.erase(entries[at]);
            }
            check(store, unit, index, expected);
        });
    }
    auto unit = store.begin();
    CHECK(store.index_size(*unit, index) == 0);
}

}  // namespace

TEST_CASE("key trees grow and shrink by every kind of key and order") {
    // How many keys of which common part: short ones; one key of many ids; separators as long as the keys; keys and
    // separators beyond a page.
    const struct {
        std::int64_t count;
        std::size_t common;
        bool same;
    } kinds[] = {{9000, 1, false}, {5000, 4, true}, {1200, 500, false}, {900, 1200, false}};
    for (const auto& kind : kinds) {
        std::vector<std::pair<std::string, std::int64_t>> entries;
        for (std::int64_t i = 0; i < kind.count; ++i) {
            const std::string tail = kind.same ? "" : std::to_string(i);
            entries.emplace_back(key_of(std::string(kind.common, 'c') + tail), i * 77 + 1);
        }
        std::sort(entries.begin(), entries.end());
        grow_and_shrink(entries, 1);
        std::reverse(entries.begin(), entries.end());
        grow_and_shrink(entries, 2);
        std::mt19937_64 random(5);
        std::shuffle(entries.begin(), entries.end(), random);
        grow_and_shrink(entries, 3);
    }
}

TEST_CASE("key trees hold keys of all sizes side by side") {
    std::vector<std::pair<std::string, std::int64_t>> entries;
    for (std::int64_t i = 0; i < 1500; ++i) {
        const auto size = static_cast<std::size_t>(i * i % 1700);
        entries.emplace_back(key_of(std::string(size, static_cast<char>('a' + i % 5)) + std::to_string(i)), i + 1);
    }
    grow_and_shrink(std::move(entries), 4);
}
