#include "ixora/stage/member_bytes.hpp"

#include <cstring>

namespace ixora::stage {

namespace {

class ByteWriter {
public:
    explicit ByteWriter(std::vector<std::uint8_t>& out) noexcept : out_(out) {}
    template <class Number>
    void number(Number value) {
        raw(&value, sizeof value);
    }
    void bytes(std::span<const std::uint8_t> value) {
        number(static_cast<std::uint32_t>(value.size()));
        raw(value.data(), value.size());
    }
    void document(bson::View value) { raw(value.data(), value.size()); }

private:
    void raw(const void* value, std::size_t size) {
        const auto* first = static_cast<const std::uint8_t*>(value);
        out_.insert(out_.end(), first, first + size);
    }
    std::vector<std::uint8_t>& out_;
};

class ByteReader {
public:
    explicit ByteReader(std::span<const std::uint8_t> bytes) noexcept : at_(bytes.data()) {}
    template <class Number>
    Number number() noexcept {
        Number value;
        std::memcpy(&value, at_, sizeof value);
        at_ += sizeof value;
        return value;
    }
    std::span<const std::uint8_t> bytes() noexcept {
        const auto size = number<std::uint32_t>();
        const std::span<const std::uint8_t> value{at_, size};
        at_ += size;
        return value;
    }
    bson::Document document() {
        bson::Document value{bson::View(at_)};
        at_ += value.size();
        return value;
    }

private:
    const std::uint8_t* at_;
};

void write_id(const key::RecordId& id, ByteWriter& out) {
    out.number(static_cast<std::uint8_t>(id.is_number()));
    if (id.is_number())
        out.number(id.number());
    else
        out.bytes(id.bytes());
}

key::RecordId read_id(ByteReader& in) {
    if (in.number<std::uint8_t>() != 0) return key::RecordId(in.number<std::int64_t>());
    return key::RecordId(in.bytes());
}

}  // namespace

void append_member(const Member& row, std::vector<std::uint8_t>& out) {
    ByteWriter writer(out);
    writer.number(row.kind);
    write_id(row.id, writer);
    writer.number(row.snapshot);
    if (row.has_document()) {
        writer.document(row.document);
    } else {
        writer.number(static_cast<std::uint32_t>(row.keys.size()));
        for (const IndexKey& entry : row.keys) {
            writer.number(entry.index);
            writer.number(entry.snapshot);
            writer.bytes(entry.key);
            writer.bytes(entry.type_bits);
        }
    }
    writer.number(static_cast<std::uint8_t>(row.has_sort_key));
    if (row.has_sort_key) writer.document(row.sort_key);
    writer.number(static_cast<std::uint8_t>(row.has_index_key));
    if (row.has_index_key) writer.document(row.index_key);
}

void read_member(std::span<const std::uint8_t> bytes, Member& out) {
    ByteReader in(bytes);
    out.reset();
    out.kind = in.number<Member::Kind>();
    out.id = read_id(in);
    out.snapshot = in.number<std::uint64_t>();
    if (out.has_document()) {
        out.owned = in.document();
        out.document = out.owned.view();
    } else {
        out.keys.resize(in.number<std::uint32_t>());
        for (IndexKey& entry : out.keys) {
            entry.index = in.number<const plan::IndexEntry*>();
            entry.snapshot = in.number<std::uint64_t>();
            entry.key = in.bytes();
            entry.type_bits = in.bytes();
            entry.owned = {};
            entry.make_owned();
        }
    }
    out.has_sort_key = in.number<std::uint8_t>() != 0;
    if (out.has_sort_key) out.sort_key = in.document();
    out.has_index_key = in.number<std::uint8_t>() != 0;
    if (out.has_index_key) out.index_key = in.document();
}

}  // namespace ixora::stage
