// What an upsert takes over from its query (spec: update.md section 9).
#pragma once

#include "ixora/bson/document.hpp"
#include "ixora/mql/match_node.hpp"

namespace ixora::mql {

// The fields that a normalised filter fixes by equality, in bytewise order of their paths; dotted paths make objects.
// `id_only`: for replacements, which take `_id` alone. Throws NotSingleValueField (54), NotExactValueField (111).
bson::Document upsert_seed(const MatchNode& filter, bool id_only);

}  // namespace ixora::mql
