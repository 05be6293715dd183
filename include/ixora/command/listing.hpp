// A cursor over documents that are all at hand: listIndexes and listCollections (spec: commands.md 5).
#pragma once

#include <optional>
#include <vector>

#include "ixora/command/commands.hpp"

namespace ixora::command {

// The batch size of a `cursor` option, which may be missing. Throws TypeMismatch (14), 40415, 51024.
std::optional<std::int64_t> parse_listing_cursor(bson::Element cursor, std::string_view command);

// Appends the field `cursor` with the first batch; what is left waits for getMores on `ns`.
void append_listing(Operation& operation, bson::Builder& reply, Namespace ns, std::vector<bson::Document> documents,
                    std::optional<std::int64_t> batch_size);

}  // namespace ixora::command
