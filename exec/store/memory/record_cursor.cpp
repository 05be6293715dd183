#include <limits>

#include "ixora/base/invariant.hpp"
#include "ixora/store/memory/cursors.hpp"

namespace ixora::store::memory {

const Record* MemoryRecordCursor::at_end() noexcept {
    state_ = State::end;
    leaf_ = nullptr;
    path_valid_ = false;
    return nullptr;
}

const Record* MemoryRecordCursor::step_over() {
    if (state_ == State::end) return nullptr;
    return table().table().kind == TableKind::numeric_records ? step_numeric() : step_string();
}

const Record* MemoryRecordCursor::step_numeric() {
    constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
    const TreeRoot& root = table().root();
    RecordLeaf found;
    bool exists = false;
    if (forward()) {
        const std::int64_t from = state_ == State::start ? 0 : record_.id.number();
        exists = from != largest && first_record(root, state_ == State::start ? 0 : from + 1, found);
    } else {
        exists = last_record(root, state_ == State::start ? largest : record_.id.number() - 1, found);
    }
    if (!exists) return at_end();
    leaf_ = found.node;
    base_ = found.base;
    slot_ = found.slot;
    state_ = State::at_record;
    return show(leaf_->slots[slot_]);
}

const Record* MemoryRecordCursor::step_string() {
    const TreeRoot& root = table().root();
    if (path_ == nullptr) path_ = std::make_unique<KeyPath>();
    bool exists = false;
    if (state_ == State::start) {
        exists = forward() ? path_->seek_first(root) : path_->seek_last(root);
    } else if (path_valid_) {
        KeyPath::Level& leaf = path_->leaf();
        leaf.slot += step_;
        exists = leaf.slot < leaf.page->count || (forward() ? path_->next_leaf() : path_->previous_leaf());
    } else {
        Probe probe{record_.id.bytes()};
        probe.same_entry = forward() ? -1 : 0;
        exists = forward() ? path_->seek_forward(root, probe) : path_->seek_backward(root, probe);
    }
    return exists ? show_path() : at_end();
}

const Record* MemoryRecordCursor::show_path() {
    const EntryView entry = path_->entry();
    record_.id = key::RecordId(std::span<const std::uint8_t>(entry.key, entry.key_size));
    record_.document = bson::View(document_of(entry));
    state_ = State::at_record;
    path_valid_ = true;
    return &record_;
}

const Record* MemoryRecordCursor::seek_exact(const key::RecordId& id) {
    const std::uint8_t* document = table().find(id);
    if (document == nullptr) return at_end();
    detach();
    state_ = State::at_record;
    record_.id = id;
    record_.document = bson::View(document);
    return &record_;
}

const Record* MemoryRecordCursor::seek(const key::RecordId& id, bool inclusive) {
    if (inclusive && table().find(id) != nullptr) return seek_exact(id);
    detach();
    state_ = State::at_record;
    record_.id = id;
    return step_over();
}

}  // namespace ixora::store::memory
