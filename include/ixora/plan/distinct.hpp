// Plans that read one index key per distinct value of a field (spec: planner.md 6.15).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "ixora/plan/planner.hpp"

namespace ixora::plan {

struct DistinctRequest {
    std::string key;
    // Every value exactly once and no array unwound, as a $group needs it: no other plan will do. A distinct command
    // drops duplicates itself.
    bool strict = false;
};

// The projection that a distinct command implies: the key up to its first array index.
bson::Document distinct_projection(std::string_view key);

struct DistinctPlan {
    std::optional<Solution> solution;
    // Without a solution: whether the query is planned the ordinary way with its projection or for whole documents.
    bool keeps_projection = false;
};

// The collection exists. Throws what a hint throws.
DistinctPlan plan_distinct(const CanonicalQuery& query, const DistinctRequest& request, const Catalog& catalog,
                           const Knobs& knobs);

}  // namespace ixora::plan
