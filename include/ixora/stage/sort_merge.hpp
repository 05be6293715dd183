// SORT_MERGE: merges children that are sorted alike (spec: execution.md 6.5).
#pragma once

#include <deque>
#include <string>

#include "ixora/stage/record_id_set.hpp"
#include "ixora/stage/sort_key_source.hpp"
#include "ixora/stage/stage.hpp"

namespace ixora::stage {

// Holds one row per child in a binary heap. The heap is the standard library's, whose order among equal keys the
// server shows.
class SortMergeStage final : public Stage {
public:
    SortMergeStage(const plan::PlanNode& node, std::vector<StagePtr> inputs, bson::CollatorPtr collator);

    bool is_eof() const override { return heap_.empty() && to_read_.empty(); }

protected:
    State do_work(Member& out) override;
    void do_save() override;

private:
    struct Pending {
        Member row;
        std::string key;
    };

    State read_next();
    bool comes_later(std::size_t left, std::size_t right) const noexcept;

    bool dedup_;
    SortKeySource keys_;
    std::vector<Pending> pending_;     // one per child
    std::vector<std::size_t> heap_;    // children with a pending row
    std::deque<std::size_t> to_read_;  // children without one
    RecordIdSet seen_;
};

}  // namespace ixora::stage
