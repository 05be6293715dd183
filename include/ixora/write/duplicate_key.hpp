// The E11000 error (spec: keystring.md 4.5).
#pragma once

#include "ixora/base/error.hpp"
#include "ixora/bson/builder.hpp"
#include "ixora/key/key_string.hpp"
#include "ixora/write/index_state.hpp"

namespace ixora::write {

// The reply fields of a DuplicateKey error: keyPattern, keyValue and, for a collated index, collation and hexEncoded.
class DuplicateKeyInfo final : public ErrorExtra {
public:
    bson::Document fields;
};

// Builds the error for a key that another record owns already.
Error duplicate_key_error(std::string_view ns, const IndexState& index, key::Bytes key, key::Bytes type_bits);

}  // namespace ixora::write
