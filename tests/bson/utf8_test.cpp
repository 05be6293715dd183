#include "ixora/bson/utf8.hpp"

#include <string>

#include "catch.hpp"

using ixora::bson::is_valid_utf8;

TEST_CASE("UTF-8 at every position of a block") {
    for (std::size_t before = 0; before < 17; ++before)
        for (std::size_t after = 0; after < 9; ++after) {
            const std::string left(before, 'x');
            const std::string right(after, 'y');
            for (const char* good : {"\x7f", "\xc2\x80", "\xdf\xbf", "\xe0\xa0\x80", "\xed\x9f\xbf", "\xee\x80\x80",
                                     "\xef\xbf\xbf", "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf"})
                CHECK(is_valid_utf8(left + good + right));
            for (const char* bad : {"\x80", "\xbf", "\xc0\x80", "\xc1\xbf", "\xc2", "\xc2\x7f", "\xe0\x9f\xbf",
                                    "\xe0\xa0", "\xe1\x80\xc0", "\xed\xa0\x80", "\xf0\x8f\xbf\xbf", "\xf0\x90\x80",
                                    "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xff"})
                CHECK_FALSE(is_valid_utf8(left + bad + right));
        }
    CHECK(is_valid_utf8(""));
    CHECK(is_valid_utf8(std::string("a\0b", 3)));
}
