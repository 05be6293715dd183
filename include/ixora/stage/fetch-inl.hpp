// Bodies of FetchStage.
#pragma once

#include "ixora/stage/fetch.hpp"
#include "ixora/stage/index_scan-inl.hpp"

namespace ixora::stage {

template <store::Store S>
FetchStage<S>::FetchStage(const plan::PlanNode& node, StagePtr input, StoreContext<S>& context, IndexScanStage<S>* scan)
    : Stage(node), context_(context), scan_(scan), fetcher_(context) {
    if (scan_ != nullptr) scan_->prefetch_documents();
    add_child(std::move(input));
    do_begin();
}

template <store::Store S>
void FetchStage<S>::do_begin() {
    if (node().filter) filter_.emplace(*node().filter);
}

template <store::Store S>
bool FetchStage<S>::do_rest() {
    retry_.reset();
    fetcher_.save();
    return true;
}

template <store::Store S>
State FetchStage<S>::do_work(Member& out) {
    if (is_eof()) return State::eof;  // the child isn't touched
    if (retry_) {
        out = std::move(*retry_);
        retry_.reset();
        return examine(out);
    }
    const State state = child().work(out);
    return state == State::advanced ? examine(out) : state;
}

template <store::Store S>
State FetchStage<S>::do_run(Member& out, std::int64_t budget, std::int64_t& done) {
    if (scan_ != nullptr && !retry_ && !scan_->is_eof() && scan_->shows_entries())
        return run_over_scan(out, budget, done);
    if (retry_ || child().is_eof()) {
        ++done;
        return do_work(out);
    }
    for (;;) {
        State state = child().work_run(out, budget - done, done);
        if (state == State::advanced) state = examine(out);
        if (state != State::need_time || done == budget || child().is_eof()) return state;
    }
}

template <store::Store S>
[[gnu::flatten]] State FetchStage<S>::run_over_scan(Member& out, std::int64_t budget, std::int64_t& done) {
    for (;;) {
        const store::IndexEntry* entry = nullptr;
        State state = scan_->run_entries(entry, budget - done, done);
        if (state == State::advanced) state = fetch_entry(*entry, out);
        if (state != State::need_time || done == budget || scan_->is_eof()) return state;
    }
}

// The entry was read in the snapshot that is still open, so its key is the document's.
template <store::Store S>
inline State FetchStage<S>::fetch_entry(const store::IndexEntry& entry, Member& out) {
    std::optional<bson::View> document;
    if (!read_succeeds([&] { document = context_.store->find(*context_.unit, context_.records, entry.id); })) {
        scan_->start_row(entry, out);
        out.make_owned();
        retry_.emplace(std::move(out));
        return State::need_yield;
    }
    if (!document) return State::need_time;
    ++stats_.docs_examined;
    if (filter_ && !filter_->matches(*document)) return State::need_time;
    out.start_document(entry.id, *document, context_.snapshot);
    return State::advanced;
}

template <store::Store S>
inline State FetchStage<S>::examine(Member& row) {
    if (row.has_document()) {
        ++stats_.already_has_object;
    } else {
        bool found = false;
        if (!read_succeeds([&] { found = fetcher_.fetch(row); })) {
            row.make_owned();
            retry_.emplace(std::move(row));
            return State::need_yield;
        }
        if (!found) return State::need_time;
    }
    ++stats_.docs_examined;
    return !filter_ || filter_->matches(row.document) ? State::advanced : State::need_time;
}

}  // namespace ixora::stage
