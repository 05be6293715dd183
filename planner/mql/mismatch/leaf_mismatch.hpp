// Details of one predicate about a path.
#pragma once

#include <string_view>

#include "mismatch_writer.hpp"

namespace ixora::mql {

// What one predicate says: {path: {operator: argument}} or {path: value}.
struct LeafClause {
    bson::View written;
    std::string_view path;
    std::string_view operator_name;
    bson::Element argument;
};

// `inverted`: the document matches the predicate and should not. Throws where the operator has no details.
void write_leaf_mismatch(const MismatchWriter& writer, const LeafClause& clause, bson::View document, bool inverted);

// 4994600, what the server answers for predicates that it has no details for.
[[noreturn]] void refuse_details(bson::View clause);

}  // namespace ixora::mql
