// The names that $meta takes (spec: match.md 9.8).
#pragma once

#include <cstdint>
#include <string_view>

#include "ixora/bson/element.hpp"

namespace ixora::mql {

enum class Metadata : std::uint8_t { sort_key, index_key, record_id, random_value, unavailable };

struct MetadataName {
    std::string_view name;
    Metadata kind = Metadata::unavailable;
    std::string_view description = {};  // of unavailable ones, as the error names them
};

// Throws 17307 for what is no string and 17308 for an unknown name.
const MetadataName& parse_metadata_name(bson::Element argument);

}  // namespace ixora::mql
