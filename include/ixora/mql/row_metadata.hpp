// What a row carries beside its document, read by $meta (spec: match.md 9.8).
#pragma once

#include "ixora/bson/view.hpp"

namespace ixora::mql {

// For an absent one the projected field is left out.
struct RowMetadata {
    bson::Element sort_key;  // missing: not available
    bson::View index_key;    // of returnKey / {$meta: "indexKey"}
    bool has_index_key = false;
    bson::Element record_id;  // long or binData
};

}  // namespace ixora::mql
