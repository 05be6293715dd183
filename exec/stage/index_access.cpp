#include "ixora/stage/index_access.hpp"

namespace ixora::stage {

void SeekRange::finish(bool start_inclusive, bool end_inclusive) {
    using key::Discriminator;
    start_.append_discriminator(forward_ == start_inclusive ? Discriminator::exclusive_before
                                                            : Discriminator::exclusive_after);
    end_.append_discriminator(forward_ == end_inclusive ? Discriminator::exclusive_after
                                                        : Discriminator::exclusive_before);
}

void SeekRange::assign(const plan::KeyRange& range) {
    start_.reset(ordering_);
    end_.reset(ordering_);
    for (const bson::Element& value : range.start_key) start_.append(value);
    for (const bson::Element& value : range.end_key) end_.append(value);
    finish(range.start_inclusive, range.end_inclusive);
}

bool SeekRange::assign(const plan::IndexBounds& bounds) {
    if (bounds.is_simple_range) {
        assign(bounds.range);
        return true;
    }
    start_.reset(ordering_);
    end_.reset(ordering_);
    const auto inclusive = plan::walk_single_interval(bounds, [this](bson::Element start, bson::Element end) {
        start_.append(start);
        end_.append(end);
    });
    if (inclusive) finish(inclusive->start, inclusive->end);
    return inclusive.has_value();
}

bson::Document named_key(const IndexKey& key) {
    return key::decode(key.key, key::Ordering::of(key.index->key_pattern), key.type_bits, key.index->key_pattern);
}

}  // namespace ixora::stage
