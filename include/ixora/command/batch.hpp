// Fills a reply batch from an executor (spec: match.md section 7, commands.md 4.1).
#pragma once

#include <cstdint>
#include <optional>

#include "ixora/bson/builder.hpp"
#include "ixora/command/cursor_manager.hpp"

namespace ixora::command {

inline constexpr std::int64_t first_batch_default = 101;

// Appends rows as members of the open array until `count_max` (none: no limit), the end, or until the next row would
// take the batch past 16 MiB; such a row is stashed in the cursor. True when the cursor is exhausted.
bool fill_batch(ClientCursor& cursor, std::optional<std::int64_t> count_max, bson::Builder& out);

}  // namespace ixora::command
