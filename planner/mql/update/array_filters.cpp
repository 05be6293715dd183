// arrayFilters (spec: update.md section 4).
#include <algorithm>
#include <optional>

#include "ixora/base/error.hpp"
#include "ixora/bson/debug_string.hpp"
#include "ixora/mql/match_parser.hpp"
#include "update_tree.hpp"

namespace ixora::mql {

namespace {

constexpr std::string_view context = "Error parsing array filter";

// The first part of every path in the filter, which has to be one and the same.
void find_identifier(const MatchNode& node, std::optional<std::string>& found) {
    if (!node.path.empty()) {
        const std::string first = node.path.substr(0, node.path.find('.'));
        if (found && *found != first)
            throw Error(ErrorCode::failed_to_parse,
                        "Expected a single top-level field name, found '" + *found + "' and '" + first + "'");
        found = first;
        return;
    }
    for (const MatchNodePtr& child : node.children) find_identifier(*child, found);
}

bool is_identifier(std::string_view name) {
    if (name.empty() || name.front() < 'a' || name.front() > 'z') return false;
    return std::all_of(name.begin(), name.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    });
}

ArrayFilter parse_array_filter(bson::View filter, const MatchParseOptions& options) {
    std::optional<std::string> identifier;
    MatchNodePtr tree;
    try {
        tree = parse_match(filter, options);
        find_identifier(*tree, identifier);
        if (identifier && !is_identifier(*identifier))
            throw Error(ErrorCode::bad_value,
                        "The top-level field name must be an alphanumeric string beginning with a "
                        "lowercase letter, found '" +
                            *identifier + "'");
    } catch (const Error& error) {
        throw error.with_context(context);
    }
    if (!identifier)
        throw Error(ErrorCode::failed_to_parse,
                    "Cannot use an expression without a top-level field name in arrayFilters");
    return {*identifier, Matcher(*tree)};
}

}  // namespace

std::vector<ArrayFilter> parse_array_filters(bson::View filters, const bson::CollatorPtr& collator) {
    MatchParseOptions options;
    options.collator = collator;
    options.special_features = false;
    std::vector<ArrayFilter> out;
    for (const bson::Element& filter : filters) {
        ArrayFilter parsed = parse_array_filter(filter.object(), options);
        for (const ArrayFilter& known : out)
            if (known.identifier == parsed.identifier)
                throw Error(ErrorCode::failed_to_parse,
                            "Found multiple array filters with the same top-level field name " + parsed.identifier);
        out.push_back(std::move(parsed));
    }
    return out;
}

}  // namespace ixora::mql
