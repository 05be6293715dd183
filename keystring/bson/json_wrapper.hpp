// Objects of Extended JSON that stand for a value, such as {"$oid": "..."} (spec: commands.md section 10).
#pragma once

#include <cstddef>

#include "ixora/bson/builder.hpp"

namespace ixora::bson {

enum class Unwrapped { plain, value, malformed };

struct JsonObject {
    View fields;
    std::size_t count = 0;
    bool ends_with_bare_number = false;  // the last value was a number literal, not a wrapper of one
};

// When the keys of `object` are exactly those of a wrapper, appends the value it stands for to `out`, once and with an
// empty name. `malformed` says that the keys are a wrapper's and the content is not. Wrappers inside are already
// values.
Unwrapped unwrap(const JsonObject& object, bool legacy_v1, Builder& out);

}  // namespace ixora::bson
