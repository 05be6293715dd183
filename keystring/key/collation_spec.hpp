// A collation document as the user wrote it, checked field by field (spec: match.md 7.2).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "ixora/bson/view.hpp"

namespace ixora::key {

enum class CaseFirst { off, upper, lower };
enum class Alternate { non_ignorable, shifted };
enum class MaxVariable { punct, space };

inline constexpr const char* collation_version = "57.1";

// What's not given takes the default of the locale.
struct CollationSpec {
    std::string locale;
    std::optional<bool> case_level;
    std::optional<CaseFirst> case_first;
    std::optional<int> strength;  // 1 ... 5
    std::optional<bool> numeric_ordering;
    std::optional<Alternate> alternate;
    std::optional<MaxVariable> max_variable;
    std::optional<bool> normalization;
    std::optional<bool> backwards;

    bool simple() const noexcept { return locale == "simple"; }
};

// Throws 2, 9, 14, 161, 40413, 40414 or 40415.
CollationSpec parse_collation(bson::View spec);

}  // namespace ixora::key
