#include "ixora/bson/collator.hpp"

namespace ixora::bson {

bool same_collation(const Collator* left, const Collator* right) noexcept {
    if (left == right) return true;
    if (left == nullptr || right == nullptr) return false;
    return same_bytes(left->spec().view(), right->spec().view());
}

}  // namespace ixora::bson
