// One compiled predicate of the match language and its test of a single value (spec: match.md 4.1, 4.3-4.10).
#pragma once

#include <bitset>
#include <cmath>
#include <memory>
#include <string_view>
#include <vector>

#include <boost/unordered/unordered_flat_set.hpp>

#include "ixora/bson/compare.hpp"
#include "ixora/mql/match_node.hpp"
#include "regex.hpp"
#include "schema/schema_predicate.hpp"

namespace ixora::mql {

struct CompiledFilter;

// What a predicate does with a value. Comparisons are split by the type of their operand, so that the usual cases
// compare two machine words; compare_any covers every other operand.
enum class Test : std::uint8_t {
    compare_integer,
    compare_double,
    compare_text,
    compare_object_id,
    compare_any,
    in,
    regex,
    mod,
    exists,
    type,
    bits,
    size,
    internal_expr,
    schema_value,
    // With a filter of what is inside the value.
    elem_match_object,
    elem_match_value,
    schema_object,
    schema_all_elements,
    schema_element_at,
};

struct RegexTest {
    explicit RegexTest(const RegexPayload& payload) : source(payload), compiled(payload) {}
    bool holds(bson::Element value) const;
    RegexPayload source;
    Regex compiled;
};

// The members of an $in, arranged for lookup: whole numbers and texts by value, all others by binary search.
class InTest {
public:
    InTest(const InPayload& list, bson::CollatorPtr collator);
    bool holds(bson::Element value) const;

private:
    void add_types_of_rank(int rank);
    bool listed(bson::Element value) const;
    bool listed_number(std::int64_t value) const;
    bool listed_anywhere(bson::Element value) const;

    std::vector<bson::Value> values_;  // in BSON order
    bson::CollatorPtr collator_;
    std::vector<std::int64_t> integers_;  // every listed number, when all of them are int32 or int64
    bool numbers_are_integers_ = true;
    bool has_null_ = false;
    boost::unordered_flat_set<std::string_view> texts_;  // views into values_; unused under a collation
    std::bitset<256> types_;                             // that some listed value can equal
    std::vector<RegexTest> regexes_;
};

struct BitsTest {
    BitsTest(MatchKind test_kind, const BitsPayload& payload);
    bool holds(bson::Element value) const;
    MatchKind kind;
    std::uint64_t mask = 0;  // for numbers: positions past 63 ask for the sign bit
    std::vector<std::uint32_t> positions;

private:
    bool holds_number(std::int64_t value) const;
    bool holds_bytes(std::string_view bytes) const;
};

struct Predicate {
    Test test = Test::exists;
    // Of a comparison: bit 0 accepts a value below the operand, bit 1 an equal one, bit 2 one above.
    std::uint8_t accepted = 0;
    bool exact_as_double = false;  // `integer` is exactly `real`
    std::int64_t integer = 0;      // compare_integer; size; divisor of mod; index of array members
    double real = 0;               // compare_integer, compare_double
    std::int64_t remainder = 0;    // of mod
    std::string_view text;         // compare_text; the 12 bytes of compare_object_id; both point into `operand`
    bson::Value operand;
    bson::CollatorPtr collator;
    std::bitset<256> types;
    std::unique_ptr<RegexTest> regex;
    std::unique_ptr<InTest> in;
    std::unique_ptr<BitsTest> bits;
    std::unique_ptr<ValueTest> schema;
    std::unique_ptr<CompiledFilter> elements;  // of what is inside the value: each array member for $elemMatch

    bool looks_inside() const noexcept { return test >= Test::elem_match_object; }

    bool accepts(int order) const noexcept { return ((accepted >> (order + 1)) & 1) != 0; }
};

template <class T>
int order_of(T left, T right) noexcept {
    return (left > right) - (left < right);
}

// Every test that does not look inside, out of line.
bool holds_rarely(const Predicate& predicate, bson::Element value);

// Tests one value, missing included. Not for tests that look inside.
inline bool holds(const Predicate& predicate, bson::Element value) {
    using bson::Type;
    switch (predicate.test) {
        case Test::compare_integer:
            switch (value.type()) {
                case Type::number_int:
                    return predicate.accepts(order_of<std::int64_t>(value.number_int(), predicate.integer));
                case Type::number_long: return predicate.accepts(order_of(value.number_long(), predicate.integer));
                case Type::number_double:
                    if (!predicate.exact_as_double) return holds_rarely(predicate, value);
                    if (std::isnan(value.number_double())) return false;
                    return predicate.accepts(order_of(value.number_double(), predicate.real));
                case Type::number_decimal: return holds_rarely(predicate, value);
                default: return false;
            }
        case Test::compare_double:
            switch (value.type()) {
                case Type::number_double:
                    if (std::isnan(value.number_double())) return false;
                    return predicate.accepts(order_of(value.number_double(), predicate.real));
                case Type::number_int: return predicate.accepts(order_of<double>(value.number_int(), predicate.real));
                case Type::number_long:
                case Type::number_decimal: return holds_rarely(predicate, value);
                default: return false;
            }
        case Test::compare_text:
            if (value.type() == Type::string) {
                const std::string_view text = value.string();
                if (predicate.accepted == 2) return text == predicate.text;
                return predicate.accepts(bson::compare_strings(text, predicate.text));
            }
            return value.type() == Type::symbol && holds_rarely(predicate, value);
        case Test::compare_object_id:
            return value.type() == Type::object_id &&
                   predicate.accepts(order_of(std::memcmp(value.object_id(), predicate.text.data(), 12), 0));
        case Test::exists: return !value.missing();
        default: return holds_rarely(predicate, value);
    }
}

}  // namespace ixora::mql
