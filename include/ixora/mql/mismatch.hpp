// Why a document does not match a filter, as validation errors tell it (spec: update.md section 8).
#pragma once

#include "ixora/bson/document.hpp"
#include "ixora/mql/match_parser.hpp"

namespace ixora::mql {

// The `details` of a validation error. `filter` is the validator as written and parses; `document` does not match it.
// `brief` leaves out what the filter says and the values that were looked at. An operator that cannot explain itself
// gives the fields code, codeName and errmsg instead. Costs a compilation for every clause: meant for failures.
bson::Document explain_mismatch(bson::View filter, bson::View document, const MatchParseOptions& options,
                                bool brief = false);

}  // namespace ixora::mql
