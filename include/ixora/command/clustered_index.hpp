// The clustered index of a collection: an option of create, and what the index commands make of it (spec: commands.md
// 5, keystring.md 2.9).
#pragma once

#include <optional>

#include "ixora/bson/document.hpp"

namespace ixora::command {

// The stored form {v, key, name, unique} of create's clusteredIndex; nothing for false. Throws 5979703 for true, 197
// for another key than {_id: 1}, 5979700 if it is not unique, 5979704 for another version than 2, and what a field of a
// wrong type gives.
std::optional<bson::Document> normalize_clustered_index(bson::Element option);

// As listIndexes shows it; `options` are those of the collection.
bson::Document listed_clustered_index(bson::View options);

// What a specification of createIndexes that says `clustered` may say beside it. Throws 6492800, CannotCreateIndex (67)
// and InvalidIndexSpecificationOption (197).
void check_clustered_shape(bson::View spec);

// Whether a specification of createIndexes, of good shape, is that of the clustered index `stored` (empty if the
// collection has none), so that there is nothing to build. Throws 6243700 for one that claims to be clustered and is
// not, 6100906 for one with the name and another key, 6100908 for another version.
bool is_clustered_index(bson::View spec, bson::View stored);

}  // namespace ixora::command
