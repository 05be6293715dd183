// The form in which explain replies of different servers can be compared (spec: explain.md sections 13 and 14).
#pragma once

#include <cstdint>

#include "ixora/bson/document.hpp"

namespace ixora::explain {

// How much of what a run counted a reply can be held to, from least to most. Replies of the slot-based engine have no
// counters of classic stages, and their totals agree only for plain scans (14.2, 14.3).
enum class ExecutionDetail { outcome, rows, totals, counters };

// Who printed a reply, as far as that decides what is in it.
struct Printer {
    int major = 7;
    int minor = 0;
    bool slot_based = false;  // explainVersion "2"
    ExecutionDetail detail = ExecutionDetail::counters;

    bool older_than(int other_major) const noexcept { return major < other_major; }
};

struct NormalFormOptions {
    bool order_free = false;       // fields sorted by name, except where their order is meaning (13.2 step 4)
    bool rejected_as_set = false;  // rejected plans sorted (13.4)
    bool class_b = false;          // keep hashes, skipAmount, keys of collated strings
    bool class_c = false;          // keep times, yields, saves and restores
    // The other side of a comparison: what this one does not print, or cannot be held to, is left out here as well.
    Printer other{99, 0, false, ExecutionDetail::counters};
};

// Throws FailedToParse if `reply` is no explain reply of a single server: an error, another document, a sharded plan.
Printer printer_of(bson::View reply);

// Fields of classes C, D and (unless asked for) B dropped, values of class E replaced by "*", numbers by value, fields
// in 7.0's places, slot-based plans turned into classic ones. "?" stands for what a slot-based reply does not tell: it
// equals everything. Idempotent up to what was dropped. Linear in the size of the reply; throws what printer_of throws.
bson::Document normal_form(bson::View reply, const NormalFormOptions& options = {});

inline constexpr const char* masked_value = "*";
inline constexpr const char* unknown_value = "?";

}  // namespace ixora::explain
