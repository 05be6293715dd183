#include "ixora/command/operation_registry.hpp"

namespace ixora::command {

OperationRegistry::Running::Running(OperationRegistry& registry, bson::View command, Interrupt& interrupt)
    : registry_(registry), command_(command), interrupt_(interrupt), started_(Clock::now()) {
    const std::lock_guard lock(registry_.mutex_);
    id_ = ++registry_.last_id_;
    older_ = registry_.newest_;
    if (older_ != nullptr) older_->newer_ = this;
    registry_.newest_ = this;
}

OperationRegistry::Running::~Running() {
    const std::lock_guard lock(registry_.mutex_);
    (newer_ == nullptr ? registry_.newest_ : newer_->older_) = older_;
    if (older_ != nullptr) older_->newer_ = newer_;
}

std::vector<OperationRegistry::Listed> OperationRegistry::list() const {
    std::vector<Listed> out;
    const std::lock_guard lock(mutex_);
    const Clock::time_point now = Clock::now();
    for (const Running* running = newest_; running != nullptr; running = running->older_)
        out.push_back({running->id_, std::chrono::duration_cast<std::chrono::microseconds>(now - running->started_),
                       bson::Document(running->command_)});
    return out;
}

bool OperationRegistry::kill(std::int64_t id) {
    const std::lock_guard lock(mutex_);
    for (Running* running = newest_; running != nullptr; running = running->older_) {
        if (running->id_ != id) continue;
        running->interrupt_.kill();
        return true;
    }
    return false;
}

std::int64_t OperationRegistry::commands() const noexcept {
    const std::lock_guard lock(mutex_);
    return last_id_;
}

}  // namespace ixora::command
