#include "ixora/base/knob_table.hpp"

#include <algorithm>
#include <cmath>

#include "catch.hpp"
#include "ixora/base/error.hpp"

using namespace ixora;

namespace {

std::string refusal(const Knobs& knobs) {
    try {
        check_knobs(knobs);
    } catch (const Error& error) {
        CHECK(error.is(ErrorCode::bad_value));
        return error.what();
    }
    return {};
}

}  // namespace

TEST_CASE("every knob is found by its name, and its default is in range") {
    const auto knobs = all_knobs();
    CHECK(std::is_sorted(knobs.begin(), knobs.end(),
                         [](const KnobInfo& left, const KnobInfo& right) { return left.name < right.name; }));
    for (const KnobInfo& info : knobs) {
        INFO(info.name);
        REQUIRE(find_knob(info.name) == &info);
        CHECK_NOTHROW(check_knob(Knobs{}, info));
    }
    CHECK(find_knob("") == nullptr);
    CHECK(find_knob("internalQuery") == nullptr);
    CHECK(find_knob("zzz") == nullptr);
}

TEST_CASE("knobs outside of their range are refused") {
    Knobs knobs;
    CHECK(refusal(knobs).empty());
    knobs.internalQueryPlanEvaluationWorks = 0;
    CHECK(refusal(knobs) == "Invalid value for parameter internalQueryPlanEvaluationWorks: 0 is not greater than 0");
    knobs = {};
    knobs.internalQueryPlanEvaluationMaxResults = -1;
    CHECK(refusal(knobs) ==
          "Invalid value for parameter internalQueryPlanEvaluationMaxResults: -1 is not greater than or equal to 0");
    knobs = {};
    knobs.internalQueryPlanEvaluationCollFraction = 1.5;
    CHECK(refusal(knobs) ==
          "Invalid value for parameter internalQueryPlanEvaluationCollFraction: 1.5 is not less than or equal to 1");
    knobs.internalQueryPlanEvaluationCollFraction = std::nan("");
    CHECK(refusal(knobs) ==
          "Invalid value for parameter internalQueryPlanEvaluationCollFraction: nan is not less than or equal to 1");
    knobs = {};
    knobs.internalQueryMaxScansToExplode = 1LL << 31;
    CHECK(refusal(knobs) ==
          "Failed validating internalQueryMaxScansToExplode: Out of bounds coercing to integral value");
    knobs = {};
    knobs.internalQueryMaxBlockingSortMemoryUsageBytes = 1LL << 40;
    CHECK(refusal(knobs).empty());
    knobs.internalQueryFrameworkControl = "fastest";
    CHECK(refusal(knobs) ==
          "Enumeration value 'fastest' for field 'internalQueryFrameworkControl' is not a valid value.");
    knobs = {};
    knobs.internalQueryMaxScansToExplode = -(1LL << 40);
    CHECK(refusal(knobs) ==
          "Failed validating internalQueryMaxScansToExplode: Out of bounds coercing to integral value");
    knobs = {};
    knobs.internalQueryS2GeoCoarsestLevel = -1;  // the server has no range for those of the geo planner
    CHECK(refusal(knobs).empty());
}

TEST_CASE("planCacheSize is an amount of memory") {
    Knobs knobs;
    knobs.planCacheSize = "12MB";
    CHECK_NOTHROW(check_knobs(knobs));
    knobs.planCacheSize = "much";
    try {
        check_knobs(knobs);
        FAIL("accepted");
    } catch (const Error& error) {
        CHECK(error.code() == 6007012);
    }
}
