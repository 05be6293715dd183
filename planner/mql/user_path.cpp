#include "ixora/mql/user_path.hpp"

#include <algorithm>
#include <array>

#include "ixora/base/error.hpp"
#include "ixora/bson/validate.hpp"

namespace ixora::mql {

namespace {

// DBRef members, and the names under which metadata travels inside documents.
constexpr std::array<std::string_view, 13> allowed_dollar_names = {
    "$id",       "$ref", "$db", "$textScore",   "$randVal",          "$sortKey",
    "$recordId", "$dis", "$pt", "$searchScore", "$searchHighlights", "$searchScoreDetails",
    "$indexKey"};

}  // namespace

void check_user_path_part(std::string_view part) {
    if (part.empty()) throw Error(15998, "FieldPath field names may not be empty strings.");
    if (part.front() == '$' &&
        std::find(allowed_dollar_names.begin(), allowed_dollar_names.end(), part) == allowed_dollar_names.end())
        throw Error(16410, "FieldPath field names may not start with '$'. Consider using $getField or $setField.");
    if (part.find('\0') != std::string_view::npos) throw Error(16411, "FieldPath field names may not contain '\\0'.");
    if (part.find('.') != std::string_view::npos) throw Error(16412, "FieldPath field names may not contain '.'.");
}

void check_user_path(std::string_view path) {
    if (path.empty()) throw Error(40352, "FieldPath cannot be constructed with empty string");
    if (path.back() == '.') throw Error(40353, "FieldPath must not end with a '.'.");
    if (std::count(path.begin(), path.end(), '.') >= bson::command_depth_max)
        throw Error(ErrorCode::overflow, "FieldPath is too long");
    for (std::size_t start = 0; start <= path.size();) {
        const std::size_t dot = std::min(path.find('.', start), path.size());
        check_user_path_part(path.substr(start, dot - start));
        start = dot + 1;
    }
}

}  // namespace ixora::mql
