// Names of databases and collections (spec: commands.md section 5).
#pragma once

#include <string>
#include <string_view>

namespace ixora::command {

// "db.collection" with its parts.
struct Namespace {
    std::string database;
    std::string collection;
    std::string full() const { return database + "." + collection; }
};

// Throws InvalidNamespace (73) with the server's texts.
void check_database_name(std::string_view name);
Namespace make_namespace(std::string_view database, std::string_view collection);
// The same for names under "system." that no server has.
void check_system_namespace(const Namespace& ns);

}  // namespace ixora::command
