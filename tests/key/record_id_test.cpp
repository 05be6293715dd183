#include "ixora/key/record_id.hpp"

#include <random>

#include "catch.hpp"
#include "hex.hpp"
#include "ixora/base/error.hpp"

namespace ixora::key::test {

namespace {

std::string suffix(const RecordId& id) {
    std::string out;
    append_record_id(out, id);
    KeyBuilder builder;
    builder.append_record_id(id);
    CHECK(to_hex(builder.bytes()) == to_hex(out));
    return to_hex(out);
}

RecordId bytes_id(std::string_view bytes) { return RecordId(as_bytes(bytes)); }

}  // namespace

TEST_CASE("numeric RecordIds have the bytes of the worked vectors") {
    const std::pair<std::int64_t, const char*> rows[] = {{0, "0000"},
                                                         {1, "0008"},
                                                         {2, "0010"},
                                                         {31, "00f8"},
                                                         {32, "0100"},
                                                         {1023, "1ff8"},
                                                         {1024, "202001"},
                                                         {262143, "3ffff9"},
                                                         {262144, "40200002"},
                                                         {1000000, "407a1202"},
                                                         {2147483648, "6400000003"},
                                                         {reserved_record_id, "e3ffffffffff7fffff"}};
    for (const auto& [number, hex] : rows) CHECK(suffix(RecordId(number)) == hex);
}

TEST_CASE("string RecordIds carry their length behind them") {
    std::string ones(20000, '\x11');
    CHECK(suffix(bytes_id(from_hex("2b0a"))) == "2b0a02");
    CHECK(suffix(bytes_id(from_hex("3c6b00"))) == "3c6b0003");
    CHECK(suffix(bytes_id(ones.substr(0, 127))) == to_hex(ones.substr(0, 127)) + "7f");
    CHECK(suffix(bytes_id(ones.substr(0, 128))) == to_hex(ones.substr(0, 128)) + "0081");
    CHECK(suffix(bytes_id(ones)) == to_hex(ones) + "209c81");
}

TEST_CASE("RecordIds come back from the end of a key") {
    std::mt19937_64 random(7);
    std::string previous;
    for (int i = 0; i < 20000; ++i) {
        const RecordId id(static_cast<std::int64_t>(random() >> (1 + random() % 63)));
        std::string key = from_hex("2b0a04");
        append_record_id(key, id);
        CHECK(decode_record_id_at_end(as_bytes(key), true) == id);
        CHECK(record_id_size_at_end(as_bytes(key), true) == key.size() - 3);
    }
    for (const std::size_t size : {0U, 1U, 127U, 128U, 16383U, 16384U, 3000000U}) {
        const RecordId id = bytes_id(std::string(size, 'x'));
        std::string key = from_hex("2b0a04");
        append_record_id(key, id);
        CHECK(decode_record_id_at_end(as_bytes(key), false) == id);
    }
}

TEST_CASE("the bytes of numeric RecordIds order like the numbers") {
    std::mt19937_64 random(8);
    for (int i = 0; i < 20000; ++i) {
        const RecordId left(static_cast<std::int64_t>(random() >> (1 + random() % 63)));
        const RecordId right(static_cast<std::int64_t>(random() >> (1 + random() % 63)));
        std::string left_bytes, right_bytes;
        append_record_id(left_bytes, left);
        append_record_id(right_bytes, right);
        const int order = compare(as_bytes(left_bytes), as_bytes(right_bytes));
        CHECK((order < 0) == (left < right));
        CHECK((order == 0) == (left == right));
    }
}

TEST_CASE("malformed RecordIds are refused") {
    for (const char* hex : {"", "00", "2000", "0009", "ffffffffffffffffff", "e3ffffffffff7fff", "00000000"})
        CHECK_THROWS_AS(decode_record_id(as_bytes(from_hex(hex)), true), Error);
    for (const char* hex : {"", "05", "8181818181", "2b0a03", "2b2b0a02"})
        CHECK_THROWS_AS(decode_record_id(as_bytes(from_hex(hex)), false), Error);
}

TEST_CASE("RecordIds order numbers first, then bytes") {
    CHECK(RecordId(5) < RecordId(6));
    CHECK(RecordId(6) < bytes_id("a"));
    CHECK(bytes_id("a") < bytes_id("ab"));
    CHECK(RecordId().is_null());
    CHECK(RecordId(17).to_string() == "17");
    CHECK(bytes_id("\x2b\x0a").to_string() == "2b0a");
}

}  // namespace ixora::key::test
