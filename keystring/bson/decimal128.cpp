#include "ixora/bson/decimal128.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "bid.hpp"
#include "ixora/bson/decimal_digits.hpp"

namespace ixora::bson {

namespace {

constexpr std::uint64_t nan_bits = 0x7C00ULL << 48;
constexpr std::uint64_t infinity_bits = 0x7800ULL << 48;
constexpr std::uint64_t special_mask = 0x7C00ULL << 48;
constexpr int exponent_bias = 6176;

constexpr Uint128 coefficient_limit = power_of_ten(34);

bool equals_ignoring_case(std::string_view text, std::string_view lower) noexcept {
    return std::equal(text.begin(), text.end(), lower.begin(), lower.end(),
                      [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b; });
}

bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

// A number's text cut down to what decides its value: at most `kept_max` digits, the last of them made non-zero when
// digits that were dropped were not all zero, and an exponent that cannot overflow an int.
class NumberText {
public:
    // False when `text` (without sign) is not a decimal number.
    bool read(std::string_view text) noexcept {
        std::size_t at = 0;
        bool any = false;
        bool point = false;
        for (; at < text.size(); ++at) {
            if (text[at] == '.' && !point) {
                point = true;
            } else if (is_digit(text[at])) {
                any = true;
                add_digit(text[at], point);
            } else {
                break;
            }
        }
        return any && (at == text.size() || read_exponent(text.substr(at)));
    }

    BID_UINT128 to_bid(bool negative, _IDEC_flags* flags) noexcept {
        if (sticky_) digits_[static_cast<std::size_t>(kept_) - 1] = '1';
        std::array<char, kept_max + 16> buffer{};
        char* out = buffer.data();
        if (negative) *out++ = '-';
        if (kept_ == 0) *out++ = '0';
        out = std::copy_n(digits_.begin(), kept_, out);
        *out++ = 'E';
        long long total = exponent_ + shift_;
        if (total < 0) *out++ = '-';
        out = std::to_chars(out, buffer.data() + buffer.size() - 1, total < 0 ? -total : total).ptr;
        return bid128_from_string(buffer.data(), BID_ROUNDING_TO_NEAREST, flags);
    }

private:
    static constexpr int kept_max = 80;
    static constexpr long long exponent_max = 20000;

    void add_digit(char digit, bool after_point) noexcept {
        const bool leading_zero = kept_ == 0 && digit == '0';
        if (leading_zero || kept_ < kept_max) {
            if (!leading_zero) digits_[static_cast<std::size_t>(kept_++)] = digit;
            if (after_point) --shift_;
        } else {
            if (digit != '0') sticky_ = true;
            if (!after_point) ++shift_;
        }
    }

    bool read_exponent(std::string_view text) noexcept {
        if (text[0] != 'e' && text[0] != 'E') return false;
        text.remove_prefix(1);
        const bool negative = !text.empty() && text[0] == '-';
        if (!text.empty() && (text[0] == '-' || text[0] == '+')) text.remove_prefix(1);
        if (text.empty() || !std::all_of(text.begin(), text.end(), is_digit)) return false;
        for (const char c : text) exponent_ = std::min(exponent_ * 10 + (c - '0'), exponent_limit());
        if (negative) exponent_ = -exponent_;
        return true;
    }
    // Digits of the coefficient may make up for an exponent, so the cap lies beyond what they can shift.
    long long exponent_limit() const noexcept { return exponent_max + std::abs(shift_); }

    std::array<char, kept_max> digits_{};
    int kept_ = 0;
    bool sticky_ = false;
    long long shift_ = 0;
    long long exponent_ = 0;
};

}  // namespace

Decimal128 Decimal128::from_int64(std::int64_t value) noexcept { return from_bid(bid128_from_int64(value)); }

Decimal128 Decimal128::from_double(double value, Rounding rounding) noexcept {
    if (std::isnan(value)) return {0, nan_bits};
    _IDEC_flags flags = 0;
    return from_bid(binary64_to_bid128(value, bid_mode(rounding), &flags));
}

Decimal128 Decimal128::from_double_15(double value) noexcept {
    const Decimal128 exact = from_double(value);
    if (value == 0 || !std::isfinite(value)) return exact;
    const auto quantized = [&exact](int biased) {
        _IDEC_flags flags = 0;
        const Decimal128 quantum = from_parts(false, static_cast<std::uint32_t>(biased), 1);
        return from_bid(bid128_quantize(to_bid(exact), to_bid(quantum), BID_ROUNDING_TO_NEAREST, &flags));
    };
    const int biased = static_cast<int>(exact.biased_exponent()) + digit_count(exact.coefficient()) - 15;
    const Decimal128 rounded = quantized(biased);
    // 999999999999999.5 and above round up to a sixteenth digit.
    return digit_count(rounded.coefficient()) > 15 ? quantized(biased + 1) : rounded;
}

std::optional<Decimal128> Decimal128::parse(std::string_view text) noexcept {
    const bool negative = !text.empty() && text[0] == '-';
    if (!text.empty() && (text[0] == '-' || text[0] == '+')) text.remove_prefix(1);
    if (equals_ignoring_case(text, "nan")) return Decimal128{0, nan_bits};
    if (equals_ignoring_case(text, "inf") || equals_ignoring_case(text, "infinity"))
        return Decimal128{0, infinity_bits | (negative ? 1ULL << 63 : 0)};
    NumberText number;
    if (!number.read(text)) return std::nullopt;
    _IDEC_flags flags = 0;
    const Decimal128 parsed = from_bid(number.to_bid(negative, &flags));
    if ((flags & BID_OVERFLOW_EXCEPTION) != 0) return std::nullopt;
    return parsed;
}

bool Decimal128::is_nan() const noexcept { return (high & special_mask) == nan_bits; }
bool Decimal128::is_infinite() const noexcept { return (high & special_mask) == infinity_bits; }
bool Decimal128::is_zero() const noexcept { return !is_nan() && !is_infinite() && coefficient() == 0; }

// Two layouts: the exponent follows the sign, or follows the bits "11" when the coefficient would need 114 bits. The
// latter is never canonical, because such a coefficient has more than 34 digits; it counts as zero.
std::uint32_t Decimal128::biased_exponent() const noexcept {
    const bool large = ((high >> 61) & 3) == 3;
    return static_cast<std::uint32_t>(high >> (large ? 47 : 49)) & 0x3FFF;
}

Uint128 Decimal128::coefficient() const noexcept {
    if (((high >> 61) & 3) == 3) return 0;
    const Uint128 value = (static_cast<Uint128>(high & ((1ULL << 49) - 1)) << 64) | low;
    return value < coefficient_limit ? value : 0;
}

Decimal128 Decimal128::from_parts(bool negative, std::uint32_t biased_exponent, Uint128 coefficient) noexcept {
    const std::uint64_t sign = negative ? 1ULL << 63 : 0;
    return {static_cast<std::uint64_t>(coefficient),
            sign | (static_cast<std::uint64_t>(biased_exponent) << 49) | static_cast<std::uint64_t>(coefficient >> 64)};
}

double Decimal128::to_double(Rounding rounding, bool* inexact) const noexcept {
    _IDEC_flags flags = 0;
    const double value = bid128_to_binary64(to_bid(*this), bid_mode(rounding), &flags);
    if (inexact != nullptr) *inexact = (flags & (BID_INEXACT_EXCEPTION | BID_OVERFLOW_EXCEPTION)) != 0;
    return value;
}

std::optional<std::int64_t> Decimal128::to_int64(Rounding rounding) const noexcept {
    _IDEC_flags flags = 0;
    const BID_UINT128 bid = to_bid(*this);
    std::int64_t value = 0;
    switch (rounding) {
        case Rounding::nearest_even: value = bid128_to_int64_rnint(bid, &flags); break;
        case Rounding::down: value = bid128_to_int64_floor(bid, &flags); break;
        case Rounding::up: value = bid128_to_int64_ceil(bid, &flags); break;
        case Rounding::toward_zero: value = bid128_to_int64_int(bid, &flags); break;
        case Rounding::nearest_away: value = bid128_to_int64_rninta(bid, &flags); break;
    }
    if ((flags & BID_INVALID_EXCEPTION) != 0) return std::nullopt;
    return value;
}

bool Decimal128::is_integral_int64() const noexcept {
    _IDEC_flags flags = 0;
    static_cast<void>(bid128_to_int64_xint(to_bid(*this), &flags));
    return flags == 0;
}

std::string Decimal128::to_string() const {
    if (is_nan()) return "NaN";
    std::string text = is_negative() ? "-" : "";
    if (is_infinite()) return text + "Infinity";

    std::string digits;
    for (Uint128 rest = coefficient(); rest != 0; rest /= 10)
        digits.push_back(static_cast<char>('0' + static_cast<int>(rest % 10)));
    if (digits.empty()) digits = "0";
    std::reverse(digits.begin(), digits.end());

    const int exponent = static_cast<int>(biased_exponent()) - exponent_bias;
    const int size = static_cast<int>(digits.size());
    const int adjusted = exponent + size - 1;
    if (exponent > 0 || adjusted < -6) {
        text += digits[0];
        if (size > 1) text.append(".").append(digits, 1);
        return text.append(adjusted < 0 ? "E" : "E+").append(std::to_string(adjusted));
    }
    if (exponent == 0) return text + digits;
    const int before_point = size + exponent;
    if (before_point > 0) {
        text.append(digits, 0, static_cast<std::size_t>(before_point)).append(".");
        return text.append(digits, static_cast<std::size_t>(before_point));
    }
    return text.append("0.").append(static_cast<std::size_t>(-before_point), '0').append(digits);
}

Decimal128 Decimal128::add(const Decimal128& other) const noexcept {
    _IDEC_flags flags = 0;
    return from_bid(bid128_add(to_bid(*this), to_bid(other), BID_ROUNDING_TO_NEAREST, &flags));
}
Decimal128 Decimal128::subtract(const Decimal128& other) const noexcept {
    _IDEC_flags flags = 0;
    return from_bid(bid128_sub(to_bid(*this), to_bid(other), BID_ROUNDING_TO_NEAREST, &flags));
}
Decimal128 Decimal128::multiply(const Decimal128& other) const noexcept {
    _IDEC_flags flags = 0;
    return from_bid(bid128_mul(to_bid(*this), to_bid(other), BID_ROUNDING_TO_NEAREST, &flags));
}
Decimal128 Decimal128::divide(const Decimal128& other) const noexcept {
    _IDEC_flags flags = 0;
    return from_bid(bid128_div(to_bid(*this), to_bid(other), BID_ROUNDING_TO_NEAREST, &flags));
}
Decimal128 Decimal128::modulo(const Decimal128& other) const noexcept {
    _IDEC_flags flags = 0;
    return from_bid(bid128_fmod(to_bid(*this), to_bid(other), &flags));
}

int compare(const Decimal128& left, const Decimal128& right) noexcept {
    if (left.is_nan() || right.is_nan()) return (left.is_nan() ? 0 : 1) - (right.is_nan() ? 0 : 1);
    _IDEC_flags flags = 0;
    if (bid128_quiet_equal(to_bid(left), to_bid(right), &flags) != 0) return 0;
    return bid128_quiet_less(to_bid(left), to_bid(right), &flags) != 0 ? -1 : 1;
}

int compare(const Decimal128& left, double right) noexcept {
    if (left.is_nan() || std::isnan(right)) return (left.is_nan() ? 0 : 1) - (std::isnan(right) ? 0 : 1);
    // The largest double not above the decimal: equal to `right` but inexact means that the decimal lies above it.
    bool inexact = false;
    const double floor = left.to_double(Decimal128::Rounding::down, &inexact);
    if (floor == right) return inexact ? 1 : 0;
    return floor < right ? -1 : 1;
}

}  // namespace ixora::bson
