// What an expression reads beside its own constants: the row and variables (spec: aggregation.md section 4).
#pragma once

#include <cstdint>
#include <vector>

#include "ixora/base/interrupt.hpp"
#include "ixora/bson/view.hpp"
#include "ixora/mql/computed_value.hpp"
#include "ixora/mql/row_metadata.hpp"

namespace ixora::mql {

// One per running operation or stage, used from one thread at a time; set `root` for each row. Results are views into
// the row where they can be, so they are valid as long as its bytes.
struct EvaluationContext {
    // `slot_count` is VariableScope::slot_count() after everything was parsed.
    explicit EvaluationContext(std::uint32_t slot_count = 0) : variables(slot_count) {}

    bson::View root;  // $$ROOT, and $$CURRENT unless rebound
    std::vector<ComputedValue> variables;
    const RowMetadata* metadata = nullptr;  // null: no metadata
    const Interrupt* interrupt = nullptr;   // checked in loops over arrays; null: never
};

}  // namespace ixora::mql
