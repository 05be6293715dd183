// Bodies of DistinctScanStage.
#pragma once

#include "ixora/stage/distinct_scan.hpp"

namespace ixora::stage {

template <store::Store S>
DistinctScanStage<S>::DistinctScanStage(const plan::PlanNode& node, StoreContext<S>& context)
    : Stage(node),
      params_(node.as<plan::DistinctScanNode>()),
      index_(*params_.index),
      context_(context),
      checker_(params_.bounds, index_.key_pattern, params_.direction) {
    eof_ = !checker_.seek_start();
}

template <store::Store S>
State DistinctScanStage<S>::do_work(Member& out) {
    if (eof_) return State::eof;
    const store::IndexEntry* entry = nullptr;
    const bool read = read_succeeds([&] {
        if (!cursor_)
            cursor_.emplace(context_.store->index_cursor(
                *context_.unit, index_.table,
                params_.direction > 0 ? store::Direction::forward : store::Direction::backward));
        entry = cursor_->seek(checker_.seek_point());
    });
    if (!read) return State::need_yield;
    if (entry == nullptr) return finish();
    ++stats_.keys_examined;
    switch (checker_.check(entry->key)) {
        case BoundsChecker::Verdict::must_advance: return State::need_time;
        case BoundsChecker::Verdict::done: return finish();
        case BoundsChecker::Verdict::valid: break;
    }
    checker_.seek_behind(entry->key, params_.field + 1);
    out.start_key(entry->id, index_, entry->key, entry->type_bits, context_.snapshot);
    return State::advanced;
}

template <store::Store S>
State DistinctScanStage<S>::finish() {
    eof_ = true;
    cursor_.reset();
    return State::eof;
}

template <store::Store S>
void DistinctScanStage<S>::do_save() {
    if (cursor_) cursor_->save_unpositioned();
}

template <store::Store S>
void DistinctScanStage<S>::do_restore() {
    if (cursor_) cursor_->restore();
}

}  // namespace ixora::stage
