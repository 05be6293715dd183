#include "ixora/mql/upsert.hpp"

#include <map>
#include <string>

#include "ixora/base/error.hpp"
#include "ixora/bson/builder.hpp"
#include "ixora/bson/field_path.hpp"

namespace ixora::mql {

namespace {

using Equalities = std::map<std::string, bson::Value, std::less<>>;

void add(Equalities& equalities, const std::string& path, const bson::Value& value) {
    for (const auto& [known, ignored] : equalities) {
        if (known == path) throw Error(54, "cannot infer query fields to set, path '" + path + "' is matched twice");
        if (bson::is_path_prefix_or_equal(known, path) || bson::is_path_prefix_or_equal(path, known))
            throw Error(54,
                        "cannot infer query fields to set, both paths '" + path + "' and '" + known + "' are matched");
    }
    equalities.emplace(path, value);
}

void collect(const MatchNode& node, bool id_only, Equalities& equalities) {
    if (node.kind == MatchKind::and_ || (node.kind == MatchKind::or_ && node.children.size() == 1)) {
        for (const MatchNodePtr& child : node.children) collect(*child, id_only, equalities);
        return;
    }
    if (node.kind != MatchKind::eq) return;
    if (id_only) {
        if (!bson::is_path_prefix_or_equal("_id", node.path)) return;
        if (node.path != "_id")
            throw Error(111, "field at '_id' must be exactly specified, field at sub-path '" + node.path + "'found");
    }
    add(equalities, node.path, node.value());
}

// Writes the equalities of [at, end) that share the first `depth` bytes of their path.
void write(bson::Builder& out, Equalities::const_iterator& at, Equalities::const_iterator end, std::size_t depth) {
    const std::string prefix = at == end ? std::string() : at->first.substr(0, depth);
    while (at != end && at->first.compare(0, depth, prefix) == 0) {
        const std::size_t dot = at->first.find('.', depth);
        const std::string name = at->first.substr(depth, dot - depth);
        if (dot == std::string::npos) {
            out.append(name, at->second);
            ++at;
        } else {
            out.open_object(name);
            write(out, at, end, dot + 1);
            out.close();
        }
    }
}

}  // namespace

bson::Document upsert_seed(const MatchNode& filter, bool id_only) {
    Equalities equalities;
    collect(filter, id_only, equalities);
    bson::Builder out;
    auto at = equalities.cbegin();
    write(out, at, equalities.cend(), 0);
    return out.finish();
}

}  // namespace ixora::mql
