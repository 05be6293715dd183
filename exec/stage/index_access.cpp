#include "ixora/stage/index_access.hpp"

namespace ixora::stage {

SeekRange seek_range(const plan::KeyRange& range, const plan::IndexEntry& index, int direction) {
    using key::Discriminator;
    const key::Ordering ordering = key::Ordering::of(index.key_pattern);
    const bool forward = direction > 0;
    const Discriminator start =
        forward == range.start_inclusive ? Discriminator::exclusive_before : Discriminator::exclusive_after;
    const Discriminator end =
        forward == range.end_inclusive ? Discriminator::exclusive_after : Discriminator::exclusive_before;
    return {key::search_key(range.start_key, ordering, start), key::search_key(range.end_key, ordering, end)};
}

bson::Document named_key(const IndexKey& key) {
    return key::decode(key.key, key::Ordering::of(key.index->key_pattern), key.type_bits, key.index->key_pattern);
}

}  // namespace ixora::stage
