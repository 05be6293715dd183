// Open cursors between a find and its getMores (spec: commands.md 4.1, execution.md 3.6).
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "ixora/base/interrupt.hpp"
#include "ixora/command/catalog.hpp"
#include "ixora/command/row_stream.hpp"

namespace ixora::command {

struct ClientCursor {
    std::int64_t id = 0;
    Namespace ns;
    std::unique_ptr<RowStream> rows;
    bson::Document stashed;  // a row that did not fit into the last batch; empty: none
    bool has_stashed = false;
    // What is left of the maxTimeMS the cursor was opened with; 0: no limit.
    std::chrono::milliseconds time_left{0};
};

// Thread-safe. A cursor is checked out while an operation runs it, so that two getMores cannot meet in it.
class CursorManager {
public:
    // Gives the cursor a random positive id. Throws when too many are open.
    std::int64_t add(std::unique_ptr<ClientCursor> cursor, std::int64_t open_max);

    // Takes the cursor out for one operation. `interrupt` is what killing it fires. Throws CursorNotFound (43),
    // CursorInUse (143).
    std::unique_ptr<ClientCursor> check_out(std::int64_t id, Interrupt& interrupt);
    // Puts it back, unless it was killed meanwhile.
    void check_in(std::unique_ptr<ClientCursor> cursor);
    // The cursor that was checked out is finished.
    void forget(std::int64_t id);

    // False if there is no such cursor in that namespace. A running operation is interrupted with CursorKilled (237).
    bool kill(std::int64_t id, const Namespace& ns);

    std::size_t open_count() const;

private:
    struct Slot {
        std::unique_ptr<ClientCursor> cursor;  // null while checked out
        Namespace ns;
        Interrupt* running = nullptr;
        bool killed = false;
    };

    mutable std::mutex mutex_;
    std::map<std::int64_t, Slot> slots_;
};

}  // namespace ixora::command
