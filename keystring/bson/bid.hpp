// Intel's decimal library as it was built ("000"): arguments, rounding mode and flags are passed by the caller.
#pragma once

#define DECIMAL_CALL_BY_REFERENCE 0
#define DECIMAL_GLOBAL_ROUNDING 0
#define DECIMAL_GLOBAL_EXCEPTION_FLAGS 0
#include <bid_conf.h>
#include <bid_functions.h>

#include "ixora/bson/decimal128.hpp"

namespace ixora::bson {

inline BID_UINT128 to_bid(const Decimal128& value) noexcept {
    BID_UINT128 bid;
    bid.w[0] = value.low;
    bid.w[1] = value.high;
    return bid;
}

inline Decimal128 from_bid(const BID_UINT128& bid) noexcept { return {bid.w[0], bid.w[1]}; }

inline _IDEC_round bid_mode(Decimal128::Rounding rounding) noexcept {
    switch (rounding) {
        case Decimal128::Rounding::nearest_even: return BID_ROUNDING_TO_NEAREST;
        case Decimal128::Rounding::down: return BID_ROUNDING_DOWN;
        case Decimal128::Rounding::up: return BID_ROUNDING_UP;
        case Decimal128::Rounding::toward_zero: return BID_ROUNDING_TO_ZERO;
        case Decimal128::Rounding::nearest_away: return BID_ROUNDING_TIES_AWAY;
    }
    return BID_ROUNDING_TO_NEAREST;
}

}  // namespace ixora::bson
