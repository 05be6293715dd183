// What is kept of a winning plan so that it can be made again for other values (spec: planner.md 5.9, 7.7).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ixora/base/knobs.hpp"
#include "ixora/plan/canonical_query.hpp"
#include "ixora/plan/planner.hpp"

namespace ixora::plan {

// Holds no value of the query it came from: which predicate goes to which field of which index, nothing else.
struct CachedPlan {
    // The key pattern tells apart what one wildcard index expands to.
    struct IndexIdentity {
        std::string name;
        bson::Document key_pattern;
    };

    SolutionOrigin::Kind kind = SolutionOrigin::Kind::none;
    std::vector<IndexIdentity> indexes;  // those the plan uses; the one index of a whole scan
    AssignmentTree tree;                 // index_tags only; numbers are those of `indexes`
    int direction = 1;                   // of a whole index scan or a collection scan
    // Whether an index can answer the predicates may depend on values that the cache key does not see: partial filters
    // under an $or, negated lists, whatever stands below an $elemMatch. Such a plan is rated again before it is used.
    bool depends_on_values = false;

    std::size_t bytes() const;  // estimated
};

// Of a solution of that query. Nothing if it has no cache data.
std::optional<CachedPlan> make_cached_plan(const CanonicalQuery& query, const Solution& solution);

// The assignments of the cached plan on the tree of a query with the same cache key. Nothing if they do not fit: an
// index is missing or not allowed, or a value keeps a predicate from its index.
std::optional<SolutionOrigin> restore_assignments(const CanonicalQuery& query, const Catalog& catalog,
                                                  const CachedPlan& cached);

// The whole plan for such a query: bounds, sort and projection are its own.
std::optional<Solution> rebuild_solution(const CanonicalQuery& query, const Catalog& catalog, const Knobs& knobs,
                                         const CachedPlan& cached);

}  // namespace ixora::plan
