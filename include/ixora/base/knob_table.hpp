// The knobs by name, with the server's types and ranges (spec: planner.md section 9, commands.md section 3).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "ixora/base/knobs.hpp"

namespace ixora {

// One bound of a number's range.
struct KnobBound {
    double value = 0;
    bool inclusive = true;
};

struct KnobInfo {
    using Member = std::variant<bool Knobs::*, std::int64_t Knobs::*, double Knobs::*, std::string Knobs::*>;

    std::string_view name;
    Member member;
    std::optional<KnobBound> least;
    std::optional<KnobBound> most;
    bool is_int32 = false;  // of a 64-bit member: the server keeps it in 32 bits
    // Of a text: throws if the value will not do, and whether it is one of a few names.
    void (*check_text)(const std::string& value) = nullptr;
    bool is_enumeration = false;
};

// In alphabetical order.
std::span<const KnobInfo> all_knobs() noexcept;
// Null if there is none of that name.
const KnobInfo* find_knob(std::string_view name) noexcept;

// Throws BadValue (2), as setParameter words it, if the knob's value is out of its range.
void check_knob(const Knobs& knobs, const KnobInfo& info);
void check_knobs(const Knobs& knobs);

}  // namespace ixora
