// Bodies of CollectionScanStage.
#pragma once

#include "ixora/stage/collection_scan.hpp"

namespace ixora::stage {

template <store::Store S>
CollectionScanStage<S>::CollectionScanStage(const plan::PlanNode& node, StoreContext<S>& context)
    : Stage(node), params_(node.as<plan::CollectionScanNode>()), context_(context) {
    if (node.filter) filter_.emplace(*node.filter);
    const auto& start = params_.direction > 0 ? params_.min_record : params_.max_record;
    const auto& end = params_.direction > 0 ? params_.max_record : params_.min_record;
    if (start) start_ = start->id;
    if (end) end_ = end->id;
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
    if (!read_succeeds([&] { record = is_positioned_ ? cursor_->next() : read_first(); })) return State::need_yield;
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
const store::Record* CollectionScanStage<S>::read_first() {
    if (start_ && !looked_before_start_) {
        neighbour_.emplace(open_cursor(-params_.direction));
        const store::Record* record = neighbour_->seek(*start_, true);
        looked_before_start_ = true;
        if (record != nullptr && record->id != *start_) return record;
    }
    neighbour_.reset();
    cursor_.emplace(open_cursor(params_.direction));
    const store::Record* record = start_ ? cursor_->seek(*start_, true) : cursor_->next();
    is_positioned_ = true;
    return record;
}

template <store::Store S>
typename S::RecordCursor CollectionScanStage<S>::open_cursor(int direction) {
    return context_.store->record_cursor(*context_.unit, context_.records,
                                         direction > 0 ? store::Direction::forward : store::Direction::backward);
}

template <store::Store S>
bool CollectionScanStage<S>::is_past_end(const key::RecordId& id) const {
    if (params_.direction < 0) return id < *end_;
    return params_.max_inclusive ? id > *end_ : id >= *end_;
}

template <store::Store S>
bool CollectionScanStage<S>::is_before_start(const key::RecordId& id) const {
    if (params_.direction > 0) return id < *start_;
    return params_.max_inclusive ? id > *start_ : id >= *start_;
}

template <store::Store S>
void CollectionScanStage<S>::do_save() {
    neighbour_.reset();
    if (is_positioned_) cursor_->save();
}

template <store::Store S>
void CollectionScanStage<S>::do_restore() {
    if (is_positioned_) cursor_->restore();
}

}  // namespace ixora::stage
