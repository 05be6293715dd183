// A unit of work of MemoryStore: one snapshot, and the writes on top of it (spec: keystring.md 4.1).
#pragma once

#include <memory>

#include "ixora/store/memory/unit_state.hpp"

namespace ixora::store::memory {

// Used by one thread at a time. It must not outlive its store; cursors may outlive it but are then good for nothing.
// Opening and ending one that only reads costs no allocation but its own: states are used again.
class MemoryUnit {
public:
    explicit MemoryUnit(Shared& shared) : shared_(shared), state_(shared.take_unit()) {}
    MemoryUnit(const MemoryUnit&) = delete;
    MemoryUnit& operator=(const MemoryUnit&) = delete;
    ~MemoryUnit() { shared_.give_unit(std::move(state_)); }

    void commit() { state_->commit(); }
    void rollback() { state_->rollback(); }
    void abandon_snapshot() { state_->abandon_snapshot(); }
    UnitTable& table(TableId id) { return state_->table(id); }
    UnitTable& writable(TableId id) { return state_->writable(id); }
    void guard(std::uint64_t hash) { state_->guard(hash); }

private:
    Shared& shared_;
    std::unique_ptr<UnitState> state_;
};

}  // namespace ixora::store::memory
