// Accumulators over a window whose rows come and go (spec: aggregation.md section 11).
//
// A window that loses rows is not summed anew: the server takes the value that left out of its running state, which
// shows in the last digits and the types of results.
#pragma once

#include <memory>
#include <string_view>

#include "ixora/bson/collator.hpp"
#include "ixora/mql/computed_value.hpp"

namespace ixora::mql {

// The running state of one window. Not thread-safe.
class SlidingAccumulator {
public:
    virtual ~SlidingAccumulator() = default;

    // Inputs may be views; they are copied where they are kept.
    virtual void add(const ComputedValue& input) = 0;
    // `input` was added before and comes out in the order in which it went in.
    virtual void remove(const ComputedValue& input) = 0;
    virtual ComputedValue result() = 0;
};

// Of "$sum", "$avg", "$stdDevPop", "$stdDevSamp", "$covariancePop", "$covarianceSamp" (of arrays of two), "$min",
// "$max", "$addToSet"; null for the others, which give the same when they start anew. The collator must outlive it.
std::unique_ptr<SlidingAccumulator> make_sliding_accumulator(std::string_view name, const bson::Collator* collator);

}  // namespace ixora::mql
