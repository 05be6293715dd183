#include "decode.hpp"

#include "ixora/base/error.hpp"

namespace ixora::key {

[[noreturn]] void malformed_key(int code, const char* what) {
    throw Error(code, std::string("KeyString format error: ") + what);
}

std::string_view ByteReader::raw_c_string() {
    const void* terminator = left() == 0 ? nullptr : std::memchr(at_, mask_, left());
    if (terminator == nullptr) malformed_key(50817, "a text has no terminator");
    const auto* end = static_cast<const std::uint8_t*>(terminator);
    const std::string_view raw(reinterpret_cast<const char*>(at_), static_cast<std::size_t>(end - at_));
    at_ = end + 1;
    return raw;
}

std::string_view ByteReader::restored(std::string_view raw, std::string& scratch) const {
    if (mask_ == 0) return raw;
    scratch.assign(raw);
    for (char& byte : scratch) byte = static_cast<char>(~byte);
    return scratch;
}

std::string_view ByteReader::text(std::string& scratch) {
    const std::string_view raw = raw_c_string();
    // A string RecordId may end right behind its terminator.
    if (at_end() || peek() != 0xFF) return restored(raw, scratch);
    scratch.assign(raw);
    do {
        ++at_;
        scratch.push_back(static_cast<char>(mask_));
        scratch.append(raw_c_string());
    } while (!at_end() && peek() == 0xFF);
    if (mask_ != 0)
        for (char& byte : scratch) byte = static_cast<char>(~byte);
    return scratch;
}

namespace {

// Rebuilds values in key order; recursion is bounded by the nesting limit.
class Decoder {
public:
    Decoder(ByteReader& reader, TypeBitsReader& type_bits, bson::Builder& out) noexcept
        : reader_(reader), type_bits_(type_bits), out_(out) {}

    // `type` has been consumed.
    void value(std::uint8_t type, std::string_view name, int depth);

private:
    void object_body(int depth);
    void array_body(int depth);
    void bin_data(std::string_view name);
    void regex(std::string_view name);
    void db_pointer(std::string_view name);
    void code_with_scope(std::string_view name, int depth);

    ByteReader& reader_;
    TypeBitsReader& type_bits_;
    bson::Builder& out_;
    std::string scratch_;
};

void Decoder::object_body(int depth) {
    std::string name_scratch;
    while (const std::uint8_t generic = reader_.byte()) {
        static_cast<void>(generic);
        const std::string_view name = reader_.c_string(name_scratch);
        value(reader_.byte(), name, depth);
    }
}

void Decoder::array_body(int depth) {
    std::uint32_t index = 0;
    while (const std::uint8_t type = reader_.byte()) value(type, bson::Builder::IndexName(index++).view(), depth);
}

void Decoder::bin_data(std::string_view name) {
    std::size_t size = reader_.byte();
    if (size == 0xFF) size = static_cast<std::size_t>(reader_.number(4));
    const std::uint8_t subtype = reader_.byte();
    out_.append_bin_data(name, subtype, reader_.bytes(size, scratch_));
}

void Decoder::regex(std::string_view name) {
    std::string flags_scratch;
    const std::string_view pattern = reader_.c_string(scratch_);
    out_.append_regex(name, pattern, reader_.c_string(flags_scratch));
}

void Decoder::db_pointer(std::string_view name) {
    std::string id_scratch;
    const std::string_view ns = reader_.bytes(static_cast<std::size_t>(reader_.number(4)), scratch_);
    const std::string_view id = reader_.bytes(12, id_scratch);
    out_.append_db_pointer(name, ns, reinterpret_cast<const std::uint8_t*>(id.data()));
}

void Decoder::code_with_scope(std::string_view name, int depth) {
    const std::string code(reader_.text(scratch_));
    bson::Builder scope;
    Decoder(reader_, type_bits_, scope).object_body(depth + 2);
    out_.append_code_with_scope(name, code, scope.finish_view());
}

void Decoder::value(std::uint8_t type, std::string_view name, int depth) {
    if (depth > format::depth_max)
        throw Error(ErrorCode::overflow, "KeyString exceeds the nesting depth of 200 levels");
    if (type >= format::nan && type <= format::positive_large)
        return decode_number(type, reader_, type_bits_, name, out_);
    switch (type) {
        case format::min_key: return out_.append_min_key(name);
        case format::max_key: return out_.append_max_key(name);
        case format::undefined: return out_.append_undefined(name);
        case format::null: return out_.append_null(name);
        case format::string: {
            const bool symbol = type_bits_.next();
            const std::string_view text = reader_.text(scratch_);
            return symbol ? out_.append_symbol(name, text) : out_.append(name, text);
        }
        case format::object:
            out_.open_object(name);
            object_body(depth + 1);
            return out_.close();
        case format::array:
            out_.open_array(name);
            array_body(depth + 1);
            return out_.close();
        case format::bin_data: return bin_data(name);
        case format::object_id:
            return out_.append_object_id(name,
                                         reinterpret_cast<const std::uint8_t*>(reader_.bytes(12, scratch_).data()));
        case format::bool_false: return out_.append(name, false);
        case format::bool_true: return out_.append(name, true);
        case format::date: return out_.append_date(name, static_cast<std::int64_t>(reader_.number(8) ^ (1ULL << 63)));
        case format::timestamp: return out_.append_timestamp(name, reader_.number(8));
        case format::regex: return regex(name);
        case format::db_pointer: return db_pointer(name);
        case format::code: return out_.append_code(name, reader_.text(scratch_));
        case format::code_with_scope: return code_with_scope(name, depth);
        default: malformed_key(50811, "unknown type byte");
    }
}

}  // namespace

void decode(Bytes key, Ordering ordering, Bytes type_bits, bson::View key_pattern, bson::Builder& out) {
    ByteReader reader(key);
    TypeBitsReader bits(type_bits);
    Decoder decoder(reader, bits, out);
    auto field = key_pattern.begin();
    for (std::size_t position = 0; !reader.at_end(); ++position) {
        // Discriminators and the end byte are never complemented, so they are looked for before the direction counts.
        if (reader.peek_raw() == format::exclusive_before_byte || reader.peek_raw() == format::exclusive_after_byte) {
            reader.skip(1);
            if (reader.at_end()) malformed_key(50816, "the key ends behind a discriminator");
        }
        if (reader.peek_raw() == end_byte) return;
        if (position == key_fields_max) throw Error(ErrorCode::overflow, "KeyString has more than 32 elements");
        reader.set_descending(ordering.descending(position));
        std::string_view name;
        if (field != key_pattern.end()) {
            name = field->name();
            ++field;
        }
        decoder.value(reader.byte(), name, 1);
    }
}

bson::Document decode(Bytes key, Ordering ordering, Bytes type_bits, bson::View key_pattern) {
    bson::Builder out;
    decode(key, ordering, type_bits, key_pattern, out);
    return out.finish();
}

}  // namespace ixora::key
