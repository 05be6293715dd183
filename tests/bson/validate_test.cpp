#include "ixora/bson/validate.hpp"

#include <random>

#include "catch.hpp"
#include "ixora/base/error.hpp"
#include "ixora/bson/compare.hpp"
#include "ixora/bson/debug_string.hpp"
#include "ixora/bson/extended_json.hpp"
#include "sample_values.hpp"

using namespace ixora::bson;

namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes bytes_of(View view) { return {view.data(), view.data() + view.size()}; }

// The code of the error, or 0.
int code_of(const Bytes& bytes, const ValidateOptions& options = {}) {
    try {
        // An exact copy, so that a sanitizer sees a read past the end.
        const Bytes exact(bytes);
        static_cast<void>(validate(exact, options));
        return 0;
    } catch (const ixora::Error& error) {
        return error.code();
    }
}

std::string message_of(const Bytes& bytes) {
    try {
        static_cast<void>(validate(bytes));
    } catch (const ixora::Error& error) {
        return error.what();
    }
    return {};
}

// A document with one field "a" of `type` and these value bytes.
Bytes with_value(Type type, std::string_view value) {
    Bytes bytes{0, 0, 0, 0, static_cast<std::uint8_t>(type), 'a', 0};
    bytes.insert(bytes.end(), value.begin(), value.end());
    bytes.push_back(0);
    bytes[0] = static_cast<std::uint8_t>(bytes.size());
    return bytes;
}

template <std::size_t N>
std::string_view raw(const char (&text)[N]) {
    return {text, N - 1};
}

Bytes nested(int levels, bool arrays) {
    Builder b;
    for (int i = 0; i < levels; ++i) arrays ? b.open_array("0") : b.open_object("a");
    for (int i = 0; i < levels; ++i) b.close();
    return bytes_of(b.finish_view());
}

constexpr int invalid_bson = 22;
constexpr int overflow = 15;
constexpr int too_large = 10334;

}  // namespace

TEST_CASE("valid documents pass and are viewed in place") {
    const Bytes all = bytes_of(sample::every_type());
    CHECK(validate(all).data() == all.data());
    CHECK(code_of(bytes_of(View())) == 0);
    for (const Element& element : sample::every_type()) {
        Builder b;
        b.open_object("x");
        b.open_array("y");
        b.append_member(element);
        b.close();
        b.close();
        CHECK(code_of(bytes_of(b.finish_view())) == 0);
    }
}

TEST_CASE("every truncation and every extension is refused") {
    const Bytes all = bytes_of(sample::every_type());
    for (std::size_t size = 0; size < all.size(); ++size) {
        Bytes cut(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(size));
        CHECK(code_of(cut) == invalid_bson);
        if (size < 5 || cut.back() == 0) continue;
        // Also with a length word that claims it to be whole.
        const auto length = static_cast<std::int32_t>(size);
        std::memcpy(cut.data(), &length, sizeof length);
        CHECK(code_of(cut) == invalid_bson);
    }
    Bytes longer = all;
    longer.push_back(0);
    CHECK(code_of(longer) == invalid_bson);
}

TEST_CASE("whatever bytes change, validate throws or what it returns can be read") {
    const Bytes all = bytes_of(sample::every_type());
    std::mt19937 random(20241);
    std::uniform_int_distribution<std::size_t> place(0, all.size() - 1);
    std::uniform_int_distribution<int> byte(0, 255);
    int accepted = 0;
    for (int round = 0; round < 20000; ++round) {
        Bytes changed = all;
        for (int flips = 1 + round % 3; flips > 0; --flips)
            changed[place(random)] = static_cast<std::uint8_t>(byte(random));
        try {
            const View view = validate(changed);
            ++accepted;
            CHECK(compare(view, view) == 0);
            CHECK_FALSE(debug_string(view).empty());
            CHECK_FALSE(to_json(view).empty());
        } catch (const ixora::Error& error) {
            if (error.code() != invalid_bson) FAIL(error.what());
        }
    }
    CHECK(accepted > 100);
    CHECK(accepted < 19900);
}

TEST_CASE("malformed values") {
    CHECK(code_of(with_value(Type::boolean, raw("\x01"))) == 0);
    CHECK(code_of(with_value(Type::boolean, raw("\x02"))) == invalid_bson);
    CHECK(code_of(with_value(Type::number_int, raw("\0\0\0"))) == invalid_bson);
    CHECK(code_of(with_value(Type::string, raw("\1\0\0\0\0"))) == 0);
    CHECK(code_of(with_value(Type::string, raw("\2\0\0\0\0\0"))) == 0);  // a NUL inside
    CHECK(code_of(with_value(Type::string, raw("\0\0\0\0"))) == invalid_bson);
    CHECK(code_of(with_value(Type::string, raw("\xff\xff\xff\xff\0"))) == invalid_bson);
    CHECK(code_of(with_value(Type::string, raw("\2\0\0\0ab"))) == invalid_bson);
    CHECK(code_of(with_value(Type::string, raw("\2\0\0\0\xff\0"))) == invalid_bson);
    CHECK(code_of(with_value(Type::string, raw("\xff\xff\xff\x7f\0"))) == invalid_bson);
    CHECK(code_of(with_value(Type::object, raw("\5\0\0\0\0"))) == 0);
    CHECK(code_of(with_value(Type::object, raw("\5\0\0\0\1"))) == invalid_bson);
    CHECK(code_of(with_value(Type::object, raw("\4\0\0\0"))) == invalid_bson);
    CHECK(code_of(with_value(Type::object, raw("\6\0\0\0\0"))) == invalid_bson);
    CHECK(code_of(with_value(Type::object, raw("\7\0\0\0\x0a\0\0"))) == 0);
    CHECK(code_of(with_value(Type::object, raw("\x08\0\0\0\x0a\0\0\0"))) == invalid_bson);
    CHECK(code_of(with_value(Type::bin_data, raw("\0\0\0\0\5"))) == 0);
    CHECK(code_of(with_value(Type::bin_data, raw("\1\0\0\0\5"))) == invalid_bson);
    CHECK(code_of(with_value(Type::bin_data, raw("\xff\xff\xff\xff\5"))) == invalid_bson);
    CHECK(code_of(with_value(Type::regex, raw("a\0i\0"))) == 0);
    CHECK(code_of(with_value(Type::regex, raw("a\0i"))) == invalid_bson);
    CHECK(code_of(with_value(Type::regex, raw("\xc3\0\0"))) == invalid_bson);
    CHECK(code_of(with_value(Type::db_pointer, raw("\1\0\0\0\0"
                                                   "123456789012"))) == 0);
    CHECK(code_of(with_value(Type::db_pointer, raw("\1\0\0\0\0"
                                                   "12345678901"))) == invalid_bson);
    CHECK(code_of(with_value(Type::code_with_scope, raw("\x0e\0\0\0\1\0\0\0\0\5\0\0\0\0"))) == 0);
    CHECK(code_of(with_value(Type::code_with_scope, raw("\x0f\0\0\0\1\0\0\0\0\5\0\0\0\0\0"))) == invalid_bson);
    CHECK(code_of(with_value(Type::code_with_scope, raw("\x0d\0\0\0\1\0\0\0\0\5\0\0\0\0"))) == invalid_bson);
    CHECK(code_of(with_value(Type::code_with_scope, raw("\3\0\0\0"))) == invalid_bson);
    for (const int type : {0x00, 0x14, 0x20, 0x7E, 0x80, 0xFE})
        CHECK(code_of(with_value(static_cast<Type>(type), "")) == invalid_bson);
    Bytes bad_name = with_value(Type::null, "");
    bad_name[5] = 0x80;
    CHECK(code_of(bad_name) == invalid_bson);
}

TEST_CASE("depth counts levels below the top") {
    for (const bool arrays : {false, true}) {
        CHECK(code_of(nested(200, arrays)) == 0);
        CHECK(code_of(nested(201, arrays)) == overflow);
        CHECK(code_of(nested(180, arrays), {document_size_max, stored_depth_max}) == 0);
        CHECK(code_of(nested(181, arrays), {document_size_max, stored_depth_max}) == overflow);
    }
    CHECK(code_of(nested(100000, false)) == overflow);
}

TEST_CASE("size") {
    Builder b;
    b.append("a", std::string(100, 'x'));
    const Bytes bytes = bytes_of(b.finish_view());
    CHECK(code_of(bytes, {bytes.size(), 10}) == 0);
    CHECK(code_of(bytes, {bytes.size() - 1, 10}) == too_large);
    CHECK(message_of(Bytes(command_size_max + 4)) ==
          "BSONObj size: 16793604 (0x1004004) is invalid. Size must be between 0 and 16793600(16MB)");
}

TEST_CASE("the message names the field and the document") {
    Builder b;
    b.append("_id", 5);
    b.open_object("x");
    b.open_array("y");
    b.append(true);
    b.close();
    b.close();
    Bytes bytes = bytes_of(b.finish_view());
    const std::uint8_t boolean[] = {0x08, '0', 0, 1};
    const auto found = std::search(bytes.begin(), bytes.end(), std::begin(boolean), std::end(boolean));
    REQUIRE(found != bytes.end());
    found[0] = 0x14;
    CHECK(message_of(bytes) == "Unrecognized BSON type 20 in element with field name 'x.y.0' in object with _id: 5");
    std::string path = "a";
    for (int i = 1; i <= 200; ++i) path += ".a";
    CHECK(message_of(nested(201, false)) == "BSONObj exceeds maximum nested object depth in element with field name '" +
                                                path + "' in object with unknown _id");
}
