// Details of a $jsonSchema that a document does not follow.
#pragma once

#include "mismatch_writer.hpp"

namespace ixora::mql {

// `schema` parses; `document` does not match it.
void write_schema_mismatch(const MismatchWriter& writer, bson::View schema, bson::View document);

}  // namespace ixora::mql
