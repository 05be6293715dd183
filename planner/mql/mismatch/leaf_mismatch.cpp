#include "leaf_mismatch.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "considered_values.hpp"
#include "ixora/base/error.hpp"
#include "ixora/bson/debug_string.hpp"

namespace ixora::mql {

namespace {

using bson::Element;
using bson::Type;

// Of values that an operator can be about.
using Accepts = bool (*)(Type type);

bool any_type(Type) { return true; }
bool is_array(Type type) { return type == Type::array; }
bool is_number(Type type) { return bson::is_number(type); }
bool is_bits(Type type) { return bson::is_number(type) || type == Type::bin_data; }
bool is_text(Type type) { return type == Type::string || type == Type::symbol || type == Type::regex; }

struct Operator {
    std::string_view name;
    std::string_view failed;
    std::string_view succeeded;
    bool unwinds = true;
    bool negative = false;  // a negation of the operator with the same reasons
    Accepts accepts = any_type;
    std::array<std::string_view, 5> expected_types = {};
};

constexpr std::string_view comparison_failed = "comparison failed";
constexpr std::string_view comparison_succeeded = "comparison succeeded";
constexpr std::string_view not_listed = "no matching value found in array";
constexpr std::string_view listed = "matching value found in array";
constexpr std::string_view bits_failed = "bitwise operator failed to match";
constexpr std::string_view bits_succeeded = "bitwise operator matched successfully";
constexpr std::array<std::string_view, 5> bits_types = {"binData", "decimal", "double", "int", "long"};
constexpr std::array<std::string_view, 5> number_types = {"decimal", "double", "int", "long"};
constexpr std::array<std::string_view, 5> text_types = {"regex", "string", "symbol"};
constexpr std::array<std::string_view, 5> array_type = {"array"};

constexpr std::array operators = {
    Operator{"$eq", comparison_failed, comparison_succeeded},
    Operator{"$lt", comparison_failed, comparison_succeeded},
    Operator{"$lte", comparison_failed, comparison_succeeded},
    Operator{"$gt", comparison_failed, comparison_succeeded},
    Operator{"$gte", comparison_failed, comparison_succeeded},
    Operator{"$ne", comparison_failed, comparison_succeeded, true, true},
    Operator{"$in", not_listed, listed},
    Operator{"$nin", not_listed, listed, true, true},
    Operator{"$type", "type did not match", "type did match"},
    Operator{"$regex", "regular expression did not match", "regular expression did match", true, false, is_text,
             text_types},
    Operator{"$mod", "$mod did not evaluate to expected remainder", "$mod did evaluate to expected remainder", true,
             false, is_number, number_types},
    Operator{"$bitsAllSet", bits_failed, bits_succeeded, true, false, is_bits, bits_types},
    Operator{"$bitsAllClear", bits_failed, bits_succeeded, true, false, is_bits, bits_types},
    Operator{"$bitsAnySet", bits_failed, bits_succeeded, true, false, is_bits, bits_types},
    Operator{"$bitsAnyClear", bits_failed, bits_succeeded, true, false, is_bits, bits_types},
    Operator{"$size", "array length was not equal to given size", "array length was equal to given size", false, false,
             is_array, array_type},
    Operator{"$elemMatch", "array did not satisfy the child predicate", "array did satisfy the child predicate", false,
             false, is_array, array_type},
    Operator{"$all", "array did not contain all specified values", "array did contain all specified values", false},
};

void write_expected_types(const MismatchWriter& writer, const Operator& op) {
    if (op.expected_types[1].empty()) {
        writer.out().append("expectedType", op.expected_types[0]);
        return;
    }
    writer.out().open_array("expectedTypes");
    for (const std::string_view type : op.expected_types)
        if (!type.empty()) writer.out().append(type);
    writer.out().close();
}

void write_values(const MismatchWriter& writer, const Operator& op, const std::vector<Element>& values, bool inverted) {
    const bool suitable = std::ranges::any_of(values, [&op](const Element& value) { return op.accepts(value.type()); });
    if (!suitable && op.accepts != any_type && !inverted) {
        writer.reason("type did not match");
        writer.considered_types(values);
        write_expected_types(writer, op);
        writer.considered(values);
        return;
    }
    writer.reason(inverted ? op.succeeded : op.failed);
    writer.considered(values);
    if (op.name == "$type") writer.considered_types(values);
}

}  // namespace

void write_leaf_mismatch(const MismatchWriter& writer, const LeafClause& clause, bson::View document, bool inverted) {
    if (clause.operator_name == "$exists") {
        writer.begin_rule("$exists");
        writer.specified_as(clause.written);
        const bool wanted = clause.argument.truthy() != inverted;
        return writer.reason(wanted ? "path does not exist" : "path does exist");
    }
    const auto* op = std::ranges::find(operators, clause.operator_name, &Operator::name);
    if (op == operators.end()) refuse_details(clause.written);
    writer.begin_rule(op->name);
    writer.specified_as(clause.written);
    if (op->name == "$all" && clause.argument.object().empty())
        return writer.reason("expression always evaluates to false");
    const ConsideredValues considered = considered_values(document, clause.path, op->unwinds);
    if (!considered.exists) return writer.reason("field was missing");
    write_values(writer, *op, considered.values, op->negative != inverted);
}

void refuse_details(bson::View clause) {
    throw Error(4994600, "Cannot generate validation error details: no annotation found for expression " +
                             bson::debug_string(clause));
}

}  // namespace ixora::mql
