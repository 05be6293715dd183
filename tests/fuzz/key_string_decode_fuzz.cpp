// Any bytes as key and type bits: decoding refuses them with one of its own codes, or gives values that encode and
// decode to themselves. Input: directions (4 bytes), size of the type bits (1 byte), type bits, key.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "ixora/base/error.hpp"
#include "ixora/base/invariant.hpp"
#include "ixora/key/key_string.hpp"

using namespace ixora;

static void check_values(bson::View values, key::Ordering ordering) {
    key::KeyBuilder again(ordering);
    for (const bson::Element& value : values) again.append(value);
    again.append_end();
    std::string type_bits;
    again.type_bits().append_serialized(type_bits);
    IXORA_INVARIANT(same_bytes(key::decode(again.bytes(), ordering, key::as_bytes(type_bits)).view(), values));
    const std::uint8_t* at = again.bytes().data();
    const std::uint8_t* end = at + again.bytes().size();
    for (std::size_t position = 0; position < again.position(); ++position)
        at += key::element_size(at, end, ordering.descending(position));
    IXORA_INVARIANT(at + 1 == end);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 5) return 0;
    std::uint32_t directions;
    std::memcpy(&directions, data, sizeof directions);
    key::Ordering ordering;
    for (std::size_t position = 0; position < key::key_fields_max; ++position)
        if ((directions >> position & 1U) != 0) ordering.set_descending(position);
    const key::Bytes rest(data + 5, size - 5);
    const std::size_t bits = data[4] < rest.size() ? data[4] : rest.size();
    // Copies of exactly the right size, so that the sanitizer sees a step too far.
    const std::vector<std::uint8_t> type_bits(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(bits));
    const std::vector<std::uint8_t> bytes(rest.begin() + static_cast<std::ptrdiff_t>(bits), rest.end());
    bson::Document values;
    try {
        values = key::decode(bytes, ordering, type_bits);
    } catch (const Error& error) {
        IXORA_INVARIANT(error.is(ErrorCode::overflow) || (error.code() >= 50615 && error.code() <= 50910));
        return 0;
    }
    check_values(values, ordering);
    for (const bool numeric : {true, false}) {
        if (key::record_id_size_at_end(bytes, numeric) > bytes.size()) __builtin_trap();
        try {
            key::decode_record_id_at_end(bytes, numeric);
        } catch (const Error& error) {
            IXORA_INVARIANT(error.is(ErrorCode::bad_value));
        }
    }
    return 0;
}
