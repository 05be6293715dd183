#include "ixora/pipeline/needs.hpp"

#include <algorithm>

#include "ixora/bson/builder.hpp"
#include "ixora/bson/field_path.hpp"

namespace ixora::pipeline {

using mql::MatchKind;

namespace {

// The part of a filter's path that a projection can name: a number may be the position in an array.
std::string_view up_to_position(std::string_view path) {
    for (std::size_t start = 0; start < path.size();) {
        const std::size_t dot = std::min(path.find('.', start), path.size());
        if (start > 0 && bson::is_array_index(path.substr(start, dot - start))) return path.substr(0, start - 1);
        start = dot + 1;
    }
    return path;
}

}  // namespace

void Needs::add(const mql::Expression& expression) {
    mql::ExpressionDependencies read;
    expression.add_dependencies(read);
    add(read);
}

void Needs::add(const mql::ExpressionDependencies& read) {
    fields.insert(read.fields.begin(), read.fields.end());
    variables.insert(read.variables.begin(), read.variables.end());
    whole_document = whole_document || read.whole_document;
    random = random || read.random;
}

void Needs::add(const mql::MatchNode& filter) {
    if (filter.kind == MatchKind::expression) add(filter.expression().expression);
    if (!filter.path.empty()) fields.emplace(up_to_position(filter.path));
    if (mql::is_schema_of_document(filter.kind)) whole_document = true;
    if (mql::has_inner_paths(filter.kind)) return;
    for (const mql::MatchNodePtr& child : filter.children) add(*child);
}

bool ModifiedPaths::touches(std::string_view path) const {
    const auto related = [path](const std::string& other) {
        return bson::is_path_prefix_or_equal(other, path) || bson::is_path_prefix_or_equal(path, other);
    };
    switch (kind) {
        case Kind::none: return false;
        case Kind::all: return true;
        case Kind::these: return std::any_of(paths.begin(), paths.end(), related);
        case Kind::all_except:
            return std::none_of(
                       paths.begin(), paths.end(),
                       [path](const std::string& kept) { return bson::is_path_prefix_or_equal(kept, path); }) &&
                   std::none_of(renames.begin(), renames.end(), [path](const auto& rename) {
                       return bson::is_path_prefix_or_equal(rename.first, path);
                   });
    }
    return true;
}

bson::Document projection_of(const std::set<std::string>& fields) {
    bson::Builder out;
    bool needs_id = false;
    std::string_view last;
    for (const std::string& field : fields) {
        if (!last.empty() && bson::is_path_prefix_or_equal(last, field)) continue;
        last = field;
        out.append(field, 1);
        needs_id = needs_id || field == "_id" || field.starts_with("_id.");
    }
    if (!needs_id) out.append("_id", 0);
    return out.finish();
}

}  // namespace ixora::pipeline
