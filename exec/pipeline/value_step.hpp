// Moves a number or a date by a fixed step, as $add and $dateAdd do.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "ixora/mql/expression.hpp"

namespace ixora::pipeline {

class ValueStep {
public:
    // `unit` is empty for numbers.
    ValueStep(const bson::Value& amount, const std::string& unit);
    bson::Value after(const bson::Value& value) const;

private:
    mql::VariableScope scope_;
    mql::Expression sum_;
};

// Milliseconds in a unit of fixed length, nothing for months and longer ones. Throws 9 for an unknown unit.
std::optional<std::int64_t> unit_millis(std::string_view unit);

}  // namespace ixora::pipeline
