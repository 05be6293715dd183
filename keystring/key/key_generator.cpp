#include "ixora/key/key_generator.hpp"

#include <algorithm>
#include <optional>

#include "array_keys.hpp"
#include "hashed_key.hpp"
#include "ixora/base/error.hpp"
#include "ixora/base/invariant.hpp"
#include "ixora/bson/debug_string.hpp"
#include "path_trie.hpp"
#include "wildcard_keys.hpp"

namespace ixora::key {

struct KeyGenerator::State {
    std::vector<bson::FieldPath> paths;
    PathTrie trie;
    Ordering ordering;
    KeyGeneratorOptions options;
    IndexType type;
    std::size_t hashed_position = 0;
    std::optional<WildcardPattern> wildcard;

    void generate_btree(bson::View document, KeySet& keys, KeyWriter writer, std::vector<bson::Element>& values,
                        MultikeyPaths* multikey) const;
};

KeyGenerator::KeyGenerator(bson::View key_pattern, KeyGeneratorOptions options) {
    auto state = std::make_unique<State>();
    state->ordering = Ordering::of(key_pattern);
    state->type = index_type(key_pattern);
    if (state->type == IndexType::wildcard) {
        state->wildcard.emplace(key_pattern, options.wildcard_projection);
    } else if (state->type != IndexType::btree && state->type != IndexType::hashed) {
        throw Error(ErrorCode::command_not_supported,
                    "Index type '" + std::string(index_type_name(state->type)) + "' is not supported");
    }
    std::size_t hashed_fields = 0;
    for (const bson::Element& field : key_pattern) {
        const std::size_t position = state->paths.size();
        if (field.is_string() && field.string() == "hashed") {
            state->hashed_position = position;
            ++hashed_fields;
        }
        state->paths.emplace_back(std::string(field.name()));
        state->trie.add(state->paths.back(), position);
    }
    if (hashed_fields > 1)
        throw Error(31303, "A maximum of one index field is allowed to be hashed but found " +
                               std::to_string(hashed_fields) + " for 'key' " + bson::debug_string(key_pattern));
    state->options = std::move(options);
    state_ = std::move(state);
}

KeyGenerator::~KeyGenerator() = default;
KeyGenerator::KeyGenerator(KeyGenerator&&) noexcept = default;
KeyGenerator& KeyGenerator::operator=(KeyGenerator&&) noexcept = default;

void KeyGenerator::State::generate_btree(bson::View document, KeySet& keys, KeyWriter writer,
                                         std::vector<bson::Element>& values, MultikeyPaths* multikey) const {
    values.assign(paths.size(), bson::Element());
    if (trie.resolve(document, values.data())) {
        const bool all_missing =
            std::all_of(values.begin(), values.end(), [](const bson::Element& value) { return value.missing(); });
        if (!options.sparse || !all_missing) writer.write(values.data(), values.size());
        return;
    }
    ArrayKeys(paths, options.sparse, writer, multikey).generate(document);
    keys.sort_and_deduplicate();
    if (keys.empty() && !options.sparse) {
        values.assign(paths.size(), bson::Element());
        writer.write(values.data(), values.size());
    }
}

void KeyGenerator::generate(bson::View document, KeySet& keys, MultikeyPaths* paths, Purpose purpose) const {
    keys.clear();
    if (paths != nullptr) {
        paths->resize(state_->paths.size());
        for (MultikeyComponents& components : *paths) components.clear();
    }
    const KeyWriter writer{keys, keys.builder_, state_->ordering, state_->options.collator.get()};
    if (state_->type == IndexType::hashed) {
        const HashedPattern pattern{state_->paths, state_->hashed_position, state_->options.sparse,
                                    state_->options.hash_seed};
        write_hashed_key(pattern, document, purpose, writer);
    } else if (state_->wildcard) {
        state_->wildcard->generate(document, writer.collator, keys.values_, keys.builder_, keys, keys.array_paths_);
        keys.sort_and_deduplicate();
    } else {
        state_->generate_btree(document, keys, writer, keys.values_, paths);
    }
}

std::string KeyGenerator::metadata_key(std::string_view path) const {
    IXORA_INVARIANT(state_->wildcard.has_value());
    return state_->wildcard->metadata_key(path);
}

const WildcardProjection* KeyGenerator::wildcard_projection() const noexcept {
    return state_->wildcard ? &state_->wildcard->projection() : nullptr;
}

}  // namespace ixora::key
