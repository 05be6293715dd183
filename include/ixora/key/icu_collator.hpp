// Collations by ICU behind bson::Collator (spec: match.md 7.2, keystring.md 2.6).
#pragma once

#include "ixora/bson/collator.hpp"

namespace ixora::key {

// Parses a collation document; null for {locale: "simple"}. The result carries the complete normalised specification
// with version "57.1", which is what the server reports. Throws the server's codes (2, 9, 14 ...). Collators of one
// specification are shared; thread-safe.
bson::CollatorPtr make_collator(bson::View spec);

}  // namespace ixora::key
