#include "ixora/command/cursor_manager.hpp"

#include <limits>
#include <random>

namespace ixora::command {

namespace {

std::int64_t random_id() {
    thread_local std::mt19937_64 generator{std::random_device{}()};
    return std::uniform_int_distribution<std::int64_t>(1, std::numeric_limits<std::int64_t>::max())(generator);
}

Error not_found(std::int64_t id) {
    return Error(ErrorCode::cursor_not_found, "cursor id " + std::to_string(id) + " not found");
}

}  // namespace

std::int64_t CursorManager::add(std::unique_ptr<ClientCursor> cursor, std::int64_t open_max) {
    const std::lock_guard lock(mutex_);
    if (slots_.size() >= static_cast<std::size_t>(open_max))
        throw Error(ErrorCode::exceeded_memory_limit, "too many open cursors: " + std::to_string(slots_.size()));
    std::int64_t id = random_id();
    while (slots_.contains(id)) id = random_id();
    cursor->id = id;
    Slot& slot = slots_[id];
    slot.ns = cursor->ns;
    slot.cursor = std::move(cursor);
    return id;
}

std::unique_ptr<ClientCursor> CursorManager::check_out(std::int64_t id, Interrupt& interrupt) {
    const std::lock_guard lock(mutex_);
    const auto found = slots_.find(id);
    if (found == slots_.end()) throw not_found(id);
    if (!found->second.cursor)
        throw Error(ErrorCode::cursor_in_use, "cursor id " + std::to_string(id) + " is already in use");
    found->second.running = &interrupt;
    return std::move(found->second.cursor);
}

void CursorManager::check_in(std::unique_ptr<ClientCursor> cursor) {
    const std::lock_guard lock(mutex_);
    const auto found = slots_.find(cursor->id);
    if (found == slots_.end()) return;
    if (found->second.killed) {
        slots_.erase(found);
        return;
    }
    found->second.running = nullptr;
    found->second.cursor = std::move(cursor);
}

void CursorManager::forget(std::int64_t id) {
    const std::lock_guard lock(mutex_);
    slots_.erase(id);
}

std::size_t CursorManager::open_count() const {
    const std::lock_guard lock(mutex_);
    return slots_.size();
}

bool CursorManager::kill(std::int64_t id, const Namespace& ns) {
    std::unique_ptr<ClientCursor> doomed;  // destroyed outside the lock
    const std::lock_guard lock(mutex_);
    const auto found = slots_.find(id);
    if (found == slots_.end() || found->second.ns.full() != ns.full()) return false;
    if (found->second.running != nullptr) {
        found->second.killed = true;
        found->second.running->kill(ErrorCode::cursor_killed);
        return true;
    }
    doomed = std::move(found->second.cursor);
    slots_.erase(found);
    return true;
}

}  // namespace ixora::command
