// From a filter document to the raw tree (spec: planner.md 1.2, match.md sections 3-5).
#pragma once

#include "ixora/mql/match_node.hpp"

namespace ixora::mql {

class MatchParameters;

// Where the values of parameters went: the number of the parameter for every place, and the bytes of the value there,
// which copies of the tree share.
struct ParameterPlace {
    std::size_t parameter;
    const std::uint8_t* bytes;
};

// Of $expr, $jsonSchema, $text, $where and geo near, what may occur. Queries take all, collection validators $expr and
// $jsonSchema; arrayFilters, $pull, $elemMatch projections and partial filters none.
enum class SpecialFeatures { all, validation, none };

struct MatchParseOptions {
    bson::CollatorPtr collator;  // of the query; comparisons take it over
    SpecialFeatures special_features = SpecialFeatures::all;
    // All bound. Placeholders are read where a comparison has its operand, and nowhere else; null: there are none.
    const MatchParameters* parameters = nullptr;
    std::vector<ParameterPlace>* places = nullptr;  // filled in where `parameters` is set
    VariableScope* scope = nullptr;                 // what $expr may name; null: the server's own variables only
};

// Throws the server's codes and messages (match.md section 5). $where, geo and $text are refused with a
// clear error until they are supported. The values of the tree are owned by it. Linear in the filter but for
// sorting $in lists; recurses as deep as the filter nests, which the depth limit of validated BSON bounds.
MatchNodePtr parse_match(bson::View filter, const MatchParseOptions& options = {});

}  // namespace ixora::mql
