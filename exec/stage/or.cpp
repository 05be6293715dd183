#include "ixora/stage/or.hpp"

namespace ixora::stage {

OrStage::OrStage(const plan::PlanNode& node, std::vector<StagePtr> inputs)
    : Stage(node), dedup_(node.as<plan::OrNode>().dedup) {
    if (node.filter) filter_.emplace(*node.filter);
    children_ = std::move(inputs);
}

State OrStage::do_work(Member& out) {
    if (is_eof()) return State::eof;
    const State state = children_[current_]->work(out);
    if (state == State::eof) {
        ++current_;
        return is_eof() ? State::eof : State::need_time;
    }
    if (state != State::advanced) return state;
    if (dedup_ && !out.id.is_null()) {
        ++stats_.dups_tested;
        if (!seen_.insert(out.id)) {
            ++stats_.dups_dropped;
            return State::need_time;
        }
    }
    return !filter_ || filter_->matches(out.document) ? State::advanced : State::need_time;
}

}  // namespace ixora::stage
