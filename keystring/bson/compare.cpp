#include "ixora/bson/compare.hpp"

#define XXH_INLINE_ALL  // most inputs have a fixed small size
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace ixora::bson {

namespace {

template <class T>
int three_way(const T& left, const T& right) noexcept {
    return left < right ? -1 : (right < left ? 1 : 0);
}

int sign(int value) noexcept { return three_way(value, 0); }

constexpr double two_to_63 = 9223372036854775808.0;
constexpr std::int64_t exact_double_max = 1LL << 53;

int compare_doubles(double left, double right) noexcept {
    if (left < right) return -1;
    if (left > right) return 1;
    if (left == right) return 0;
    return (std::isnan(left) ? 0 : 1) - (std::isnan(right) ? 0 : 1);
}

int compare_long_double(std::int64_t left, double right) noexcept {
    if (std::isnan(right)) return 1;
    if (left >= -exact_double_max && left <= exact_double_max) return compare_doubles(static_cast<double>(left), right);
    if (right >= two_to_63) return -1;
    if (right < -two_to_63) return 1;
    // A double of at most 2^53 lies on the same side of `left` with or without its fraction; a larger one has none.
    return three_way(left, static_cast<std::int64_t>(right));
}

std::int64_t whole_number(const Element& element) noexcept {
    return element.type() == Type::number_int ? element.number_int() : element.number_long();
}

int compare_to_decimal(const Element& left, const Decimal128& right) noexcept {
    if (left.type() == Type::number_double) return -compare(right, left.number_double());
    if (left.type() == Type::number_decimal) return compare(left.number_decimal(), right);
    return compare(Decimal128::from_int64(whole_number(left)), right);
}

int compare_bytes(const void* left, std::size_t left_size, const void* right, std::size_t right_size) noexcept {
    const std::size_t common = std::min(left_size, right_size);
    const int order = common == 0 ? 0 : std::memcmp(left, right, common);
    return order != 0 ? sign(order) : three_way(left_size, right_size);
}

int compare_bin_data(const Element& left, const Element& right) noexcept {
    const std::string_view a = left.bin_data();
    const std::string_view b = right.bin_data();
    if (a.size() != b.size()) return three_way(a.size(), b.size());
    if (left.bin_subtype() != right.bin_subtype()) return three_way(left.bin_subtype(), right.bin_subtype());
    return compare_strings(a, b);
}

int compare_db_pointers(const Element& left, const Element& right) noexcept {
    if (left.value_size() != right.value_size()) return three_way(left.value_size(), right.value_size());
    return sign(std::memcmp(left.value(), right.value(), left.value_size()));
}

// Both elements have the same canonical type.
int compare_values(const Element& left, const Element& right, const Collator* collator) noexcept {
    switch (left.type()) {
        case Type::eoo:
        case Type::undefined:
        case Type::null:
        case Type::min_key:
        case Type::max_key: return 0;
        case Type::number_double:
        case Type::number_int:
        case Type::number_long:
        case Type::number_decimal: return compare_numbers(left, right);
        case Type::string:
        case Type::symbol: return compare_strings(left.string(), right.string(), collator);
        case Type::object:
        case Type::array: return compare(left.object(), right.object(), FieldNames::considered, collator);
        case Type::bin_data: return compare_bin_data(left, right);
        case Type::object_id: return sign(std::memcmp(left.object_id(), right.object_id(), 12));
        case Type::boolean: return three_way(left.boolean(), right.boolean());
        case Type::date: return three_way(left.date(), right.date());
        case Type::timestamp: return three_way(left.timestamp(), right.timestamp());
        case Type::code: return compare_strings(left.string(), right.string());
        case Type::db_pointer: return compare_db_pointers(left, right);
        case Type::regex: {
            const int order = compare_strings(left.regex_pattern(), right.regex_pattern());
            return order != 0 ? order : compare_strings(left.regex_flags(), right.regex_flags());
        }
        case Type::code_with_scope: {
            const int order = compare_strings(left.scoped_code(), right.scoped_code());
            return order != 0 ? order : compare(left.scope(), right.scope());
        }
    }
    return 0;
}

}  // namespace

int compare_numbers(const Element& left, const Element& right) noexcept {
    if (right.type() == Type::number_decimal) return compare_to_decimal(left, right.number_decimal());
    if (left.type() == Type::number_decimal) return -compare_to_decimal(right, left.number_decimal());
    if (left.type() == Type::number_double) {
        if (right.type() == Type::number_double) return compare_doubles(left.number_double(), right.number_double());
        return -compare_long_double(whole_number(right), left.number_double());
    }
    if (right.type() == Type::number_double) return compare_long_double(whole_number(left), right.number_double());
    return three_way(whole_number(left), whole_number(right));
}

int compare_strings(std::string_view left, std::string_view right, const Collator* collator) noexcept {
    if (collator != nullptr) return sign(collator->compare(left, right));
    return compare_bytes(left.data(), left.size(), right.data(), right.size());
}

int compare(const Element& left, const Element& right, FieldNames names, const Collator* collator) noexcept {
    const int left_rank = left.canonical_type();
    const int right_rank = right.canonical_type();
    if (left_rank != right_rank) return left_rank < right_rank ? -1 : 1;
    if (names == FieldNames::considered) {
        if (const int order = compare_strings(left.name(), right.name()); order != 0) return order;
    }
    return compare_values(left, right, collator);
}

int compare(const View& left, const View& right, FieldNames names, const Collator* collator) noexcept {
    auto a = left.begin();
    auto b = right.begin();
    const auto left_end = left.end();
    const auto right_end = right.end();
    for (; a != left_end && b != right_end; ++a, ++b) {
        if (const int order = compare(*a, *b, names, collator); order != 0) return order;
    }
    return (a == left_end ? 0 : 1) - (b == right_end ? 0 : 1);
}

namespace {

// A hash continues from the hash of what came before it.
std::uint64_t continue_hash(std::uint64_t before, const void* bytes, std::size_t size) noexcept {
    return XXH3_64bits_withSeed(bytes, size, before);
}

template <class T>
std::uint64_t continue_hash(std::uint64_t before, const T& scalar) noexcept {
    return continue_hash(before, &scalar, sizeof scalar);
}

std::uint64_t hash_text(std::uint64_t before, std::string_view text, const Collator* collator) {
    if (collator != nullptr) {
        const std::string key = collator->sort_key(text);
        return continue_hash(before, key.data(), key.size());
    }
    return continue_hash(before, text.data(), text.size());
}

std::uint64_t hash_double(std::uint64_t before, double value) noexcept {
    if (std::isnan(value)) return continue_hash(before, 'N');
    if (value >= -two_to_63 && value < two_to_63) {
        const auto whole = static_cast<std::int64_t>(value);
        if (static_cast<double>(whole) == value) return continue_hash(before, whole);
    }
    return continue_hash(~before, value);  // the bits of a double could be those of an int64
}

// The first of these that holds the value exactly decides: int64, double, decimal without trailing zeros.
std::uint64_t hash_decimal(std::uint64_t before, const Decimal128& value) noexcept {
    if (value.is_integral_int64()) return continue_hash(before, value.to_int64().value_or(0));
    bool inexact = false;
    const double rounded = value.to_double(Decimal128::Rounding::nearest_even, &inexact);
    if (!inexact) return hash_double(before, rounded);
    Uint128 coefficient = value.coefficient();
    std::uint32_t exponent = value.biased_exponent();
    while (coefficient % 10 == 0) {
        coefficient /= 10;
        ++exponent;
    }
    const std::array<std::uint64_t, 3> parts{
        static_cast<std::uint64_t>(coefficient), static_cast<std::uint64_t>(coefficient >> 64),
        (static_cast<std::uint64_t>(exponent) << 1) | (value.is_negative() ? 1U : 0U)};
    return continue_hash(before, parts);
}

std::uint64_t hash_value(std::uint64_t before, const Element& element, const Collator* collator);

std::uint64_t hash_fields(std::uint64_t before, View fields, bool with_names, const Collator* collator) {
    for (const Element& field : fields) {
        if (with_names) before = hash_text(before, field.name(), nullptr);
        before = hash_value(before, field, collator);
    }
    return before;
}

std::uint64_t hash_value(std::uint64_t before, const Element& element, const Collator* collator) {
    constexpr std::uint64_t odd = 0x9E3779B97F4A7C15ULL;  // spreads the few ranks over all bits
    before = (before + static_cast<std::uint64_t>(element.canonical_type() + 2)) * odd;
    switch (element.type()) {
        case Type::eoo:
        case Type::undefined:
        case Type::null:
        case Type::min_key:
        case Type::max_key: return before;
        case Type::number_double: return hash_double(before, element.number_double());
        case Type::number_int:
        case Type::number_long: return continue_hash(before, whole_number(element));
        case Type::number_decimal: return hash_decimal(before, element.number_decimal());
        case Type::string:
        case Type::symbol: return hash_text(before, element.string(), collator);
        case Type::code: return hash_text(before, element.string(), nullptr);
        case Type::object: return hash_fields(before, element.object(), true, collator);
        case Type::array: return hash_fields(before, element.object(), false, collator);
        case Type::boolean: return continue_hash(before, element.boolean());
        case Type::code_with_scope:
            return hash_fields(hash_text(before, element.scoped_code(), nullptr), element.scope(), true, nullptr);
        case Type::bin_data:
        case Type::object_id:
        case Type::date:
        case Type::timestamp:
        case Type::regex:
        case Type::db_pointer: return continue_hash(before, element.value(), element.value_size());
    }
    return before;
}

}  // namespace

std::size_t hash(const Element& element, const Collator* collator) { return hash_value(0, element, collator); }

}  // namespace ixora::bson
