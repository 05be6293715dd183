#include "ixora/plan/query_text.hpp"

#include "ixora/bson/debug_string.hpp"
#include "ixora/mql/match_printer.hpp"

namespace ixora::plan {

namespace {

using mql::MatchKind;
using mql::MatchNode;

std::string_view comparison_name(MatchKind kind) {
    switch (kind) {
        case MatchKind::eq: return "$eq";
        case MatchKind::lt: return "$lt";
        case MatchKind::lte: return "$lte";
        case MatchKind::gt: return "$gt";
        default: return "$gte";
    }
}

std::string regex_text(const mql::RegexPayload& regex) { return "/" + regex.pattern + "/" + regex.flags; }

std::string in_text(const mql::InPayload& in) {
    std::string out = "$in [ ";
    for (const bson::Value& value : in.equalities) out += bson::debug_string(value.element()) + " ";
    for (const mql::RegexPayload& regex : in.regexes) out += regex_text(regex) + " ";
    return out + "]";
}

// What stands behind the path of a leaf. Kinds without a wording of their own print as explain prints them.
std::string leaf_text(const MatchNode& node) {
    if (mql::is_comparison(node.kind))
        return node.path + " " + std::string(comparison_name(node.kind)) + " " +
               bson::debug_string(node.value().element());
    switch (node.kind) {
        case MatchKind::regex: return node.path + " regex " + regex_text(node.regex());
        case MatchKind::in: return node.path + " " + in_text(node.in());
        case MatchKind::exists: return node.path + " exists";
        case MatchKind::size: return node.path + " $size : " + std::to_string(std::get<std::int64_t>(node.payload));
        case MatchKind::mod: {
            const auto& mod = std::get<mql::ModPayload>(node.payload);
            return node.path + " mod " + std::to_string(mod.divisor) + " % x == " + std::to_string(mod.remainder);
        }
        default: return bson::debug_string(mql::print_match(node).view());
    }
}

std::string_view inner_name(MatchKind kind) {
    switch (kind) {
        case MatchKind::and_: return "$and";
        case MatchKind::or_: return "$or";
        case MatchKind::nor: return "$nor";
        case MatchKind::not_: return "$not";
        case MatchKind::elem_match_object: return "$elemMatch (obj)";
        case MatchKind::elem_match_value: return "$elemMatch (value)";
        default: return {};
    }
}

void append_tree(std::string& out, const MatchNode& node, int depth) {
    out.append(static_cast<std::size_t>(depth) * 4, ' ');
    const std::string_view name = inner_name(node.kind);
    if (name.empty()) {
        out += leaf_text(node) + "\n";
        return;
    }
    if (!node.path.empty()) out += node.path + " ";
    out += std::string(name) + "\n";
    for (const mql::MatchNodePtr& child : node.children) append_tree(out, *child, depth + 1);
}

}  // namespace

std::string query_text(const CanonicalQuery& query) {
    const FindRequest& request = query.request();
    std::string out = "ns=" + request.ns;
    if (request.batch_size) out += " batchSize=" + std::to_string(*request.batch_size);
    if (request.limit > 0) out += " limit=" + std::to_string(request.limit);
    if (request.skip > 0) out += " skip=" + std::to_string(request.skip);
    out += "Tree: ";
    append_tree(out, query.root(), 0);
    out += "Sort: " + bson::debug_string(request.sort.view()) + "\n";
    out += "Proj: " + bson::debug_string(request.projection.view()) + "\n";
    return out;
}

}  // namespace ixora::plan
