// IXSCAN: the keys of an index that lie in the bounds, in scan direction (spec: execution.md 4.3).
#pragma once

#include <memory>
#include <optional>

#include "ixora/mql/matcher.hpp"
#include "ixora/stage/bounds_checker.hpp"
#include "ixora/stage/execution_context.hpp"
#include "ixora/stage/index_access.hpp"
#include "ixora/stage/record_id_set.hpp"
#include "ixora/stage/stage.hpp"

namespace ixora::stage {

// Bounds that are one contiguous range become an end position of the cursor and need no check per key; all others go
// through a BoundsChecker, which costs a unit and a seek per gap.
template <store::Store S>
class IndexScanStage final : public Stage {
public:
    IndexScanStage(const plan::PlanNode& node, StoreContext<S>& context);

    bool is_eof() const override { return phase_ == Phase::end; }
    // For a parent that fetches the documents: they are on their way when it asks for them.
    void prefetch_documents() noexcept { prefetches_ = true; }
    // Whether such a parent may take entries as the cursor shows them, by run_entries().
    bool shows_entries() const noexcept { return !params_.add_key_metadata && !is_timed(); }
    // As work_run(), without a row: where it answers advanced, `entry` is valid until the next call.
    State run_entries(const store::IndexEntry*& entry, std::int64_t budget, std::int64_t& done);
    void start_row(const store::IndexEntry& entry, Member& out) const {
        out.start_key(entry.id, index_, entry.key, entry.type_bits, context_.snapshot);
    }

protected:
    State do_work(Member& out) override;
    State do_run(Member& out, std::int64_t budget, std::int64_t& done) override;
    void do_save() override;
    void do_restore() override;
    bool do_rest() override;
    void do_begin() override;

private:
    enum class Phase : std::uint8_t { start, next, seek, end };

    State unit(const store::IndexEntry*& entry);
    State finish_row(State state, const store::IndexEntry* entry, Member& out);
    const store::IndexEntry* read();
    const store::IndexEntry* open();
    void prefetch(std::size_t steps);
    State finish();

    const plan::IndexScanNode& params_;
    const plan::IndexEntry& index_;
    StoreContext<S>& context_;
    std::optional<mql::Matcher> filter_;
    std::unique_ptr<KeyDecoder> decoder_;  // for the filter
    SeekRange range_;
    std::unique_ptr<BoundsChecker> checker_;  // null: the range is all there is to know

    static constexpr std::size_t prefetch_distance = 6;
    bool prefetches_ = false;
    Phase phase_ = Phase::start;
    std::optional<typename S::IndexCursor> cursor_;
    std::unique_ptr<RecordIdSet> seen_;  // where duplicates are to be dropped
};

}  // namespace ixora::stage
