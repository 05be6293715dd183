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
    struct Assignment {
        std::uint32_t index = 0;  // in `indexes`
        std::uint32_t position = 0;
        bool can_combine_bounds = true;
    };
    struct Destination {  // of an or-pushdown
        std::vector<std::size_t> route;
        Assignment assignment;
    };
    // Parallel to the canonical tree.
    struct Node {
        std::optional<Assignment> own;
        std::vector<Destination> destinations;
        std::vector<Node> children;
    };
    // The key pattern tells apart what one wildcard index expands to.
    struct IndexIdentity {
        std::string name;
        bson::Document key_pattern;
    };

    SolutionOrigin::Kind kind = SolutionOrigin::Kind::none;
    std::vector<IndexIdentity> indexes;  // those the plan uses; the one index of a whole scan
    Node tree;                           // index_tags only
    int direction = 1;                   // of a whole index scan or a collection scan
    // Whether an index can answer the predicates may depend on values that the cache key does not see: partial filters
    // under an $or, negated lists, whatever stands below an $elemMatch. Such a plan is rated again before it is used.
    bool depends_on_values = false;

    std::size_t bytes() const;  // estimated
};

// Nothing if the solution has no cache data.
std::optional<CachedPlan> make_cached_plan(const Solution& solution);

// The assignments of the cached plan on the tree of a query with the same cache key. Nothing if they do not fit: an
// index is missing or not allowed, or a value keeps a predicate from its index.
std::optional<SolutionOrigin> restore_assignments(const CanonicalQuery& query, const Catalog& catalog,
                                                  const CachedPlan& cached);

// The whole plan for such a query: bounds, sort and projection are its own.
std::optional<Solution> rebuild_solution(const CanonicalQuery& query, const Catalog& catalog, const Knobs& knobs,
                                         const CachedPlan& cached);

}  // namespace ixora::plan
