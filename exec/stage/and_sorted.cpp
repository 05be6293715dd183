#include "ixora/stage/and_sorted.hpp"

#include "ixora/stage/row_merge.hpp"

namespace ixora::stage {

AndSortedStage::AndSortedStage(const plan::PlanNode& node, std::vector<StagePtr> inputs) : Stage(node) {
    children_ = std::move(inputs);
}

State AndSortedStage::do_work(Member& out) {
    if (eof_) return State::eof;
    if (stats_.failed_and.empty()) stats_.failed_and.resize(children_.size(), 0);
    return has_target_ ? follow(out) : first_target();
}

State AndSortedStage::first_target() {
    Member row;
    const State state = child().work(row);
    if (state == State::eof) eof_ = true;
    if (state != State::advanced) return state;
    set_target(row, 0);
    return State::need_time;
}

State AndSortedStage::follow(Member& out) {
    const std::size_t asked = to_ask_.front();
    const State state = children_[asked]->work(out);
    if (state == State::eof) {
        eof_ = true;
        has_target_ = false;
    }
    if (state != State::advanced) return state;
    if (out.id < target_.id) return State::need_time;
    if (out.id > target_.id) {
        ++stats_.failed_and[target_owner_];
        set_target(out, asked);
        return State::need_time;
    }
    to_ask_.pop_front();
    merge_row(target_, out);
    if (!to_ask_.empty()) {
        target_.make_owned();  // its new parts point at the asked child's cursor
        return State::need_time;
    }
    has_target_ = false;
    out = std::move(target_);
    return State::advanced;
}

void AndSortedStage::set_target(Member& row, std::size_t owner) {
    row.make_owned();
    target_ = std::move(row);
    target_owner_ = owner;
    has_target_ = true;
    to_ask_.clear();
    for (std::size_t i = 0; i < children_.size(); ++i)
        if (i != owner) to_ask_.push_back(i);
}

}  // namespace ixora::stage
