// Values other than numbers, nesting, directions, discriminators and RecordIds of keystring.md 1.15.
#include "ixora/key/key_string.hpp"

#include "catch.hpp"
#include "hex.hpp"
#include "ixora/base/error.hpp"

namespace ixora::key::test {

namespace {

using bson::Builder;
using bson::Document;
using bson::Value;

template <class Fill>
Value value(Fill fill) {
    Builder builder;
    fill(builder);
    const Document document = builder.finish();
    return Value(document.view().front());
}

struct Vector {
    int row;
    Value value;
    std::string key, type_bits;
};

std::string repeat(const std::string& text, int times) {
    std::string all;
    while (times-- > 0) all += text;
    return all;
}

Document object(const char* name, int number) {
    Builder builder;
    builder.append(name, number);
    return builder.finish();
}

std::vector<Vector> scalars() {
    const std::string id = from_hex("507f1f77bcf86cd799439011");
    const std::string pointer_id = from_hex("010203040506070809101112");
    const auto* id_bytes = reinterpret_cast<const std::uint8_t*>(id.data());
    const auto* pointer_bytes = reinterpret_cast<const std::uint8_t*>(pointer_id.data());
    const auto binary = [](std::uint8_t subtype, std::string data) {
        return value([&](Builder& b) { b.append_bin_data("", subtype, data); });
    };
    const auto date = [](std::int64_t ms) { return Value::of_date(ms); };
    const auto timestamp = [](std::uint64_t t, std::uint64_t i) {
        return value([&](Builder& b) { b.append_timestamp("", t << 32 | i); });
    };
    const auto regex = [](const char* pattern, const char* flags) {
        return value([&](Builder& b) { b.append_regex("", pattern, flags); });
    };
    return {
        {1, Value::min_key(), "0a04", ""},
        {2, Value::undefined(), "0f04", ""},
        {3, Value::null(), "1404", ""},
        {3, Value(), "1404", ""},
        {4, Value::max_key(), "f004", ""},
        {5, Value::of_bool(true), "6f04", ""},
        {6, Value::of_bool(false), "6e04", ""},
        {7, Value::of_string(""), "3c0004", ""},
        {8, Value::of_string("abc"), "3c6162630004", ""},
        {9, value([](Builder& b) { b.append_symbol("", "abc"); }), "3c6162630004", "01"},
        {10, Value::of_string(std::string_view("a\0b", 3)), "3c6100ff620004", ""},
        {11, Value::of_string(std::string_view("\0", 1)), "3c00ff0004", ""},
        {12, Value::of_string("\xc3\xa9"), "3cc3a90004", ""},
        {13, value([&](Builder& b) { b.append_object_id("", id_bytes); }), "64507f1f77bcf86cd79943901104", ""},
        {14, date(0), "78800000000000000004", ""},
        {15, date(1), "78800000000000000104", ""},
        {16, date(-1), "787fffffffffffffff04", ""},
        {17, date(1700000000000), "788000018bcfe5680004", ""},
        {18, timestamp(0, 0), "82000000000000000004", ""},
        {19, timestamp(1, 100), "82000000010000006404", ""},
        {20, timestamp(0xffffffff, 3), "82ffffffff0000000304", ""},
        {21, binary(0, ""), "5a000004", ""},
        {22, binary(0, "\x01\x02\x03"), "5a030001020304", ""},
        {23, binary(4, from_hex("000102030405060708090a0b0c0d0e0f")), "5a1004000102030405060708090a0b0c0d0e0f04", ""},
        {24, binary(0, std::string(255, '\xaa')), "5aff000000ff00" + repeat("aa", 255) + "04", ""},
        {25, binary(0, std::string(254, '\xaa')), "5afe00" + repeat("aa", 254) + "04", ""},
        {26, binary(2, from_hex("020000006869")), "5a060202000000686904", ""},
        {27, regex("ab+c", "i"), "8c61622b6300690004", ""},
        {28, regex("", ""), "8c000004", ""},
        {29, value([&](Builder& b) { b.append_db_pointer("", "db.c", pointer_bytes); }),
         "960000000464622e6301020304050607080910111204", ""},
        {30, value([](Builder& b) { b.append_code("", "f()"); }), "a06628290004", ""},
        {31, value([](Builder& b) { b.append_code_with_scope("", "f()", object("x", 1)); }), "aa662829001e78002b020004",
         ""},
    };
}

std::vector<Vector> nested() {
    return {
        {135, Value::of_object({}), "460004", ""},
        {136, Value::of_object(object("a", 5)), "461e61002b0a0004", ""},
        {137, value([](Builder& b) {
             b.open_object("");
             b.append("a", 5);
             b.append("b", "x");
             b.close();
         }),
         "461e61002b0a3c62003c78000004", ""},
        {138, value([](Builder& b) {
             b.open_object("");
             b.open_object("a");
             b.append_null("b");
             b.close();
             b.close();
         }),
         "464661004614620014000004", ""},
        {139, Value::of_object(object("", 1)), "461e002b020004", ""},
        {140, Value::of_array({}), "500004", ""},
        {141, Value::of_array(object("0", 1)), "502b020004", ""},
        {142, value([](Builder& b) {
             b.open_array("");
             b.append(1);
             b.append("a");
             b.open_array();
             b.append(2.5);
             b.close();
             b.close();
         }),
         "502b023c6100502b0580000000000000000004", "08"},
        {143, value([](Builder& b) {
             b.open_array("");
             b.append(object("a", 1));
             b.close();
         }),
         "50461e61002b02000004", ""},
        {144, value([](Builder& b) {
             b.open_object("");
             b.open_array("a");
             b.append(1);
             b.append(2);
             b.close();
             b.close();
         }),
         "46506100502b022b04000004", ""},
        {145, value([](Builder& b) {
             b.open_object("");
             b.append("a", -5);
             b.append("b", true);
             b.close();
         }),
         "461e610027f56e62006f0004", ""},
    };
}

Ordering ordering_of(std::initializer_list<int> directions) {
    Builder pattern;
    for (const int direction : directions) pattern.append("f", direction);
    return Ordering::of(pattern.finish());
}

std::string key_hex(Ordering ordering, const std::vector<Value>& values) {
    KeyBuilder builder(ordering);
    for (const Value& each : values) builder.append(each);
    builder.append_end();
    return to_hex(builder.bytes());
}

}  // namespace

TEST_CASE("scalars and nested values encode to the bytes of the worked vectors") {
    std::vector<Vector> rows = scalars();
    for (const Vector& row : nested()) rows.push_back(row);
    for (const Vector& row : rows) {
        INFO("row " << row.row);
        KeyBuilder builder;
        builder.append(row.value);
        builder.append_end();
        CHECK(to_hex(builder.bytes()) == row.key);
        CHECK(type_bits_hex(builder) == row.type_bits);
    }
}

TEST_CASE("element_size finds the end of every kind of value in both directions") {
    std::vector<Vector> rows = scalars();
    for (const Vector& row : nested()) rows.push_back(row);
    for (const Vector& row : rows) {
        INFO("row " << row.row);
        for (const int direction : {1, -1}) {
            KeyBuilder builder(ordering_of({direction, direction}));
            builder.append(row.value);
            const std::size_t size = builder.bytes().size();
            for (const Value& next : {Value::min_key(), Value::max_key(), Value::of_string("")}) {
                KeyBuilder both(ordering_of({direction, direction}));
                both.append(row.value);
                both.append(next);
                both.append_end();
                const Bytes bytes = both.bytes();
                CHECK(element_size(bytes.data(), bytes.data() + bytes.size(), direction < 0) == size);
            }
        }
    }
}

TEST_CASE("directions complement the elements of a compound key") {
    const Value one = Value::of_int(1);
    const Value two = Value::of_int(2);
    CHECK(key_hex(ordering_of({1, 1}), {one, two}) == "2b022b0404");
    CHECK(key_hex(ordering_of({1, -1}), {one, two}) == "2b02d4fb04");
    CHECK(key_hex(ordering_of({-1, 1}), {one, two}) == "d4fd2b0404");
    CHECK(key_hex(ordering_of({1, -1}), {Value::of_string("a"), Value::of_string("b")}) == "3c6100c39dff04");
    CHECK(key_hex(ordering_of({-1}), {Value::of_string(std::string_view("a\0b", 3))}) == "c39eff009dff04");
    CHECK(key_hex(ordering_of({-1}), {Value::of_double(5.5)}) == "d4f47fffffffffffff04");
    CHECK(key_hex(ordering_of({-1}), {Value::of_int(-5)}) == "d80a04");
    CHECK(key_hex(ordering_of({-1}), {Value::null()}) == "eb04");
    CHECK(key_hex(ordering_of({-1}), {Value::of_object(object("a", 5))}) == "b9e19effd4f5ff04");
    CHECK(key_hex(ordering_of({-1}), {Value::of_array(object("0", 1))}) == "afd4fdff04");
    CHECK(key_hex(ordering_of({-1}), {Value::min_key()}) == "f504");
    CHECK(key_hex(ordering_of({-1}), {Value::of_decimal(*bson::Decimal128::parse("1.23"))}) == "d4fcc51eb851eb851d04");
}

TEST_CASE("type bits follow the elements of a compound key") {
    KeyBuilder builder;
    builder.append(Value::of_string("x"));
    builder.append(Value::of_long(1));
    builder.append(Value::of_double(2.0));
    builder.append(value([](Builder& b) { b.append_symbol("", "s"); }));
    builder.append_end();
    CHECK(to_hex(builder.bytes()) == "3c78002b022b043c730004");
    CHECK(type_bits_hex(builder) == "2c");
    builder.reset();
    builder.append(Value::of_int(1));
    builder.append_end();
    CHECK(to_hex(builder.bytes()) == "2b0204");
    CHECK(type_bits_hex(builder).empty());
}

TEST_CASE("search keys end in a discriminator that is never complemented") {
    const Document five = object("", 5);
    const Document text = [] {
        Builder b;
        b.append("", "a");
        return b.finish();
    }();
    const auto hex = [](bson::View values, Ordering ordering, Discriminator discriminator) {
        return to_hex(search_key(values, ordering, discriminator));
    };
    CHECK(hex(five, {}, Discriminator::exclusive_before) == "2b0a0104");
    CHECK(hex(five, {}, Discriminator::exclusive_after) == "2b0afe04");
    CHECK(hex(five, {}, Discriminator::inclusive) == "2b0a04");
    CHECK(hex(five, ordering_of({-1}), Discriminator::exclusive_before) == "d4f50104");
    CHECK(hex(five, ordering_of({-1}), Discriminator::exclusive_after) == "d4f5fe04");
    CHECK(hex(text, ordering_of({1, -1}), Discriminator::exclusive_after) == "3c6100fe04");
    CHECK(hex({}, {}, Discriminator::exclusive_before) == "0104");
    CHECK(hex({}, {}, Discriminator::exclusive_after) == "fe04");
    CHECK(hex({}, {}, Discriminator::inclusive) == "04");
}

TEST_CASE("positions and depth have limits") {
    const auto code_of = [](auto&& action) {
        try {
            action();
        } catch (const Error& error) {
            return error.code();
        }
        return 0;
    };
    KeyBuilder builder;
    for (int i = 0; i < 32; ++i) builder.append(Value::of_int(i));
    CHECK(code_of([&] { builder.append(Value::of_int(1)); }) == 15);
    CHECK(code_of([&] { builder.append_string("x"); }) == 15);

    Document deep;
    for (int depth = 1; depth <= 200; ++depth) {
        Builder b;
        b.append("a", deep);
        deep = b.finish();
    }
    KeyBuilder fits;
    CHECK(code_of([&] { fits.append(deep.view().front()); }) == 0);
    Builder b;
    b.append("a", deep);
    const Document deeper = b.finish();
    KeyBuilder too_deep;
    CHECK(code_of([&] { too_deep.append(deeper.view().front()); }) == 15);

    Builder pattern;
    for (int i = 0; i < 33; ++i) pattern.append("f", 1);
    CHECK(code_of([&] { Ordering::of(pattern.finish()); }) == 13103);
}

}  // namespace ixora::key::test
