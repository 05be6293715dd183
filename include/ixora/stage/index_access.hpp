// What the stages that read index keys share: key ranges as search keys, keys as BSON (spec: execution.md 4.3.1,
// keystring.md 4.3).
#pragma once

#include "ixora/bson/builder.hpp"
#include "ixora/key/key_string.hpp"
#include "ixora/plan/index_entry.hpp"
#include "ixora/plan/interval.hpp"
#include "ixora/stage/member.hpp"

namespace ixora::stage {

// The search keys of a range of an index in scan direction: where to seek, and the end position.
class SeekRange {
public:
    SeekRange(const plan::IndexEntry& index, int direction)
        : ordering_(key::Ordering::of(index.key_pattern)), forward_(direction > 0) {}

    void assign(const plan::KeyRange& range);
    // False if the bounds are not one contiguous range.
    bool assign(const plan::IndexBounds& bounds);

    // Valid until the next assign().
    key::Bytes start() const noexcept { return start_.bytes(); }
    key::Bytes end() const noexcept { return end_.bytes(); }

private:
    void finish(bool start_inclusive, bool end_inclusive);

    key::Ordering ordering_;
    bool forward_;
    key::KeyBuilder start_;
    key::KeyBuilder end_;
};

// {a: 1, b: "x"}: an index key under the field names of its pattern.
bson::Document named_key(const IndexKey& key);

// Decodes keys of one index under empty names, into a buffer of its own.
class KeyDecoder {
public:
    explicit KeyDecoder(const plan::IndexEntry& index) : ordering_(key::Ordering::of(index.key_pattern)) {}

    // Valid until the next call.
    bson::View decode(key::Bytes key, key::Bytes type_bits) {
        builder_.reset();
        key::decode(key, ordering_, type_bits, {}, builder_);
        return builder_.finish_view();
    }

private:
    key::Ordering ordering_;
    bson::Builder builder_;
};

}  // namespace ixora::stage
