// Bodies of CountScanStage.
#pragma once

#include "ixora/stage/count_scan.hpp"

namespace ixora::stage {

template <store::Store S>
CountScanStage<S>::CountScanStage(const plan::PlanNode& node, StoreContext<S>& context)
    : Stage(node),
      index_(*node.as<plan::CountScanNode>().index),
      context_(context),
      range_(index_, 1),
      seen_(index_.multikey ? std::make_unique<RecordIdSet>() : nullptr) {
    range_.assign(node.as<plan::CountScanNode>().range);
}

template <store::Store S>
State CountScanStage<S>::do_work(Member& out) {
    if (eof_) return State::eof;
    const store::IndexEntry* entry = nullptr;
    if (!read_succeeds([&] { entry = read(); })) {
        if (!positioned_) cursor_.reset();
        return State::need_yield;
    }
    ++stats_.keys_examined;  // also when nothing came back
    if (entry == nullptr) {
        eof_ = true;
        cursor_.reset();
        return State::eof;
    }
    if (seen_ != nullptr && !seen_->insert(entry->id)) return State::need_time;
    out.start_document(entry->id, {}, context_.snapshot);
    return State::advanced;
}

template <store::Store S>
std::int64_t CountScanStage<S>::run_advanced(std::int64_t units) {
    if constexpr (store::SkippingCursor<typename S::IndexCursor>) {
        if (seen_ != nullptr || eof_ || !positioned_) return 0;
        std::size_t skipped = 0;
        if (!read_succeeds([&] { skipped = cursor_->skip(static_cast<std::size_t>(units)); })) return 0;
        const auto done = static_cast<std::int64_t>(skipped);
        stats_.works += done;
        stats_.advanced += done;
        stats_.keys_examined += done;
        return done;
    } else {
        return Stage::run_advanced(units);
    }
}

template <store::Store S>
const store::IndexEntry* CountScanStage<S>::read() {
    if (positioned_) return cursor_->next();
    cursor_.emplace(context_.store->index_cursor(*context_.unit, index_.table, store::Direction::forward));
    cursor_->set_end(range_.end());
    const store::IndexEntry* entry = cursor_->seek(range_.start());
    positioned_ = true;
    return entry;
}

template <store::Store S>
void CountScanStage<S>::do_save() {
    if (cursor_) cursor_->save();
}

template <store::Store S>
void CountScanStage<S>::do_restore() {
    if (cursor_) cursor_->restore();
}

}  // namespace ixora::stage
