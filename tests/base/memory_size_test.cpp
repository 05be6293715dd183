#include "ixora/base/memory_size.hpp"

#include "catch.hpp"
#include "ixora/base/error.hpp"

using ixora::parse_memory_size;

TEST_CASE("amounts of memory with and without a unit") {
    CHECK(parse_memory_size("0") == 0);
    CHECK(parse_memory_size("1048576") == 1 << 20);
    CHECK(parse_memory_size("12B") == 12);
    CHECK(parse_memory_size("1024KB") == 1 << 20);
    CHECK(parse_memory_size(" 1.5 mb ") == 3 << 19);
    CHECK(parse_memory_size("5.MB") == 5 << 20);
    CHECK(parse_memory_size("2GB") == 2LL << 30);
    CHECK(parse_memory_size("99999999999GB") > 1LL << 62);
    const std::int64_t share = parse_memory_size("5%");
    CHECK(share > 0);
    CHECK(parse_memory_size("0%") == 0);
    CHECK(parse_memory_size("10 %") / 2 - share <= 1);
}

TEST_CASE("what is no amount of memory is refused") {
    const auto code = [](std::string_view text) {
        try {
            parse_memory_size(text);
        } catch (const ixora::Error& error) {
            return error.code();
        }
        return 0;
    };
    for (const char* text :
         {"", "  ", "x", "MB", "%", "-5%", "nan", "inf", "1e5", "0x10", ".5MB", "5M", "5TB", "5%%"}) {
        INFO(text);
        CHECK(code(text) == 6007012);
    }
}
