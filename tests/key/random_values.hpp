// Random values that are often close to each other or equal across types: material for order properties.
#pragma once

#include <algorithm>
#include <cmath>
#include <random>

#include "ixora/bson/builder.hpp"

namespace ixora::key::test {

class RandomValues {
public:
    explicit RandomValues(std::uint64_t seed) : random_(seed) {}

    std::uint64_t below(std::uint64_t limit) { return random_() % limit; }

    // The next field of `out`, of any type.
    void append(bson::Builder& out, std::string_view name, int depth = 0) {
        switch (below(depth < 3 ? 22 : 18)) {
            case 0: return out.append_null(name);
            case 1: return out.append(name, below(2) == 0);
            case 2:
            case 3: return out.append(name, text());
            case 4: return out.append_symbol(name, text());
            case 5: return append_rare(out, name);
            case 6: return out.append_date(name, static_cast<std::int64_t>(random_()) >> below(64));
            case 7:
                return out.append_bin_data(name, static_cast<std::uint8_t>(below(3)),
                                           std::string(below(3) == 0 ? 250 + below(10) : below(4), byte()));
            case 18:
            case 19: return append_object(out, name, depth);
            case 20:
            case 21: return append_array(out, name, depth);
            default: return append_number(out, name);
        }
    }

    void append_number(bson::Builder& out, std::string_view name) {
        const double value = magnitude() * (below(2) == 0 ? 1 : -1);
        switch (below(6)) {
            case 0: return out.append(name, static_cast<std::int32_t>(std::clamp(value, -2147483648.0, 2147483647.0)));
            case 1: return out.append(name, integer(value));
            case 2: return out.append(name, bson::Decimal128::from_int64(integer(value)));
            case 3: return out.append(name, decimal(value));
            default: return out.append(name, special(value));
        }
    }

private:
    char byte() {
        return "\0\x01\xff\xfe"
               "ab"[below(6)];
    }
    std::string text() {
        std::string value;
        for (std::uint64_t size = below(4); size > 0; --size) value.push_back(byte());
        return value;
    }
    std::string name() { return std::string(below(3), "ab"[below(2)]); }

    double magnitude() {
        switch (below(9)) {
            case 0: return static_cast<double>(below(4));
            case 1: return static_cast<double>(below(2000)) / 8;
            case 2: return static_cast<double>(below(2000)) / 100;
            case 3: return std::ldexp(1.0, static_cast<int>(below(70)));
            case 4: return std::nextafter(std::ldexp(1.0, static_cast<int>(below(70))), 0);
            case 5: return std::ldexp(static_cast<double>(random_() >> 11), static_cast<int>(below(2098)) - 1127);
            case 6: return 9007199254740992.0 + static_cast<double>(below(4));
            case 7:
                return std::ldexp(static_cast<double>(1 + below(3)),
                                  static_cast<int>(below(20)) * 3 - 1074 + static_cast<int>(below(2)) * 818);
            default: return static_cast<double>(random_() >> below(64));
        }
    }
    double special(double value) {
        const double choices[] = {std::nan(""),           INFINITY, -INFINITY, -0.0, 1.7976931348623157e308,
                                  -1.7976931348623157e308};
        return below(12) == 0 ? choices[below(6)] : value;
    }
    std::int64_t integer(double value) {
        if (std::fabs(value) >= 9.2e18)
            return below(2) == 0 ? INT64_MIN + static_cast<std::int64_t>(below(3))
                                 : INT64_MAX - static_cast<std::int64_t>(below(3));
        return static_cast<std::int64_t>(value) + static_cast<std::int64_t>(below(2));
    }
    bson::Decimal128 decimal(double value) {
        using Rounding = bson::Decimal128::Rounding;
        switch (below(8)) {
            case 0: return bson::Decimal128::from_double_15(value);
            case 1: return bson::Decimal128::from_double(value, Rounding::up);
            case 2: return bson::Decimal128::from_double(value, Rounding::down);
            case 3: return bson::Decimal128::from_double(special(value));
            case 4: {  // a neighbour in the last digit
                const bson::Decimal128 near = bson::Decimal128::from_double(value, Rounding::toward_zero);
                if (near.is_nan() || near.is_infinite() || near.coefficient() < 2) return near;
                return bson::Decimal128::from_parts(near.is_negative(), near.biased_exponent(),
                                                    near.coefficient() - below(2));
            }
            case 5: return bson::Decimal128::from_parts(below(2) == 0, static_cast<std::uint32_t>(below(12288)), 0);
            case 6: {
                const bson::Uint128 digits =
                    static_cast<bson::Uint128>(random_() >> 16) << 64 | random_();  // below 10^34
                return bson::Decimal128::from_parts(below(2) == 0, static_cast<std::uint32_t>(below(12288)),
                                                    digits >> below(112));
            }
            default:
                return bson::Decimal128::from_parts(below(2) == 0, 6176 - static_cast<std::uint32_t>(below(6)),
                                                    below(100000));
        }
    }
    void append_rare(bson::Builder& out, std::string_view name) {
        const std::string id(12, byte());
        const auto* id_bytes = reinterpret_cast<const std::uint8_t*>(id.data());
        switch (below(8)) {
            case 0: return out.append_min_key(name);
            case 1: return out.append_max_key(name);
            case 2: return out.append_undefined(name);
            case 3: return out.append_object_id(name, id_bytes);
            case 4: return out.append_timestamp(name, random_() >> below(64));
            case 5: return out.append_regex(name, this->name(), this->name());
            case 6: return out.append_db_pointer(name, this->name(), id_bytes);
            default:
                if (below(2) == 0) return out.append_code(name, text());
                bson::Builder scope;
                append(scope, this->name(), 3);
                out.append_code_with_scope(name, text(), scope.finish());
        }
    }
    void append_object(bson::Builder& out, std::string_view name, int depth) {
        out.open_object(name);
        for (std::uint64_t size = below(3); size > 0; --size) append(out, this->name(), depth + 1);
        out.close();
    }
    void append_array(bson::Builder& out, std::string_view name, int depth) {
        out.open_array(name);
        const std::uint64_t size = below(3);
        for (std::uint64_t i = 0; i < size; ++i) append(out, std::to_string(i), depth + 1);
        out.close();
    }

    std::mt19937_64 random_;
};

}  // namespace ixora::key::test
