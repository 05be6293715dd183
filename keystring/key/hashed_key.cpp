#include "hashed_key.hpp"

#include <array>
#include <limits>
#include <string>

#include <md5.h>

#include "format.hpp"
#include "ixora/base/error.hpp"

namespace ixora::key {

namespace {

enum class Name { omitted, included };

// Feeds values into MD5 in the form that hashed indexes have always used.
class ValueHash {
public:
    explicit ValueHash(std::int32_t seed) noexcept {
        MD5Init(&context_);
        number(seed);
    }

    void add(bson::Element element, Name name, const bson::Collator* collator) {
        number(std::int32_t{element.canonical_type()});
        if (name == Name::included) text(element.name());
        switch (element.type()) {
            case bson::Type::number_double: return number(truncated(element.number_double()));
            case bson::Type::number_int: return number(std::int64_t{element.number_int()});
            case bson::Type::number_long: return number(element.number_long());
            case bson::Type::number_decimal: return number(rounded(element.number_decimal()));
            case bson::Type::object:
            case bson::Type::array: return fields(element.object(), collator);
            case bson::Type::code_with_scope: text(element.scoped_code()); return fields(element.scope(), nullptr);
            case bson::Type::string:
                if (collator != nullptr) return collated(element.string(), *collator);
                [[fallthrough]];
            default: bytes(element.value(), element.value_size());
        }
    }

    std::int64_t finish() noexcept {
        std::array<std::uint8_t, MD5_DIGEST_LENGTH> digest;
        MD5Final(digest.data(), &context_);
        return bson::read_int64(digest.data());
    }

private:
    void bytes(const void* data, std::size_t size) noexcept {
        MD5Update(&context_, static_cast<const std::uint8_t*>(data), size);
    }
    void number(std::int32_t value) noexcept { bytes(&value, sizeof value); }
    void number(std::int64_t value) noexcept { bytes(&value, sizeof value); }
    void text(std::string_view value) noexcept {
        bytes(value.data(), value.size());
        bytes("", 1);
    }
    void collated(std::string_view value, const bson::Collator& collator) {
        const std::string key = collator.sort_key(value);
        number(static_cast<std::int32_t>(key.size() + 1));
        text(key);
    }
    void fields(bson::View object, const bson::Collator* collator) {
        for (const bson::Element& field : object) add(field, Name::included, collator);
        number(std::int32_t{0});
    }

    // 2^63 itself becomes the smallest number, all above it the largest: kept from a cast of old.
    static std::int64_t truncated(double value) noexcept {
        if (std::isnan(value)) return 0;
        if (value == format::two_to_63 || value < -format::two_to_63) return std::numeric_limits<std::int64_t>::min();
        if (value > format::two_to_63) return std::numeric_limits<std::int64_t>::max();
        return static_cast<std::int64_t>(value);
    }
    static std::int64_t rounded(const bson::Decimal128& value) noexcept {
        if (value.is_nan()) return 0;
        if (const auto whole = value.to_int64(bson::Decimal128::Rounding::nearest_even)) return *whole;
        return value.is_negative() ? std::numeric_limits<std::int64_t>::min()
                                   : std::numeric_limits<std::int64_t>::max();
    }

    MD5_CTX context_;
};

[[noreturn]] void fail_array(std::string_view path) {
    throw Error(16766, "Error: hashed indexes do not currently support array values. Found array at path: " +
                           std::string(path));
}

bson::Element find_without_arrays(bson::View object, const bson::FieldPath& path, KeyGenerator::Purpose purpose) {
    for (std::size_t i = 0; i < path.part_count(); ++i) {
        const bson::Element element = object.find(path.part(i));
        const bool last = i + 1 == path.part_count();
        if (element.is_array()) {
            if (last || purpose == KeyGenerator::Purpose::insert) fail_array(path.prefix(i + 1));
            return {};
        }
        if (last) return element;
        if (!element.is_object()) return {};
        object = element.object();
    }
    return {};
}

}  // namespace

std::int64_t hash64(bson::Element value, std::int32_t seed, const bson::Collator* collator) {
    static constexpr std::uint8_t null_bytes[] = {static_cast<std::uint8_t>(bson::Type::null), 0};
    ValueHash hash(seed);
    hash.add(value.missing() ? bson::Element(null_bytes, 0) : value, Name::omitted, collator);
    return hash.finish();
}

void write_hashed_key(const HashedPattern& pattern, bson::View document, KeyGenerator::Purpose purpose,
                      KeyWriter writer) {
    std::array<bson::Element, key_fields_max> values;
    bool any_present = false;
    for (std::size_t i = 0; i < pattern.paths.size(); ++i) {
        values[i] = find_without_arrays(document, pattern.paths[i], purpose);
        any_present = any_present || !values[i].missing();
    }
    if (pattern.sparse && !any_present) return;
    std::array<std::uint8_t, 10> hash{static_cast<std::uint8_t>(bson::Type::number_long), 0};
    const std::int64_t number = hash64(values[pattern.hashed_position], pattern.seed, writer.collator);
    std::memcpy(hash.data() + 2, &number, sizeof number);
    values[pattern.hashed_position] = bson::Element(hash.data(), 0);
    writer.write(values.data(), pattern.paths.size());
}

}  // namespace ixora::key
