// Bodies of CollectionScanStage.
#pragma once

#include "ixora/stage/collection_scan.hpp"

namespace ixora::stage {

template <store::Store S>
CollectionScanStage<S>::CollectionScanStage(const plan::PlanNode& node, StoreContext<S>& context)
    : Stage(node), params_(node.as<plan::CollectionScanNode>()), context_(context) {
    if (node.filter) filter_.emplace(*node.filter);
    start_ = params_.direction > 0 ? params_.min_record : params_.max_record;
    end_ = params_.direction > 0 ? params_.max_record : params_.min_record;
}

template <store::Store S>
State CollectionScanStage<S>::do_work(Member& out) {
    return unit(out);
}

template <store::Store S>
State CollectionScanStage<S>::do_run(Member& out, std::int64_t budget, std::int64_t& done) {
    for (;;) {
        ++done;
        const State state = unit(out);
        if (state != State::need_time || done == budget) return state;
    }
}

template <store::Store S>
inline State CollectionScanStage<S>::unit(Member& out) {
    if (eof_) return State::eof;
    const store::Record* record = nullptr;
    if (!read_succeeds([&] { record = read(); })) return State::need_yield;
    if (record == nullptr) {
        eof_ = true;
        return State::eof;
    }
    ++stats_.docs_examined;
    if (end_ && is_past_end(record->id)) {
        eof_ = true;
        return State::eof;
    }
    if (start_ && is_before_start(record->id)) return State::need_time;
    if (filter_ && !filter_->matches(record->document)) return State::need_time;
    out.start_document(record->id, record->document, context_.snapshot);
    return State::advanced;
}

template <store::Store S>
inline const store::Record* CollectionScanStage<S>::read() {
    if (cursor_) return cursor_->next();
    cursor_.emplace(
        context_.store->record_cursor(*context_.unit, context_.records,
                                      params_.direction > 0 ? store::Direction::forward : store::Direction::backward));
    return start_ ? cursor_->seek(*start_, true) : cursor_->next();
}

template <store::Store S>
bool CollectionScanStage<S>::is_past_end(const key::RecordId& id) const {
    return params_.direction > 0 ? id > *end_ : id < *end_;
}

template <store::Store S>
bool CollectionScanStage<S>::is_before_start(const key::RecordId& id) const {
    return params_.direction > 0 ? id < *start_ : id > *start_;
}

template <store::Store S>
void CollectionScanStage<S>::do_save() {
    if (cursor_) cursor_->save();
}

template <store::Store S>
void CollectionScanStage<S>::do_restore() {
    if (cursor_) cursor_->restore();
}

}  // namespace ixora::stage
