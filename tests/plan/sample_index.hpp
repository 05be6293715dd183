// Index entries for planner tests.
#pragma once

#include <memory>
#include <string>

#include "ixora/plan/index_entry.hpp"
#include "loose_json.hpp"
#include "sample_collator.hpp"

namespace ixora::test {

// `options` is any of: multikey, sparse, unique, collated, pathless, separated by spaces. "multikey" makes the first
// component of every field an array; with "pathless" the index does not track paths.
inline plan::IndexEntry index_entry(std::string_view pattern, std::string_view options = {}) {
    const auto has = [options](std::string_view word) { return options.find(word) != std::string_view::npos; };
    plan::IndexEntry index;
    index.key_pattern = doc(pattern);
    index.type = key::index_type(index.key_pattern);
    index.name = key::default_index_name(index.key_pattern);
    index.sparse = has("sparse");
    index.unique = has("unique");
    index.multikey = has("multikey");
    if (has("collated")) index.collator = case_blind();
    if (!has("pathless")) {
        index.multikey_paths.resize(index.field_count());
        if (index.multikey)
            for (key::MultikeyComponents& components : index.multikey_paths) components.push_back(0);
    }
    return index;
}

inline plan::IndexEntryPtr shared_index(std::string_view pattern, std::string_view options = {}) {
    return std::make_shared<plan::IndexEntry>(index_entry(pattern, options));
}

inline plan::IndexEntryPtr partial_index(std::string_view pattern, std::string_view filter,
                                         std::string_view options = {}) {
    plan::IndexEntry index = index_entry(pattern, options);
    index.partial_filter = match(filter, index.collator);
    return std::make_shared<plan::IndexEntry>(std::move(index));
}

}  // namespace ixora::test
