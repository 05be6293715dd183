#include "ixora/command/namespace.hpp"

#include <algorithm>
#include <array>

#include "ixora/base/error.hpp"

namespace ixora::command {

void check_database_name(std::string_view name) {
    if (name.empty()) throw Error(ErrorCode::invalid_namespace, "Invalid namespace specified ''");
    if (name.size() > 63)
        throw Error(ErrorCode::invalid_namespace,
                    "db name must be at most 63 characters, found: " + std::to_string(name.size()));
    static constexpr std::string_view forbidden("/\\. \"$*<>:|?\0", 13);
    const std::size_t at = name.find_first_of(forbidden);
    if (at == std::string_view::npos) return;
    if (name[at] == '\0') throw Error(ErrorCode::invalid_namespace, "namespaces cannot have embedded null characters");
    throw Error(ErrorCode::invalid_namespace,
                "'" + std::string(1, name[at]) + "' is an invalid character in a db name: " + std::string(name));
}

Namespace make_namespace(std::string_view database, std::string_view collection) {
    check_database_name(database);
    Namespace ns{std::string(database), std::string(collection)};
    if (collection.empty())
        throw Error(ErrorCode::invalid_namespace, "Invalid namespace specified '" + ns.full() + "'");
    if (collection.find('\0') != std::string_view::npos)
        throw Error(ErrorCode::invalid_namespace, "namespaces cannot have embedded null characters");
    if (collection.front() == '.')
        throw Error(ErrorCode::invalid_namespace, "Collection names cannot start with '.': " + ns.collection);
    if (collection.find('$') != std::string_view::npos && collection.substr(0, 5) != "$cmd.")
        throw Error(ErrorCode::invalid_namespace, "Invalid collection name: " + ns.collection);
    return ns;
}

void check_system_namespace(const Namespace& ns) {
    static constexpr std::array legal{std::string_view("system.js"), std::string_view("system.users"),
                                      std::string_view("system.views"), std::string_view("system.profile")};
    if (!ns.collection.starts_with("system.") || std::find(legal.begin(), legal.end(), ns.collection) != legal.end())
        return;
    throw Error(ErrorCode::invalid_namespace, "Invalid system namespace: " + ns.full());
}

}  // namespace ixora::command
