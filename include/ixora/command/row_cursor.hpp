// The rows of a query of the typed API.
#pragma once

#include <memory>
#include <optional>

#include "ixora/command/service.hpp"

namespace ixora {

// The rows of a running query, one pass. A row is valid until the next one is asked for. Not thread-safe. Throws
// ixora::Error when the query fails on its way.
class RowCursor {
public:
    explicit RowCursor(command::RunningQuery query, std::unique_ptr<Interrupt> interrupt)
        : interrupt_(std::move(interrupt)), query_(std::move(query)) {}

    // The next row, or nothing at the end.
    std::optional<bson::View> next() {
        if (!query_.executor->next(row_)) return std::nullopt;
        return row_.document;
    }

    // Whether a plan had to be made: not for {_id: value}, nor where an earlier query of the same form left one behind.
    bool was_planned() const noexcept { return query_.executor->was_planned(); }

private:
    std::unique_ptr<Interrupt> interrupt_;
    command::RunningQuery query_;
    stage::Member row_;
};

}  // namespace ixora
