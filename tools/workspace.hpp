// What explain and query share: options, a database filled from files, indexes, and the statement to run.
#pragma once

#include <string>
#include <vector>

#include "ixora/ixora.hpp"
#include "statement.hpp"

namespace CLI {
class App;
}

namespace ixora::tool {

struct WorkspaceOptions {
    std::vector<std::string> data;         // FILE or COLLECTION=FILE
    std::vector<std::string> index_files;  // FILE or COLLECTION=FILE
    std::vector<std::string> indexes;      // [COLLECTION=] a key pattern or a whole specification, in shell syntax
    std::string statement;
};

void add_workspace_options(CLI::App& command, WorkspaceOptions& options);

// Loads the data, then builds the indexes: those of files first. `collection` is where files and indexes without a name
// of their own go. Listed indexes that the engine does not support are left out, with the reason on standard error.
void fill(Database& database, const WorkspaceOptions& options, const std::string& collection);

inline constexpr const char* database_name = "test";

// Prints an error for people (with the excerpt of a syntax error) on standard error.
void report_error(const Error& error);

// The reply, or an Error if it is one; the Error points into `statement` where it can.
bson::Document run_or_throw(Database& database, bson::View command, std::string_view statement = {});

}  // namespace ixora::tool
