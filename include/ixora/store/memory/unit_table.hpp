// One table as one unit of work sees it: its snapshot plus the unit's own writes (DESIGN.md "Stores").
//
// The unit writes into a private successor of its snapshot's tree, sharing every page it has not touched, so that its
// reads need no merging. It also logs the writes: when another unit has committed to the table meanwhile, the commit
// drops the private tree and applies the log to the newest one. Conflicting writes have been refused by then.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "ixora/store/memory/edit.hpp"
#include "ixora/store/memory/key_tree.hpp"
#include "ixora/store/memory/record_tree.hpp"
#include "ixora/store/memory/shared.hpp"

namespace ixora::store::memory {

class UnitState;
class UnitTable;

// The part of a cursor that its unit knows. Before the unit changes the tree below a cursor it detaches it: the cursor
// then remembers the entry it shows and finds its place again on the next call.
class CursorLink {
public:
    CursorLink(const CursorLink&) = delete;
    CursorLink& operator=(const CursorLink&) = delete;

protected:
    explicit CursorLink(UnitTable& table) noexcept { link(table); }
    CursorLink(CursorLink&& other) noexcept;
    ~CursorLink() { unlink(); }
    UnitTable& table() const noexcept;

private:
    friend class UnitTable;
    virtual void detach() = 0;
    // Gives up what keeps the shown entry alive.
    virtual void release() noexcept = 0;
    void link(UnitTable& table) noexcept;
    void unlink() noexcept;

    UnitTable* table_ = nullptr;
    CursorLink* previous_ = nullptr;
    CursorLink* next_ = nullptr;
};

class UnitTable {
public:
    UnitTable(UnitState& unit, std::shared_ptr<Table> table, PageCache& pages, PageCache& nodes)
        : unit_(unit), table_(std::move(table)), edit_(pages, nodes) {}
    UnitTable(const UnitTable&) = delete;
    UnitTable& operator=(const UnitTable&) = delete;
    ~UnitTable();

    Table& table() const noexcept { return *table_; }
    Edit& edit() noexcept { return edit_; }
    bool resolved() const noexcept { return resolved_; }
    bool changed() const noexcept { return changed_; }
    // Looks at a committed version.
    void resolve(const Table::Version& version) noexcept;
    // The unit parks its snapshot; true from take_up() says that the tree is that of its snapshot still.
    void set_aside() noexcept {
        set_aside_ = set_aside_ || resolved_;
        resolved_ = false;
    }
    bool take_up() noexcept {
        resolved_ = std::exchange(set_aside_, false);
        return resolved_;
    }
    // The tree; opens the unit's snapshot if it has none.
    const TreeRoot& root() {
        if (!resolved_) resolve();
        return root_;
    }

    // Null if there is none. The id's kind must be the table's.
    const std::uint8_t* find(const key::RecordId& id) {
        return table_->kind == TableKind::numeric_records ? find_record(root(), id.number()) : find_by_string(id);
    }
    // Sets or (null) removes a document on the heap, which becomes the tree's.
    void put(const key::RecordId& id, const std::uint8_t* document);
    InsertKeyResult insert_key(key::Bytes key, const key::RecordId& id, key::Bytes type_bits, bool check_unique);
    void remove_key(key::Bytes key, const key::RecordId& id);

    // For the unit: called before its first write to the table, at the end of its work, and when others were faster.
    void start_writing(std::uint64_t stamp);
    void detach_cursors();
    void release_cursors() noexcept;
    // The cursors are good for nothing from now on.
    void unlink_cursors() noexcept;
    std::uint64_t base() const noexcept { return base_; }
    void rebase(const Table::Version& newest);
    void undo();
    void reset() noexcept;

private:
    friend class CursorLink;

    enum class Change : std::uint8_t { insert_entry, remove_entry, put_document };
    struct NumericChange {
        std::int64_t id;
        const std::uint8_t* document;  // null: removed
    };
    // A log record of a key tree: this header, then the encoded entry, or the key and id to remove.
    struct LoggedChange {
        Change change;
        bool string_id;
        std::size_t size;     // of the encoded entry, or of the key
        std::size_t id_size;  // of the id to remove
    };

    void resolve();
    const std::uint8_t* find_by_string(const key::RecordId& id);
    void put_numeric(std::int64_t id, const std::uint8_t* document);
    bool insert_raw(KeyPath& path, const std::uint8_t* raw, std::size_t size);
    void insert_logged(const std::uint8_t* raw, std::size_t size);
    bool remove_probe(const Probe& probe);
    void put_raw(const std::uint8_t* raw, std::size_t size);
    void remove_document(const Probe& probe);
    void log_entry(Change change, const std::uint8_t* raw, std::size_t size);
    void log_removal(const Probe& probe);
    template <class OnEntry, class OnRemoval>
    void replay(OnEntry on_entry, OnRemoval on_removal) const;
    void free_private_tree();

    UnitState& unit_;
    std::shared_ptr<Table> table_;
    TreeRoot root_;
    std::uint64_t base_ = 0;  // commit of the version that root_ started from
    bool resolved_ = false;
    bool set_aside_ = false;
    bool changed_ = false;
    Edit edit_;
    std::vector<NumericChange> numeric_log_;
    std::vector<std::uint8_t> log_;
    CursorLink* cursors_ = nullptr;
};

}  // namespace ixora::store::memory
