// Bodies of IdHackStage.
#pragma once

#include "ixora/stage/id_hack.hpp"
#include "ixora/stage/index_access.hpp"

namespace ixora::stage {

template <store::Store S>
IdHackStage<S>::IdHackStage(const plan::PlanNode& node, StoreContext<S>& context)
    : Stage(node), params_(node.as<plan::IdHackNode>()), context_(context), fetcher_(context) {}

template <store::Store S>
State IdHackStage<S>::do_work(Member& out) {
    if (done_) return State::eof;
    bool found = false;
    const bool read = read_succeeds([&] {
        if (!look_up(out)) return;
        ++stats_.keys_examined;
        ++stats_.docs_examined;
        found = fetcher_.fetch(out);
    });
    if (!read) return State::need_yield;
    done_ = true;
    if (!found) return State::eof;
    if (params_.add_key_metadata) {
        out.index_key = named_key(out.keys.front());
        out.has_index_key = true;
    }
    return State::advanced;
}

template <store::Store S>
bool IdHackStage<S>::look_up(Member& out) {
    const plan::IndexEntry& index = *params_.index;
    key::KeyBuilder search(key::Ordering::of(index.key_pattern));
    search.append(params_.id, index.collator.get());
    search.append_end();
    auto cursor = context_.store->index_cursor(*context_.unit, index.table, store::Direction::forward);
    const store::IndexEntry* entry = cursor.seek(search.bytes());
    if (entry == nullptr || key::compare(entry->key, search.bytes()) != 0) return false;
    out.start_key(entry->id, index, entry->key, entry->type_bits, context_.snapshot);
    if (params_.add_key_metadata) out.keys.front().make_owned();
    return true;
}

}  // namespace ixora::stage
