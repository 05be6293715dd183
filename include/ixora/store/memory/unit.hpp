// A unit of work of MemoryStore: one snapshot, and the writes on top of it (spec: keystring.md 4.1).
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <memory>

#include "ixora/store/memory/unit_table.hpp"

namespace ixora::store::memory {

// Used by one thread at a time. It must not outlive its store; cursors may outlive it but are then good for nothing.
class MemoryUnit {
public:
    explicit MemoryUnit(Shared& shared) noexcept : shared_(shared), pages_(shared.pages), nodes_(shared.nodes) {}
    MemoryUnit(const MemoryUnit&) = delete;
    MemoryUnit& operator=(const MemoryUnit&) = delete;
    ~MemoryUnit();

    // All or nothing; ends the snapshot. Throws WriteConflict if a write of this unit did.
    void commit();
    void rollback();
    void abandon_snapshot();

    // The table in this unit's snapshot, which it opens if need be. Throws 175 for a table dropped before it.
    UnitTable& table(TableId id);
    // The same, for a write: throws WriteConflict if an earlier write did. Detaches the cursors on the table.
    UnitTable& writable(TableId id);
    // Opens a snapshot if there is none, and shows it to the table.
    void resolve(UnitTable& table);
    // Makes this unit the only writer of what the hash stands for, or throws WriteConflict.
    void guard(std::uint64_t hash);

private:
    Shared& shared_;
    Snapshot snapshot_;
    Guards::Writer writer_;
    bool failed_ = false;
    PageCache pages_;
    PageCache nodes_;
    TableId recent_id_ = 0;
    UnitTable* recent_ = nullptr;
    boost::unordered_flat_map<TableId, std::unique_ptr<UnitTable>> tables_;
};

}  // namespace ixora::store::memory
