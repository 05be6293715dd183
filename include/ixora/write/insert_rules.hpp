// What a document must look like to be stored, and how insert completes it (spec: update.md sections 10 and 11,
// keystring.md 2.8).
#pragma once

#include <cstdint>

#include "ixora/bson/document.hpp"

namespace ixora::write {

// The document as it is stored: `_id` generated where missing and moved to the front, Timestamp(0,0) in a top-level
// field replaced by `now` (seconds << 32 | increment). Throws 2, 52, 53, Overflow (15), BSONObjectTooLarge (10334).
bson::Document prepare_insert(bson::View document, std::uint64_t now);

// The document that an upsert inserts: as prepare_insert(), but for its size error (17420).
bson::Document prepare_upsert(bson::View document, std::uint64_t now);
// The document that an update leaves. Throws 17419 when it is too large, Overflow (15) when it nests too deep.
void check_updated(bson::View document);

// Levels of nesting: 1 for a flat document.
int nesting_depth(bson::View document) noexcept;

}  // namespace ixora::write
