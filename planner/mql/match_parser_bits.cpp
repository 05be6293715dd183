#include "integer_argument.hpp"
#include "ixora/base/error.hpp"
#include "ixora/bson/debug_string.hpp"
#include "match_leaf.hpp"

namespace ixora::mql {

namespace {

std::vector<std::uint32_t> positions_of_list(bson::View list) {
    std::vector<std::uint32_t> positions;
    for (const auto& item : list) {
        const auto position = read_non_negative_int32(item);
        if (!position.ok()) throw Error(ErrorCode::bad_value, "Failed to parse bit position. " + position.reason);
        positions.push_back(static_cast<std::uint32_t>(position.value));
    }
    return positions;
}

std::vector<std::uint32_t> positions_of_mask(std::uint64_t mask) {
    std::vector<std::uint32_t> positions;
    for (std::uint32_t bit = 0; bit < 64; ++bit)
        if ((mask >> bit & 1U) != 0) positions.push_back(bit);
    return positions;
}

std::vector<std::uint32_t> positions_of_bytes(std::string_view bytes) {
    std::vector<std::uint32_t> positions;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        const auto byte = static_cast<unsigned char>(bytes[i]);
        for (std::uint32_t bit = 0; bit < 8; ++bit)
            if ((byte >> bit & 1U) != 0) positions.push_back(static_cast<std::uint32_t>(i * 8) + bit);
    }
    return positions;
}

}  // namespace

MatchNodePtr parse_bits(MatchKind kind, const std::string& path, bson::Element argument) {
    BitsPayload bits;
    if (argument.is_array()) {
        bits.positions = positions_of_list(argument.object());
    } else if (argument.is_number()) {
        const auto mask = read_non_negative(argument);
        if (!mask.ok()) throw Error(ErrorCode::failed_to_parse, mask.reason);
        bits.positions = positions_of_mask(static_cast<std::uint64_t>(mask.value));
    } else if (argument.type() == bson::Type::bin_data) {
        bits.positions = positions_of_bytes(argument.bin_data());
    } else {
        throw Error(ErrorCode::bad_value, path + " takes an Array, a number, or a BinData but received: " +
                                              bson::debug_element_string(argument));
    }
    auto node = make_node(kind, path);
    node->payload = std::move(bits);
    return node;
}

}  // namespace ixora::mql
