// arrayFilters (spec: update.md section 4).
#include <algorithm>
#include <optional>

#include "../schema/placeholder.hpp"
#include "ixora/base/error.hpp"
#include "ixora/bson/debug_string.hpp"
#include "ixora/mql/match_parser.hpp"
#include "update_tree.hpp"

namespace ixora::mql {

namespace {

constexpr std::string_view context = "Error parsing array filter";

ArrayFilter parse_array_filter(bson::View filter, const MatchParseOptions& options) {
    std::optional<std::string> identifier;
    MatchNodePtr tree;
    try {
        tree = parse_match(filter, options);
        identifier = find_placeholder(*tree);
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
    options.special_features = SpecialFeatures::none;
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
