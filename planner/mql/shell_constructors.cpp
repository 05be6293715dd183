#include "shell_constructors.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <limits>
#include <random>

#include "ixora/bson/base64.hpp"
#include "ixora/bson/builder.hpp"
#include "ixora/bson/object_id.hpp"
#include "shell_tokens.hpp"

namespace ixora::mql::shell {

namespace {

// One call: its arguments by position, and the checks that several constructors share.
class Call {
public:
    Call(std::string_view name, bool with_new, bson::View arguments) : name_(name), with_new_(with_new) {
        for (const bson::Element& argument : arguments) {
            if (count_ < arguments_.size()) arguments_[count_] = argument;
            ++count_;
        }
    }

    std::size_t count() const noexcept { return count_; }
    bool with_new() const noexcept { return with_new_; }
    bson::Element operator[](std::size_t i) const noexcept { return arguments_[i]; }
    std::string_view name() const noexcept { return name_; }

    [[noreturn]] void fail(std::string_view what) const { throw std::string(name_) + ": " + std::string(what); }
    void expect_count(std::size_t least, std::size_t most) const {
        if (count_ < least) fail("too few arguments");
        if (count_ > most) fail("too many arguments");
    }
    std::string_view text(std::size_t i) const {
        if (!arguments_[i].is_string()) fail("argument " + std::to_string(i + 1) + " must be a string");
        return arguments_[i].string();
    }
    // A string that becomes a BSON C string.
    std::string_view plain_text(std::size_t i) const {
        const std::string_view value = text(i);
        if (value.find('\0') != std::string_view::npos) fail("the text cannot contain NUL");
        return value;
    }
    // A whole number, given as a number or, for `from_text`, as its decimal text.
    std::int64_t whole(std::size_t i, std::int64_t least, std::int64_t most, bool from_text = false) const {
        const bson::Element value = arguments_[i];
        std::int64_t result = 0;
        if (from_text && value.is_string()) {
            const std::string_view digits = value.string();
            const auto [end, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), result);
            if (fault == std::errc::result_out_of_range) fail("the number is out of range");
            if (fault != std::errc() || end != digits.data() + digits.size()) fail("malformed number");
        } else if (value.type() == bson::Type::number_double) {
            const double number = value.number_double();
            if (number != std::trunc(number) || std::abs(number) >= 9.3e18)
                fail("the number must be an integer in range");
            result = value.to_int64();
        } else if (value.is_number()) {
            result = value.to_int64();
        } else {
            fail("argument " + std::to_string(i + 1) + " must be a number");
        }
        if (result < least || result > most) fail("the number is out of range");
        return result;
    }

private:
    std::string_view name_;
    bool with_new_;
    std::array<bson::Element, 8> arguments_{};
    std::size_t count_ = 0;
};

constexpr std::int64_t int32_min = std::numeric_limits<std::int32_t>::min();
constexpr std::int64_t int32_max = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t int64_min = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t int64_max = std::numeric_limits<std::int64_t>::max();

// Values come out of a Builder, one field each.
template <class Append>
bson::Value built(Append append) {
    bson::Builder out;
    append(out);
    return bson::Value(out.finish_view().front());
}

bson::Value bin_data(std::uint8_t subtype, std::string_view bytes) {
    return built([&](bson::Builder& out) { out.append_bin_data("", subtype, bytes); });
}

bson::ObjectId object_id_of(const Call& call, std::size_t i) {
    const std::optional<bson::ObjectId> id = bson::parse_object_id(call.text(i));
    if (!id) call.fail("needs exactly 24 hexadecimal digits");
    return *id;
}

bson::Value make_object_id(const Call& call) {
    call.expect_count(0, 1);
    const bson::ObjectId id = call.count() == 0 ? bson::new_object_id() : object_id_of(call, 0);
    return built([&](bson::Builder& out) { out.append_object_id("", id.data()); });
}

std::int64_t now_milliseconds() {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

bson::Value make_date(const Call& call) {
    if (call.name() == "Date" && !call.with_new())
        call.fail("without new it makes a string in mongosh; write new Date(...) or ISODate(...)");
    call.expect_count(0, call.name() == "Date" ? 7 : 1);
    if (call.count() == 0) return bson::Value::of_date(now_milliseconds());
    if (call.count() == 1 && call[0].is_string()) {
        const std::optional<std::int64_t> date = parse_date(call[0].string());
        if (!date) call.fail("not a date; expected text such as 2020-01-31T12:00:00Z");
        return bson::Value::of_date(*date);
    }
    if (call.count() == 1 && call[0].type() == bson::Type::date) return bson::Value(call[0]);
    if (call.name() != "Date") call.fail("argument 1 must be a string");
    if (call.count() == 1) return bson::Value::of_date(call.whole(0, int64_min, int64_max));
    std::int64_t parts[7] = {0, 0, 1, 0, 0, 0, 0};
    for (std::size_t i = 0; i < call.count(); ++i) parts[i] = call.whole(i, int32_min, int32_max);
    return bson::Value::of_date(date_of_parts(parts));
}

bson::Value make_long(const Call& call) {
    call.expect_count(0, 1);
    return bson::Value::of_long(call.count() == 0 ? 0 : call.whole(0, int64_min, int64_max, true));
}

bson::Value make_int(const Call& call) {
    call.expect_count(0, 1);
    return bson::Value::of_int(
        static_cast<std::int32_t>(call.count() == 0 ? 0 : call.whole(0, int32_min, int32_max, true)));
}

bson::Value make_double(const Call& call) {
    call.expect_count(1, 1);
    if (call[0].is_number()) return bson::Value::of_double(call[0].to_double());
    const std::string_view text = call.text(0);
    double value = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (fault != std::errc() || end != text.data() + text.size()) call.fail("malformed number");
    return bson::Value::of_double(value);
}

bson::Value make_decimal(const Call& call) {
    call.expect_count(0, 1);
    std::string text = "0";
    if (call.count() == 1 && call[0].is_string()) {
        text = call[0].string();
    } else if (call.count() == 1 && call[0].type() == bson::Type::number_decimal) {
        return bson::Value(call[0]);
    } else if (call.count() == 1 && call[0].type() == bson::Type::number_double) {
        std::array<char, 32> shortest;
        const double value = call[0].number_double();
        text.assign(shortest.data(), std::to_chars(shortest.data(), shortest.data() + shortest.size(), value).ptr);
        if (std::isnan(value)) text = "NaN";
        if (std::isinf(value)) text = value < 0 ? "-Infinity" : "Infinity";
    } else if (call.count() == 1) {
        text = std::to_string(call.whole(0, int64_min, int64_max));
    }
    const std::optional<bson::Decimal128> value = bson::Decimal128::parse(text);
    if (!value) call.fail("malformed number");
    return bson::Value::of_decimal(*value);
}

std::string hex_bytes(const Call& call, std::size_t i) {
    const std::optional<std::string> bytes = decode_hex(call.text(i));
    if (!bytes) call.fail("malformed hexadecimal text");
    return *bytes;
}

std::string base64_bytes(const Call& call, std::size_t i) {
    std::string bytes;
    if (!bson::decode_base64(call.text(i), bytes)) call.fail("malformed base64 text");
    return bytes;
}

bson::Value make_bin_data(const Call& call) {
    call.expect_count(2, 2);
    const auto subtype = static_cast<std::uint8_t>(call.whole(0, 0, 255));
    if (call.name() == "HexData") return bin_data(subtype, hex_bytes(call, 1));
    return bin_data(subtype, base64_bytes(call, 1));
}

bson::Value make_binary(const Call& call) {
    call.expect_count(1, 2);
    const auto subtype = static_cast<std::uint8_t>(call.count() == 2 ? call.whole(1, 0, 255) : 0);
    if (call.name() == "Binary.createFromHexString") return bin_data(subtype, hex_bytes(call, 0));
    return bin_data(subtype, base64_bytes(call, 0));
}

bson::Value make_md5(const Call& call) {
    call.expect_count(1, 1);
    const std::string bytes = hex_bytes(call, 0);
    if (bytes.size() != 16) call.fail("needs exactly 32 hexadecimal digits");
    return bin_data(5, bytes);
}

bson::Value make_uuid(const Call& call) {
    call.expect_count(0, 1);
    std::string bytes(16, '\0');
    if (call.count() == 0) {
        std::random_device random;
        for (char& byte : bytes) byte = static_cast<char>(random() & 0xFFU);
        bytes[6] = static_cast<char>((static_cast<unsigned>(bytes[6]) & 0x0FU) | 0x40U);  // version 4
        bytes[8] = static_cast<char>((static_cast<unsigned>(bytes[8]) & 0x3FU) | 0x80U);  // variant 1
        return bin_data(4, bytes);
    }
    std::string digits;
    const std::string_view text = call.text(0);
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool dash_place = i == 8 || i == 13 || i == 18 || i == 23;
        if (text.size() == 36 && dash_place && text[i] == '-') continue;
        digits.push_back(text[i]);
    }
    const std::optional<std::string> decoded = decode_hex(digits);
    if (!decoded || decoded->size() != 16) call.fail("needs 8-4-4-4-12 hexadecimal digits");
    return bin_data(4, *decoded);
}

bson::Value make_timestamp(const Call& call) {
    call.expect_count(0, 2);
    constexpr std::int64_t most = std::numeric_limits<std::uint32_t>::max();
    std::int64_t seconds = 0;
    std::int64_t increment = 0;
    if (call.count() == 2) {
        seconds = call.whole(0, 0, most);
        increment = call.whole(1, 0, most);
    } else if (call.count() == 1) {
        if (!call[0].is_object() || call[0].object().field_count() != 2)
            call.fail("expected (t, i) or ({t: ..., i: ...})");
        bson::Builder pair;
        pair.append("0", call[0].object()["t"]);
        pair.append("1", call[0].object()["i"]);
        const Call members(call.name(), false, pair.finish_view());
        members.expect_count(2, 2);
        seconds = members.whole(0, 0, most);
        increment = members.whole(1, 0, most);
    }
    const std::uint64_t value = (static_cast<std::uint64_t>(seconds) << 32) | static_cast<std::uint64_t>(increment);
    return built([&](bson::Builder& out) { out.append_timestamp("", value); });
}

bson::Value make_regex(const Call& call) {
    call.expect_count(1, 2);
    std::string flags;
    if (call.count() == 2) {
        try {
            flags = sorted_flags(call.plain_text(1), nullptr);
        } catch (const Fault& fault) {
            call.fail(fault.message);
        }
    }
    return built([&](bson::Builder& out) { out.append_regex("", call.plain_text(0), flags); });
}

bson::Value make_min_key(const Call& call) {
    call.expect_count(0, 0);
    return bson::Value::min_key();
}

bson::Value make_max_key(const Call& call) {
    call.expect_count(0, 0);
    return bson::Value::max_key();
}

bson::Value make_db_ref(const Call& call) {
    call.expect_count(2, 3);
    bson::Builder out;
    out.append("$ref", call.text(0));
    out.append("$id", call[1]);
    if (call.count() == 3) out.append("$db", call.text(2));
    return bson::Value::of_object(out.finish_view());
}

bson::Value make_symbol(const Call& call) {
    call.expect_count(1, 1);
    return built([&](bson::Builder& out) { out.append_symbol("", call.text(0)); });
}

bson::Value make_code(const Call& call) {
    call.expect_count(1, 2);
    if (call.count() == 1) return built([&](bson::Builder& out) { out.append_code("", call.text(0)); });
    if (!call[1].is_object()) call.fail("the scope must be a document");
    return built([&](bson::Builder& out) { out.append_code_with_scope("", call.text(0), call[1].object()); });
}

bson::Value make_db_pointer(const Call& call) {
    call.expect_count(2, 2);
    if (call[1].type() != bson::Type::object_id) call.fail("argument 2 must be an ObjectId");
    return built([&](bson::Builder& out) { out.append_db_pointer("", call.text(0), call[1].object_id()); });
}

struct Constructor {
    std::string_view name;
    bson::Value (*make)(const Call&);
};

constexpr std::array<Constructor, 33> constructors = {{
    {"ObjectId", make_object_id},
    {"ObjectId.createFromHexString", make_object_id},
    {"ISODate", make_date},
    {"Date", make_date},
    {"NumberLong", make_long},
    {"Long", make_long},
    {"Long.fromString", make_long},
    {"Long.fromNumber", make_long},
    {"NumberInt", make_int},
    {"Int32", make_int},
    {"NumberDecimal", make_decimal},
    {"Decimal128", make_decimal},
    {"Decimal128.fromString", make_decimal},
    {"Double", make_double},
    {"BinData", make_bin_data},
    {"HexData", make_bin_data},
    {"Binary.createFromBase64", make_binary},
    {"Binary.createFromHexString", make_binary},
    {"MD5", make_md5},
    {"UUID", make_uuid},
    {"Timestamp", make_timestamp},
    {"RegExp", make_regex},
    {"BSONRegExp", make_regex},
    {"MinKey", make_min_key},
    {"MaxKey", make_max_key},
    {"DBRef", make_db_ref},
    {"Symbol", make_symbol},
    {"BSONSymbol", make_symbol},
    {"Code", make_code},
    {"DBPointer", make_db_pointer},
    {"UUID.createFromHexString", make_uuid},
    {"Int32.fromString", make_int},
    {"Double.fromString", make_double},
}};

const Constructor* find_constructor(std::string_view name) noexcept {
    const auto found = std::find_if(constructors.begin(), constructors.end(),
                                    [name](const Constructor& constructor) { return constructor.name == name; });
    return found == constructors.end() ? nullptr : &*found;
}

}  // namespace

bool is_constructor(std::string_view name) noexcept { return find_constructor(name) != nullptr; }

bson::Value construct(std::string_view name, bool with_new, bson::View arguments) {
    return find_constructor(name)->make(Call(name, with_new, arguments));
}

}  // namespace ixora::mql::shell
