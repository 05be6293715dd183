#include "ixora/store/memory/unit_table.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "ixora/base/invariant.hpp"
#include "ixora/store/memory/unit_state.hpp"

namespace ixora::store::memory {

namespace {

std::int64_t payload(const EntryView& entry) noexcept {
    return static_cast<std::int64_t>(entry.key_size + entry.id_size + entry.type_bits_size);
}

std::int64_t document_size(const std::uint8_t* document) noexcept {
    return document == nullptr ? 0 : static_cast<std::int64_t>(bson::View(document).size());
}

bool same_key(const EntryView& entry, key::Bytes key) noexcept {
    return entry.key_size == key.size() && std::memcmp(entry.key, key.data(), key.size()) == 0;
}

// The entry of a string-id record table: the id as key, the pointer to the document as type bits.
EntryView document_entry(key::Bytes id, const std::uint8_t* const& document) noexcept {
    EntryView entry;
    entry.key = id.data();
    entry.key_size = id.size();
    entry.type_bits = reinterpret_cast<const std::uint8_t*>(&document);
    entry.type_bits_size = sizeof(document);
    return entry;
}

}  // namespace

CursorLink::CursorLink(CursorLink&& other) noexcept {
    UnitTable* table = other.table_;
    other.unlink();
    if (table != nullptr) link(*table);
}

UnitTable& CursorLink::table() const noexcept {
    IXORA_INVARIANT(table_ != nullptr);  // the unit has ended
    return *table_;
}

void CursorLink::link(UnitTable& table) noexcept {
    table_ = &table;
    next_ = table.cursors_;
    if (next_ != nullptr) next_->previous_ = this;
    table.cursors_ = this;
}

void CursorLink::unlink() noexcept {
    if (table_ == nullptr) return;
    (previous_ == nullptr ? table_->cursors_ : previous_->next_) = next_;
    if (next_ != nullptr) next_->previous_ = previous_;
    table_ = nullptr;
    previous_ = next_ = nullptr;
}

UnitTable::~UnitTable() { unlink_cursors(); }

void UnitTable::unlink_cursors() noexcept {
    while (cursors_ != nullptr) cursors_->unlink();
}

void UnitTable::resolve(const Table::Version& version) noexcept {
    root_ = version.root;
    base_ = version.commit;
    resolved_ = true;
}

void UnitTable::resolve() { unit_.resolve(*this); }

const std::uint8_t* UnitTable::find_by_string(const key::RecordId& id) {
    KeyPath path;
    const Probe probe{id.bytes()};
    if (!path.seek_forward(root(), probe)) return nullptr;
    const EntryView entry = path.entry();
    return same_key(entry, id.bytes()) ? document_of(entry) : nullptr;
}

void UnitTable::put(const key::RecordId& id, const std::uint8_t* document) {
    if (table_->kind == TableKind::numeric_records) {
        numeric_log_.push_back({id.number(), document});
        put_numeric(id.number(), document);
    } else if (document == nullptr) {
        const Probe probe{id.bytes()};
        log_removal(probe);
        remove_document(probe);
    } else {
        EntryEncoder encoder;
        const std::uint8_t* raw = encoder.encode(document_entry(id.bytes(), document));
        log_entry(Change::put_document, raw, encoder.size());
        put_raw(raw, encoder.size());
    }
}

void UnitTable::put_numeric(std::int64_t id, const std::uint8_t* document) {
    const std::uint8_t* before =
        document == nullptr ? take_record(root_, edit_, id) : put_record(root_, edit_, id, document);
    root_.count += (document != nullptr) - (before != nullptr);
    root_.bytes += document_size(document) - document_size(before);
    if (before != nullptr) edit_.retire_bytes(const_cast<std::uint8_t*>(before));
}

void UnitTable::put_raw(const std::uint8_t* raw, std::size_t size) {
    const EntryView entry = decode_entry(raw, raw + size);
    KeyPath path;
    path.find(root_, probe_of(entry));
    EntryView found;
    if (path.at_entry() && same_key(found = path.entry(), {entry.key, entry.key_size})) {
        root_.bytes += document_size(document_of(entry)) - document_size(document_of(found));
        edit_.retire_bytes(const_cast<std::uint8_t*>(document_of(found)));
        replace_at(root_, edit_, path, raw, size);
        return;
    }
    ++root_.count;
    root_.bytes += document_size(document_of(entry));
    insert_at(root_, edit_, path, raw, size);
}

void UnitTable::remove_document(const Probe& probe) {
    KeyPath path;
    path.find(root_, probe);
    if (!path.at_entry() || !same_key(path.entry(), probe.key)) return;
    const std::uint8_t* document = document_of(path.entry());
    --root_.count;
    root_.bytes -= document_size(document);
    edit_.retire_bytes(const_cast<std::uint8_t*>(document));
    remove_at(root_, edit_, path);
}

InsertKeyResult UnitTable::insert_key(key::Bytes key, const key::RecordId& id, key::Bytes type_bits,
                                      bool check_unique) {
    if (check_unique) unit_.guard(XXH3_64bits_withSeed(key.data(), key.size(), table_->id));
    const IdBytes id_bytes(id);
    const Probe probe{key, id_bytes.data(), id_bytes.size(), id_bytes.is_string(), 0, 0};
    KeyPath path;
    path.find(root_, probe);
    if (path.at_entry() && compare(path.entry(), probe) == 0) return {InsertKeyResult::Status::already_present, id};
    if (check_unique) {
        EntryView neighbour;
        const bool duplicate = (entry_before(path, neighbour) && same_key(neighbour, key)) ||
                               (entry_at_or_behind(path, neighbour) && same_key(neighbour, key));
        if (duplicate) return {InsertKeyResult::Status::duplicate, id_of(neighbour)};
    }
    EntryView entry;
    entry.key = key.data();
    entry.key_size = key.size();
    entry.id = id_bytes.data();
    entry.id_size = id_bytes.size();
    entry.string_id = id_bytes.is_string();
    entry.type_bits = type_bits.data();
    entry.type_bits_size = type_bits.size();
    EntryEncoder encoder;
    const std::uint8_t* raw = encoder.encode(entry);
    log_entry(Change::insert_entry, raw, encoder.size());
    insert_raw(path, raw, encoder.size());
    return {};
}

bool UnitTable::insert_raw(KeyPath& path, const std::uint8_t* raw, std::size_t size) {
    ++root_.count;
    root_.bytes += payload(decode_entry(raw, raw + size));
    insert_at(root_, edit_, path, raw, size);
    return true;
}

void UnitTable::insert_logged(const std::uint8_t* raw, std::size_t size) {
    const Probe probe = probe_of(decode_entry(raw, raw + size));
    KeyPath path;
    path.find(root_, probe);
    if (!path.at_entry() || compare(path.entry(), probe) != 0) {
        insert_raw(path, raw, size);
    } else if ((*raw & tag_block) != 0) {
        edit_.retire_bytes(block_of(raw));
    }
}

void UnitTable::remove_key(key::Bytes key, const key::RecordId& id) {
    const IdBytes id_bytes(id);
    const Probe probe{key, id_bytes.data(), id_bytes.size(), id_bytes.is_string(), 0, 0};
    if (remove_probe(probe)) log_removal(probe);
}

bool UnitTable::remove_probe(const Probe& probe) {
    KeyPath path;
    path.find(root_, probe);
    if (!path.at_entry()) return false;
    const EntryView entry = path.entry();
    if (compare(entry, probe) != 0) return false;
    --root_.count;
    root_.bytes -= payload(entry);
    remove_at(root_, edit_, path);
    return true;
}

void UnitTable::log_entry(Change change, const std::uint8_t* raw, std::size_t size) {
    const LoggedChange header{change, false, size, 0};
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(&header);
    log_.insert(log_.end(), bytes, bytes + sizeof(header));
    log_.insert(log_.end(), raw, raw + size);
}

void UnitTable::log_removal(const Probe& probe) {
    const LoggedChange header{Change::remove_entry, probe.string_id, probe.key.size(), probe.id_size};
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(&header);
    log_.insert(log_.end(), bytes, bytes + sizeof(header));
    log_.insert(log_.end(), probe.key.begin(), probe.key.end());
    log_.insert(log_.end(), probe.id, probe.id + probe.id_size);
}

template <class OnEntry, class OnRemoval>
void UnitTable::replay(OnEntry on_entry, OnRemoval on_removal) const {
    for (const std::uint8_t* at = log_.data(); at != log_.data() + log_.size();) {
        LoggedChange header;
        std::memcpy(&header, at, sizeof(header));
        at += sizeof(header);
        if (header.change != Change::remove_entry)
            on_entry(header.change, at, header.size);
        else
            on_removal(Probe{{at, header.size}, at + header.size, header.id_size, header.string_id, 0, 0});
        at += header.size + header.id_size;
    }
}

void UnitTable::start_writing(std::uint64_t stamp) {
    if (changed_) return;
    changed_ = true;
    edit_.set_stamp(stamp);
}

void UnitTable::detach_cursors() {
    for (CursorLink* cursor = cursors_; cursor != nullptr; cursor = cursor->next_) cursor->detach();
}

void UnitTable::release_cursors() noexcept {
    for (CursorLink* cursor = cursors_; cursor != nullptr; cursor = cursor->next_) cursor->release();
}

void UnitTable::free_private_tree() {
    if (table_->kind == TableKind::numeric_records)
        free_own_nodes(root_, edit_);
    else
        free_own_pages(root_, edit_);
    edit_.undo();
}

void UnitTable::rebase(const Table::Version& newest) {
    free_private_tree();
    resolve(newest);
    const bool documents = table_->kind == TableKind::string_records;
    for (const NumericChange& change : numeric_log_) put_numeric(change.id, change.document);
    replay(
        [&](Change change, const std::uint8_t* raw, std::size_t size) {
            if (change == Change::put_document)
                put_raw(raw, size);
            else
                insert_logged(raw, size);
        },
        [&](const Probe& probe) {
            if (documents)
                remove_document(probe);
            else
                remove_probe(probe);
        });
}

void UnitTable::undo() {
    free_private_tree();
    for (const NumericChange& change : numeric_log_) free_bytes(const_cast<std::uint8_t*>(change.document));
    replay(
        [](Change change, const std::uint8_t* raw, std::size_t size) {
            if (change == Change::put_document) {
                free_bytes(const_cast<std::uint8_t*>(document_of(decode_entry(raw, raw + size))));
            }
            if ((*raw & tag_block) != 0) free_bytes(block_of(raw));
        },
        [](const Probe&) {});
}

void UnitTable::reset() noexcept {
    root_ = {};
    resolved_ = false;
    set_aside_ = false;
    changed_ = false;
    edit_.keep();
    edit_.retired().clear();
    numeric_log_.clear();
    log_.clear();
}

}  // namespace ixora::store::memory
