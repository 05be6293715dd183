// SORT: order among equal keys, limits, keys from documents and from indexes, the memory limit (spec: execution.md 7.1,
// 13).
#include <algorithm>
#include <random>

#include "catch.hpp"
#include "collection.hpp"
#include "ixora/bson/debug_string.hpp"
#include "ixora/key/icu_collator.hpp"
#include "ixora/stage/row_sorter.hpp"

using namespace ixora;
using namespace ixora::test;
using plan::StageType;

namespace {

struct NumberRow {
    int number = 0;
    std::int64_t memory() const noexcept { return 4; }
    void make_owned() noexcept {}
};

// The server's algorithm in the plainest form: (key, row) pairs and the standard library.
std::vector<int> reference(const std::vector<std::string>& keys, std::size_t limit) {
    using Row = std::pair<std::string, int>;
    const auto less = [](const Row& left, const Row& right) { return left.first < right.first; };
    std::vector<Row> rows;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const Row row{keys[i], static_cast<int>(i)};
        if (limit == 0 || rows.size() < limit) {
            rows.push_back(row);
            if (rows.size() == limit) std::make_heap(rows.begin(), rows.end(), less);
        } else if (less(row, rows.front())) {
            std::pop_heap(rows.begin(), rows.end(), less);
            rows.back() = row;
            std::push_heap(rows.begin(), rows.end(), less);
        }
    }
    if (limit != 0 && rows.size() == limit)
        std::sort_heap(rows.begin(), rows.end(), less);
    else
        std::stable_sort(rows.begin(), rows.end(), less);
    std::vector<int> out;
    for (const Row& row : rows) out.push_back(row.second);
    return out;
}

}  // namespace

TEST_CASE("RowSorter gives the standard library's order for any limit, key length and number of ties") {
    std::mt19937 random(7);
    for (int round = 0; round < 300; ++round) {
        const auto below = [&random](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
        std::vector<std::string> keys(below(200));
        const std::uint32_t length = 1 + below(12);
        for (std::string& key : keys) {
            key = std::string(below(2) == 0 ? length : below(length + 1), 'x');
            if (!key.empty()) key.back() = static_cast<char>('a' + below(3));
            key.push_back('\x04');
        }
        const std::size_t limit = below(4) == 0 ? 0 : below(30);
        stage::RowSorter<NumberRow> sorter(static_cast<std::int64_t>(limit));
        for (std::size_t i = 0; i < keys.size(); ++i)
            if (sorter.accepts(key::as_bytes(keys[i])))
                sorter.add(key::as_bytes(keys[i]), NumberRow{static_cast<int>(i)});
        sorter.finish(stage::ExecutionContext{});
        std::vector<int> order;
        while (const NumberRow* row = sorter.next()) order.push_back(row->number);
        REQUIRE(order == reference(keys, limit));
    }
}

TEST_CASE("ties: arrival order without limit, the heap's order with one") {
    Collection c;
    c.insert_many(20, [](int i, bson::Builder& out) { out.append("b", i % 2); });
    for (const StageType type : {StageType::sort_simple, StageType::sort_default}) {
        CHECK(ids(*c.run(sort("{b: 1}", 0, collscan(), type))) == "0 2 4 6 8 10 12 14 16 18 1 3 5 7 9 11 13 15 17 19");
        CHECK(ids(*c.run(sort("{b: 1}", 7, collscan(), type))) == "0 4 8 12 10 2 6");
        CHECK(ids(*c.run(sort("{b: 1}", 1, collscan(), type))) == "0");
        CHECK(ids(*c.run(sort("{b: -1}", 1, collscan(), type))) == "1");
        CHECK(ids(*c.run(sort("{b: 1}", 20, collscan(), type))).size() == 49);
    }
}

TEST_CASE("arrays sort by their smallest or largest element, jointly") {
    Collection c;
    c.insert("{_id: 0, a: [5, 1]}");
    c.insert("{_id: 1, a: 3}");
    c.insert("{_id: 2}");
    c.insert("{_id: 3, a: []}");
    c.insert("{_id: 4, a: null}");
    CHECK(ids(*c.run(sort("{a: 1}", 0, collscan()))) == "3 2 4 0 1");
    CHECK(ids(*c.run(sort("{a: -1}", 0, collscan()))) == "0 1 2 4 3");
}

TEST_CASE("parallel arrays fail when the row is spooled") {
    Collection c;
    c.insert("{_id: 0, a: [1], b: [2]}");
    auto executor = c.run(sort("{a: 1, b: 1}", 0, collscan()));
    CHECK_THROWS_WITH(executor->run_to_end(), "cannot sort with keys that are parallel arrays");
    const stage::StatsTree tree = executor->report().winner;
    CHECK(tree.stats.failed);
    CHECK(describe(tree) == "SORT(1/0/0,0) | COLLSCAN(1/1/0,0) docs 1");
}

TEST_CASE("a sort over index keys needs no documents") {
    Collection c({"{a: 1, b: -1}"});
    c.insert_many(30, [](int i, bson::Builder& out) {
        out.append("a", i % 3);
        out.append("b", (i * 7) % 11);
    });
    for (const char* pattern : {"{b: 1, a: -1}", "{b: -1, a: 1}", "{b: 1}", "{a: -1, b: -1}"}) {
        const std::string by_document =
            ids(*c.run(sort(pattern, 0, fetch(ixscan(c.index(1), {{everything()}, {everything().reversed()}})))));
        const std::string by_key = ids(*c.run(fetch(sort(
            pattern, 0, ixscan(c.index(1), {{everything()}, {everything().reversed()}}), StageType::sort_default))));
        CHECK(by_key == by_document);
    }
}

TEST_CASE("a sort that outgrows its memory fails without disk use") {
    Collection c;
    c.insert_many(50, [](int i, bson::Builder& out) {
        out.append("a", i);
        out.append("s", std::string(100, 'x'));
    });
    stage::ExecutorOptions options;
    knobs_of(options).allowDiskUseByDefault = false;
    knobs_of(options).internalQueryMaxBlockingSortMemoryUsageBytes = 3000;
    auto executor = c.run(sort("{a: 1}", 0, collscan()), {}, options);
    try {
        executor->run_to_end();
        FAIL("no error");
    } catch (const Error& error) {
        CHECK(error.code() == 292);
        CHECK(std::string(error.what()) ==
              "Sort exceeded memory limit of 3000 bytes, but did not opt in to external sorting.");
    }
    CHECK(ids(*c.run(sort("{a: -1}", 3, collscan()), {}, options)) == "49 48 47");
}

TEST_CASE("SORT collates the strings that an index without collation shows it") {
    Collection collection({"{a: 1, b: -1}"});
    for (const char* text : {"'b'", "'A'", "'a'", "'B'", "5", "['c', 'C']", "{x: 'D'}"})
        collection.insert(std::string("{b: ") + text + "}");
    for (const int direction : {1, -1}) {
        plan::FindRequest request;
        request.ns = "test.c";
        bson::Builder sort;
        sort.append("b", direction);
        request.sort = sort.finish();
        const auto order = [&](const std::string& hint) {
            request.hint = mql::parse_shell_document(hint);
            auto query = plan::CanonicalQuery::make(request, key::make_collator("{locale: 'en', strength: 2}"_bson));
            auto executor = stage::make_executor(collection.store(), collection.catalog(), std::move(query), {});
            std::vector<std::string> values;
            stage::Member row;
            while (executor->next(row)) values.push_back(bson::debug_string(row.document["b"]));
            // Which of two equal texts comes first is not the sort's to decide.
            for (std::string& value : values)
                std::transform(value.begin(), value.end(), value.begin(),
                               [](unsigned char c) { return std::tolower(c); });
            return values;
        };
        CHECK(order("{a: 1, b: -1}") == order("{$natural: 1}"));
    }
}

TEST_CASE("a covered sort collates, and its sort key is the collated one") {
    Collection collection({"{a: 1, b: -1}"});
    for (const char* text : {"b", "A", "C"}) collection.insert(std::string("{a: 1, b: '") + text + "'}");
    const auto run = [&](const std::string& hint) {
        plan::FindRequest request;
        request.ns = "test.c";
        request.sort = "{b: 1}"_bson;
        request.projection = "{_id: 0, b: 1, key: {$meta: 'sortKey'}}"_bson;
        request.hint = mql::parse_shell_document(hint);
        auto query = plan::CanonicalQuery::make(request, key::make_collator("{locale: 'en', strength: 2}"_bson));
        auto executor = stage::make_executor(collection.store(), collection.catalog(), std::move(query), {});
        std::string out;
        stage::Member row;
        while (executor->next(row)) out += bson::debug_string(row.document) + "\n";
        return out;
    };
    const std::string scanned = run("{$natural: 1}");
    CHECK(scanned.find("\"A\"") < scanned.find("\"b\""));
    CHECK(run("{a: 1, b: -1}") == scanned);
}
