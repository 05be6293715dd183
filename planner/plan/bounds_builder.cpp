#include "ixora/plan/bounds_builder.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "ixora/base/invariant.hpp"
#include "ixora/bson/builder.hpp"
#include "ixora/bson/compare.hpp"
#include "ixora/key/key_generator.hpp"
#include "ixora/plan/type_bracket.hpp"
#include "ixora/plan/wildcard_scan.hpp"

namespace ixora::plan {

namespace {

using bson::Element;
using bson::Type;
using bson::Value;
using mql::MatchKind;
using mql::MatchNode;

// One field of one index, as the builders below see it.
struct Field {
    const IndexEntry& index;
    std::size_t position = 0;
    std::string_view path;
    bool hashed = false;  // this field is the hashed one

    const bson::Collator* collator() const noexcept { return index.collator.get(); }
};

Field field_of(const IndexEntry& index, std::size_t position) {
    const bson::View pattern = index.key_pattern.view();
    auto at = pattern.begin();
    std::advance(at, static_cast<std::ptrdiff_t>(position));
    IXORA_INVARIANT(!(at == pattern.end()));
    const bool hashed = index.type == key::IndexType::hashed && at->is_string();
    return {index, position, at->name(), hashed};
}

bool is_type(const Value& value, Type type) noexcept { return value.type() == type; }
bool is_empty_array(const Element& value) noexcept { return value.is_array() && value.object().empty(); }

Value infinity() { return Value::of_double(std::numeric_limits<double>::infinity()); }
Value nan() { return Value::of_double(std::numeric_limits<double>::quiet_NaN()); }

void add(IntervalList& out, Value start, Value end, bool start_inclusive, bool end_inclusive) {
    Interval interval;
    interval.start = std::move(start);
    interval.end = std::move(end);
    interval.start_inclusive = start_inclusive;
    interval.end_inclusive = end_inclusive;
    if (!interval.is_empty()) out.intervals.push_back(std::move(interval));
}

void add_points_sorted(IntervalList& out, Value first, Value second) {
    if (bson::compare(first.element(), second.element()) > 0) std::swap(first, second);
    out.intervals.push_back(Interval::point(std::move(first)));
    out.intervals.push_back(Interval::point(std::move(second)));
}

// As the index stores it; shares the bytes where nothing changes.
Value stored_value(const Field& field, const Value& value) {
    return field.collator() == nullptr ? value : collated_value(value.element(), field.collator());
}

Value hashed_value(const Value& value) { return Value::of_long(key::hash64(value.element())); }

// --- Equality -------------------------------------------------------------------------------------------------------

Tightness equal_to_null(const Field& field, IntervalList& out) {
    // A missing array member leaves undefined in the key, a missing field null.
    if (field.hashed)
        add_points_sorted(out, hashed_value(Value::undefined()), hashed_value(Value::null()));
    else
        add_points_sorted(out, Value::undefined(), Value::null());
    const bool keys_tell_all =
        !field.index.sparse && field.index.type != key::IndexType::hashed && !field.index.multikey;
    return keys_tell_all ? Tightness::exact_maybe_covered : Tightness::inexact_fetch;
}

// An array matches as a whole, or is a member of an array: then its own key, or its first member's, is in the index.
Tightness equal_to_array(const Field& field, const Value& array, IntervalList& out) {
    Value whole = stored_value(field, array);
    const bson::View members = whole.element().object();
    Value first = members.empty() ? Value::undefined() : Value(members.front());
    add_points_sorted(out, std::move(first), std::move(whole));
    return Tightness::inexact_fetch;
}

Tightness equal_to(const Field& field, const Value& value, IntervalList& out) {
    if (is_type(value, Type::null)) return equal_to_null(field, out);
    if (is_type(value, Type::array)) return equal_to_array(field, value, out);
    Value stored = stored_value(field, value);
    if (field.hashed) {
        out.intervals.push_back(Interval::point(hashed_value(stored)));
        return Tightness::inexact_fetch;
    }
    out.intervals.push_back(Interval::point(std::move(stored)));
    return Tightness::exact;
}

// --- Ranges ---------------------------------------------------------------------------------------------------------

// Types whose keys tell everything a range needs to know.
bool has_exact_ranges(Type type) noexcept {
    switch (type) {
        case Type::number_int:
        case Type::number_long:
        case Type::number_double:
        case Type::number_decimal:
        case Type::string:
        case Type::boolean:
        case Type::date:
        case Type::timestamp:
        case Type::object_id:
        case Type::bin_data:
        case Type::object:
        case Type::code:
        case Type::code_with_scope:
        case Type::min_key:
        case Type::max_key: return true;
        default: return false;
    }
}

Tightness range_tightness(Type type, bool empty) noexcept {
    return empty || has_exact_ranges(type) ? Tightness::exact : Tightness::inexact_fetch;
}

// The end of a range up to (below) or from (above) an array: a first member beyond all arrays widens it.
Value array_border(const Value& array, bool below) {
    const bson::View members = array.element().object();
    if (members.empty()) return below ? array : Value::min_key();
    const Element first = members.front();
    const int rank = first.canonical_type();
    const int array_rank = bson::canonical_type(Type::array);
    const bool wider = below ? rank > array_rank : rank < array_rank;
    return wider ? Value(first) : array;
}

// $lt MaxKey and $gt MinKey: everything but that key itself, which an array may hold beside others.
Tightness all_but_extreme(const Field& field, bool below, IntervalList& out) {
    const bool multikey = field.index.multikey;
    add(out, Value::min_key(), Value::max_key(), below || multikey, !below || multikey);
    return multikey || field.collator() != nullptr ? Tightness::inexact_fetch : Tightness::exact;
}

Tightness range(const Field& field, MatchKind kind, const Value& operand, IntervalList& out) {
    const bool below = kind == MatchKind::lt || kind == MatchKind::lte;
    const bool inclusive = kind == MatchKind::lte || kind == MatchKind::gte;
    const Type type = operand.type();
    if (type == (below ? Type::max_key : Type::min_key)) {
        if (!inclusive) return all_but_extreme(field, below, out);
        out.intervals.push_back(Interval::all());
        return field.collator() != nullptr ? Tightness::inexact_fetch : Tightness::exact;
    }
    if (operand.element().is_nan()) {
        if (inclusive) out.intervals.push_back(Interval::point(nan()));
        return Tightness::exact;
    }
    if (type == Type::null && inclusive) return equal_to_null(field, out);

    const Value value = stored_value(field, operand);
    const bool array = type == Type::array;
    const TypeBracket bracket = range_bracket(type);
    const std::size_t before = out.intervals.size();
    if (below) {
        const bool same_type = bracket.low.element().canonical_type() == value.element().canonical_type();
        add(out, bracket.low, array ? array_border(value, true) : value, same_type || array, inclusive || array);
    } else {
        const bool same_type = bracket.high.element().canonical_type() == value.element().canonical_type();
        add(out, array ? array_border(value, false) : value, bracket.high, inclusive || array, same_type || array);
    }
    return range_tightness(type, out.intervals.size() == before);
}

// Comparisons of $expr order all types; nothing brackets them.
Tightness internal_expr_range(const Field& field, MatchKind kind, const Value& operand, IntervalList& out) {
    const Value value = stored_value(field, operand);
    const bool null = is_type(operand, Type::null);
    const std::size_t before = out.intervals.size();
    bool exact_for_null = false;
    switch (kind) {
        case MatchKind::internal_expr_lt:
            // A missing field is less than null and has the key null.
            add(out, Value::min_key(), value, true, null);
            break;
        case MatchKind::internal_expr_lte:
            add(out, Value::min_key(), value, true, true);
            exact_for_null = true;
            break;
        case MatchKind::internal_expr_gt:
            add(out, value, Value::max_key(), false, true);
            exact_for_null = true;
            break;
        default: add(out, value, Value::max_key(), true, true); break;
    }
    if (null && exact_for_null) return Tightness::exact;
    return range_tightness(operand.type(), out.intervals.size() == before);
}

// --- Regex, $type ---------------------------------------------------------------------------------------------------

Tightness regex(const Field& field, const mql::RegexPayload& payload, IntervalList& out) {
    Tightness tightness = Tightness::exact;
    const std::string prefix =
        simple_regex_prefix(payload.pattern, payload.flags, field.collator() != nullptr, tightness);
    std::string beyond = prefix;
    // The next string that does not begin with the prefix. No UTF-8 text has the byte ff.
    while (!beyond.empty() && static_cast<unsigned char>(beyond.back()) == 0xff) beyond.pop_back();
    if (beyond.empty()) {
        const TypeBracket strings = type_bracket(Type::string);
        add(out, Value::of_string(prefix), strings.high, true, false);
    } else {
        beyond.back() = static_cast<char>(static_cast<unsigned char>(beyond.back()) + 1);
        add(out, Value::of_string(prefix), Value::of_string(beyond), true, false);
    }
    bson::Builder literal;
    literal.append_regex("", payload.pattern, payload.flags);
    out.intervals.push_back(Interval::point(Value(literal.finish().view().front())));
    return tightness;
}

Tightness type_tightness(const Field& field, const mql::TypeSetPayload& types) {
    const bool string = types.codes.count(static_cast<int>(Type::string)) != 0;
    const bool symbol = types.codes.count(static_cast<int>(Type::symbol)) != 0;
    if (field.collator() != nullptr && (string || types.codes.count(static_cast<int>(Type::object)) != 0))
        return Tightness::inexact_fetch;
    // Keys cannot tell a missing field from null, nor an empty array from undefined.
    if (types.codes.count(static_cast<int>(Type::null)) != 0 ||
        types.codes.count(static_cast<int>(Type::undefined)) != 0)
        return Tightness::inexact_fetch;
    std::size_t numbers = 0;
    for (const Type number : {Type::number_int, Type::number_long, Type::number_double, Type::number_decimal})
        numbers += types.codes.count(static_cast<int>(number));
    if (!types.all_numbers && numbers != 0 && numbers != 4) return Tightness::inexact_covered;
    return string != symbol ? Tightness::inexact_covered : Tightness::exact;
}

Tightness type_set(const Field& field, const mql::TypeSetPayload& types, IntervalList& out) {
    if (types.codes.count(static_cast<int>(Type::array)) != 0) {
        out.intervals.push_back(Interval::all());
        return Tightness::inexact_fetch;
    }
    if (types.all_numbers) add(out, nan(), infinity(), true, true);
    for (const int code : types.codes) {
        const TypeBracket bracket = type_bracket(code == -1 ? Type::min_key : static_cast<Type>(code));
        add(out, bracket.low, bracket.high, true, bracket.high_inclusive);
    }
    unionize(out);
    return type_tightness(field, types);
}

// --- $in ------------------------------------------------------------------------------------------------------------

// Whether every key between undefined and null belongs to a match, so that the null member needs no document.
bool null_interval_matches(const Field& field, const mql::InPayload& in) {
    const IndexEntry& index = field.index;
    if (!in.has_null() || index.sparse || index.type == key::IndexType::hashed) return false;
    if (!index.multikey) return true;
    // The key undefined of an empty array is a match too when [] is in the list. Deeper paths have more ways to get it.
    return field.path.find('.') == std::string_view::npos && in.has_empty_array();
}

Tightness in_list(const Field& field, const mql::InPayload& in, IntervalList& out) {
    const bool null_matches = null_interval_matches(field, in);
    Tightness tightness = Tightness::exact;
    out.intervals.reserve(out.intervals.size() + in.equalities.size() + 2 * in.regexes.size());
    for (const Value& value : in.equalities) {
        Tightness one = equal_to(field, value, out);
        if (is_type(value, Type::null) || is_empty_array(value.element())) {
            if (null_matches)
                one = Tightness::exact_maybe_covered;
            else
                one = Tightness::inexact_fetch;
        }
        tightness = merge_tightness(tightness, one);
    }
    for (const mql::RegexPayload& payload : in.regexes)
        tightness = merge_tightness(tightness, regex(field, payload, out));
    // Otherwise the list is sorted and free of duplicates already, and stays as it is.
    if (!in.regexes.empty() || in.has_null() || in.has_array() || field.index.type == key::IndexType::hashed)
        unionize(out);
    return tightness;
}

// --- Negation, $elemMatch -------------------------------------------------------------------------------------------

Tightness translate_into(const Field& field, const MatchNode& node, IntervalList& out);

bool is_null_and_empty_array(const mql::InPayload& in) {
    return in.equalities.size() == 2 && in.regexes.empty() && in.has_null() && in.has_empty_array();
}

bool matches_null_exactly(const MatchNode& node) {
    switch (node.kind) {
        case MatchKind::eq:
        case MatchKind::gte:
        case MatchKind::lte: return is_type(node.value(), Type::null);
        case MatchKind::in: return node.in().has_null() && !is_null_and_empty_array(node.in());
        default: return false;
    }
}

Tightness negation(const Field& field, const MatchNode& child, IntervalList& out) {
    if (child.kind == MatchKind::exists) {
        Value null = Value::null();
        out.intervals.push_back(Interval::point(field.hashed ? hashed_value(null) : null));
        return Tightness::inexact_fetch;
    }
    IntervalList positive;
    Tightness tightness = translate_into(field, child, positive);
    IntervalList negative = complement(positive);
    std::move(negative.intervals.begin(), negative.intervals.end(), std::back_inserter(out.intervals));
    // Null and missing share their key, but what is neither has a key of its own.
    if (matches_null_exactly(child)) tightness = Tightness::exact;
    if (tightness != Tightness::exact || field.index.field_is_multikey(field.position)) return Tightness::inexact_fetch;
    return Tightness::exact;
}

Tightness elem_match_value(const Field& field, const MatchNode& node, IntervalList& out) {
    IXORA_INVARIANT(!node.children.empty());
    IntervalList all;
    translate_into(field, *node.children.front(), all);
    for (std::size_t i = 1; i < node.children.size(); ++i) {
        IntervalList one;
        translate_into(field, *node.children[i], one);
        all = intersect(all, one);
    }
    std::move(all.intervals.begin(), all.intervals.end(), std::back_inserter(out.intervals));
    // A key does not tell whether it comes from an array.
    return Tightness::inexact_fetch;
}

Tightness exists(const Field& field, IntervalList& out) {
    out.intervals.push_back(Interval::all());
    // Only a sparse index of one field leaves out exactly the documents without the field.
    const bool exact = field.index.sparse && field.index.field_count() == 1;
    return exact ? Tightness::exact : Tightness::inexact_fetch;
}

Tightness translate_into(const Field& field, const MatchNode& node, IntervalList& out) {
    switch (node.kind) {
        case MatchKind::eq:
        case MatchKind::internal_expr_eq: return equal_to(field, node.value(), out);
        case MatchKind::lt:
        case MatchKind::lte:
        case MatchKind::gt:
        case MatchKind::gte: return range(field, node.kind, node.value(), out);
        case MatchKind::internal_expr_lt:
        case MatchKind::internal_expr_lte:
        case MatchKind::internal_expr_gt:
        case MatchKind::internal_expr_gte: return internal_expr_range(field, node.kind, node.value(), out);
        case MatchKind::regex: return regex(field, node.regex(), out);
        case MatchKind::mod: add(out, nan(), infinity(), true, true); return Tightness::inexact_covered;
        case MatchKind::exists: return exists(field, out);
        case MatchKind::type: return type_set(field, node.types(), out);
        case MatchKind::in: return in_list(field, node.in(), out);
        case MatchKind::not_: return negation(field, *node.children.front(), out);
        case MatchKind::elem_match_value: return elem_match_value(field, node, out);
        default: break;
    }
    IXORA_INVARIANT(false);  // no other predicate is ever assigned to an index
    return Tightness::inexact_fetch;
}

}  // namespace

Tightness merge_tightness(Tightness left, Tightness right) {
    const Tightness looser = std::min(left, right);
    const Tightness tighter = std::max(left, right);
    if (looser == Tightness::exact_maybe_covered && tighter == Tightness::inexact_covered)
        return Tightness::inexact_maybe_covered;
    return looser;
}

Tightness translate(const MatchNode& node, const IndexEntry& index, std::size_t position, IntervalList& out) {
    const Field field = field_of(index, position);
    out.name = field.path;
    out.intervals.clear();
    const Tightness tightness = translate_into(field, node, out);
    if (index.type != key::IndexType::wildcard || position != index.wildcard_position) return tightness;
    return adjust_wildcard_bounds(index, tightness, out);
}

}  // namespace ixora::plan
