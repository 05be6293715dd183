#include "ixora/write/duplicate_key.hpp"

#include "ixora/base/hex.hpp"
#include "ixora/bson/builder.hpp"
#include "ixora/bson/debug_string.hpp"
#include "ixora/write/reply_fields.hpp"

namespace ixora::write {

namespace {

// A key that is taken, decoded.
struct TakenKey {
    std::string_view ns;
    std::string_view index_name;  // empty: a clustered record
    bson::View key_pattern;
    bson::Document value;
    const bson::Collator* collator;
};

Error error_for(const TakenKey& taken) {
    const bool collated = taken.collator != nullptr;
    std::string message = "E11000 duplicate key error collection: " + std::string(taken.ns);
    if (!taken.index_name.empty()) message += " index: " + std::string(taken.index_name);
    if (collated) message += " collation: " + bson::debug_string(taken.collator->spec().view());
    message += " dup key: {";
    bson::Builder fields;
    fields.append("keyPattern", taken.key_pattern);
    fields.open_object("keyValue");
    std::vector<bool> encoded;
    const char* separator = " ";
    for (const bson::Element& element : taken.value) {
        const bool as_hex = collated && element.is_string();
        encoded.push_back(as_hex);
        message += separator;
        separator = ", ";
        if (as_hex) {
            std::string digits;
            append_hex(digits, element.string());
            message += std::string(element.name()) + ": \"0x" + digits + "\"";
            fields.append(element.name(), digits);
        } else {
            message += bson::debug_element_string(element);
            fields.append_element(element);
        }
    }
    message += " }";
    fields.close();
    if (collated) {
        fields.append("collation", taken.collator->spec());
        fields.open_array("hexEncoded");
        for (const bool as_hex : encoded) fields.append(as_hex);
        fields.close();
    }
    if (taken.index_name.empty()) {
        message += " found value: {}";
        fields.open_object("foundValue");
        fields.close();
    }
    return Error(static_cast<int>(ErrorCode::duplicate_key), message, std::make_shared<ReplyFields>(fields.finish()));
}

}  // namespace

Error duplicate_key_error(std::string_view ns, const IndexState& index, key::Bytes key, key::Bytes type_bits) {
    const bson::View pattern = index.key_pattern();
    return error_for({ns, index.name(), pattern, key::decode(key, key::Ordering::of(pattern), type_bits, pattern),
                      index.collator().get()});
}

Error clustered_duplicate_key_error(std::string_view ns, const key::RecordId& id, const key::TypeBits& type_bits,
                                    const bson::Collator* collator) {
    bson::Builder pattern;
    pattern.append("_id", 1);
    const bson::Document key_pattern = pattern.finish();
    std::string key(reinterpret_cast<const char*>(id.bytes().data()), id.bytes().size());
    key.push_back(static_cast<char>(key::end_byte));
    std::string bits;
    type_bits.append_serialized(bits);
    return error_for(
        {ns, {}, key_pattern, key::decode(key::as_bytes(key), {}, key::as_bytes(bits), key_pattern), collator});
}

}  // namespace ixora::write
