// From a mongosh statement to the command it stands for (spec: commands.md section 11).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "ixora/bson/document.hpp"
#include "ixora/explain/verbosity.hpp"
#include "ixora/mql/shell.hpp"

namespace ixora::tool {

struct StatementCommand {
    bson::Document command;            // {find: ..., $db}, {count: ..., $db} or {distinct: ..., $db}
    std::optional<Verbosity> explain;  // the statement itself asked for an explain
};

// db.COLL.find(filter, projection, options) with sort, skip, limit, hint, min, max, collation, batchSize, comment,
// maxTimeMS, returnKey, showRecordId, allowDiskUse, project, count and explain; db.COLL.findOne(...);
// db.COLL.count(query, options); db.COLL.distinct(key, query, options); db.COLL.explain(verbosity).find(...). Throws
// mql::ShellSyntaxError that points at the method it does not know or cannot take.
StatementCommand parse_statement(std::string_view text, const std::string& database);

// If the message of `error` names an operator ("unknown operator: $gtt") that stands in the statement, the same error
// with its line, column and a caret; else nothing.
std::optional<mql::ShellSyntaxError> locate_operator(std::string_view statement, const Error& error);

}  // namespace ixora::tool
