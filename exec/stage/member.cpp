#include "ixora/stage/member.hpp"

#include <cstring>

namespace ixora::stage {

void IndexKey::make_owned() {
    if (key.data() == owned.data() && owned) return;
    bson::SharedBytes copy = bson::SharedBytes::allocate(key.size() + type_bits.size());
    std::memcpy(copy.writable(), key.data(), key.size());
    if (!type_bits.empty()) std::memcpy(copy.writable() + key.size(), type_bits.data(), type_bits.size());
    key = {copy.data(), key.size()};
    type_bits = {copy.data() + key.size(), type_bits.size()};
    owned = std::move(copy);
}

void Member::make_owned() {
    if (kind == Kind::id_and_key) {
        for (IndexKey& entry : keys) entry.make_owned();
        return;
    }
    if (!has_document() || owns_document()) return;
    owned = bson::Document(document);
    document = owned.view();
}

}  // namespace ixora::stage
