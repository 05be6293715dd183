// COLLSCAN, printed CLUSTERED_IXSCAN where it has bounds: every record in id order (spec: execution.md 4.2 with 19.1:
// the first unit reads a record already).
#pragma once

#include <optional>

#include "ixora/mql/matcher.hpp"
#include "ixora/stage/execution_context.hpp"
#include "ixora/stage/stage.hpp"

namespace ixora::stage {

// Rows are views of the store's records. Bounds of a clustered collection are record ids. The record behind the last
// one is read and counted, and ends the scan; if no record has the id of the start, the one in front of it is, too
// (20.4).
template <store::Store S>
class CollectionScanStage final : public Stage {
public:
    CollectionScanStage(const plan::PlanNode& node, StoreContext<S>& context);

    bool is_eof() const override { return eof_; }

protected:
    State do_work(Member& out) override;
    State do_run(Member& out, std::int64_t budget, std::int64_t& done) override;
    void do_save() override;
    void do_restore() override;

private:
    State unit(Member& out);
    const store::Record* read_first();
    typename S::RecordCursor open_cursor(int direction);
    bool is_past_end(const key::RecordId& id) const;
    bool is_before_start(const key::RecordId& id) const;

    const plan::CollectionScanNode& params_;
    StoreContext<S>& context_;
    std::optional<mql::Matcher> filter_;
    std::optional<key::RecordId> start_;  // in scan direction
    std::optional<key::RecordId> end_;

    std::optional<typename S::RecordCursor> cursor_;
    std::optional<typename S::RecordCursor> neighbour_;  // in front of the start
    bool looked_before_start_ = false;
    bool is_positioned_ = false;  // cursor_ is at the record that was read last
    bool eof_ = false;
};

}  // namespace ixora::stage
