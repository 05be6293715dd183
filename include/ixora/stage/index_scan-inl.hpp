// Bodies of IndexScanStage.
#pragma once

#include "ixora/stage/index_scan.hpp"

namespace ixora::stage {

template <store::Store S>
IndexScanStage<S>::IndexScanStage(const plan::PlanNode& node, StoreContext<S>& context)
    : Stage(node),
      params_(node.as<plan::IndexScanNode>()),
      index_(*params_.index),
      context_(context),
      range_(index_, params_.direction) {
    if (node.filter) decoder_ = std::make_unique<KeyDecoder>(index_);
    do_begin();
}

template <store::Store S>
void IndexScanStage<S>::do_begin() {
    phase_ = Phase::start;
    if (node().filter) filter_.emplace(mql::Matcher::for_index_key(*node().filter, index_.key_pattern));
    if (params_.should_dedup) seen_ = std::make_unique<RecordIdSet>();
    checker_.reset();
    if (!range_.assign(params_.bounds))
        checker_ = std::make_unique<BoundsChecker>(params_.bounds, index_.key_pattern, params_.direction);
}

template <store::Store S>
bool IndexScanStage<S>::do_rest() {
    cursor_.reset();
    seen_.reset();
    return true;
}

template <store::Store S>
State IndexScanStage<S>::do_work(Member& out) {
    const store::IndexEntry* entry = nullptr;
    const State state = unit(entry);
    return finish_row(state, entry, out);
}

template <store::Store S>
State IndexScanStage<S>::do_run(Member& out, std::int64_t budget, std::int64_t& done) {
    for (;;) {
        ++done;
        const store::IndexEntry* entry = nullptr;
        const State state = unit(entry);
        if (state != State::need_time || done == budget) return finish_row(state, entry, out);
    }
}

template <store::Store S>
inline State IndexScanStage<S>::run_entries(const store::IndexEntry*& entry, std::int64_t budget,
                                                                   std::int64_t& done) {
    return this->count_run(done, [&](std::int64_t& units) {
        for (;;) {
            ++units;
            const State state = unit(entry);
            if (state != State::need_time || units == budget) return state;
        }
    });
}

template <store::Store S>
inline State IndexScanStage<S>::finish_row(State state, const store::IndexEntry* entry, Member& out) {
    if (state != State::advanced) return state;
    start_row(*entry, out);
    if (params_.add_key_metadata) {
        out.index_key = named_key(out.keys.front());
        out.has_index_key = true;
    }
    return state;
}

template <store::Store S>
inline State IndexScanStage<S>::unit(const store::IndexEntry*& entry) {
    if (phase_ == Phase::end) return State::eof;
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
    return State::advanced;
}

template <store::Store S>
inline const store::IndexEntry* IndexScanStage<S>::read() {
    if (phase_ == Phase::next) {
        const store::IndexEntry* entry = cursor_->next();
        prefetch(prefetch_distance);
        return entry;
    }
    switch (phase_) {
        case Phase::seek: ++stats_.seeks; return cursor_->seek(checker_->seek_point());
        case Phase::start: return open();
        case Phase::next:
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
[[gnu::noinline]] const store::IndexEntry* IndexScanStage<S>::open() {
    ++stats_.seeks;
    cursor_.emplace(context_.store->index_cursor(
        *context_.unit, index_.table, params_.direction > 0 ? store::Direction::forward : store::Direction::backward));
    const store::IndexEntry* entry = nullptr;
    if (!checker_) {
        cursor_->set_end(range_.end());
        entry = cursor_->seek(range_.start());
    } else if (checker_->seek_start()) {
        entry = cursor_->seek(checker_->seek_point());
    }
    for (std::size_t steps = 1; steps <= prefetch_distance; ++steps) prefetch(steps);
    return entry;
}

template <store::Store S>
[[gnu::noinline]] State IndexScanStage<S>::finish() {
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
