#include "ixora/base/knob_table.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <sstream>

#include "ixora/base/error.hpp"

namespace ixora {

namespace {

constexpr KnobBound at_least(double value) { return {value, true}; }
constexpr KnobBound more_than(double value) { return {value, false}; }
constexpr KnobBound at_most(double value) { return {value, true}; }

using Bound = std::optional<KnobBound>;

constexpr KnobInfo flag(std::string_view name, bool Knobs::*member) { return {name, member, {}, {}, false}; }
constexpr KnobInfo int32(std::string_view name, std::int64_t Knobs::*member, Bound least = {}, Bound most = {}) {
    return {name, member, least, most, true};
}
constexpr KnobInfo int64(std::string_view name, std::int64_t Knobs::*member, Bound least = {}) {
    return {name, member, least, {}, false};
}
constexpr KnobInfo real(std::string_view name, double Knobs::*member, Bound least = {}, Bound most = {}) {
    return {name, member, least, most, false};
}

// NOLINTBEGIN(bugprone-macro-parentheses): a knob's name is its member's
#define IXORA_KNOB(name) #name, &Knobs::name
constexpr std::array table{
    flag(IXORA_KNOB(allowDiskUseByDefault)),
    int32(IXORA_KNOB(internalGeoNearQuery2DMaxCoveringCells), at_least(0)),
    int32(IXORA_KNOB(internalGeoPredicateQuery2DMaxCoveringCells), at_least(0)),
    flag(IXORA_KNOB(internalQueryCacheDisableInactiveEntries)),
    real(IXORA_KNOB(internalQueryCacheEvictionRatio), at_least(0)),
    int32(IXORA_KNOB(internalQueryCacheMaxEntriesPerCollection), at_least(0)),
    int64(IXORA_KNOB(internalQueryCacheMaxSizeBytesBeforeStripDebugInfo), at_least(0)),
    real(IXORA_KNOB(internalQueryCacheWorksGrowthCoefficient), more_than(1)),
    flag(IXORA_KNOB(internalQueryDisablePlanCache)),
    int32(IXORA_KNOB(internalQueryEnumerationMaxIntersectPerAnd), at_least(0)),
    int32(IXORA_KNOB(internalQueryEnumerationMaxOrSolutions), at_least(0)),
    flag(IXORA_KNOB(internalQueryEnumerationPreferLockstepOrEnumeration)),
    int32(IXORA_KNOB(internalQueryExecYieldIterations)),
    int32(IXORA_KNOB(internalQueryExecYieldPeriodMS), at_least(0)),
    int32(IXORA_KNOB(internalQueryExplainSizeThresholdBytes), more_than(0)),
    flag(IXORA_KNOB(internalQueryForceIntersectionPlans)),
    KnobInfo{IXORA_KNOB(internalQueryFrameworkControl), {}, {}, false},
    flag(IXORA_KNOB(internalQueryIgnoreUnknownJSONSchemaKeywords)),
    int64(IXORA_KNOB(internalQueryMaxBlockingSortMemoryUsageBytes), at_least(0)),
    int32(IXORA_KNOB(internalQueryMaxScansToExplode), at_least(0)),
    real(IXORA_KNOB(internalQueryPlanEvaluationCollFraction), at_least(0), at_most(1)),
    int32(IXORA_KNOB(internalQueryPlanEvaluationMaxResults), at_least(0)),
    int32(IXORA_KNOB(internalQueryPlanEvaluationWorks), more_than(0)),
    flag(IXORA_KNOB(internalQueryPlanOrChildrenIndependently)),
    flag(IXORA_KNOB(internalQueryPlannerEnableHashIntersection)),
    flag(IXORA_KNOB(internalQueryPlannerEnableIndexIntersection)),
    flag(IXORA_KNOB(internalQueryPlannerGenerateCoveredWholeIndexScans)),
    int32(IXORA_KNOB(internalQueryPlannerMaxIndexedSolutions), at_least(0)),
    int32(IXORA_KNOB(internalQueryS2GeoCoarsestLevel), at_least(0), at_most(30)),
    int32(IXORA_KNOB(internalQueryS2GeoFinestLevel), at_least(0), at_most(30)),
    int32(IXORA_KNOB(internalQueryS2GeoMaxCells), more_than(0)),
    int64(IXORA_KNOB(maxOpenCursors), at_least(0)),
    flag(IXORA_KNOB(notablescan)),
};
#undef IXORA_KNOB
// NOLINTEND(bugprone-macro-parentheses)

constexpr std::array frameworks{std::string_view("forceClassicEngine"), std::string_view("trySbeRestricted"),
                                std::string_view("trySbeEngine")};

template <class Number>
void check_bound(const KnobInfo& info, Number value, const std::optional<KnobBound>& bound, bool below) {
    if (!bound) return;
    const auto number = static_cast<double>(value);
    const bool inside = bound->inclusive ? (below ? number >= bound->value : number <= bound->value)
                                         : (below ? number > bound->value : number < bound->value);
    if (inside) return;
    std::ostringstream message;
    message << "Invalid value for parameter " << info.name << ": " << value << " is not "
            << (below ? "greater than " : "less than ") << (bound->inclusive ? "or equal to " : "") << bound->value;
    throw Error(ErrorCode::bad_value, message.str());
}

template <class Number>
void check_range(const KnobInfo& info, Number value) {
    check_bound(info, value, info.least, true);
    check_bound(info, value, info.most, false);
}

}  // namespace

std::span<const KnobInfo> all_knobs() noexcept { return table; }

const KnobInfo* find_knob(std::string_view name) noexcept {
    const auto found =
        std::lower_bound(table.begin(), table.end(), name,
                         [](const KnobInfo& info, std::string_view wanted) { return info.name < wanted; });
    return found != table.end() && found->name == name ? &*found : nullptr;
}

void check_knob(const Knobs& knobs, const KnobInfo& info) {
    if (const auto* number = std::get_if<std::int64_t Knobs::*>(&info.member)) {
        check_range(info, knobs.*(*number));
        if (info.is_int32 && knobs.*(*number) != static_cast<std::int32_t>(knobs.*(*number)))
            throw Error(ErrorCode::bad_value,
                        "Failed setting " + std::string(info.name) + ": Out of bounds coercing to integral value");
    } else if (const auto* real_number = std::get_if<double Knobs::*>(&info.member)) {
        check_range(info, knobs.*(*real_number));
    } else if (const auto* text = std::get_if<std::string Knobs::*>(&info.member)) {
        if (std::find(frameworks.begin(), frameworks.end(), knobs.*(*text)) == frameworks.end())
            throw Error(ErrorCode::bad_value, "Enumeration value '" + knobs.*(*text) + "' for field '" +
                                                  std::string(info.name) + "' is not a valid value.");
    }
}

void check_knobs(const Knobs& knobs) {
    for (const KnobInfo& info : table) check_knob(knobs, info);
}

}  // namespace ixora
