// The E11000 error (spec: keystring.md 4.5).
#pragma once

#include "ixora/base/error.hpp"
#include "ixora/key/key_string.hpp"
#include "ixora/write/index_state.hpp"

namespace ixora::write {

// The error for a record id of a clustered collection that exists already. No index is named: the records themselves
// are the index.
Error clustered_duplicate_key_error(std::string_view ns, const key::RecordId& id, const key::TypeBits& type_bits,
                                    const bson::Collator* collator);
// The error for a key that another record owns already.
Error duplicate_key_error(std::string_view ns, const IndexState& index, key::Bytes key, key::Bytes type_bits);

}  // namespace ixora::write
