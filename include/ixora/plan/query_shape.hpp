// The strings that identify a query's shape, and their hashes (spec: planner.md 1.8, 1.9).
#pragma once

#include <string>
#include <string_view>

#include "ixora/base/knobs.hpp"
#include "ixora/plan/canonical_query.hpp"
#include "ixora/plan/index_entry.hpp"

namespace ixora::plan {

// match | sort | projection | collation | flags
std::string query_shape(const CanonicalQuery& query, const Knobs& knobs);
// What planCacheClear and index filters go by: match | sort | projection | collation, the last only if the client named
// one (planner.md 11.18).
std::string command_shape(const CanonicalQuery& query, bool with_collation);
// The answers of the indexes' discriminators for this query.
std::string indexability(const CanonicalQuery& query, const Catalog& catalog);
// MurmurHash3 x64_128, low 32 bits, 8 upper-case hex digits.
std::string shape_hash(std::string_view text);

inline std::string query_hash(const CanonicalQuery& query, const Knobs& knobs) {
    return shape_hash(query_shape(query, knobs));
}
inline std::string plan_cache_key(const CanonicalQuery& query, const Catalog& catalog, const Knobs& knobs) {
    return shape_hash(query_shape(query, knobs) + indexability(query, catalog));
}

}  // namespace ixora::plan
