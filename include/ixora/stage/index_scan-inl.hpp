// Bodies of IndexScanStage.
#pragma once

#include "ixora/stage/index_scan.hpp"

namespace ixora::stage {

template <store::Store S>
IndexScanStage<S>::IndexScanStage(const plan::PlanNode& node, StoreContext<S>& context)
    : Stage(node), params_(node.as<plan::IndexScanNode>()), index_(*params_.index), context_(context) {
    if (node.filter) {
        filter_.emplace(mql::Matcher::for_index_key(*node.filter, index_.key_pattern));
        decoder_ = std::make_unique<KeyDecoder>(index_);
    }
    if (params_.should_dedup) seen_ = std::make_unique<RecordIdSet>();
    plan::KeyRange range;
    if (params_.bounds.is_simple_range)
        range_ = seek_range(params_.bounds.range, index_, params_.direction);
    else if (plan::single_interval(params_.bounds, range))
        range_ = seek_range(range, index_, params_.direction);
    else
        checker_ = std::make_unique<BoundsChecker>(params_.bounds, index_.key_pattern, params_.direction);
}

template <store::Store S>
State IndexScanStage<S>::do_work(Member& out) {
    return unit(out);
}

template <store::Store S>
State IndexScanStage<S>::do_run(Member& out, std::int64_t budget, std::int64_t& done) {
    for (;;) {
        ++done;
        const State state = unit(out);
        if (state != State::need_time || done == budget) return state;
    }
}

template <store::Store S>
inline State IndexScanStage<S>::unit(Member& out) {
    if (phase_ == Phase::end) return State::eof;
    const store::IndexEntry* entry = nullptr;
    if (!read_succeeds([&] { entry = read(); })) return State::need_yield;
    if (entry == nullptr) return finish();
    ++stats_.keys_examined;
    if (checker_) {
        switch (checker_->check(entry->key)) {
            case BoundsChecker::Verdict::valid: break;
            case BoundsChecker::Verdict::done: return finish();
            case BoundsChecker::Verdict::must_advance: phase_ = Phase::seek; return State::need_time;
        }
    }
    phase_ = Phase::next;
    if (params_.should_dedup) {
        ++stats_.dups_tested;
        if (!seen_->insert(entry->id)) {
            ++stats_.dups_dropped;
            return State::need_time;
        }
    }
    if (filter_ && !filter_->matches_key(decoder_->decode(entry->key, entry->type_bits))) return State::need_time;
    out.start_key(entry->id, index_, entry->key, entry->type_bits, context_.snapshot);
    if (params_.add_key_metadata) {
        out.index_key = named_key(out.keys.front());
        out.has_index_key = true;
    }
    return State::advanced;
}

template <store::Store S>
inline const store::IndexEntry* IndexScanStage<S>::read() {
    const store::IndexEntry* entry = nullptr;
    switch (phase_) {
        case Phase::next:
            entry = cursor_->next();
            prefetch(prefetch_distance);
            return entry;
        case Phase::seek: ++stats_.seeks; return cursor_->seek(checker_->seek_point());
        case Phase::start:
            ++stats_.seeks;
            entry = open();
            for (std::size_t steps = 1; steps <= prefetch_distance; ++steps) prefetch(steps);
            return entry;
        case Phase::end: break;
    }
    return nullptr;
}

template <store::Store S>
inline void IndexScanStage<S>::prefetch(std::size_t steps) {
    if constexpr (store::PrefetchingStore<S>) {
        if (prefetches_) context_.store->prefetch_ahead(*context_.unit, context_.records, *cursor_, steps);
    }
}

template <store::Store S>
const store::IndexEntry* IndexScanStage<S>::open() {
    cursor_.emplace(context_.store->index_cursor(
        *context_.unit, index_.table, params_.direction > 0 ? store::Direction::forward : store::Direction::backward));
    if (range_) {
        cursor_->set_end(key::as_bytes(range_->end));
        return cursor_->seek(key::as_bytes(range_->start));
    }
    return checker_->seek_start() ? cursor_->seek(checker_->seek_point()) : nullptr;
}

template <store::Store S>
State IndexScanStage<S>::finish() {
    phase_ = Phase::end;
    cursor_.reset();
    return State::eof;
}

template <store::Store S>
void IndexScanStage<S>::do_save() {
    if (!cursor_) return;
    if (phase_ == Phase::next)
        cursor_->save();
    else
        cursor_->save_unpositioned();
}

template <store::Store S>
void IndexScanStage<S>::do_restore() {
    if (cursor_) cursor_->restore();
}

}  // namespace ixora::stage
