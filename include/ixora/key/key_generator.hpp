// From a document to its index keys and multikey paths (spec: keystring.md 2.1-2.4, 2.6).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ixora/bson/collator.hpp"
#include "ixora/bson/field_path.hpp"
#include "ixora/key/key_pattern.hpp"
#include "ixora/key/key_string.hpp"
#include "ixora/key/multikey_paths.hpp"
#include "ixora/key/wildcard_projection.hpp"

namespace ixora::key {

// The keys of one document in one index: complete KeyStrings without RecordId, sorted and free of duplicates, each with
// its serialised type bits. Reused across documents, it allocates only while it grows.
class KeySet {
public:
    struct Entry {
        Bytes key;        // ends with 04
        Bytes type_bits;  // empty when all zero
    };
    std::size_t size() const noexcept { return entries_.size(); }
    bool empty() const noexcept { return entries_.empty(); }
    Entry operator[](std::size_t i) const noexcept {
        const Slot& slot = entries_[i];
        const auto* base = reinterpret_cast<const std::uint8_t*>(buffer_.data()) + slot.start;
        return {{base, slot.key_size}, {base + slot.key_size, slot.type_bits_size}};
    }
    // Wildcard indexes: the paths at which this document has arrays.
    const std::vector<std::string>& array_paths() const noexcept { return array_paths_; }
    void clear() noexcept {
        buffer_.clear();
        entries_.clear();
        array_paths_.clear();
    }
    void add(const KeyBuilder& finished_key);
    // Sorts by key bytes and drops equal keys; the first added survives.
    void sort_and_deduplicate();

private:
    friend class KeyGenerator;
    struct Slot {
        std::size_t start;
        std::uint32_t key_size, type_bits_size;
    };
    std::string buffer_;
    std::vector<Slot> entries_;
    std::vector<std::string> array_paths_;
    // Scratch of the generator that fills the set.
    KeyBuilder builder_;
    std::vector<bson::Element> values_;
};

struct KeyGeneratorOptions {
    bool sparse = false;
    bson::CollatorPtr collator;
    std::int32_t hash_seed = 0;
    bson::Document wildcard_projection;
};

// Immutable and thread-safe; one per index. Plain, hashed (also compound hashed) and wildcard indexes.
class KeyGenerator {
public:
    KeyGenerator(bson::View key_pattern, KeyGeneratorOptions options);
    ~KeyGenerator();
    KeyGenerator(KeyGenerator&&) noexcept;
    KeyGenerator& operator=(KeyGenerator&&) noexcept;

    enum class Purpose { insert, remove };
    // Fills `keys` (cleared first). `paths`, if given, is set to one entry per pattern field, all empty for a wildcard
    // index, whose arrays are keys.array_paths(). Throws 171 for parallel arrays, 16746 for an ambiguous field name,
    // 16766 for an array under a hashed field (for removals an array in the middle of the path counts as null), 7246301
    // for an array under an ordinary field of a wildcard index.
    void generate(bson::View document, KeySet& keys, MultikeyPaths* paths = nullptr,
                  Purpose purpose = Purpose::insert) const;
    // Of a wildcard index: the key, stored under the reserved RecordId, which notes that `path` has held an array.
    std::string metadata_key(std::string_view path) const;
    // Of a wildcard index: the fields it takes in; null for other indexes.
    const WildcardProjection* wildcard_projection() const noexcept;

private:
    struct State;
    std::unique_ptr<const State> state_;
};

// The 64-bit hash of a hashed index field (spec: keystring.md 2.3).
std::int64_t hash64(bson::Element value, std::int32_t seed = 0, const bson::Collator* collator = nullptr);

}  // namespace ixora::key
