// What a unit of work of MemoryStore does and knows: its snapshot, its tables, its writes (spec: keystring.md 4.1).
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <memory>

#include "ixora/store/memory/unit_table.hpp"

namespace ixora::store::memory {

// The state behind a MemoryUnit, which hands it back to Shared at its end.
class UnitState {
public:
    explicit UnitState(Shared& shared) noexcept : shared_(shared), pages_(shared.pages), nodes_(shared.nodes) {}
    UnitState(const UnitState&) = delete;
    UnitState& operator=(const UnitState&) = delete;
    ~UnitState();

    // All or nothing; ends the snapshot. Throws WriteConflict if a write of this unit did.
    void commit();
    void rollback();
    void abandon_snapshot();

    // The table in this unit's snapshot, which it opens if need be. Throws 175 for a table dropped before it.
    UnitTable& table(TableId id) { return id == recent_id_ && recent_->resolved() ? *recent_ : look_up(id); }
    // The same, for a write: throws WriteConflict if an earlier write did. Detaches the cursors on the table.
    UnitTable& writable(TableId id);
    // Opens a snapshot if there is none, and shows it to the table.
    void resolve(UnitTable& table);
    // Makes this unit the only writer of what the hash stands for, or throws WriteConflict.
    void guard(std::uint64_t hash);

    // Ends the unit: nothing is left but the tables it has seen. False if it is not worth keeping: it has written, and
    // with that holds pages, or has seen very many tables.
    bool end();
    // Of Shared, when the unit began.
    std::uint64_t drops_seen = 0;

private:
    UnitTable& look_up(TableId id);
    // Leaves the snapshot and the tables' trees as they are, for as long as nothing is committed.
    void park();
    void resume();

    Shared& shared_;
    Snapshot snapshot_;
    Guards::Writer writer_;
    bool failed_ = false;
    bool has_written_ = false;
    bool parked_ = false;
    PageCache pages_;
    PageCache nodes_;
    TableId recent_id_ = 0;
    UnitTable* recent_ = nullptr;
    boost::unordered_flat_map<TableId, std::unique_ptr<UnitTable>> tables_;
};

}  // namespace ixora::store::memory
