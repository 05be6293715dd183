// What the stages of one executor share: knobs, interrupt, the current snapshot (spec: execution.md sections 2.7 and
// 3).
#pragma once

#include <cstdint>
#include <memory>

#include "ixora/base/error.hpp"
#include "ixora/base/interrupt.hpp"
#include "ixora/base/knobs.hpp"
#include "ixora/store/store.hpp"

namespace ixora::stage {

// The defaults, made once.
inline const std::shared_ptr<const Knobs>& default_knobs() {
    static const auto knobs = std::make_shared<const Knobs>();
    return knobs;
}

struct ExecutionContext {
    std::shared_ptr<const Knobs> knobs = default_knobs();
    Interrupt* interrupt = nullptr;  // replaced at each getMore; null: never fires
    // A number for the snapshot that is being read; grows whenever a yield or a getMore opens a new one.
    std::uint64_t snapshot = 1;

    void check_interrupt() const {
        if (interrupt != nullptr) interrupt->check();
    }
};

// The same with the store, for stages that touch cursors.
template <store::Store S>
struct StoreContext : ExecutionContext {
    S* store = nullptr;
    typename S::Unit* unit = nullptr;
    store::TableId records = 0;
};

// Does a read; false if the store wants it done again on a newer snapshot (the unit then answers need_yield).
template <class Read>
[[gnu::always_inline]] inline bool read_succeeds(Read&& read) {
    try {
        read();
        return true;
    } catch (const Error& error) {
        if (!error.is(ErrorCode::write_conflict)) throw;
        return false;
    }
}

}  // namespace ixora::stage
