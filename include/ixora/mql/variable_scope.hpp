// The variables that an expression may name: the server's own, a command's `let`, $let, $map ... (spec: aggregation.md
// section 4.3).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ixora/bson/document.hpp"

namespace ixora::mql {

// Throws FailedToParse (9) as the server words it for a name that users may not give to a variable. CURRENT is theirs.
void check_variable_name(std::string_view name);

// Names visible while parsing, innermost last. A name stands either for a constant, known before anything runs ($$NOW,
// a command's `let`), or for a slot of EvaluationContext::variables that is filled while running ($let, $map, $lookup's
// `let`, $redact's $$KEEP ...). $$ROOT, $$CURRENT (unless defined here) and $$REMOVE need no entry.
class VariableScope {
public:
    // `now` is the start of the operation in milliseconds since 1970: $$NOW. $$USER_ROLES is an empty array.
    explicit VariableScope(std::int64_t now) noexcept : now_(now) {}
    static std::int64_t current_time() noexcept;  // for that, where no operation has a start

    struct Variable {
        std::string name;
        bool is_constant = false;
        bson::Value constant;    // may be missing
        std::uint32_t slot = 0;  // of one that is no constant
    };

    void define_constant(std::string_view name, bson::Value value);
    // Gives the name a slot that no other variable has.
    std::uint32_t define(std::string_view name);
    // Null if nothing of that name is in scope. Valid until the scope changes.
    const Variable* find(std::string_view name) const noexcept;

    // Names defined after mark() disappear with release().
    std::size_t mark() const noexcept { return variables_.size(); }
    void release(std::size_t mark);
    // How many slots an EvaluationContext for everything parsed so far needs.
    std::uint32_t slot_count() const noexcept { return slot_count_; }

private:
    const Variable* find_own(std::string_view name) const noexcept;

    std::int64_t now_;
    std::vector<Variable> variables_;
    // The server's own, made when one of them is first asked for: most queries name none.
    mutable std::vector<Variable> own_;
    std::uint32_t slot_count_ = 0;
};

}  // namespace ixora::mql
