#include "ixora/base/knob_table.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <sstream>

#include "ixora/base/error.hpp"
#include "ixora/base/memory_size.hpp"

namespace ixora {

namespace {

constexpr KnobBound at_least(double value) { return {value, true}; }
constexpr KnobBound more_than(double value) { return {value, false}; }
constexpr KnobBound at_most(double value) { return {value, true}; }

using Bound = std::optional<KnobBound>;

constexpr KnobInfo flag(std::string_view name, bool Knobs::*member) { return {name, member, {}, {}}; }
constexpr KnobInfo int32(std::string_view name, std::int64_t Knobs::*member, Bound least = {}, Bound most = {}) {
    return {name, member, least, most, true};
}
constexpr KnobInfo int64(std::string_view name, std::int64_t Knobs::*member, Bound least = {}) {
    return {name, member, least, {}};
}
constexpr KnobInfo real(std::string_view name, double Knobs::*member, Bound least = {}, Bound most = {}) {
    return {name, member, least, most};
}
constexpr KnobInfo text(std::string_view name, std::string Knobs::*member, void (*check)(const std::string&)) {
    return {name, member, {}, {}, false, check, false};
}
constexpr KnobInfo choice(std::string_view name, std::string Knobs::*member, void (*check)(const std::string&)) {
    return {name, member, {}, {}, false, check, true};
}

void check_framework(const std::string& value) {
    constexpr std::array frameworks{std::string_view("forceClassicEngine"), std::string_view("trySbeRestricted"),
                                    std::string_view("trySbeEngine")};
    if (std::find(frameworks.begin(), frameworks.end(), value) == frameworks.end())
        throw Error(ErrorCode::bad_value, "Enumeration value '" + value +
                                              "' for field 'internalQueryFrameworkControl' is not a valid value.");
}

void accept_any_text(const std::string&) {}

void check_memory_size(const std::string& value) { parse_memory_size(value); }

// NOLINTBEGIN(bugprone-macro-parentheses): a knob's name is its member's
#define IXORA_KNOB(name) #name, &Knobs::name
constexpr std::array table{
    flag(IXORA_KNOB(allowDiskUseByDefault)),
    flag(IXORA_KNOB(disablePipelineOptimization)),
    int64(IXORA_KNOB(internalDocumentSourceBucketAutoMaxMemoryBytes), more_than(0)),
    int64(IXORA_KNOB(internalDocumentSourceGroupMaxMemoryBytes), more_than(0)),
    int64(IXORA_KNOB(internalDocumentSourceSetWindowFieldsMaxMemoryBytes), more_than(0)),
    int32(IXORA_KNOB(internalGeoNearQuery2DMaxCoveringCells)),
    int32(IXORA_KNOB(internalGeoPredicateQuery2DMaxCoveringCells)),
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
    choice(IXORA_KNOB(internalQueryFrameworkControl), check_framework),
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
    int32(IXORA_KNOB(internalQueryS2GeoCoarsestLevel)),
    int32(IXORA_KNOB(internalQueryS2GeoFinestLevel)),
    int32(IXORA_KNOB(internalQueryS2GeoMaxCells)),
    int64(IXORA_KNOB(maxOpenCursors), at_least(0)),
    flag(IXORA_KNOB(notablescan)),
    text(IXORA_KNOB(planCacheSize), check_memory_size),
    text(IXORA_KNOB(spillDirectory), accept_any_text),
};
#undef IXORA_KNOB
// NOLINTEND(bugprone-macro-parentheses)

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
    check_bound(info, value, info.most, false);
    check_bound(info, value, info.least, true);
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
        if (info.is_int32 && knobs.*(*number) != static_cast<std::int32_t>(knobs.*(*number)))
            throw Error(ErrorCode::bad_value,
                        "Failed validating " + std::string(info.name) + ": Out of bounds coercing to integral value");
        check_range(info, knobs.*(*number));
    } else if (const auto* real_number = std::get_if<double Knobs::*>(&info.member)) {
        check_range(info, knobs.*(*real_number));
    } else if (const auto* words = std::get_if<std::string Knobs::*>(&info.member)) {
        info.check_text(knobs.*(*words));
    }
}

void check_knobs(const Knobs& knobs) {
    for (const KnobInfo& info : table) check_knob(knobs, info);
}

}  // namespace ixora
