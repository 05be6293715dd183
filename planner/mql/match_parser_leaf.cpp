#include <array>
#include <cmath>
#include <optional>

#include "integer_argument.hpp"
#include "ixora/base/error.hpp"
#include "match_leaf.hpp"
#include "regex.hpp"

namespace ixora::mql {

namespace {

using bson::Type;

struct TypeAlias {
    std::string_view name;
    int code;
};
constexpr std::array<TypeAlias, 21> type_aliases = {{
    {"double", 1},    {"string", 2},     {"object", 3},      {"array", 4},    {"binData", 5},
    {"undefined", 6}, {"objectId", 7},   {"bool", 8},        {"date", 9},     {"null", 10},
    {"regex", 11},    {"dbPointer", 12}, {"javascript", 13}, {"symbol", 14},  {"javascriptWithScope", 15},
    {"int", 16},      {"timestamp", 17}, {"long", 18},       {"decimal", 19}, {"minKey", -1},
    {"maxKey", 127},
}};

// A number as an ostream prints it: six significant digits.
std::string short_number(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%g", value);
    return text;
}

void add_type(TypeSetPayload& types, bson::Element item) {
    if (item.is_string()) return add_type_alias(types, item.string());
    if (!item.is_number()) throw Error(ErrorCode::type_mismatch, "type must be represented as a number or a string");
    const double value = item.to_double();
    if (value == 0)
        throw Error(ErrorCode::bad_value,
                    "Invalid numerical type code: " + short_number(value) + ". Instead use {$exists:false}.");
    const bool known = value == std::trunc(value) && (value == -1 || value == 127 || (value >= 1 && value <= 19));
    if (!known) throw Error(ErrorCode::bad_value, "Invalid numerical type code: " + short_number(value));
    types.codes.insert(static_cast<int>(value));
}

std::int64_t mod_argument(bson::Element number, const char* what) {
    const auto refuse = [what](const char* reason) {
        return Error(ErrorCode::bad_value,
                     std::string("malformed mod, ") + what + " value is invalid :: caused by :: " + reason);
    };
    constexpr const char* not_finite = "Unable to coerce NaN/Inf to integral type";
    constexpr const char* out_of_range = "Out of bounds coercing to integral value";
    if (number.type() == Type::number_double) {
        const double value = number.number_double();
        if (!std::isfinite(value)) throw refuse(not_finite);
        if (value >= 9223372036854775808.0 || value < -9223372036854775808.0) throw refuse(out_of_range);
    } else if (number.type() == Type::number_decimal) {
        const auto value = number.number_decimal();
        if (value.is_nan() || value.is_infinite()) throw refuse(not_finite);
        if (!value.to_int64(bson::Decimal128::Rounding::toward_zero)) throw refuse(out_of_range);
    }
    return number.to_int64();
}

MatchNodePtr make_regex(const std::string& path, RegexPayload payload) {
    static_cast<void>(Regex(payload));  // a bad pattern is an error of the query, not of its execution
    auto node = make_node(MatchKind::regex, path);
    node->payload = std::move(payload);
    return node;
}

RegexPayload regex_payload(bson::Element regex) {
    return {std::string(regex.regex_pattern()), std::string(regex.regex_flags())};
}

}  // namespace

void add_type_alias(TypeSetPayload& types, std::string_view alias) {
    if (alias == "number") {
        types.all_numbers = true;
        return;
    }
    if (alias == "missing")
        throw Error(ErrorCode::bad_value,
                    "'missing' is not a legal type name. To query for non-existence of a field, use {$exists:false}.");
    for (const auto& known : type_aliases) {
        if (known.name != alias) continue;
        types.codes.insert(known.code);
        return;
    }
    throw Error(ErrorCode::bad_value, "Unknown type name alias: " + std::string(alias));
}

bool is_operator_object(bson::Element value, bool incomplete_dbref) {
    if (!value.is_object()) return false;
    const bson::View object = value.object();
    if (object.empty() || !object.front().name().starts_with('$')) return false;
    bool has_ref = false;
    bool has_id = false;
    bool has_db = false;
    for (const auto& field : object) {
        has_ref |= field.name() == "$ref";
        has_id |= field.name() == "$id";
        has_db |= field.name() == "$db";
    }
    return !(has_ref && has_id) && !(incomplete_dbref && (has_ref || has_id || has_db));
}

MatchNodePtr parse_comparison(MatchKind kind, const std::string& path, bson::Element argument,
                              bson::CollatorPtr collator) {
    if (kind != MatchKind::eq && argument.type() == Type::regex)
        throw Error(ErrorCode::bad_value, "Can't have RegEx as arg to predicate over field '" + path + "'.");
    if (argument.type() == Type::undefined) throw Error(ErrorCode::bad_value, "cannot compare to undefined");
    return make_comparison(kind, path, bson::Value(argument), std::move(collator));
}

MatchNodePtr parse_internal_expr(MatchKind kind, const std::string& path, bson::Element argument,
                                 bson::CollatorPtr collator) {
    if (argument.is_array() || argument.type() == Type::undefined)
        throw Error(ErrorCode::bad_value, std::string(argument.name()) + " cannot be used to compare to type: " +
                                              std::string(bson::type_name(argument.type())));
    return make_comparison(kind, path, bson::Value(argument), std::move(collator));
}

MatchNodePtr parse_in(const std::string& path, bson::Element argument, bson::CollatorPtr collator) {
    if (!argument.is_array()) throw Error(ErrorCode::bad_value, std::string(argument.name()) + " needs an array");
    InPayload list;
    bool undefined_seen = false;
    for (const auto& item : argument.object()) {
        if (is_operator_object(item)) throw Error(ErrorCode::bad_value, "cannot nest $ under $in");
        if (item.type() == Type::regex) {
            list.regexes.push_back(regex_payload(item));
            static_cast<void>(Regex(list.regexes.back()));
        } else {
            undefined_seen |= item.type() == Type::undefined;
            list.equalities.emplace_back(item);
        }
    }
    if (undefined_seen) throw Error(ErrorCode::bad_value, "InMatchExpression equality cannot be undefined");
    list.sort_equalities(collator.get());
    auto node = make_node(MatchKind::in, path);
    node->payload = std::move(list);
    node->collator = std::move(collator);
    return node;
}

MatchNodePtr parse_regex_literal(const std::string& path, bson::Element regex) {
    return make_regex(path, regex_payload(regex));
}

MatchNodePtr parse_regex_operator(const std::string& path, bson::View operators) {
    constexpr const char* given_twice = "options set in both $regex and $options";
    RegexPayload payload;
    for (const auto& entry : operators) {
        if (entry.name() == "$regex") {
            if (entry.is_string()) {
                payload.pattern = entry.string();
            } else if (entry.type() == Type::regex) {
                payload.pattern = entry.regex_pattern();
                if (entry.regex_flags().empty()) continue;
                if (!payload.flags.empty()) throw Error(51074, given_twice);
                payload.flags = entry.regex_flags();
            } else {
                throw Error(ErrorCode::bad_value, "$regex has to be a string");
            }
        } else if (entry.name() == "$options") {
            if (!entry.is_string()) throw Error(ErrorCode::bad_value, "$options has to be a string");
            if (!payload.flags.empty()) throw Error(51075, given_twice);
            payload.flags = entry.string();
        }
    }
    return make_regex(path, std::move(payload));
}

MatchNodePtr parse_mod(const std::string& path, bson::Element argument) {
    const auto malformed = [](const char* text) {
        return Error(ErrorCode::bad_value, std::string("malformed mod, ") + text);
    };
    if (!argument.is_array()) throw malformed("needs to be an array");
    const bson::View array = argument.object();
    auto at = array.begin();
    if (at == array.end()) throw malformed("not enough elements");
    const bson::Element divisor = *at++;
    if (!divisor.is_number()) throw malformed("divisor not a number");
    if (at == array.end()) throw malformed("not enough elements");
    const bson::Element remainder = *at++;
    if (!remainder.is_number()) throw malformed("remainder not a number");
    if (at != array.end()) throw malformed("too many elements");
    const ModPayload mod{mod_argument(divisor, "divisor"), mod_argument(remainder, "remainder")};
    if (mod.divisor == 0) throw Error(ErrorCode::bad_value, "divisor cannot be 0");
    auto node = make_node(MatchKind::mod, path);
    node->payload = mod;
    return node;
}

MatchNodePtr parse_size(const std::string& path, bson::Element argument) {
    const auto size = read_non_negative_int32(argument);
    if (!size.ok()) throw Error(ErrorCode::bad_value, "Failed to parse $size. " + size.reason);
    auto node = make_node(MatchKind::size, path);
    node->payload = size.value;
    return node;
}

TypeSetPayload parse_type_set(const std::string& path, bson::Element argument) {
    TypeSetPayload types;
    if (argument.is_array()) {
        for (const auto& item : argument.object()) add_type(types, item);
    } else {
        add_type(types, argument);
    }
    if (!types.all_numbers && types.codes.empty())
        throw Error(ErrorCode::failed_to_parse, path + " must match at least one type");
    return types;
}

MatchNodePtr parse_type_operator(const std::string& path, bson::Element argument) {
    auto node = make_node(MatchKind::type, path);
    node->payload = parse_type_set(path, argument);
    return node;
}

}  // namespace ixora::mql
