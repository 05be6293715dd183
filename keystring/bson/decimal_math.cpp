#include "ixora/bson/decimal_math.hpp"

#include "bid.hpp"

namespace ixora::bson::decimal_math {

namespace {

using Unary = BID_UINT128 (*)(BID_UINT128, _IDEC_round, _IDEC_flags*);
using Binary = BID_UINT128 (*)(BID_UINT128, BID_UINT128, _IDEC_round, _IDEC_flags*);

Decimal128 call(Unary function, const Decimal128& x) noexcept {
    _IDEC_flags flags = 0;
    return from_bid(function(to_bid(x), BID_ROUNDING_TO_NEAREST, &flags));
}
Decimal128 call(Binary function, const Decimal128& x, const Decimal128& y) noexcept {
    _IDEC_flags flags = 0;
    return from_bid(function(to_bid(x), to_bid(y), BID_ROUNDING_TO_NEAREST, &flags));
}

}  // namespace

Decimal128 sqrt(const Decimal128& x) noexcept { return call(bid128_sqrt, x); }
Decimal128 exp(const Decimal128& x) noexcept { return call(bid128_exp, x); }
Decimal128 log(const Decimal128& x) noexcept { return call(bid128_log, x); }
Decimal128 log2(const Decimal128& x) noexcept { return call(bid128_log2, x); }
Decimal128 log10(const Decimal128& x) noexcept { return call(bid128_log10, x); }
Decimal128 pow(const Decimal128& base, const Decimal128& exponent) noexcept { return call(bid128_pow, base, exponent); }

Decimal128 sin(const Decimal128& x) noexcept { return call(bid128_sin, x); }
Decimal128 cos(const Decimal128& x) noexcept { return call(bid128_cos, x); }
Decimal128 tan(const Decimal128& x) noexcept { return call(bid128_tan, x); }
Decimal128 asin(const Decimal128& x) noexcept { return call(bid128_asin, x); }
Decimal128 acos(const Decimal128& x) noexcept { return call(bid128_acos, x); }
Decimal128 atan(const Decimal128& x) noexcept { return call(bid128_atan, x); }
Decimal128 atan2(const Decimal128& y, const Decimal128& x) noexcept { return call(bid128_atan2, y, x); }
Decimal128 sinh(const Decimal128& x) noexcept { return call(bid128_sinh, x); }
Decimal128 cosh(const Decimal128& x) noexcept { return call(bid128_cosh, x); }
Decimal128 tanh(const Decimal128& x) noexcept { return call(bid128_tanh, x); }
Decimal128 asinh(const Decimal128& x) noexcept { return call(bid128_asinh, x); }
Decimal128 acosh(const Decimal128& x) noexcept { return call(bid128_acosh, x); }
Decimal128 atanh(const Decimal128& x) noexcept { return call(bid128_atanh, x); }

Decimal128 round_to_integral(const Decimal128& x, Decimal128::Rounding rounding) noexcept {
    _IDEC_flags flags = 0;
    return from_bid(bid128_round_integral_exact(to_bid(x), bid_mode(rounding), &flags));
}

Decimal128 quantize(const Decimal128& x, const Decimal128& quantum, Decimal128::Rounding rounding) noexcept {
    _IDEC_flags flags = 0;
    return from_bid(bid128_quantize(to_bid(x), to_bid(quantum), bid_mode(rounding), &flags));
}

}  // namespace ixora::bson::decimal_math
