#include "ixora/key/key_pattern.hpp"

#include "ixora/base/error.hpp"
#include "ixora/key/wildcard_projection.hpp"

namespace ixora::key {

IndexType index_type(bson::View key_pattern) {
    for (const bson::Element& field : key_pattern) {
        if (!field.is_string()) continue;
        const std::string_view plugin = field.string();
        if (plugin == "hashed") return IndexType::hashed;
        if (plugin == "text") return IndexType::text;
        if (plugin == "2d") return IndexType::geo_2d;
        if (plugin == "2dsphere") return IndexType::geo_2dsphere;
        throw Error(ErrorCode::cannot_create_index, "Unknown index plugin '" + std::string(plugin) + "'");
    }
    for (const bson::Element& field : key_pattern)
        if (is_wildcard_field(field.name())) return IndexType::wildcard;
    return IndexType::btree;
}

std::string_view index_type_name(IndexType type) noexcept {
    switch (type) {
        case IndexType::btree: return "btree";
        case IndexType::hashed: return "hashed";
        case IndexType::wildcard: return "wildcard";
        case IndexType::text: return "text";
        case IndexType::geo_2d: return "2d";
        case IndexType::geo_2dsphere: return "2dsphere";
    }
    return "btree";
}

std::string default_index_name(bson::View key_pattern) {
    std::string name;
    for (const bson::Element& field : key_pattern) {
        if (!name.empty()) name.push_back('_');
        name.append(field.name());
        name.push_back('_');
        if (field.is_string())
            name.append(field.string());
        else if (field.is_number())
            name.append(std::to_string(field.to_int64()));
    }
    return name;
}

}  // namespace ixora::key
