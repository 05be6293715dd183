// Sorted runs of records on disk, and their merge: the second half of an external sort (spec: aggregation.md 15).
//
//   file:  | key size, size, key, bytes | ...     one run after another, each in the order of its keys
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "ixora/key/key_string.hpp"
#include "ixora/stage/execution_context.hpp"
#include "ixora/stage/spill_file.hpp"

namespace ixora::stage {

// Where and whether an operation may spill.
struct SpillPolicy {
    std::int64_t memory_max = 0;
    bool allowed = true;
    std::string directory;  // empty: the system's
};

class SpilledRuns {
public:
    explicit SpilledRuns(std::string directory);
    ~SpilledRuns();

    // A run: add() its records in order of their keys, then end_run().
    void add(key::Bytes key, std::span<const std::uint8_t> bytes);
    void end_run();

    // Merges all runs; of equal keys the records of earlier runs come first.
    void start(const ExecutionContext& context);
    // False at the end. Otherwise key() and bytes() are those of the next record, until the next call.
    bool next();
    key::Bytes key() const noexcept;
    std::span<const std::uint8_t> bytes() const noexcept;

    std::int64_t run_count() const noexcept { return spills_; }          // ended so far
    std::int64_t byte_count() const noexcept { return spilled_bytes_; }  // of their records
    std::int64_t record_count() const noexcept { return records_; }

private:
    class Reader;
    struct Run {
        std::int64_t begin;
        std::int64_t end;
    };

    void open(std::size_t first, std::size_t count);
    bool before(const Reader& left, const Reader& right) const noexcept;

    std::string directory_;
    std::unique_ptr<SpillFile> file_;
    std::vector<Run> runs_;
    std::int64_t run_begin_ = 0;
    std::int64_t spills_ = 0;
    std::int64_t spilled_bytes_ = 0;
    std::int64_t records_ = 0;
    std::vector<std::unique_ptr<Reader>> readers_;  // a heap, the next record in front
    bool started_ = false;
};

}  // namespace ixora::stage
