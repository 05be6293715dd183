#include "ixora/bson/base64.hpp"

#include "catch.hpp"

using namespace ixora::bson;

TEST_CASE("base64 vectors of RFC 4648") {
    const std::pair<const char*, const char*> vectors[] = {{"", ""},
                                                           {"f", "Zg=="},
                                                           {"fo", "Zm8="},
                                                           {"foo", "Zm9v"},
                                                           {"foob", "Zm9vYg=="},
                                                           {"fooba", "Zm9vYmE="},
                                                           {"foobar", "Zm9vYmFy"}};
    for (const auto& [bytes, text] : vectors) {
        std::string encoded;
        append_base64(encoded, bytes);
        CHECK(encoded == text);
        std::string decoded;
        CHECK(decode_base64(text, decoded));
        CHECK(decoded == bytes);
    }
}

TEST_CASE("base64 of every byte") {
    std::string all;
    for (int i = 0; i < 256; ++i) all += static_cast<char>(i);
    for (std::size_t size = 250; size <= all.size(); ++size) {
        std::string text;
        append_base64(text, std::string_view(all).substr(0, size));
        std::string back;
        REQUIRE(decode_base64(text, back));
        CHECK(back == all.substr(0, size));
    }
}

TEST_CASE("malformed base64") {
    for (const char* text : {"A", "AA", "AAA", "AAAAA", "A===", "====", "=AAA", "A=AA", "AA=A",
                             "AAAA====", "AA==AA==", "AAA*", "AAA-", "AA A", "AB==", "AAB=",
                             "\xff"
                             "AAA"}) {
        INFO(text);
        std::string out;
        CHECK_FALSE(decode_base64(text, out));
    }
}
