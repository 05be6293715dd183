#include "ixora/write/duplicate_key.hpp"

#include "ixora/base/hex.hpp"
#include "ixora/bson/debug_string.hpp"

namespace ixora::write {

Error duplicate_key_error(std::string_view ns, const IndexState& index, key::Bytes key, key::Bytes type_bits) {
    const bson::Document value =
        key::decode(key, key::Ordering::of(index.key_pattern()), type_bits, index.key_pattern());
    const bool collated = index.collator() != nullptr;

    std::string message = "E11000 duplicate key error collection: " + std::string(ns) + " index: " + index.name();
    if (collated) message += " collation: " + bson::debug_string(index.collator()->spec().view());
    message += " dup key: {";
    bson::Builder fields;
    fields.append("keyPattern", index.key_pattern());
    fields.open_object("keyValue");
    std::vector<bool> encoded;
    const char* separator = " ";
    for (const bson::Element& element : value) {
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
        fields.append("collation", index.collator()->spec());
        fields.open_array("hexEncoded");
        for (const bool as_hex : encoded) fields.append(as_hex);
        fields.close();
    }
    auto extra = std::make_shared<DuplicateKeyInfo>();
    extra->fields = fields.finish();
    return Error(static_cast<int>(ErrorCode::duplicate_key), message, std::move(extra));
}

}  // namespace ixora::write
