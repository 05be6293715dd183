#include "ixora/plan/plan_enumerator.hpp"

#include "catch.hpp"
#include "ixora/plan/index_selection.hpp"
#include "ixora/plan/index_tag.hpp"
#include "scenario.hpp"

using ixora::test::Scenario;
using ixora::test::Texts;
namespace mql = ixora::mql;
namespace plan = ixora::plan;

namespace {

// The assignments of a tree: a:0.1 is predicate a at field 1 of index 0, "a>" marks a copy into an OR.
void append_assignments(const mql::MatchNode& node, std::string& out) {
    const auto position = [](const plan::IndexTag& tag) {
        return std::to_string(tag.index) + "." + std::to_string(tag.position) + (tag.can_combine_bounds ? "" : "!");
    };
    if (!node.path.empty() && node.kind != mql::MatchKind::elem_match_object) {
        if (const auto* tag = plan::index_tag(node)) out += node.path + ":" + position(*tag) + " ";
        if (const auto* tag = plan::or_pushdown_tag(node)) {
            if (tag->own) out += node.path + ":" + position(*tag->own) + " ";
            for (const auto& destination : tag->destinations) {
                out += node.path + ">";
                for (const std::size_t step : destination.route) out += std::to_string(step) + ">";
                out += position(*destination.tag) + " ";
            }
        }
    }
    for (const auto& child : node.children) append_assignments(*child, out);
}

struct Enumerated {
    Texts trees;
    plan::EnumerationLimits limits;
};

Enumerated enumerate(Scenario scenario, const char* filter, plan::EnumerationOptions options = {}) {
    scenario.find(filter);
    mql::MatchNodePtr tree = scenario.query().root().clone();
    const auto relevant = plan::relevant_indexes(plan::query_fields(*tree), scenario.catalog.indexes);
    plan::rate_indexes(*tree, relevant, nullptr);
    plan::PlanEnumerator enumerator(std::move(tree), relevant, options);
    Enumerated result;
    while (const auto tagged = enumerator.next()) {
        std::string text;
        append_assignments(*tagged, text);
        if (!text.empty()) text.pop_back();
        result.trees.push_back(text);
    }
    result.limits = enumerator.limits();
    return result;
}

Scenario a_and_b() { return Scenario().index("{a: 1}").index("{b: 1}"); }

}  // namespace

TEST_CASE("an AND is enumerated by single indexes, then by pairs (5.7)") {
    CHECK(enumerate(a_and_b(), "{a: 1, b: 1}").trees == Texts{"a:0.0", "b:1.0", "a:0.0 b:1.0"});
    plan::EnumerationOptions single;
    single.intersect = false;
    CHECK(enumerate(a_and_b(), "{a: 1, b: 1}", single).trees == Texts{"a:0.0", "b:1.0"});
    CHECK(enumerate(a_and_b(), "{c: 1}").trees.empty());
}

TEST_CASE("an index that answers a pair alone makes the pair pointless (5.5)") {
    CHECK(enumerate(a_and_b().index("{a: 1, b: 1}"), "{a: 1, b: 1}").trees == Texts{"a:0.0", "b:1.0", "a:2.0 b:2.1"});
}

TEST_CASE("the branches of an OR vary the first one fastest (5.7)") {
    const auto both = enumerate(a_and_b(), "{z: 1, $or: [{a: 1, b: 1}, {b: 2}]}");
    CHECK(both.trees == Texts{"a:0.0 b:1.0", "b:1.0 b:1.0", "a:0.0 b:1.0 b:1.0"});
    CHECK(enumerate(a_and_b(), "{z: 1, $or: [{a: 1}, {c: 2}]}").trees.empty());
    CHECK(enumerate(a_and_b(), "{$and: [{$or: [{a: 1}, {b: 1}]}, {$or: [{a: 2}, {b: 2}]}]}").trees ==
          Texts{"a:0.0 b:1.0", "a:0.0 b:1.0"});
    CHECK(enumerate(a_and_b().index("{c: 1}"), "{c: 1, $or: [{a: 1}, {b: 1}]}").trees ==
          Texts{"a:0.0 b:1.0", "c:2.0", "a:0.0 b:1.0 c:2.0"});
}

TEST_CASE("the limit of an OR ends the enumeration with the flag up (section 12)") {
    const char* filter = "{$or: [{a: 1, b: 1}, {a: 2, b: 2}, {a: 3, b: 3}, {a: 4, b: 4}]}";
    plan::EnumerationOptions options;
    options.intersect = false;
    const Enumerated ten = enumerate(a_and_b(), filter, options);
    CHECK(ten.trees.size() == 10);
    CHECK(ten.limits.or_hit);
    CHECK(ten.trees[0] == "a:0.0 a:0.0 a:0.0 a:0.0");
    CHECK(ten.trees[1] == "b:1.0 a:0.0 a:0.0 a:0.0");
    CHECK(ten.trees[9] == "b:1.0 a:0.0 a:0.0 b:1.0");

    options.or_solutions_max = 100;
    const Enumerated all = enumerate(a_and_b(), filter, options);
    CHECK(all.trees.size() == 16);
    CHECK_FALSE(all.limits.or_hit);

    options.or_solutions_max = 0;
    const Enumerated none = enumerate(a_and_b(), filter, options);
    CHECK(none.trees.empty());
    CHECK(none.limits.or_hit);
}

TEST_CASE("lockstep enumeration begins with the combinations of equal steps (5.7)") {
    const char* filter = "{$or: [{a: 1, b: 1}, {a: 2, b: 2}]}";
    plan::EnumerationOptions options;
    options.intersect = false;
    options.lockstep_or = true;
    CHECK(enumerate(a_and_b(), filter, options).trees ==
          Texts{"a:0.0 a:0.0", "b:1.0 b:1.0", "b:1.0 a:0.0", "a:0.0 b:1.0"});
}

TEST_CASE("pairs are limited per AND (section 12)") {
    Scenario five;
    for (const char* key : {"{a: 1}", "{b: 1}", "{c: 1}", "{d: 1}", "{e: 1}"}) five.index(key);
    const Enumerated result = enumerate(five, "{a: 1, b: 1, c: 1, d: 1, e: 1}");
    CHECK(result.trees == Texts{"a:0.0", "b:1.0", "c:2.0", "d:3.0", "e:4.0", "a:0.0 b:1.0", "a:0.0 c:2.0",
                                "a:0.0 d:3.0", "a:0.0 e:4.0"});
    CHECK(result.limits.and_hit);
    for (const plan::Solution& solution : five.find("{a: 1, b: 1, c: 1, d: 1, e: 1}").solutions())
        CHECK(solution.limits.indexed_and_solutions);
}

TEST_CASE("an array field takes one predicate per scan, or a scan for each (5.5)") {
    CHECK(enumerate(Scenario().index("{a: 1}").multikey({{0}}), "{a: {$gt: 1, $lt: 5}}").trees ==
          Texts{"a:0.0", "a:0.0", "a:0.0! a:0.0!"});
    CHECK(enumerate(Scenario().index("{a: 1}"), "{a: {$gt: 1, $lt: 5}}").trees == Texts{"a:0.0 a:0.0"});
}

TEST_CASE("what may be assigned together to an index with arrays (3.3)") {
    const auto on = [](const char* key, ixora::key::MultikeyPaths paths, const char* filter) {
        plan::EnumerationOptions options;
        options.intersect = false;
        return enumerate(Scenario().index(key).multikey(std::move(paths)), filter, options).trees;
    };
    const char* b_c = "{'a.b': 1, 'a.c': 1}";
    const char* bx_by = "{'a.b.x': 1, 'a.b.y': 1}";
    CHECK(on("{a: 1, b: 1}", {{0}, {}}, "{a: 1, b: 2}") == Texts{"a:0.0 b:0.1"});
    CHECK(on("{a: 1, b: 1}", {{}, {0}}, "{a: {$gt: 1, $lt: 5}, b: 3}") == Texts{"b:0.1 a:0.0 a:0.0"});
    CHECK(on(b_c, {{0}, {0}}, "{'a.b': 1, 'a.c': 2}") == Texts{"a.b:0.0"});
    CHECK(on(b_c, {{0}, {0}}, "{a: {$elemMatch: {b: 1, c: 2}}}") == Texts{"b:0.0 c:0.1"});
    CHECK(on(b_c, {{}, {}}, "{'a.b': 1, 'a.c': 2}") == Texts{"a.b:0.0 a.c:0.1"});
    CHECK(on(b_c, {{1}, {}}, "{'a.b': 1, 'a.c': 2}") == Texts{"a.b:0.0 a.c:0.1"});
    CHECK(on(b_c, {}, "{'a.b': 1, 'a.c': 2}") == Texts{"a.b:0.0"});
    CHECK(on(bx_by, {{0}, {0}}, "{a: {$elemMatch: {'b.x': 1, 'b.y': 1}}}") == Texts{"b.x:0.0 b.y:0.1"});
    CHECK(on(bx_by, {{0, 1}, {0, 1}}, "{a: {$elemMatch: {'b.x': 1, 'b.y': 1}}}") == Texts{"b.x:0.0"});
    CHECK(on(bx_by, {{0, 1}, {0, 1}}, "{'a.b': {$elemMatch: {x: 1, y: 1}}}") == Texts{"x:0.0 y:0.1"});
    CHECK(on(b_c, {{0}, {0}}, "{'a.b': 1, a: {$elemMatch: {b: 2, c: 3}}}") == Texts{"a.b:0.0", "b:0.0 c:0.1"});
    CHECK(on(bx_by, {{0, 1}, {0, 1}}, "{a: {$elemMatch: {b: {$elemMatch: {x: 1, y: 1}}}}}") == Texts{"x:0.0"});
}

TEST_CASE("predicates beside an OR are offered to its branches (5.6)") {
    CHECK(enumerate(Scenario().index("{a: 1, b: 1}"), "{b: 5, $or: [{a: 1}, {a: {$gt: 3}}]}").trees ==
          Texts{"a:0.0 a:0.0 b>0>0.1 b>1>0.1"});
    // The branch's predicate comes second in the index, the borrowed one leads it.
    CHECK(enumerate(Scenario().index("{b: 1, a: 1}"), "{b: 5, $or: [{a: 1}, {a: {$gt: 3}}]}").trees.front() ==
          "a:0.1 a:0.1 b>0>0.0 b>1>0.0");
    // An index of borrowed predicates only is none of the branch's.
    CHECK(enumerate(Scenario().index("{b: 1}"), "{b: 5, $or: [{a: 1}, {c: 3}]}").trees == Texts{"b:0.0"});
    // From inside an $elemMatch nothing leaves it, and nothing from outside passes through it to an OR.
    CHECK(enumerate(Scenario().index("{'a.b': 1, x: 1}"), "{x: 5, a: {$elemMatch: {$or: [{b: 1}, {b: {$gt: 3}}]}}}")
              .trees == Texts{"b:0.0 b:0.0"});
    // Routes run through nested ORs, and a predicate between two ORs goes to the inner one.
    CHECK(enumerate(Scenario().index("{a: 1, b: 1}"),
                    "{b: 5, $or: [{a: 1}, {a: {$gt: 3}, $or: [{a: 7}, {a: {$lt: 9}}]}]}")
              .trees.front() == "a:0.0 a:0.0 a>0>0.0 a>1>0.0 a:0.0 b>0>0>0.1 b>0>1>0.1 b>1>0.1");
}
