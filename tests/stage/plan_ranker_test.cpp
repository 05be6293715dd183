// Scores and their order (spec: planner.md 7.2).
#include "ixora/stage/plan_ranker.hpp"
#include "catch.hpp"
#include "ixora/base/error.hpp"

using namespace ixora;
using plan::StageType;

namespace {

plan::PlanNodePtr scan() { return plan::make_plan_node(StageType::eof); }
plan::PlanNodePtr fetch() { return plan::make_fetch(nullptr, scan()); }

double score(const plan::PlanNode& root, std::int64_t advanced, std::int64_t works, bool is_eof,
             const Knobs& knobs = {}) {
    return stage::plan_score({&root, works, advanced, is_eof, false}, knobs);
}

}  // namespace

TEST_CASE("the score is one, productivity, the tie breakers, and one for the end") {
    CHECK(score(*fetch(), 101, 101, false) == 1.0 + 1.0 + (0.0 + 1e-4 + 1e-4));
    CHECK(score(*fetch(), 101, 101, true) == 1.0 + 1.0 + (0.0 + 1e-4 + 1e-4) + 1.0);
    CHECK(score(*fetch(), 3, 11, true) == 1.0 + 3.0 / 11.0 + (0.0 + 1e-4 + 1e-4) + 1.0);
    CHECK(score(*fetch(), 2, 4, true) == Approx(2.5002));
    CHECK(score(*scan(), 0, 10, false) == 1.0 + 0.0 + (1e-4 + 1e-4 + 1e-4));
    CHECK(score(*scan(), 0, 0, false) == 1.0 + 0.0 + (1e-4 + 1e-4 + 1e-4));
    // The tie breakers shrink beyond a thousand rows.
    CHECK(score(*scan(), 5000, 10000, false) == 1.0 + 0.5 + 3.0 * (1.0 / 50000.0));
}

TEST_CASE("every kind of stage costs its own bonus, wherever it stands") {
    const auto over_fetch = [](StageType type) { return plan::make_plan_node(type, {}, fetch()); };
    CHECK(score(*over_fetch(StageType::sort_simple), 0, 10, false) == 1.0 + (0.0 + 0.0 + 1e-4));
    CHECK(score(*over_fetch(StageType::sort_default), 0, 10, false) == 1.0 + (0.0 + 0.0 + 1e-4));
    CHECK(score(*over_fetch(StageType::and_hash), 0, 10, false) == 1.0 + (0.0 + 1e-4 + 0.0));
    CHECK(score(*over_fetch(StageType::and_sorted), 0, 10, false) == 1.0 + (0.0 + 1e-4 + 0.0));
    CHECK(score(*over_fetch(StageType::sort_merge), 0, 10, false) == 1.0 + (0.0 + 1e-4 + 1e-4));
    Knobs knobs;
    knobs.internalQueryForceIntersectionPlans = true;
    CHECK(score(*over_fetch(StageType::and_sorted), 0, 10, false, knobs) == 1.0 + (0.0 + 1e-4 + 0.0) + 3.0);
}

TEST_CASE("ties keep candidate order and failed candidates come last") {
    const plan::PlanNodePtr a = fetch();
    const plan::PlanNodePtr b = fetch();
    const auto input = [](const plan::PlanNodePtr& root, std::int64_t advanced, bool failed) {
        return stage::RankInput{root.get(), 10, advanced, false, failed};
    };
    const stage::Ranking ranking = stage::rank_plans(
        {input(a, 9, true), input(a, 2, false), input(b, 5, false), input(a, 2, false), input(b, 5, false)}, {});
    CHECK(ranking.order == std::vector<std::size_t>{2, 4, 1, 3, 0});
    CHECK(ranking.scores[0] == 0.0);
    try {
        stage::rank_plans({input(a, 0, true), input(b, 0, true)}, {});
        FAIL("no error");
    } catch (const Error& error) {
        CHECK(error.code() == 31157);
    }
}
