#include "matcher_predicate.hpp"

#include <algorithm>
#include <limits>
#include <optional>

#include "ixora/base/invariant.hpp"
#include "ixora/bson/numbers.hpp"
#include "matcher_program.hpp"

namespace ixora::mql {

namespace {

using bson::Element;
using bson::Type;

// The number truncated toward zero; nothing for NaN, infinities and what int64 cannot hold.
bool holds_comparison(const Predicate& predicate, Element value) {
    const Element operand = predicate.operand.element();
    const int rank = value.canonical_type();
    const int operand_rank = operand.canonical_type();
    if (rank != operand_rank) {
        const int null_rank = bson::canonical_type(Type::null);
        if (operand_rank == null_rank && rank == 0) return predicate.accepts(0);  // null equals missing and undefined
        if (operand.type() == Type::max_key) return predicate.accepts(-1);
        if (operand.type() == Type::min_key) return predicate.accepts(1);
        return false;
    }
    const bool operand_nan = operand.is_nan();
    const bool value_nan = value.is_nan();
    if (operand_nan || value_nan) return operand_nan && value_nan && predicate.accepts(0);
    return predicate.accepts(bson::compare(value, operand, bson::FieldNames::ignored, predicate.collator.get()));
}

bool holds_mod(const Predicate& predicate, Element value) {
    if (!value.is_number()) return false;
    const auto dividend = bson::truncated_int64(value);
    if (!dividend) return false;
    if (predicate.integer == -1) return predicate.remainder == 0;  // INT64_MIN % -1 traps
    return *dividend % predicate.integer == predicate.remainder;
}

bool has_size(Element value, std::int64_t size) {
    if (!value.is_array()) return false;
    std::int64_t count = 0;
    for ([[maybe_unused]] const auto& item : value.object())
        if (++count > size) return false;
    return count == size;
}

// A superset test: any array on the way counts, the $expr beside it decides.
bool holds_internal_expr(const Predicate& predicate, Element value) {
    if (value.is_array()) return true;
    return predicate.accepts(
        bson::compare(value, predicate.operand.element(), bson::FieldNames::ignored, predicate.collator.get()));
}

}  // namespace

bool RegexTest::holds(Element value) const {
    switch (value.type()) {
        case Type::string:
        case Type::symbol: return compiled.search(value.string());
        case Type::regex: return value.regex_pattern() == source.pattern && value.regex_flags() == source.flags;
        default: return false;
    }
}

InTest::InTest(const InPayload& list, bson::CollatorPtr collator)
    : values_(list.equalities), collator_(std::move(collator)) {
    for (const auto& value : values_) {
        const Element element = value.element();
        const Type type = element.type();
        if (!types_.test(static_cast<std::size_t>(type))) add_types_of_rank(bson::canonical_type(type));
        has_null_ |= type == Type::null;
        if (type == Type::number_int || type == Type::number_long) {
            integers_.push_back(element.to_int64());
        } else if (element.is_number()) {
            numbers_are_integers_ = false;
        } else if ((type == Type::string || type == Type::symbol) && collator_ == nullptr) {
            texts_.insert(element.string());
        }
    }
    for (const auto& regex : list.regexes) regexes_.emplace_back(regex);
}

void InTest::add_types_of_rank(int rank) {
    for (int code = 0; code < 256; ++code)
        if (bson::canonical_type(static_cast<Type>(code)) == rank) types_.set(static_cast<std::size_t>(code));
}

bool InTest::holds(Element value) const {
    if (listed(value)) return true;
    return std::ranges::any_of(regexes_, [value](const RegexTest& regex) { return regex.holds(value); });
}

bool InTest::listed(Element value) const {
    const Type type = value.type();
    if (value.missing()) return has_null_;  // unlike $eq: null, a stored undefined is not null here
    if (!types_.test(static_cast<std::size_t>(type))) return false;
    switch (type) {
        case Type::number_int:
        case Type::number_long: return numbers_are_integers_ ? listed_number(value.to_int64()) : listed_anywhere(value);
        case Type::number_double: {
            if (!numbers_are_integers_) return listed_anywhere(value);
            const auto number = bson::whole_int64(value);
            return number && listed_number(*number);
        }
        case Type::string:
        case Type::symbol: return collator_ == nullptr ? texts_.contains(value.string()) : listed_anywhere(value);
        default: return listed_anywhere(value);
    }
}

bool InTest::listed_number(std::int64_t value) const {
    return std::binary_search(integers_.begin(), integers_.end(), value);
}

bool InTest::listed_anywhere(Element value) const {
    const auto at = std::lower_bound(
        values_.begin(), values_.end(), value, [this](const bson::Value& listed_value, const Element& wanted) {
            return bson::compare(listed_value.element(), wanted, bson::FieldNames::ignored, collator_.get()) < 0;
        });
    return at != values_.end() && bson::equal(at->element(), value, collator_.get());
}

BitsTest::BitsTest(MatchKind test_kind, const BitsPayload& payload) : kind(test_kind), positions(payload.positions) {
    for (const std::uint32_t position : positions) mask |= 1ULL << std::min(position, 63U);
}

bool BitsTest::holds(Element value) const {
    if (value.type() == Type::bin_data) return holds_bytes(value.bin_data());
    if (!value.is_number()) return false;
    const auto number = bson::whole_int64(value);
    return number && holds_number(*number);
}

bool BitsTest::holds_number(std::int64_t value) const {
    const std::uint64_t set = static_cast<std::uint64_t>(value) & mask;
    switch (kind) {
        case MatchKind::bits_all_set: return set == mask;
        case MatchKind::bits_all_clear: return set == 0;
        case MatchKind::bits_any_set: return set != 0;
        default: return set != mask;
    }
}

bool BitsTest::holds_bytes(std::string_view bytes) const {
    const auto is_set = [bytes](std::uint32_t position) {
        const std::size_t byte = position / 8;
        return byte < bytes.size() && ((static_cast<unsigned char>(bytes[byte]) >> (position % 8)) & 1) != 0;
    };
    switch (kind) {
        case MatchKind::bits_all_set: return std::ranges::all_of(positions, is_set);
        case MatchKind::bits_all_clear: return std::ranges::none_of(positions, is_set);
        case MatchKind::bits_any_set: return std::ranges::any_of(positions, is_set);
        default: return !std::ranges::all_of(positions, is_set);
    }
}

bool holds_rarely(const Predicate& predicate, Element value) {
    switch (predicate.test) {
        case Test::compare_integer:
        case Test::compare_double:
        case Test::compare_text:
        case Test::compare_object_id:
        case Test::compare_any: return holds_comparison(predicate, value);
        case Test::in: return predicate.in->holds(value);
        case Test::regex: return predicate.regex->holds(value);
        case Test::mod: return holds_mod(predicate, value);
        case Test::exists: return !value.missing();
        case Test::type: return predicate.types.test(static_cast<std::size_t>(value.type()));
        case Test::bits: return predicate.bits->holds(value);
        case Test::size: return has_size(value, predicate.integer);
        case Test::internal_expr: return holds_internal_expr(predicate, value);
        case Test::schema_value: return predicate.schema->holds(value);
        default: break;
    }
    IXORA_INVARIANT(!predicate.looks_inside());
    return false;
}

}  // namespace ixora::mql
