// The fetch routine of FETCH, IDHACK and the write stages (spec: execution.md 2.7).
#pragma once

#include <map>
#include <optional>

#include "ixora/key/key_generator.hpp"
#include "ixora/stage/execution_context.hpp"
#include "ixora/stage/member.hpp"

namespace ixora::stage {

// Tells whether documents still have the index keys that led to them. Keeps one key generator per index.
class StaleKeyCheck {
public:
    // True if one of the row's keys was read in another snapshot than `snapshot` and `document` no longer has it.
    bool is_stale(const Member& row, bson::View document, std::uint64_t snapshot);

private:
    std::map<const plan::IndexEntry*, key::KeyGenerator> generators_;
    key::KeySet keys_;
};

template <store::Store S>
class DocumentFetcher {
public:
    explicit DocumentFetcher(StoreContext<S>& context) noexcept : context_(context) {}

    // Makes an id_and_key row an id_and_document row, or reads the document of its id again. False if the record is
    // gone or an index key that was read in an older snapshot no longer belongs to it: the row is to be dropped.
    bool fetch(Member& row) {
        if (!cursor_)
            cursor_.emplace(context_.store->record_cursor(*context_.unit, context_.records, store::Direction::forward));
        const store::Record* record = cursor_->seek_exact(row.id);
        if (record == nullptr) return false;
        if (row.kind == Member::Kind::id_and_key) {
            for (const IndexKey& entry : row.keys)
                if (entry.snapshot != context_.snapshot &&
                    stale_keys_.is_stale(row, record->document, context_.snapshot))
                    return false;
            row.kind = Member::Kind::id_and_document;
        }
        row.document = record->document;
        row.owned = bson::Document();
        row.snapshot = context_.snapshot;
        return true;
    }
    // Before the snapshot goes away: the cursor has no position worth keeping.
    void save() noexcept { cursor_.reset(); }

private:
    StoreContext<S>& context_;
    std::optional<typename S::RecordCursor> cursor_;
    StaleKeyCheck stale_keys_;
};

}  // namespace ixora::stage
