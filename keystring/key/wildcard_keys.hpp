// Index keys of wildcard indexes, compound ones included (spec: keystring.md 2.4).
#pragma once

#include <string>
#include <vector>

#include "ixora/key/key_generator.hpp"
#include "ixora/key/wildcard_projection.hpp"
#include "path_trie.hpp"

namespace ixora::key {

// Immutable; one per index. A key holds the ordinary fields before the wildcard one, then path and value, then the
// ordinary fields behind it.
class WildcardPattern {
public:
    // Throws 13103 for more than 32 components, the path being one.
    WildcardPattern(bson::View key_pattern, bson::View projection);

    // Adds the document's keys, unsorted, and the paths of its arrays. Throws 7246301 for an array on the path of an
    // ordinary field.
    void generate(bson::View document, const bson::Collator* collator, std::vector<bson::Element>& values,
                  KeyBuilder& builder, KeySet& keys, std::vector<std::string>& array_paths) const;
    // The key that notes that `path` has held an array.
    std::string metadata_key(std::string_view path) const;

    const WildcardProjection& projection() const noexcept { return projection_; }

private:
    WildcardProjection projection_;
    Ordering ordering_;
    std::size_t before_ = 0;  // ordinary fields in front of the wildcard one
    std::size_t ordinary_ = 0;
    PathTrie trie_;  // of the ordinary fields
};

}  // namespace ixora::key
