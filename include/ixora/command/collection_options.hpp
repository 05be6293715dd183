// The options of the create command (spec: commands.md section 5).
#pragma once

#include "ixora/bson/document.hpp"
#include "ixora/command/commands.hpp"

namespace ixora::command {

// Checks them the way the server's parser does and gives the options that the collection keeps. Throws
// CommandNotSupported (115) for those that would make it another kind of collection.
bson::Document parse_collection_options(const Operation& operation, const Namespace& ns);

// The names in a storageEngine document. Throws InvalidOptions (72) for an engine that no server has; the options of
// WiredTiger are accepted without effect.
void check_storage_engines(bson::View engines);

}  // namespace ixora::command
