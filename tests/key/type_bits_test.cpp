#include "ixora/key/type_bits.hpp"

#include <random>

#include "catch.hpp"
#include "hex.hpp"
#include "ixora/base/error.hpp"

namespace ixora::key::test {

namespace {

using bson::Value;

std::string bits_of(const std::vector<Value>& values) {
    bson::Builder array;
    array.open_array("");
    for (const Value& value : values) array.append_member(value);
    array.close();
    const bson::Document document = array.finish();
    KeyBuilder builder;
    builder.append(document.view().front());
    return type_bits_hex(builder);
}

std::vector<Value> times(std::size_t count, const Value& value) { return std::vector<Value>(count, value); }

std::string repeat(const std::string& text, int count) {
    std::string all;
    while (count-- > 0) all += text;
    return all;
}

}  // namespace

TEST_CASE("type bits serialise like the worked values") {
    const Value one = Value::of_long(1);
    CHECK(bits_of(times(4, one)) == "81aa");
    CHECK(bits_of(times(4, Value::of_double(1))) == "55");
    CHECK(bits_of(times(4, Value::of_int(1))).empty());
    std::vector<Value> mixed = times(1, one);
    for (int i = 0; i < 8; ++i) mixed.push_back(Value::of_string("x"));
    CHECK(bits_of(mixed) == "820200");
    mixed = times(8, Value::of_string("x"));
    mixed.push_back(one);
    CHECK(bits_of(mixed) == "820002");
    CHECK(bits_of(times(5, Value::of_double(1))) == "825501");
    CHECK(bits_of(times(3, Value::of_decimal(*bson::Decimal128::parse("1")))) == "83070707");
    CHECK(bits_of({Value::of_long(7), Value::of_string("a"), Value::of_double(-0.0)}) == "1a");
    CHECK(bits_of(times(508, Value::of_double(1))) == "ff" + repeat("55", 127));
    CHECK(bits_of(times(509, Value::of_double(1))) == "8080000000" + repeat("55", 127) + "01");
    CHECK(bits_of(times(510, Value::of_double(1))) == "8080000000" + repeat("55", 127) + "05");
}

TEST_CASE("type bits read back as they were written") {
    std::mt19937 random(3);
    for (int round = 0; round < 300; ++round) {
        const std::size_t count = random() % 1200;
        std::vector<bool> expected;
        TypeBits bits;
        for (std::size_t i = 0; i < count; ++i) {
            expected.push_back(random() % 4 == 0);
            bits.append(expected.back());
        }
        std::string serialized;
        bits.append_serialized(serialized);
        TypeBitsReader reader(as_bytes(serialized));
        bool equal = true;
        for (const bool bit : expected) equal = equal && reader.next() == bit;
        CHECK(equal);
    }
}

TEST_CASE("malformed type bits are refused") {
    const auto code_of = [](const char* hex, int bits) {
        try {
            const std::string bytes = from_hex(hex);
            TypeBitsReader reader(as_bytes(bytes));
            reader.next(bits);
        } catch (const Error& error) {
            return error.code();
        }
        return 0;
    };
    CHECK(code_of("", 31) == 0);
    CHECK(code_of("00", 31) == 0);
    CHECK(code_of("01", 8) == 0);
    CHECK(code_of("01", 9) == 50615);
    CHECK(code_of("80", 1) == 50910);
    CHECK(code_of("807f000000", 1) == 50910);
    CHECK(code_of("8001000000ff", 1) == 50910);
    CHECK(code_of("82ff", 1) == 50910);
    CHECK(code_of("80ffffffff", 1) == 50910);
}

}  // namespace ixora::key::test
