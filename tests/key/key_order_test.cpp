// Properties: the order of KeyStrings is BSON order, equal values have equal bytes, decoding gives back what was
// encoded. IXORA_PROPERTY_RUNS sets the number of pairs, IXORA_PROPERTY_SEED the seed.
#include <chrono>
#include <cstdlib>

#include "catch.hpp"
#include "hex.hpp"
#include "ixora/bson/compare.hpp"
#include "ixora/bson/extended_json.hpp"
#include "random_values.hpp"

namespace ixora::key::test {

namespace {

using bson::Builder;
using bson::View;

std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
    const char* text = std::getenv(name);
    return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

int sign(int order) { return order < 0 ? -1 : order > 0 ? 1 : 0; }

int compare_as_bson(View left, View right, Ordering ordering) {
    auto other = right.begin();
    std::size_t position = 0;
    for (const bson::Element& element : left) {
        const int order = bson::compare(element, *other);
        if (order != 0) return sign(order) * ordering.sign(position);
        ++other;
        ++position;
    }
    return 0;
}

void encode(KeyBuilder& key, Ordering ordering, View values) {
    key.reset(ordering);
    for (const bson::Element& value : values) key.append(value);
    key.append_end();
}

// Same type and bytes, but any NaN for a NaN: keys do not keep its payload.
bool same_value(const bson::Element& left, const bson::Element& right) {
    if (left.is_nan() && left.type() == right.type()) return right.is_nan();
    if (left.type() != right.type()) return false;
    const bool nested = left.is_object() || left.is_array() || left.type() == bson::Type::code_with_scope;
    if (!nested) return left.same_bytes(right);
    if (left.type() == bson::Type::code_with_scope && left.scoped_code() != right.scoped_code()) return false;
    const View a = left.is_object() || left.is_array() ? left.object() : left.scope();
    const View b = left.is_object() || left.is_array() ? right.object() : right.scope();
    auto other = b.begin();
    for (const bson::Element& field : a) {
        if (other == b.end() || other->name() != field.name() || !same_value(field, *other)) return false;
        ++other;
    }
    return other == b.end();
}

// One side of a pair.
struct Side {
    Builder values;
    KeyBuilder key;
    View view;
    void fill(RandomValues& random, std::uint64_t fields) {
        values.reset();
        for (std::uint64_t i = 0; i < fields; ++i) random.append(values, "");
        view = values.finish_view();
    }
};

bool round_trips(const Side& side, Ordering ordering, Builder& decoded, std::string& bits) {
    bits.clear();
    side.key.type_bits().append_serialized(bits);
    decoded.reset();
    decode(side.key.bytes(), ordering, as_bytes(bits), View(), decoded);
    const View back = decoded.finish_view();
    auto original = side.view.begin();
    for (const bson::Element& element : back) {
        if (original == side.view.end() || !same_value(*original, element)) return false;
        ++original;
    }
    return original == side.view.end();
}

bool sizes_fit(const Side& side, Ordering ordering) {
    const Bytes bytes = side.key.bytes();
    const std::uint8_t* at = bytes.data();
    const std::uint8_t* end = at + bytes.size();
    for (std::size_t position = 0; position < side.view.field_count(); ++position)
        at += element_size(at, end, ordering.descending(position));
    return at + 1 == end;
}

}  // namespace

TEST_CASE("KeyString order is BSON order and decoding inverts encoding") {
    const std::uint64_t runs = from_environment("IXORA_PROPERTY_RUNS", 200000);
    const std::uint64_t seed = from_environment("IXORA_PROPERTY_SEED", 20240607);
    RandomValues random(seed);
    Side left, right;
    Builder decoded;
    std::string bits;
    std::uint64_t equal = 0, failures = 0;
    const auto start = std::chrono::steady_clock::now();
    for (std::uint64_t run = 0; run < runs && failures < 10; ++run) {
        Ordering ordering;
        const std::uint64_t fields = 1 + random.below(3);
        for (std::uint64_t i = 0; i < fields; ++i)
            if (random.below(2) == 0) ordering.set_descending(i);
        left.fill(random, fields);
        right.fill(random, fields);
        encode(left.key, ordering, left.view);
        encode(right.key, ordering, right.view);
        const int expected = compare_as_bson(left.view, right.view, ordering);
        const int order = sign(compare(left.key.bytes(), right.key.bytes()));
        equal += expected == 0 ? 1 : 0;
        const bool good = order == expected && round_trips(left, ordering, decoded, bits) && sizes_fit(left, ordering);
        if (good) continue;
        ++failures;
        UNSCOPED_INFO("run " << run << " of seed " << seed << ": " << bson::to_json(left.view) << " against "
                             << bson::to_json(right.view) << " BSON order " << expected << ", key order " << order
                             << ", key " << to_hex(left.key.bytes()));
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    if (runs > 1000000) WARN(runs << " pairs, " << equal << " of them equal, in " << took.count() << " s");
    CHECK(failures == 0);
    CHECK(equal * 1000 > runs);  // the material must hold equal pairs, too
}

TEST_CASE("numbers alone order and decode exactly") {
    const std::uint64_t runs = from_environment("IXORA_PROPERTY_RUNS", 200000);
    RandomValues random(from_environment("IXORA_PROPERTY_SEED", 20240608));
    Side left, right;
    Builder decoded;
    std::string bits;
    std::uint64_t failures = 0;
    for (std::uint64_t run = 0; run < runs && failures < 10; ++run) {
        for (Side* side : {&left, &right}) {
            side->values.reset();
            random.append_number(side->values, "");
            side->view = side->values.finish_view();
            encode(side->key, Ordering(), side->view);
        }
        const int expected = compare_as_bson(left.view, right.view, Ordering());
        const int order = sign(compare(left.key.bytes(), right.key.bytes()));
        if (order == expected && round_trips(left, Ordering(), decoded, bits) && sizes_fit(left, Ordering())) continue;
        ++failures;
        UNSCOPED_INFO("run " << run << ": " << bson::to_json(left.view) << " against " << bson::to_json(right.view)
                             << " BSON order " << expected << ", key order " << order << ", key "
                             << to_hex(left.key.bytes()));
    }
    CHECK(failures == 0);
}

}  // namespace ixora::key::test
