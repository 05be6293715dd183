// The commands that run at the moment, for currentOp and killOp, and how many of each kind there have been, for
// serverStatus (spec: commands.md section 3).
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "ixora/base/interrupt.hpp"
#include "ixora/bson/document.hpp"

namespace ixora::command {

// As serverStatus groups them; inserts, updates and deletes are counted by document or statement.
enum class OperationKind : std::uint8_t { insert, query, update, remove, get_more, command };
inline constexpr std::size_t operation_kind_count = 6;

// Thread-safe.
class OperationRegistry {
public:
    using Clock = std::chrono::steady_clock;

    // One command from its begin to its end. The command and the interrupt outlive it.
    class Running {
    public:
        Running(OperationRegistry& registry, bson::View command, Interrupt& interrupt);
        Running(const Running&) = delete;
        Running& operator=(const Running&) = delete;
        ~Running();

    private:
        friend class OperationRegistry;
        OperationRegistry& registry_;
        bson::View command_;
        Interrupt& interrupt_;
        Clock::time_point started_;
        std::int64_t id_ = 0;
        Running* older_ = nullptr;
        Running* newer_ = nullptr;
    };

    struct Listed {
        std::int64_t id = 0;
        std::chrono::microseconds running{};
        bson::Document command;
    };
    std::vector<Listed> list() const;  // the newest first
    // The command ends with Interrupted (11601) when it next looks. False if there is none with that id.
    bool kill(std::int64_t id);

    void count(OperationKind kind, std::int64_t times = 1) noexcept {
        counts_[static_cast<std::size_t>(kind)].fetch_add(times, std::memory_order_relaxed);
    }
    std::int64_t counted(OperationKind kind) const noexcept {
        return counts_[static_cast<std::size_t>(kind)].load(std::memory_order_relaxed);
    }
    void count_user_error() noexcept { user_errors_.fetch_add(1, std::memory_order_relaxed); }
    std::int64_t user_errors() const noexcept { return user_errors_.load(std::memory_order_relaxed); }
    std::int64_t commands() const noexcept;
    Clock::time_point started() const noexcept { return started_; }

private:
    Clock::time_point started_ = Clock::now();
    mutable std::mutex mutex_;
    Running* newest_ = nullptr;
    std::int64_t last_id_ = 0;
    std::array<std::atomic<std::int64_t>, operation_kind_count> counts_{};
    std::atomic<std::int64_t> user_errors_ = 0;
};

}  // namespace ixora::command
