// A plan made from a template is the plan that planning gives; where it might not be, there is no template or it does
// not fit.
#include "ixora/plan/plan_template.hpp"

#include <random>

#include "catch.hpp"
#include "scenario.hpp"

using namespace ixora;
using ixora::test::Scenario;
using ixora::test::text_of;

namespace {

// A template of the scenario's query, or null.
plan::PlanTemplatePtr template_of(Scenario& scenario, const std::shared_ptr<const Knobs>& knobs) {
    const plan::CanonicalQuery& query = scenario.query();
    const std::vector<plan::Solution> solutions = plan::plan(query, scenario.catalog, *knobs);
    if (solutions.size() != 1) return nullptr;
    return plan::PlanTemplate::make(query, scenario.catalog, knobs, solutions.front());
}

// The plan of `filter` by a template of the scenario's query: "none" without a template, "misfit" where it doesn't fit,
// "other bounds" where the constants keep it from being used.
std::string by_template(Scenario& scenario, const char* filter) {
    const auto knobs = std::make_shared<const Knobs>();
    const plan::PlanTemplatePtr made = template_of(scenario, knobs);
    if (made == nullptr) return "none";
    const plan::CanonicalQuery& query = scenario.find(filter).query();
    if (!made->fits(query, scenario.catalog, knobs.get())) return "misfit";
    const std::optional<plan::Solution> solution = made->instantiate(query);
    return solution ? text_of(*solution->root) : "other bounds";
}

Scenario over(const char* index, const char* filter) {
    Scenario scenario;
    scenario.index(index).find(filter);
    return scenario;
}

std::string plan_of(const char* index, const char* filter, const char* other) {
    Scenario scenario = over(index, filter);
    return by_template(scenario, other);
}

}  // namespace

TEST_CASE("a template takes over the constants of another query") {
    CHECK(plan_of("{a: 1}", "{a: 1}", "{a: 7}") == "FETCH(IXSCAN a_1[a: [7, 7]])");
    CHECK(plan_of("{a: 1}", "{a: 1, b: {$gt: 'x'}}", "{a: 2.5, b: {$gt: 'y'}}") ==
          "FETCH{b: {$gt: \"y\"}}(IXSCAN a_1[a: [2.5, 2.5]])");
    CHECK(plan_of("{a: 1, b: -1}", "{a: 1, b: {$gte: 5, $lt: 9}}", "{a: 3, b: {$gte: 1, $lt: 2}}") ==
          "FETCH(IXSCAN a_1_b_-1[a: [3, 3]; b: (2, 1]])");
    CHECK(plan_of("{z: 1}", "{a: {$lte: 1}, b: 2}", "{a: {$lte: 5}, b: 6}") ==
          "COLLSCAN{$and: [{b: {$eq: 6}}, {a: {$lte: 5}}]}");
    CHECK(plan_of("{'a.b': 1}", "{a: {$elemMatch: {b: 1, c: {$gt: 2}}}}", "{a: {$elemMatch: {b: 3, c: {$gt: 4}}}}") ==
          "FETCH{a: {$elemMatch: {$and: [{b: {$eq: 3}}, {c: {$gt: 4}}]}}}(IXSCAN a.b_1[a.b: [3, 3]])");
    CHECK(plan_of("{a: 1}", "{a: {$in: [1, 2]}, b: 1}", "{a: {$in: [1, 2]}, b: 5}") ==
          "FETCH{b: {$eq: 5}}(IXSCAN a_1[a: [1, 1], [2, 2]])");
}

TEST_CASE("constants of another kind do not fit") {
    for (const char* other : {"{a: null}", "{a: 'x'}", "{a: [1]}", "{a: /x/}", "{a: {b: 1}}", "{a: NaN}", "{a: MinKey}",
                              "{a: {$gt: 1}}", "{b: 1}", "{a: 1, b: 1}", "{a: {$in: [1, 2]}}", "{a: {$ne: 1}}"}) {
        INFO(other);
        CHECK(plan_of("{a: 1}", "{a: 1}", other) == "misfit");
    }
    CHECK(plan_of("{a: 1}", "{a: {$in: [1, 2]}}", "{a: {$in: [1, 3]}}") == "misfit");
    CHECK(plan_of("{a: 1}", "{a: {$in: [1, 2]}}", "{a: {$in: [1, 2.0]}}") == "misfit");
    CHECK(plan_of("{a: 1}", "{a: 1, b: null}", "{a: 1, b: 5}") == "misfit");
    CHECK(plan_of("{a: 1}", "{a: 1, b: {$mod: [2, 0]}}", "{a: 1, b: {$mod: [2, 1]}}") == "misfit");
}

TEST_CASE("constants that make another kind of bounds are planned anew") {
    const char* range = "{a: {$gt: 1, $lt: 5}}";
    CHECK(plan_of("{a: 1}", range, "{a: {$gt: 2, $lt: 3}}") == "FETCH(IXSCAN a_1[a: (2, 3)])");
    CHECK(plan_of("{a: 1}", range, "{a: {$gt: 5, $lt: 1}}") == "other bounds");
    CHECK(plan_of("{a: 1}", range, "{a: {$gt: 5, $lt: 5}}") == "other bounds");
    CHECK(plan_of("{a: 1}", "{a: {$gte: 1, $lte: 5}}", "{a: {$gte: 5, $lte: 5}}") == "other bounds");
    CHECK(plan_of("{a: 1}", "{a: {$gt: 1}}", "{a: {$gt: Infinity}}") == "other bounds");
    CHECK(plan_of("{a: 1}", "{a: {$gte: 1}}", "{a: {$gte: Infinity}}") == "other bounds");
    CHECK(plan_of("{a: 1}", "{a: {$lt: 'b'}}", "{a: {$lt: ''}}") == "other bounds");
}

TEST_CASE("no template where constants decide") {
    // Which of two ends is the tighter one.
    CHECK(plan_of("{a: 1}", "{a: {$gt: 1, $gte: 2, $lt: 9}}", "{a: {$gt: 3, $gte: 2, $lt: 9}}") == "none");
    CHECK(plan_of("{a: 1}", "{a: {$gte: 5, $lte: 5}}", "{a: {$gte: 5, $lte: 6}}") == "none");
    CHECK(plan_of("{a: 1}", "{a: {$in: [1, 2], $gt: 0}}", "{a: {$in: [1, 2], $gt: 1}}") == "none");
    CHECK(plan_of("{a: 1}", "{a: {$ne: 1}}", "{a: {$ne: 2}}") == "none");
    CHECK(plan_of("{b: 1, a: 1}", "{b: 1, a: {$gt: 9, $nin: [5, 7]}}", "{b: 1, a: {$gt: 3, $nin: [5, 7]}}") == "none");
    CHECK(plan_of("{a: 1}", "{a: {$elemMatch: {$gt: 1, $lt: 5}}}", "{a: {$elemMatch: {$gt: 2, $lt: 5}}}") == "none");
    CHECK(plan_of("{a: 'hashed'}", "{a: 1}", "{a: 2}") == "none");
    CHECK(plan_of("{a: 1}", "{$or: [{a: 1}, {a: {$gt: 7}}]}", "{$or: [{a: 1}, {a: {$gt: 8}}]}") == "none");

    Scenario partial = over("{a: 1}", "{a: 1, b: 1}");
    partial.index("{b: 1}").partial("{b: {$gt: 5}}").find("{a: 1, b: 1}");
    CHECK(by_template(partial, "{a: 1, b: 7}") == "none");
    Scenario elsewhere = over("{a: 1}", "{a: 1}");
    elsewhere.index("{c: 1}").partial("{c: {$gt: 5}}").find("{a: 1}");
    CHECK(by_template(elsewhere, "{a: 2}") == "FETCH(IXSCAN a_1[a: [2, 2]])");
    Scenario hinted = over("{a: 1}", "{a: 1}");
    CHECK(by_template(hinted.hint("{a: 1}"), "{a: 2}") == "none");
}

TEST_CASE("options and circumstances are a part of the form") {
    const auto knobs = std::make_shared<const Knobs>();
    Scenario scenario = over("{a: 1}", "{a: 1, b: 2}");
    scenario.sort("{c: 1}").limit(5);
    const plan::PlanTemplatePtr made = template_of(scenario, knobs);
    REQUIRE(made != nullptr);
    CHECK(made->fits(scenario.query(), scenario.catalog, knobs.get()));
    CHECK_FALSE(made->fits(scenario.query(), scenario.catalog, std::make_shared<const Knobs>().get()));
    CHECK_FALSE(made->fits(scenario.limit(6).query(), scenario.catalog, knobs.get()));
    CHECK_FALSE(made->fits(scenario.limit(5).skip(1).query(), scenario.catalog, knobs.get()));
    CHECK_FALSE(made->fits(scenario.skip(0).sort("{c: -1}").query(), scenario.catalog, knobs.get()));
    CHECK_FALSE(made->fits(scenario.sort("{c: 1}").project("{a: 1}").query(), scenario.catalog, knobs.get()));
    scenario.request.projection = {};
    CHECK(made->fits(scenario.query(), scenario.catalog, knobs.get()));
    // An index turns multikey, or another one appears: its entry in the catalog is a new one.
    Scenario changed = scenario;
    changed.catalog.indexes[1] = std::make_shared<plan::IndexEntry>(*scenario.catalog.indexes[1]);
    CHECK_FALSE(made->fits(scenario.query(), changed.catalog, knobs.get()));
    changed = scenario;
    changed.index("{b: 1}");
    CHECK_FALSE(made->fits(scenario.query(), changed.catalog, knobs.get()));
}

TEST_CASE("the latest template of a form is found by its queries") {
    const auto knobs = std::make_shared<const Knobs>();
    Scenario scenario = over("{a: 1}", "{a: 1}");
    plan::PlanTemplates templates;
    CHECK(templates.find(scenario.query(), scenario.catalog, knobs.get()) == nullptr);
    const plan::PlanTemplatePtr made = template_of(scenario, knobs);
    templates.put(made);
    CHECK(templates.find(scenario.find("{a: 9}").query(), scenario.catalog, knobs.get()) == made);
    CHECK(templates.find(scenario.find("{b: 9}").query(), scenario.catalog, knobs.get()) == nullptr);
    const plan::PlanTemplatePtr newer = template_of(scenario.find("{a: 3}"), knobs);
    templates.put(newer);
    CHECK(templates.find(scenario.find("{a: 9}").query(), scenario.catalog, knobs.get()) == newer);
}

namespace {

// Filters of few forms with random constants.
class RandomFilters {
public:
    explicit RandomFilters(unsigned seed) : random_(seed) {}
    std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(random_() % n); }

    std::string value() {
        switch (below(24)) {
            case 0: return "null";
            case 1: return "'x'";
            case 2: return "[1, 2]";
            case 3: return "''";
            case 4: return "true";
            case 5: return "MinKey";
            case 6: return "Infinity";
            case 7: return "NaN";
            default: return std::to_string(below(4)) + (below(4) == 0 ? ".0" : "");
        }
    }
    // The predicates are chosen by `form`, their constants anew each time.
    std::string filter(unsigned form) {
        RandomFilters shape(form);
        std::string out = "{";
        for (std::uint32_t i = 0, n = 1 + shape.below(3); i < n; ++i) {
            const std::string name =
                std::string("'") + static_cast<char>('a' + i) + (shape.below(6) == 0 ? ".d'" : "'");
            static constexpr const char* operators[] = {"$eq", "$gt", "$gte", "$lt", "$lte", "$ne"};
            const auto operation = [&] { return std::string(operators[shape.below(6)]) + ": "; };
            out += i > 0 ? ", " : "";
            out += name + ": ";
            switch (shape.below(8)) {
                case 0: out += value(); break;
                case 4:
                    out += "{" + operation() + value() + ", $nin: [1, " + std::to_string(shape.below(9)) + "]}";
                    break;
                case 5: out += "{" + operation() + value() + ", $exists: true}"; break;
                case 1: out += "{" + operation() + value() + ", " + operation() + value() + "}"; break;
                case 2: out += "{$elemMatch: {d: " + value() + ", e: {" + operation() + value() + "}}}"; break;
                case 3: out += "{$in: [" + value() + ", 7]}"; break;
                default: out += "{" + operation() + value() + "}"; break;
            }
        }
        return out + "}";
    }

private:
    std::mt19937 random_;
};

Scenario random_scenario(RandomFilters& random) {
    static constexpr const char* patterns[] = {"{a: 1}",       "{b: -1}", "{a: 1, b: 1}",  "{a: -1, c: 1}",
                                               "{'a.d': 1}",   "{c: 1}",  "{b: 1, a: -1}", "{'b.d': 1, 'b.e': 1}",
                                               "{a: 'hashed'}"};
    Scenario scenario;
    for (std::uint32_t i = 0, n = random.below(3); i < n; ++i) {
        scenario.index(patterns[random.below(9)]);
        if (random.below(4) == 0) scenario.multikey_without_paths();
        if (random.below(5) == 0) scenario.sparse();
        if (random.below(8) == 0) scenario.partial("{a: {$gt: 1}}");
    }
    switch (random.below(6)) {
        case 0: scenario.sort("{a: 1}"); break;
        case 1: scenario.sort("{b: 1, c: -1}").limit(3); break;
        case 2: scenario.project("{a: 1, _id: 0}"); break;
        case 3: scenario.count(); break;
        default: break;
    }
    return scenario;
}

}  // namespace

TEST_CASE("random templates give the plans of planning") {
    const auto knobs = std::make_shared<const Knobs>();
    int compared = 0;
    for (unsigned seed = 0; seed < 6000; ++seed) {
        RandomFilters random(seed);
        Scenario scenario = random_scenario(random);
        scenario.request.filter = ixora::test::shell(random.filter(seed));
        const plan::PlanTemplatePtr made = template_of(scenario, knobs);
        if (made == nullptr) continue;
        for (int i = 0; i < 8; ++i) {
            scenario.request.filter = ixora::test::shell(random.filter(seed));
            const plan::CanonicalQuery& query = scenario.query();
            if (!made->fits(query, scenario.catalog, knobs.get())) continue;
            const std::optional<plan::Solution> solution = made->instantiate(query);
            if (!solution) continue;
            INFO("seed " << seed << ": " << ixora::test::compact(scenario.request.filter));
            const std::vector<plan::Solution> planned = plan::plan(query, scenario.catalog, *knobs);
            REQUIRE(planned.size() == 1);
            REQUIRE(text_of(*solution->root) == text_of(*planned.front().root));
            REQUIRE(solution->has_blocking_stage == planned.front().has_blocking_stage);
            ++compared;
        }
    }
    CHECK(compared > 3000);
}
