// The `_id` index: what its specification may say, and the one it gets (spec: keystring.md 2.7 step B, 2.8).
#pragma once

#include "ixora/bson/collator.hpp"
#include "ixora/bson/document.hpp"

namespace ixora::command {

// {_id: n}, n a number.
bool is_id_pattern(bson::View key);

// Checks the fields of a specification whose shape is known to be good. Throws 197 and BadValue (2).
void check_id_index_fields(bson::View spec);
// An `_id` index orders strings like its collection. Throws BadValue (2).
void check_id_index_collation(bson::View spec, const bson::Collator* collection_collator);

// The specification of the `_id` index of a collection with that default collation.
bson::Document id_index_spec(const bson::Collator* collection_collator);

}  // namespace ixora::command
