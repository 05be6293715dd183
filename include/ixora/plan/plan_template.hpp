// A finished plan that queries of the same form take over with constants of their own, so that they need no planning.
//
// The server plans such queries again each time; what it would decide is decided the same way here, or not at all: a
// template is only made where no decision of the planner looked at a constant but for its type, and it only fits a
// query where that still holds. tests/property compares the two.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "ixora/base/knobs.hpp"
#include "ixora/plan/plan_cache.hpp"
#include "ixora/plan/planner.hpp"

namespace ixora::plan {

// A hash of the tree without its constants, of the sort and of the numbers that are a part of plans.
std::uint64_t form_hash(const CanonicalQuery& query) noexcept;

// Immutable and thread-safe. Constants that may differ are operands of comparisons of an ordinary type (numbers,
// strings, dates ...); lists, regexes, nulls, arrays and all else are a part of the form.
class PlanTemplate {
public:
    // From the only solution of a query, or from a plan that the plan cache gave it (`entry`). Null where the plan may
    // depend on constants: scans of several intervals or of several indexes, partial and wildcard indexes, collations,
    // hints, clustered collections, expressions, long filters.
    static std::shared_ptr<const PlanTemplate> make(const CanonicalQuery& query, const Catalog& catalog,
                                                    std::shared_ptr<const Knobs> knobs, const Solution& solution,
                                                    PlanCacheEntryPtr entry = nullptr);

    // Whether the query differs from the one it was made of in constants only, and would be planned under the same
    // circumstances.
    bool fits(const CanonicalQuery& query, const Catalog& catalog, const Knobs* knobs) const;
    // The plan for a query that it fits. Nothing where the constants change what kind of bounds there are: an empty
    // range, or one that is a point.
    std::optional<Solution> instantiate(const CanonicalQuery& query) const;
    // The same with a plan that was made by instantiate() for another query. False: it is good for nothing then.
    bool fill(PlanNode& root, const CanonicalQuery& query) const;

    // Under which the plan cache keeps plans of these queries.
    const std::string& cache_key() const noexcept { return cache_key_; }
    // Null: there was one solution only.
    const PlanCacheEntryPtr& entry() const noexcept { return entry_; }
    std::uint64_t hash() const noexcept { return hash_; }

private:
    // An end of an interval: the constant of a comparison, by its number in the tree's order, or one that never
    // changes.
    static constexpr std::int32_t fixed = -1;
    struct Range {
        std::size_t field = 0;  // in the bounds; it has one interval
        std::int32_t start = fixed;
        std::int32_t end = fixed;
        int order = 0;  // of start against end: 0 for a point
    };
    using Constants = std::vector<const bson::Value*>;

    PlanTemplate() = default;
    bool learn_bounds(const CanonicalQuery& query, const Solution& solution, const Constants& constants);
    bool learn_filters(const PlanNode& node, const Constants& constants);
    bool learn_filter(const mql::MatchNode& node, const Constants& constants);
    bool fill_bounds(PlanNode& root, const Constants& constants) const;
    void fill_plan(PlanNode& node, const CanonicalQuery& query, const Constants& constants, std::size_t& next) const;
    void fill_filter(mql::MatchNode& node, const Constants& constants, std::size_t& next) const;

    std::uint64_t hash_ = 0;
    std::string cache_key_;
    PlanCacheEntryPtr entry_;
    std::shared_ptr<const Knobs> knobs_;
    std::vector<IndexEntryPtr> indexes_;  // of the catalog
    std::vector<IndexEntryPtr> hidden_indexes_;
    FindRequest request_;  // without its filter
    mql::MatchNodePtr form_;
    PlanNodePtr root_;
    bool has_blocking_stage_ = false;
    LimitsReached limits_;
    SolutionOrigin::Kind kind_ = SolutionOrigin::Kind::none;
    std::vector<Range> ranges_;
    std::vector<std::int32_t> filter_constants_;  // of the comparisons in the plan's filters, in the order of the walk
};

using PlanTemplatePtr = std::shared_ptr<const PlanTemplate>;

// The latest templates of one collection. Thread-safe and of a fixed size: a form replaces another with the same hash.
class PlanTemplates {
public:
    // Null if there is none that fits.
    PlanTemplatePtr find(const CanonicalQuery& query, const Catalog& catalog, const Knobs* knobs) const;
    void put(PlanTemplatePtr made);

private:
    static constexpr std::size_t slot_count = 128;
    mutable std::mutex mutex_;
    std::array<PlanTemplatePtr, slot_count> slots_;
};

}  // namespace ixora::plan
