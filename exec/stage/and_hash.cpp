#include "ixora/stage/and_hash.hpp"

#include <string_view>

#include "ixora/base/error.hpp"
#include "ixora/stage/row_merge.hpp"

namespace ixora::stage {

namespace {

constexpr int look_ahead_works = 10;

// An estimate: what a row costs apart from bookkeeping (2.6).
std::int64_t memory_of(const Member& row) {
    std::size_t size = sizeof(std::int64_t) + row.id.bytes().size();
    if (row.has_document()) return static_cast<std::int64_t>(size + row.document.size());
    for (const IndexKey& entry : row.keys)
        size += key::decode(entry.key, key::Ordering::of(entry.index->key_pattern), entry.type_bits).size();
    return static_cast<std::int64_t>(size);
}

}  // namespace

std::size_t RecordIdHash::operator()(const key::RecordId& id) const noexcept {
    if (id.is_number()) return std::hash<std::int64_t>{}(id.number());
    return std::hash<std::string_view>{}({reinterpret_cast<const char*>(id.bytes().data()), id.bytes().size()});
}

AndHashStage::AndHashStage(const plan::PlanNode& node, std::vector<StagePtr> inputs)
    : Stage(node), look_ahead_rows_(inputs.size()), has_look_ahead_(inputs.size(), false) {
    children_ = std::move(inputs);
}

bool AndHashStage::is_eof() const {
    if (!looked_ahead_ || hashing_) return false;
    if (table_.empty()) return true;
    return !has_look_ahead_.back() && children_.back()->is_eof();
}

State AndHashStage::do_work(Member& out) {
    if (is_eof()) return State::eof;
    if (!looked_ahead_) return look_ahead();
    if (hashing_) {
        if (stats_.memory_used > memory_limit)
            throw Error(ErrorCode::query_exceeded_memory_limit_no_disk_use_allowed,
                        "hashed AND stage buffered data usage of " + std::to_string(stats_.memory_used) +
                            " bytes exceeds internal limit of " + std::to_string(memory_limit) + " bytes");
        if (current_ == 0) return hash_first(out);
        if (current_ + 1 < children_.size()) return hash_other(out);
        hashing_ = false;
    }
    return probe(out);
}

// A few units of every child: one that has nothing at all ends the stage before anything is hashed.
State AndHashStage::look_ahead() {
    looked_ahead_ = true;
    for (std::size_t i = 0; i < children_.size(); ++i) {
        for (int works = 0; works < look_ahead_works; ++works) {
            const State state = children_[i]->work(look_ahead_rows_[i]);
            if (state == State::eof) return nothing_left();
            if (state != State::advanced) continue;
            look_ahead_rows_[i].make_owned();
            has_look_ahead_[i] = true;
            break;
        }
    }
    return State::need_time;
}

State AndHashStage::read(std::size_t child_number, Member& out) {
    if (!has_look_ahead_[child_number]) return children_[child_number]->work(out);
    has_look_ahead_[child_number] = false;
    out = std::move(look_ahead_rows_[child_number]);
    return State::advanced;
}

State AndHashStage::hash_first(Member& out) {
    const State state = read(0, out);
    if (state == State::eof) return next_child();
    if (state != State::advanced) return state;
    const auto [place, is_new] = table_.try_emplace(out.id);
    if (!is_new) return State::need_time;
    out.make_owned();
    stats_.memory_used += memory_of(out);
    place->second.row = std::move(out);
    return State::need_time;
}

State AndHashStage::hash_other(Member& out) {
    const State state = read(current_, out);
    if (state == State::eof) {
        for (auto entry = table_.begin(); entry != table_.end();) {
            if (entry->second.seen) {
                entry->second.seen = false;
                ++entry;
            } else {
                stats_.memory_used -= memory_of(entry->second.row);
                table_.erase(entry++);
            }
        }
        return next_child();
    }
    if (state != State::advanced) return state;
    const auto found = table_.find(out.id);
    if (found == table_.end()) return State::need_time;
    Entry& entry = found->second;
    entry.seen = true;
    stats_.memory_used -= memory_of(entry.row);
    out.make_owned();
    merge_row(entry.row, out);
    stats_.memory_used += memory_of(entry.row);
    return State::need_time;
}

// The child that was being hashed has ended.
State AndHashStage::next_child() {
    ++current_;
    if (table_.empty()) return nothing_left();
    stats_.map_after_child.push_back(static_cast<std::int64_t>(table_.size()));
    return State::need_time;
}

State AndHashStage::probe(Member& out) {
    const State state = read(children_.size() - 1, out);
    if (state != State::advanced) return state;
    const auto found = table_.find(out.id);
    if (found == table_.end()) return State::need_time;
    Member row = std::move(found->second.row);
    table_.erase(found);
    merge_row(row, out);
    out = std::move(row);
    return State::advanced;
}

State AndHashStage::nothing_left() {
    hashing_ = false;
    table_.clear();
    return State::eof;
}

}  // namespace ixora::stage
