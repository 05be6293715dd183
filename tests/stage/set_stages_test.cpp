// AND_HASH, AND_SORTED and SORT_MERGE unit by unit (spec: execution.md 6.2-6.5).
#include "catch.hpp"
#include "collection.hpp"

using namespace ixora;
using namespace ixora::test;
using plan::StageType;

namespace {

// a = i % 4, b = i % 2: the vector of execution.md 6.5.
Collection modulo_collection(int count) {
    Collection collection({"{a: 1, b: 1}", "{a: 1}", "{b: 1}"});
    collection.insert_many(count, [](int i, bson::Builder& out) {
        out.append("a", i % 4);
        out.append("b", i % 2);
    });
    return collection;
}

}  // namespace

TEST_CASE("SORT_MERGE: the order of equal keys is that of the standard heap") {
    Collection c = modulo_collection(20);
    const auto scan = [&](int a) { return ixscan(c.index(1), {{point(a)}, {everything()}}); };
    auto merge = [&] {
        return combine(StageType::sort_merge, plan::SortMergeNode{"{b: 1}"_bson, true}, scan(0), scan(1), scan(2),
                       scan(3));
    };
    CHECK(ids(*c.run(fetch(merge()))) == "0 2 4 6 8 10 12 14 16 18 1 3 5 7 9 11 13 15 17 19");
    CHECK(ids(*c.run(combine(StageType::sort_merge, plan::SortMergeNode{"{b: 1}"_bson, true}, fetch(scan(0)),
                             fetch(scan(1)), fetch(scan(2)), fetch(scan(3))))) ==
          "0 2 4 6 8 10 12 14 16 18 1 3 5 7 9 11 13 15 17 19");
}

TEST_CASE("SORT_MERGE: each row and each end costs a unit; a fetch above asks for the end first") {
    Collection c({"{a: 1, b: 1}"});
    for (int i = 0; i < 3; ++i) c.insert("{_id: " + std::to_string(i) + ", a: 1, b: " + std::to_string(i) + "}");
    for (int i = 3; i < 5; ++i) c.insert("{_id: " + std::to_string(i) + ", a: 2, b: " + std::to_string(i) + "}");
    const auto merge = [&](bool dedup) {
        return combine(StageType::sort_merge, plan::SortMergeNode{"{b: 1}"_bson, dedup},
                       ixscan(c.index(1), {{point(1)}, {everything()}}),
                       ixscan(c.index(1), {{point(2)}, {everything()}}));
    };
    CHECK(counters_after_run(*c.run(fetch(merge(false)))) ==
          "FETCH(13/5/7,1) docs 5 | SORT_MERGE(12/5/7,1) | IXSCAN(4/3/0,1) keys 3 seeks 1 | IXSCAN(3/2/0,1) keys 2 "
          "seeks 1");
    CHECK(counters_after_run(*c.run(merge(true))) ==
          "SORT_MERGE(13/5/7,1) dupsTested 5 | IXSCAN(4/3/0,1) keys 3 seeks 1 | IXSCAN(3/2/0,1) keys 2 seeks 1");
}

TEST_CASE("SORT_MERGE drops a record that another child gave") {
    Collection c({"{a: 1, c: 1}", "{b: 1, c: 1}"});
    c.insert("{_id: 0, a: 1, b: 1, c: 5}");
    c.insert("{_id: 1, a: 1, b: 0, c: 3}");
    auto executor = c.run(fetch(combine(StageType::sort_merge, plan::SortMergeNode{"{c: 1}"_bson, true},
                                        ixscan(c.index(1), {{point(1)}, {everything()}}),
                                        ixscan(c.index(2), {{point(1)}, {everything()}}))));
    CHECK(ids(*executor) == "1 0");
    CHECK(describe(executor->report().winner) ==
          "FETCH(8/2/5,1) docs 2 | SORT_MERGE(7/2/5,1) dupsTested 3 dupsDropped 1 | IXSCAN(3/2/0,1) keys 2 seeks 1 | "
          "IXSCAN(2/1/0,1) keys 1 seeks 1");
}

TEST_CASE("SORT_MERGE follows directions that differ from the index") {
    Collection c({"{a: 1, b: -1}"});
    c.insert_many(12, [](int i, bson::Builder& out) {
        out.append("a", i % 2);
        out.append("b", i);
    });
    CHECK(ids(*c.run(fetch(combine(StageType::sort_merge, plan::SortMergeNode{"{b: -1}"_bson, false},
                                   ixscan(c.index(1), {{point(0)}, {everything().reversed()}}),
                                   ixscan(c.index(1), {{point(1)}, {everything().reversed()}}))))) ==
          "11 10 9 8 7 6 5 4 3 2 1 0");
    CHECK(ids(*c.run(fetch(combine(StageType::sort_merge, plan::SortMergeNode{"{b: 1}"_bson, false},
                                   ixscan(c.index(1), {{point(0)}, {everything()}}, -1),
                                   ixscan(c.index(1), {{point(1)}, {everything()}}, -1))))) ==
          "0 1 2 3 4 5 6 7 8 9 10 11");
}

TEST_CASE("AND_HASH hashes the first child and probes with the last") {
    Collection c({"{a: 1}", "{b: 1}"});
    // a = 1 for 0..7, b = 1 for 4..9
    c.insert_many(10, [](int i, bson::Builder& out) {
        out.append("a", i < 8 ? 1 : 0);
        out.append("b", i >= 4 ? 1 : 0);
    });
    auto executor = c.run(
        fetch(combine(StageType::and_hash, {}, ixscan(c.index(1), {{point(1)}}), ixscan(c.index(2), {{point(1)}}))));
    CHECK(ids(*executor) == "4 5 6 7");
    const stage::StatsTree tree = executor->report().winner;
    // 1 look-ahead, 8 hashed, the first child's end, 6 probes of which 4 hit, the last child's end.
    CHECK(describe(tree) ==
          "FETCH(17/4/12,1) docs 4 | AND_HASH(17/4/12,1) | IXSCAN(9/8/0,1) keys 8 seeks 1 | IXSCAN(7/6/0,1) keys 6 "
          "seeks 1");
    CHECK(tree.children[0].stats.memory_used == 8 * 19);
    CHECK(tree.children[0].stats.map_after_child == std::vector<std::int64_t>{8});
}

TEST_CASE("AND_HASH ends when every hashed row was found") {
    Collection c({"{a: 1}", "{b: 1}"});
    c.insert_many(10, [](int i, bson::Builder& out) {
        out.append("a", i < 2 ? 1 : 0);
        out.append("b", 1);
    });
    const auto node = [&] {
        return combine(StageType::and_hash, {}, ixscan(c.index(1), {{point(1)}}), ixscan(c.index(2), {{point(1)}}));
    };
    CHECK(
        counters_after_run(*c.run(fetch(node()))) ==
        "FETCH(7/2/4,1) docs 2 | AND_HASH(6/2/4,1) | IXSCAN(3/2/0,1) keys 2 seeks 1 | IXSCAN(2/2/0,0) keys 2 seeks 1");
    CHECK(counters_after_run(*c.run(node())) ==
          "AND_HASH(7/2/4,1) | IXSCAN(3/2/0,1) keys 2 seeks 1 | IXSCAN(2/2/0,0) keys 2 seeks 1");
}

TEST_CASE("AND_HASH ends before hashing when a child is empty") {
    Collection c({"{a: 1}", "{b: 1}"});
    c.insert_many(10, [](int, bson::Builder& out) {
        out.append("a", 1);
        out.append("b", 0);
    });
    CHECK(counters_after_run(*c.run(
              combine(StageType::and_hash, {}, ixscan(c.index(1), {{point(1)}}), ixscan(c.index(2), {{point(1)}})))) ==
          "AND_HASH(1/0/0,1) | IXSCAN(1/1/0,0) keys 1 seeks 1 | IXSCAN(1/0/0,1) seeks 1");
}

TEST_CASE("AND_HASH with three children keeps what all have") {
    Collection c({"{a: 1}", "{b: 1}", "{c: 1}"});
    c.insert_many(60, [](int i, bson::Builder& out) {
        out.append("a", i % 2);
        out.append("b", i % 3);
        out.append("c", i % 5);
    });
    auto executor = c.run(fetch(combine(StageType::and_hash, {}, ixscan(c.index(1), {{point(0)}}),
                                        ixscan(c.index(2), {{point(0)}}), ixscan(c.index(3), {{point(0)}}))));
    CHECK(ids(*executor) == "0 30");
    CHECK(executor->report().winner.children[0].stats.map_after_child == std::vector<std::int64_t>{30, 10});
}

TEST_CASE("AND_SORTED: whoever overshoots sets the next target") {
    Collection c({"{a: 1}", "{b: 1}"});
    // a: 0 1 4 5 8, b: 1 2 5 9
    for (int i = 0; i < 10; ++i) {
        const bool a = i == 0 || i == 1 || i == 4 || i == 5 || i == 8;
        const bool b = i == 1 || i == 2 || i == 5 || i == 9;
        c.insert("{_id: " + std::to_string(i) + ", a: " + (a ? "1" : "0") + ", b: " + (b ? "1" : "0") + "}");
    }
    auto executor = c.run(
        fetch(combine(StageType::and_sorted, {}, ixscan(c.index(1), {{point(1)}}), ixscan(c.index(2), {{point(1)}}))));
    CHECK(ids(*executor) == "1 5");
    const stage::StatsTree tree = executor->report().winner;
    // target 0 (child 0); 1 from child 1 overshoots; 1 from child 0 confirms; 4; 2 is behind; 5 overshoots; 5 confirms;
    // 8; 9; eof
    CHECK(describe(tree) ==
          "FETCH(10/2/7,1) docs 2 | AND_SORTED(10/2/7,1) | IXSCAN(6/5/0,1) keys 5 seeks 1 | IXSCAN(4/4/0,0) keys 4 "
          "seeks 1");
    CHECK(tree.children[0].stats.failed_and == std::vector<std::int64_t>{3, 0});
}
