// Large filters: the number of plans, of their parts and the flags stay within the limits (planner.md 5, 6.9 and 9).
#include "catch.hpp"
#include "scenario.hpp"

using ixora::test::Scenario;
namespace bson = ixora::bson;
namespace plan = ixora::plan;

namespace {

constexpr int many = 10'000;
constexpr std::size_t solutions_max = 64;
constexpr std::size_t or_solutions_max = 10;

// {NAME: [{clause(0)}, {clause(1)}, ...]}
template <class F>
bson::Document list_of(std::string_view name, int count, F clause) {
    bson::Builder out;
    out.open_array(name);
    for (int i = 0; i < count; ++i) {
        out.open_object();
        clause(out, i);
        out.close();
    }
    out.close();
    return out.finish();
}

void append_comparison(bson::Builder& out, std::string_view path, std::string_view comparison, int value) {
    out.open_object(path);
    out.append(comparison, value);
    out.close();
}

Scenario a_and_b() { return Scenario().index("{a: 1}").index("{b: 1}"); }

Scenario find(Scenario scenario, bson::Document filter) {
    scenario.request.filter = std::move(filter);
    return scenario;
}

// A rooted $or planned as a whole.
Scenario whole(Scenario scenario) {
    scenario.knobs.internalQueryPlanOrChildrenIndependently = false;
    return scenario;
}

std::size_t count_scans(const plan::PlanNode& node) {
    std::size_t count = node.type == plan::StageType::index_scan ? 1 : 0;
    for (const plan::PlanNodePtr& child : node.children) count += count_scans(*child);
    return count;
}

const plan::IndexScanNode& first_scan(const plan::PlanNode& node) {
    return node.type == plan::StageType::index_scan ? node.as<plan::IndexScanNode>()
                                                    : first_scan(*node.children.front());
}

// AND and OR in turns, `depth` levels of them, with a predicate beside each.
void append_nested(bson::Builder& out, int depth) {
    out.append("a", depth);
    if (depth == 0) return;
    out.open_array("$or");
    out.open_object();
    append_nested(out, depth - 1);
    out.close();
    out.open_object();
    append_comparison(out, "b", "$gt", depth);
    out.append("c", depth);
    out.close();
    out.close();
}

bson::Document nested(int depth) {
    bson::Builder out;
    append_nested(out, depth);
    return out.finish();
}

}  // namespace

TEST_CASE("10,000 branches of an $or") {
    const bson::Document branches = list_of("$or", many, [](bson::Builder& out, int i) {
        out.append("a", i);
        out.append("b", i);
    });
    const auto solutions = find(whole(a_and_b()), branches).solutions();
    CHECK(solutions.size() == or_solutions_max);
    CHECK(solutions.back().limits.indexed_or_solutions);
    CHECK(count_scans(*solutions.front().root) == many);

    bson::Builder contained;
    contained.append("c", 1);
    contained.append_all(branches);
    const auto beside = find(a_and_b(), contained.finish()).solutions();
    CHECK(beside.size() == or_solutions_max);
    CHECK(beside.back().limits.indexed_or_solutions);

    // Branch by branch nothing is left to enumerate together.
    CHECK(find(a_and_b(), branches).executor_plans().size() == 1);
    // Equalities of one field are one $in.
    const auto one = find(a_and_b(), list_of("$or", many, [](bson::Builder& out, int i) { out.append("a", i); }));
    CHECK(Scenario(one).solutions().size() == 1);
}

TEST_CASE("10,000 predicates of an $and") {
    const auto ranges = [](std::string_view comparison) {
        return list_of("$and", many, [=](bson::Builder& out, int i) { append_comparison(out, "a", comparison, i); });
    };
    const auto narrow = find(a_and_b(), ranges("$gt")).solutions();
    REQUIRE(narrow.size() == 1);
    CHECK(first_scan(*narrow.front().root).bounds.fields.front().intervals.size() == 1);
    const auto holes = find(a_and_b(), ranges("$ne")).solutions();
    REQUIRE(holes.size() == 1);
    CHECK(first_scan(*holes.front().root).bounds.fields.front().intervals.size() == many + 1);

    // With arrays each predicate is a plan of its own.
    Scenario arrays = find(Scenario().index("{a: 1}").multikey({{0}}), ranges("$gt"));
    CHECK(arrays.solutions().size() == solutions_max);
    Scenario without_paths = find(Scenario().index("{a: 1}").multikey_without_paths(), ranges("$gt"));
    CHECK(without_paths.solutions().size() == solutions_max);

    // As many fields, one index each through a wildcard.
    const bson::Document fields = list_of(
        "$and", many, [](bson::Builder& out, int i) { append_comparison(out, "f" + std::to_string(i), "$gt", 1); });
    Scenario wildcard = Scenario().index("{'$**': 1}").wildcard("{}", {});
    CHECK(find(wildcard, fields).solutions().size() == solutions_max);
}

TEST_CASE("10,000 predicates and as many indexes as a collection may have") {
    Scenario scenario;
    for (int i = 0; i < 32; ++i) scenario.index("{a: 1, b: 1, x" + std::to_string(i) + ": 1}");
    for (int i = 0; i < 31; ++i) scenario.index("{b: 1, a: 1, x" + std::to_string(i) + ": 1}");
    const bson::Document both = list_of(
        "$and", many, [](bson::Builder& out, int i) { append_comparison(out, i % 2 == 0 ? "a" : "b", "$gt", i); });
    CHECK(find(scenario, both).solutions().size() == 63);
}

TEST_CASE("1,000 predicates beside an $or of 1,000 branches") {
    bson::Builder out;
    out.append_all(list_of("$and", 1000, [](bson::Builder& each, int i) { append_comparison(each, "a", "$gt", i); }));
    out.append_all(list_of("$or", 1000, [](bson::Builder& each, int i) { append_comparison(each, "b", "$gt", i); }));
    const bson::Document filter = out.finish();
    const auto solutions = find(Scenario().index("{b: 1, a: 1}"), filter).solutions();
    REQUIRE(solutions.size() == 1);
    CHECK(count_scans(*solutions.front().root) == 1000);
    CHECK(first_scan(*solutions.front().root).bounds.fields.back().intervals.size() == 1);
}

TEST_CASE("$and and $or nested a hundred levels deep") {
    const auto solutions =
        find(Scenario().index("{a: 1}").index("{b: 1, a: 1}").index("{c: 1}"), nested(95)).solutions();
    CHECK(solutions.size() <= solutions_max);
    CHECK(solutions.back().limits.indexed_or_solutions);
    Scenario arrays = Scenario().index("{a: 1, b: 1}").multikey({{0}, {}}).index("{b: 1, a: 1}").multikey({{0}, {0}});
    CHECK(find(arrays, nested(95)).solutions().size() <= solutions_max);
    // Without an index for c the deepest branches cannot be indexed, and so none above them can.
    CHECK(find(Scenario().index("{c: 1}"), nested(95)).solutions().size() == 1);
}

TEST_CASE("100,000 values of an $in under a sort") {
    bson::Builder out;
    out.open_object("a");
    out.open_array("$in");
    for (int i = 0; i < 100'000; ++i) out.append(i);
    out.close();
    out.close();
    Scenario scenario = find(Scenario().index("{a: 1, b: 1}"), out.finish()).sort("{b: 1}");
    auto solutions = scenario.solutions();
    REQUIRE(solutions.size() == 1);
    CHECK(solutions.front().limits.scans_to_explode);
    CHECK(solutions.front().has_blocking_stage);
    CHECK(first_scan(*solutions.front().root).bounds.fields.front().intervals.size() == 100'000);
    scenario.knobs.internalQueryMaxScansToExplode = 100'000;
    solutions = scenario.solutions();
    CHECK_FALSE(solutions.front().limits.scans_to_explode);
    CHECK(count_scans(*solutions.front().root) == 100'000);
}

TEST_CASE("the limit of scans of a sort counts the product of several lists") {
    bson::Builder out;
    for (const char* field : {"a", "b", "c"}) {
        out.open_object(field);
        out.open_array("$in");
        for (int i = 0; i < 5000; ++i) out.append(i);
        out.close();
        out.close();
    }
    const auto solutions = find(Scenario().index("{a: 1, b: 1, c: 1, d: 1}"), out.finish()).sort("{d: 1}").solutions();
    REQUIRE(solutions.size() == 1);
    CHECK(solutions.front().limits.scans_to_explode);
}
