// A plan as plain data: one node per stage, same nesting. Explain prints it, the stage layer runs it (spec: planner.md
// section 6, explain.md section 7).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "ixora/key/record_id.hpp"
#include "ixora/mql/match_node.hpp"
#include "ixora/mql/projection.hpp"
#include "ixora/mql/sort_pattern.hpp"
#include "ixora/plan/index_entry.hpp"
#include "ixora/plan/interval.hpp"

namespace ixora::plan {

enum class StageType : std::uint8_t {
    eof,
    collection_scan,
    index_scan,
    count_scan,
    distinct_scan,
    id_hack,
    record_store_fast_count,
    fetch,
    or_,
    and_hash,
    and_sorted,
    sort_merge,
    sort_simple,
    sort_default,
    sort_key_generator,
    limit,
    skip,
    projection_simple,
    projection_covered,
    projection_default,
    return_key,
    count,
    subplan,
    multi_plan,
    cached_plan,
    update,
    delete_,
    batched_delete,
};

// "IXSCAN", "FETCH" ...; both sorts are "SORT".
std::string_view stage_name(StageType type) noexcept;

// An end of the stretch of a clustered collection that a query needs.
struct RecordBound {
    key::RecordId id;
    bson::Value value;  // what the id encodes; printed
};

struct CollectionScanNode {
    int direction = 1;
    // The rest concerns clustered collections.
    std::optional<RecordBound> min_record;
    std::optional<RecordBound> max_record;
    bool max_inclusive = true;     // false: of max()
    bool is_sorted_by_id = false;  // in the order of values that the query's collation gives
};

struct IndexScanNode {
    IndexEntryPtr index;
    IndexBounds bounds;
    int direction = 1;
    bool should_dedup = false;
    bool add_key_metadata = false;  // returnKey, {$meta: "indexKey"}
    // Over a compound wildcard index: no predicate on the path whose keys are scanned (planner.md 2.9.2).
    bool lacks_wildcard_predicate = false;
};

struct CountScanNode {
    IndexEntryPtr index;
    KeyRange range;
};

struct DistinctScanNode {
    IndexEntryPtr index;
    IndexBounds bounds;
    int direction = 1;
    std::size_t field = 0;  // position of the distinct field in the key pattern
};

struct IdHackNode {
    bson::Value id;
    IndexEntryPtr index;
    bool add_key_metadata = false;
};

struct OrNode {
    bool dedup = true;
};

struct SortMergeNode {
    bson::Document pattern;  // as requested
    bool dedup = true;
};

struct SortNode {
    bson::Document pattern;  // as requested; printed through SortPattern
    std::int64_t limit = 0;  // limit + skip; 0: none
    bool add_sort_key_metadata = false;
};

struct LimitNode {
    std::int64_t limit = 0;
};

struct SkipNode {
    std::int64_t skip = 0;
};

// The projection itself lives in the canonical query, which outlives the plan.
struct ProjectionNode {
    const mql::Projection* projection = nullptr;
    bson::Document transform_by;  // what explain prints
};

struct ReturnKeyNode {
    bool sort_key_field = false;
};

struct CountNode {
    std::int64_t limit = 0;
    std::int64_t skip = 0;
};

struct PlanNode {
    using Params =
        std::variant<std::monostate, CollectionScanNode, IndexScanNode, CountScanNode, DistinctScanNode, IdHackNode,
                     OrNode, SortMergeNode, SortNode, LimitNode, SkipNode, ProjectionNode, ReturnKeyNode, CountNode>;

    StageType type = StageType::eof;
    Params params;
    mql::MatchNodePtr filter;  // null: none. A trivially true filter is never kept.
    std::vector<std::unique_ptr<PlanNode>> children;

    explicit PlanNode(StageType stage_type, Params stage_params = {});
    // Out of line: every source that sees a plan would compile the variant's members anew.
    PlanNode(PlanNode&&) noexcept;
    PlanNode& operator=(PlanNode&&) noexcept;
    ~PlanNode();

    template <class P>
    P& as() {
        return std::get<P>(params);
    }
    template <class P>
    const P& as() const {
        return std::get<P>(params);
    }
    std::unique_ptr<PlanNode> clone() const;
};

using PlanNodePtr = std::unique_ptr<PlanNode>;

PlanNodePtr make_plan_node(StageType type, PlanNode::Params params = {});
PlanNodePtr make_plan_node(StageType type, PlanNode::Params params, PlanNodePtr child);
// FETCH over `child`, with a filter unless that is null.
PlanNodePtr make_fetch(mql::MatchNodePtr filter, PlanNodePtr child);
// Whether any node of the tree is of that type.
bool has_stage(const PlanNode& root, StageType type) noexcept;

}  // namespace ixora::plan
