// What the key pattern of an index says about its kind (spec: keystring.md section 2, planner.md 2.1).
#pragma once

#include <string>
#include <string_view>

#include "ixora/bson/view.hpp"

namespace ixora::key {

enum class IndexType { btree, hashed, wildcard, text, geo_2d, geo_2dsphere };

// The first string value names the plug-in; else a field "$**" or "x.$**" makes it wildcard; else btree.
// Throws CannotCreateIndex (67) for an unknown plug-in.
IndexType index_type(bson::View key_pattern);
// "btree", "hashed", "2dsphere" ...
std::string_view index_type_name(IndexType type) noexcept;
// `a_1_b.c_-1`: the name that clients give an index.
std::string default_index_name(bson::View key_pattern);

}  // namespace ixora::key
