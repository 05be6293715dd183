#include "ixora/bson/iso_date.hpp"

#include <random>

#include "catch.hpp"

using namespace ixora::bson;

namespace {

std::string shown(std::int64_t milliseconds) {
    std::string out;
    append_iso_date(out, milliseconds);
    return out;
}

}  // namespace

TEST_CASE("dates as text") {
    CHECK(shown(0) == "1970-01-01T00:00:00Z");
    CHECK(shown(-1) == "1969-12-31T23:59:59.999Z");
    CHECK(shown(1577934245006) == "2020-01-02T03:04:05.006Z");
    CHECK(shown(-62135596800000) == "0001-01-01T00:00:00Z");
    CHECK(shown(253402300799999) == "9999-12-31T23:59:59.999Z");
    CHECK(has_iso_date(0));
    CHECK(has_iso_date(253402300799999));
    CHECK_FALSE(has_iso_date(-1));
    CHECK_FALSE(has_iso_date(253402300800000));
}

TEST_CASE("text as dates") {
    CHECK(parse_iso_date("1970-01-01T00:00:00Z") == 0);
    CHECK(parse_iso_date("1970-01-01T00:00Z") == 0);
    CHECK(parse_iso_date("1970-01-01T00:00:00.1Z") == 100);
    CHECK(parse_iso_date("1970-01-01T00:00:00.0129Z") == 12);
    CHECK(parse_iso_date("1970-01-01T01:30:00+01:30") == 0);
    CHECK(parse_iso_date("1969-12-31T16:00:00-0800") == 0);
    CHECK(parse_iso_date("1970-01-01T05:00:00+05") == 0);
    CHECK(parse_iso_date("2000-02-29T00:00:00Z") == 951782400000);
    for (const char* text : {"",
                             "1970",
                             "1970-01-01",
                             "1970-01-01T00:00:00",
                             "1970-1-1T00:00:00Z",
                             "1970-13-01T00:00:00Z",
                             "1970-00-01T00:00:00Z",
                             "1970-01-32T00:00:00Z",
                             "1900-02-29T00:00:00Z",
                             "1970-01-01T24:00:00Z",
                             "1970-01-01T00:60:00Z",
                             "1970-01-01T00:00:60Z",
                             "1970-01-01T00:00:00.Z",
                             "1970-01-01T00:00:00z",
                             "1970-01-01 00:00:00Z",
                             "1970-01-01T00:00:00+24:00",
                             "1970-01-01T00:00:00+1",
                             "1970-01-01T00:00:00ZZ",
                             "-970-01-01T00:00:00Z",
                             "1970-01-01T00:00:00+00:0"}) {
        INFO(text);
        CHECK_FALSE(parse_iso_date(text).has_value());
    }
}

TEST_CASE("dates survive the way through text") {
    std::mt19937_64 random(7);
    std::uniform_int_distribution<std::int64_t> any(-62135596800000, 253402300799999);
    for (int i = 0; i < 2000; ++i) {
        const std::int64_t milliseconds = any(random);
        CHECK(parse_iso_date(shown(milliseconds)) == milliseconds);
    }
}
