// Rules for dotted paths that users write in sorts, projections and expressions (spec: match.md 9.4).
#pragma once

#include <string_view>

namespace ixora::mql {

// Throws 40352 (empty), 40353 (final dot), Overflow 15 (more parts than BSON may nest), 15998 (empty part), 16410 (part
// that starts with '$' and is neither a DBRef field nor a metadata name), 16411 (NUL).
void check_user_path(std::string_view path);
// The rules for one part: 15998, 16410, 16411 and 16412 (a dot inside).
void check_user_path_part(std::string_view part);

}  // namespace ixora::mql
