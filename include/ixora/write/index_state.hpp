// One index of a collection as writers and planners share it: its immutable description, and the multikey state that
// only ever grows (spec: keystring.md section 2, planner.md 2.1).
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "ixora/key/key_generator.hpp"
#include "ixora/mql/matcher.hpp"
#include "ixora/plan/index_entry.hpp"
#include "ixora/store/store.hpp"

namespace ixora::write {

class IndexState {
public:
    // `spec` is the normalised specification as listIndexes prints it. Throws what parsing its parts throws.
    IndexState(bson::Document spec, store::TableId table);
    // The same index under changed metadata (hidden, expireAfterSeconds): shares table, multikey state and the end of
    // its life with `other`.
    IndexState(bson::Document spec, const IndexState& other);

    const std::string& name() const noexcept { return name_; }
    const bson::Document& spec() const noexcept { return spec_; }
    bson::View key_pattern() const noexcept { return key_pattern_; }
    store::TableId table() const noexcept { return table_; }
    bool unique() const noexcept { return unique_; }
    bool hidden() const noexcept { return hidden_; }
    bool is_id_index() const noexcept { return is_id_index_; }
    const bson::CollatorPtr& collator() const noexcept { return collator_; }
    const key::KeyGenerator& keys() const noexcept { return keys_; }
    // Whether the document belongs into the index (partial filters).
    bool covers(bson::View document) const { return !filter_matcher_ || filter_matcher_->matches(document); }

    // The planner's view with the multikey state of now. Thread-safe; a copy of a pointer.
    plan::IndexEntryPtr entry() const;
    // Grows with every change of the entry, right after it.
    std::uint64_t entry_version() const noexcept { return live_->version.load(std::memory_order_acquire); }
    // Adds what the keys of one document showed; called before the write becomes visible.
    void note_keys(const key::MultikeyPaths& paths, const key::KeySet& keys);

    // Set when the index is dropped: its cursors die at their next yield.
    void mark_dropped() noexcept { live_->dropped.store(true); }
    bool dropped() const noexcept { return live_->dropped.load(); }

    // Operations of users whose plan reads the index, since the index was made.
    void note_access() noexcept { live_->accesses.fetch_add(1, std::memory_order_relaxed); }
    std::int64_t accesses() const noexcept { return live_->accesses.load(std::memory_order_relaxed); }
    std::int64_t created_millis() const noexcept { return live_->created_millis; }

private:
    void note_arrays(const std::vector<std::string>& paths);

    // What changes while the index lives; every version of its metadata sees it.
    struct Live {
        std::atomic<bool> dropped{false};
        std::atomic<std::uint64_t> version{0};
        std::atomic<std::int64_t> accesses{0};
        const std::int64_t created_millis = std::chrono::duration_cast<std::chrono::milliseconds>(
                                                std::chrono::system_clock::now().time_since_epoch())
                                                .count();
        std::mutex entry_mutex;
        plan::IndexEntryPtr entry;
    };

    bson::Document spec_;
    std::string name_;
    bson::Document key_pattern_;
    store::TableId table_;
    bool unique_ = false;
    bool hidden_ = false;
    bool is_id_index_ = false;
    bson::CollatorPtr collator_;
    key::KeyGenerator keys_;
    std::optional<mql::Matcher> filter_matcher_;
    std::shared_ptr<Live> live_ = std::make_shared<Live>();
};

using IndexStatePtr = std::shared_ptr<IndexState>;

}  // namespace ixora::write
