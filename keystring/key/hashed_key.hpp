// Keys of hashed indexes, compound ones included (spec: keystring.md 2.3).
#pragma once

#include <cstdint>
#include <vector>

#include "array_keys.hpp"

namespace ixora::key {

struct HashedPattern {
    const std::vector<bson::FieldPath>& paths;
    std::size_t hashed_position;
    bool sparse;
    std::int32_t seed;
};

// Writes the one key of `document`, or none for a sparse index without any of the fields. Throws 16766 for arrays.
void write_hashed_key(const HashedPattern& pattern, bson::View document, KeyGenerator::Purpose purpose,
                      KeyWriter writer);

}  // namespace ixora::key
