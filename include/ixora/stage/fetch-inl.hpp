// Bodies of FetchStage.
#pragma once

#include "ixora/stage/fetch.hpp"

namespace ixora::stage {

template <store::Store S>
FetchStage<S>::FetchStage(const plan::PlanNode& node, StagePtr input, StoreContext<S>& context)
    : Stage(node), fetcher_(context) {
    if (node.filter) filter_.emplace(*node.filter);
    add_child(std::move(input));
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
