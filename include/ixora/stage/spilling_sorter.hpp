// A sorter of rows that goes to disk when it holds more than it may (spec: execution.md 7.1.3, aggregation.md 15).
#pragma once

#include <optional>
#include <vector>

#include "ixora/stage/row_sorter.hpp"
#include "ixora/stage/spilled_runs.hpp"

namespace ixora::stage {

// Beside what RowSorter asks of a Row: void append_to(std::vector<std::uint8_t>&) const, and read(bytes), which makes
// the row of what append_to() wrote.
template <class Row>
class SpillingSorter {
public:
    SpillingSorter(std::int64_t limit, SpillPolicy policy)
        : limit_(limit), policy_(std::move(policy)), sorter_(limit) {}

    bool accepts(key::Bytes key) const noexcept { return sorter_.accepts(key); }
    // Throws QueryExceededMemoryLimitNoDiskUseAllowed (292) where it would have to spill and may not, and what spilling
    // throws.
    void add(key::Bytes key, Row&& row, const ExecutionContext& context);
    void make_owned() { sorter_.make_owned(); }
    void finish(const ExecutionContext& context);
    // After finish(): the next row, null at the end.
    Row* next();

    std::int64_t spills() const noexcept { return runs_ ? runs_->run_count() : 0; }
    std::int64_t spilled_bytes() const noexcept { return runs_ ? runs_->byte_count() : 0; }

private:
    void spill(const ExecutionContext& context);

    std::int64_t limit_;
    SpillPolicy policy_;
    RowSorter<Row> sorter_;
    std::optional<SpilledRuns> runs_;
    std::vector<std::uint8_t> bytes_;
    Row row_;  // of a run
    std::int64_t given_ = 0;
};

template <class Row>
void SpillingSorter<Row>::add(key::Bytes key, Row&& row, const ExecutionContext& context) {
    sorter_.add(key, std::move(row));
    if (sorter_.memory() <= policy_.memory_max) return;
    if (!policy_.allowed)
        throw Error(ErrorCode::query_exceeded_memory_limit_no_disk_use_allowed,
                    "Sort exceeded memory limit of " + std::to_string(policy_.memory_max) +
                        " bytes, but did not opt in to external sorting.");
    spill(context);
}

template <class Row>
void SpillingSorter<Row>::spill(const ExecutionContext& context) {
    if (!runs_) runs_.emplace(policy_.directory);
    sorter_.finish(context);
    while (const Row* row = sorter_.next()) {
        bytes_.clear();
        row->append_to(bytes_);
        runs_->add(sorter_.key(), bytes_);
    }
    runs_->end_run();
    sorter_.clear();
}

template <class Row>
void SpillingSorter<Row>::finish(const ExecutionContext& context) {
    if (!runs_) return sorter_.finish(context);
    spill(context);
    runs_->start(context);
}

template <class Row>
Row* SpillingSorter<Row>::next() {
    if (!runs_) return sorter_.next();
    if (limit_ != 0 && given_ == limit_) return nullptr;
    if (!runs_->next()) return nullptr;
    ++given_;
    row_.read(runs_->bytes());
    return &row_;
}

}  // namespace ixora::stage
