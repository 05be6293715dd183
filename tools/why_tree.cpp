#include "why_tree.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "ixora/bson/extended_json.hpp"

namespace ixora::tool {

namespace {

using bson::Element;
using bson::View;

constexpr std::string_view green = "\033[32m", dim = "\033[2m", plain = "\033[0m";

std::string paint(const TreeOptions& options, std::string_view code, std::string text) {
    return options.colour ? fmt::format("{}{}{}", code, text, plain) : text;
}

void print_indexes(Element indexes, const std::string& indent, const TreeOptions& options, std::string& out) {
    std::size_t width = 0;
    for (const Element& index : indexes.object()) width = std::max(width, index.object()["name"].string().size());
    for (const Element& index : indexes.object()) {
        const std::string_view outcome = index.object()["outcome"].string();
        std::string lead = fmt::format("{}{:<{}}  {:<6}  ", indent, index.object()["name"].string(), width, outcome);
        if (outcome == "chosen") lead = paint(options, green, std::move(lead));
        for (const Element& reason : index.object()["reasons"].object()) {
            out += lead + paint(options, dim, std::string(reason.object()["text"].string())) + "\n";
            lead = std::string(indent.size() + width + 10, ' ');
        }
    }
}

}  // namespace

std::string why_tree(bson::View explain_reply, const TreeOptions& options) {
    const Element why = explain_reply["ixoraWhy"];
    if (!why.is_object()) return {};
    std::string out = "why\n";
    if (const Element indexes = why.object()["indexes"]; indexes.is_array()) print_indexes(indexes, "  ", options, out);
    if (const Element branches = why.object()["branches"]; branches.is_array()) {
        for (const Element& branch : branches.object()) {
            out += "  $or branch " + bson::to_json(branch.object()["filter"], bson::JsonMode::relaxed) + "\n";
            print_indexes(branch.object()["indexes"], "    ", options, out);
        }
    }
    return out;
}

}  // namespace ixora::tool
