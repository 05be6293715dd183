#include "ixora/stage/sort_merge.hpp"

#include <algorithm>
#include <numeric>

namespace ixora::stage {

SortMergeStage::SortMergeStage(const plan::PlanNode& node, std::vector<StagePtr> inputs, bson::CollatorPtr collator)
    : Stage(node),
      dedup_(node.as<plan::SortMergeNode>().dedup),
      keys_(node.as<plan::SortMergeNode>().pattern, std::move(collator)),
      pending_(inputs.size()),
      to_read_(inputs.size()) {
    std::iota(to_read_.begin(), to_read_.end(), std::size_t{0});
    children_ = std::move(inputs);
}

State SortMergeStage::do_work(Member& out) {
    if (!to_read_.empty()) return read_next();
    if (heap_.empty()) return State::eof;
    std::pop_heap(heap_.begin(), heap_.end(),
                  [this](std::size_t left, std::size_t right) { return comes_later(left, right); });
    const std::size_t smallest = heap_.back();
    heap_.pop_back();
    to_read_.push_back(smallest);
    std::swap(out, pending_[smallest].row);
    return State::advanced;
}

State SortMergeStage::read_next() {
    const std::size_t reading = to_read_.front();
    Pending& pending = pending_[reading];
    const State state = children_[reading]->work(pending.row);
    if (state == State::eof) {
        to_read_.pop_front();
        return State::need_time;
    }
    if (state != State::advanced) return state;
    if (dedup_ && !pending.row.id.is_null()) {
        ++stats_.dups_tested;
        if (!seen_.insert(pending.row.id)) {
            ++stats_.dups_dropped;
            return State::need_time;
        }
    }
    to_read_.pop_front();
    pending.key.clear();
    keys_.append_plain_key(pending.row, pending.key);
    heap_.push_back(reading);
    std::push_heap(heap_.begin(), heap_.end(),
                   [this](std::size_t left, std::size_t right) { return comes_later(left, right); });
    return State::need_time;
}

bool SortMergeStage::comes_later(std::size_t left, std::size_t right) const noexcept {
    return key::compare(key::as_bytes(pending_[left].key), key::as_bytes(pending_[right].key)) > 0;
}

// A child is not worked while its row waits, so the row's views hold until the snapshot goes.
void SortMergeStage::do_save() {
    for (const std::size_t waiting : heap_) pending_[waiting].row.make_owned();
}

}  // namespace ixora::stage
