// $cursor: the rows of a find as the source of a pipeline (spec: explain.md 8.4).
#pragma once

#include "ixora/pipeline/environment.hpp"
#include "ixora/pipeline/operator.hpp"

namespace ixora::pipeline {

class Cursor final : public Operator {
public:
    // `counts_only`: the stages behind look at no field, so rows are empty documents.
    Cursor(OpenedFind find, bool counts_only) noexcept : find_(std::move(find)), counts_only_(counts_only) {}

    const OpenedFind& find() const noexcept { return find_; }
    // Where the run of an explain ended in an error, the executor's state is of interest all the same.
    stage::PlanExecutor& executor() const noexcept { return *find_.executor; }
    // Reads what the server has read by the time a later stage wants no more: its cursor hands out rows by batches of
    // 4 MiB, and of 32 rows, then twice as many each time. For explain, whose counters tell of it.
    void finish_batch();

private:
    Pulled pull(Row& out) override;
    void count_batch() noexcept;
    void do_save() override;
    void do_restore(Interrupt& interrupt) override;

    OpenedFind find_;
    bool counts_only_;
    stage::Member member_;
    std::size_t batch_bytes_ = 0;  // of the rows since the last batch was full
    std::size_t batch_rows_ = 0;   // their number
    std::size_t batch_rows_max_ = 32;
    bool ended_ = false;
};

}  // namespace ixora::pipeline
