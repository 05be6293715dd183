// Numbers of keystring.md 1.15: key bytes, type bits, sizes, and the way back.
#include <cfloat>
#include <cmath>

#include "catch.hpp"
#include "hex.hpp"

namespace ixora::key::test {

namespace {

using bson::Value;

Value decimal(std::string_view text) { return Value::of_decimal(*bson::Decimal128::parse(text)); }

struct Vector {
    int row;
    Value value;
    std::string key, type_bits;
};

const std::vector<Vector>& vectors() {
    static const std::vector<Vector> rows = {
        {32, Value::of_int(0), "2904", ""},
        {33, Value::of_long(0), "2904", "02"},
        {34, Value::of_double(0.0), "2904", "01"},
        {35, Value::of_double(-0.0), "2904", "03"},
        {36, Value::of_int(1), "2b0204", ""},
        {37, Value::of_long(1), "2b0204", "02"},
        {38, Value::of_double(1.0), "2b0204", "01"},
        {39, Value::of_int(5), "2b0a04", ""},
        {40, Value::of_int(-1), "27fd04", ""},
        {41, Value::of_int(127), "2bfe04", ""},
        {42, Value::of_int(128), "2c010004", ""},
        {43, Value::of_int(-128), "26feff04", ""},
        {44, Value::of_int(255), "2c01fe04", ""},
        {45, Value::of_int(256), "2c020004", ""},
        {46, Value::of_int(42), "2b5404", ""},
        {47, Value::of_double(42.0), "2b5404", "01"},
        {48, Value::of_int(32767), "2cfffe04", ""},
        {49, Value::of_int(32768), "2d01000004", ""},
        {50, Value::of_int(2147483647), "2efffffffe04", ""},
        {51, Value::of_int(INT32_MIN), "23feffffffff04", ""},
        {52, Value::of_long(1LL << 31), "2f010000000004", "02"},
        {53, Value::of_long(1LL << 53), "314000000000000004", "02"},
        {54, Value::of_double(0x1p53), "314000000000000004", "01"},
        {55, Value::of_long((1LL << 53) + 1), "314000000000000204", "02"},
        {56, Value::of_long(1LL << 55), "32010000000000000004", "02"},
        {57, Value::of_long(INT64_MAX), "32fffffffffffffffe04", "02"},
        {58, Value::of_long(-INT64_MAX), "20000000000000000104", "02"},
        {59, Value::of_long(INT64_MIN), "1ff83fffffffffffff04", "02"},
        {60, Value::of_double(-0x1p63), "1ff83fffffffffffff04", "01"},
        {61, Value::of_double(0x1p63), "3307c000000000000004", "01"},
        {62, Value::of_double(5.5), "2b0b8000000000000004", "01"},
        {63, Value::of_double(-5.5), "27f47fffffffffffff04", "01"},
        {64, Value::of_double(1.5), "2b038000000000000004", "01"},
        {65, Value::of_double(0.5), "2aff8000000000000004", "01"},
        {66, Value::of_double(-0.5), "28007fffffffffffff04", "01"},
        {67, Value::of_double(0.1), "2afee666666666666804", "01"},
        {68, Value::of_double(1.1), "2b03199999999999a004", "01"},
        {69, Value::of_double(-1.1), "27fce666666666665f04", "01"},
        {70, Value::of_double(123.456), "2bf774bc6a7ef9dc0004", "01"},
        {71, Value::of_double(255.5), "2c01ff80000000000004", "01"},
        {72, Value::of_double(1e15 + 0.5), "31071afd498d00018004", "01"},
        {73, Value::of_double(0x1p52 - 0.5), "311fffffffffffff8004", "01"},
        {74, Value::of_double(1e100), "332964935a4b2986fa04", "01"},
        {75, Value::of_double(-1e100), "1fd69b6ca5b4d6790504", "01"},
        {76, Value::of_double(DBL_MAX), "337fdffffffffffffe04", "01"},
        {77, Value::of_double(INFINITY), "33ffffffffffffffff04", "01"},
        {78, Value::of_double(-INFINITY), "1f000000000000000004", "01"},
        {79, Value::of_double(NAN), "1e04", "01"},
        {80, Value::of_double(DBL_MIN), "2a602000000000000004", "01"},
        {81, Value::of_double(0x1p-1074), "2a59a000000000000004", "01"},
        {82, Value::of_double(-0x1p-1074), "28a65fffffffffffff04", "01"},
        {83, Value::of_double(0x1p-255), "2ac00000000000000004", "01"},
        {84, Value::of_double(0x1p-256), "2abfe000000000000004", "01"},
        {85, Value::of_double(1e-80), "2abea5f1582e9ac24604", "01"},
        {86, decimal("0"), "2904", "833b0800"},
        {87, decimal("-0"), "2904", "832f0800"},
        {88, decimal("0.0"), "2904", "833bf001"},
        {89, decimal("0E+3"), "2904", "833b8801"},
        {90, decimal("0E-6176"), "2904", "830b0000"},
        {91, decimal("-0E+6111"), "2904", "83ffff01"},
        {92, decimal("1"), "2b0204", "07"},
        {93, decimal("1.0"), "2b0204", "81fb"},
        {94, decimal("1E1"), "2b1404", "8187"},
        {95, decimal("-20"), "27d704", "07"},
        {96, decimal("5"), "2b0a04", "07"},
        {97, decimal("42"), "2b5404", "07"},
        {98, decimal("1.25"), "2b034000000000000004", "7b"},
        {99, decimal("0.5"), "2aff8000000000000004", "81fb"},
        {100, decimal("0.50"), "2aff8000000000000004", "7b"},
        {101, decimal("-0.5"), "28007fffffffffffff04", "81fb"},
        {102, decimal("0.1"), "2afee666666666666604", "81fb"},
        {103, decimal("0.10"), "2afee666666666666604", "7b"},
        {104, decimal("-0.1"), "28011999999999999904", "81fb"},
        {105, decimal("1.1"), "2b031999999999999204", "81fb"},
        {106, decimal("1.23"), "2b033ae147ae147ae204", "7b"},
        {107, decimal("-12345.60"), "269f8c6666666667fd04", "7b"},
        {108, decimal("123.456"), "2bf774bc6a7ef9d80204", "81bb"},
        {109, decimal("3.141592653589793238462643383279502"), "2b07243f6a8885a30101b314fa3fd986d404", "81ff"},
        {110, decimal("0.3333333333333333333333333333333333"), "2aff5555555555555502916253920a559f04", "7f"},
        {111, decimal("1.000000000000000000000000000000001"), "2b0300000000000003000000000000000104", "81ff"},
        {112, decimal("-1.000000000000000000000000000000001"), "27fcfffffffffffffcfffffffffffffffe04", "81ff"},
        {113, decimal("9007199254740993"), "314000000000000204", "07"},
        {114, decimal("9007199254740993.5"), "31400000000000030306f05b59d3b2000004", "81fb"},
        {115, decimal("36028797018963969.5"), "32010000000000000300b1a2bc2ec5000004", "81fb"},
        {116, decimal("9223372036854775807"), "32fffffffffffffffe04", "07"},
        {117, decimal("-9223372036854775808"), "1ff83fffffffffffff04", "07"},
        {118, decimal("9223372036854775808"), "3307c000000000000004", "07"},
        {119, decimal("1E20"), "33082b5e3af16b188004", "2f"},
        {120, decimal("1E23"), "33096a5a058fc295ed0ba43b740000000004", "81ef"},
        {121, decimal("1E308"), "337fc399e70bd7913f1a2c982f623b057904", "2b"},
        {122, decimal("1E309"), "33b268314dc6448d9338c15b0a0000000004", "81ab"},
        {123, decimal("1E400"), "33b31e314dc6448d9338c15b0a0000000004", "0f"},
        {124, decimal("9.999999999999999999999999999999999E6144"), "33dfffed09bead87c0378d8e63ffffffff04", "81ff"},
        {125, decimal("-1E400"), "1f4ce1ceb239bb726cc73ea4f5ffffffff04", "0f"},
        {126, decimal("1E-80"), "2abea5f1582e9ac247055a72b18561528804", "0b"},
        {127, decimal("1E-308"), "2a5ff986b3c0cf46910c955d89d99793f804", "37"},
        {128, decimal("1E-320"), "2a5aff402e25d1e08f01966205222b0bab04", "07"},
        {129, decimal("1E-400"), "2a2cde314dc6448d9338c15b0a0000000004", "0b"},
        {130, decimal("1E-6176"), "2a0000000000000000000000000000000104", "03"},
        {131, decimal("-1E-6176"), "28fffffffffffffffffffffffffffffffe04", "03"},
        {132, decimal("Infinity"), "33ffffffffffffffff04", "03"},
        {133, decimal("-Infinity"), "1f000000000000000004", "03"},
        {134, decimal("NaN"), "1e04", "03"},
    };
    return rows;
}

Ordering descending() {
    Ordering ordering;
    ordering.set_descending(0);
    return ordering;
}

}  // namespace

TEST_CASE("numbers encode to the bytes of the worked vectors") {
    for (const Vector& vector : vectors()) {
        INFO("row " << vector.row);
        KeyBuilder builder;
        builder.append(vector.value);
        builder.append_end();
        CHECK(to_hex(builder.bytes()) == vector.key);
        CHECK(type_bits_hex(builder) == vector.type_bits);
    }
}

TEST_CASE("the size of an encoded number follows from its bytes in both directions") {
    for (const Vector& vector : vectors()) {
        INFO("row " << vector.row);
        for (const bool down : {false, true}) {
            KeyBuilder builder(down ? descending() : Ordering());
            builder.append(vector.value);
            const std::size_t size = builder.bytes().size();
            builder.append(Value::of_int(7));
            builder.append_end();
            const Bytes bytes = builder.bytes();
            CHECK(element_size(bytes.data(), bytes.data() + bytes.size(), down) == size);
        }
    }
}

TEST_CASE("a descending number is the complement of the ascending one") {
    for (const Vector& vector : vectors()) {
        std::string expected = encode_element(vector.value);
        for (char& byte : expected) byte = static_cast<char>(~byte);
        CHECK(encode_element(vector.value, true) == expected);
    }
}

}  // namespace ixora::key::test
