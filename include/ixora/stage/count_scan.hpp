// COUNT_SCAN: counts the keys of one contiguous range without looking at them (spec: execution.md 4.4).
#pragma once

#include <memory>
#include <optional>

#include "ixora/stage/execution_context.hpp"
#include "ixora/stage/index_access.hpp"
#include "ixora/stage/record_id_set.hpp"
#include "ixora/stage/stage.hpp"

namespace ixora::stage {

// Rows carry a record id and nothing else. Where the store can skip and no de-duplication is needed, run_advanced()
// counts by the page.
template <store::Store S>
class CountScanStage final : public Stage {
public:
    CountScanStage(const plan::PlanNode& node, StoreContext<S>& context);

    bool is_eof() const override { return eof_; }
    std::int64_t run_advanced(std::int64_t units) override;

protected:
    State do_work(Member& out) override;
    void do_save() override;
    void do_restore() override;

private:
    const store::IndexEntry* read();

    const plan::IndexEntry& index_;
    StoreContext<S>& context_;
    SeekRange range_;
    std::optional<typename S::IndexCursor> cursor_;
    bool positioned_ = false;
    bool eof_ = false;
    std::unique_ptr<RecordIdSet> seen_;  // null: no duplicates to drop
};

}  // namespace ixora::stage
