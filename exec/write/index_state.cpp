#include "ixora/write/index_state.hpp"

#include <algorithm>

#include "ixora/key/icu_collator.hpp"
#include "ixora/mql/match_parser.hpp"
#include "ixora/mql/match_rewrite.hpp"

namespace ixora::write {

namespace {

bson::CollatorPtr collator_of(bson::View spec) {
    const bson::Element collation = spec["collation"];
    return collation.is_object() ? key::make_collator(collation.object()) : nullptr;
}

key::KeyGeneratorOptions generator_options(bson::View spec) {
    key::KeyGeneratorOptions options;
    options.sparse = spec["sparse"].truthy();
    options.collator = collator_of(spec);
    if (const bson::Element projection = spec["wildcardProjection"]; projection.is_object())
        options.wildcard_projection = bson::Document(projection.object());
    return options;
}

}  // namespace

IndexState::IndexState(bson::Document spec, store::TableId table)
    : spec_(std::move(spec)),
      name_(spec_["name"].string()),
      key_pattern_(spec_["key"].object()),
      table_(table),
      unique_(spec_["unique"].truthy()),
      hidden_(spec_["hidden"].truthy()),
      collator_(collator_of(spec_)),
      keys_(key_pattern_, generator_options(spec_)) {
    is_id_index_ = key_pattern_.view().field_count() == 1 && key_pattern_.view().front().name() == "_id" &&
                   key_pattern_.view().front().is_number();
    auto entry = std::make_shared<plan::IndexEntry>();
    entry->name = name_;
    entry->key_pattern = key_pattern_;
    entry->type = key::index_type(key_pattern_);
    // A hashed index never holds an array, so the server does not track paths for it.
    if (entry->type != key::IndexType::hashed) entry->multikey_paths.resize(key_pattern_.view().field_count());
    entry->sparse = spec_["sparse"].truthy();
    entry->unique = unique_ || is_id_index_;
    entry->collator = collator_;
    entry->table = table;
    if (const key::WildcardProjection* projection = keys_.wildcard_projection()) {
        entry->wildcard = std::make_shared<plan::WildcardDetails>(plan::WildcardDetails{*projection, {}});
        entry->wildcard_position = key::wildcard_field_position(key_pattern_);
        entry->sparse = true;  // has no keys for missing fields
    }
    if (const bson::Element version = spec_["v"]; version.is_number())
        entry->version = static_cast<std::int32_t>(version.to_int64());
    if (const bson::Element filter = spec_["partialFilterExpression"]; filter.is_object()) {
        mql::MatchParseOptions options;
        options.collator = collator_;
        options.special_features = mql::SpecialFeatures::none;
        mql::MatchNodePtr tree = mql::normalize(mql::parse_match(filter.object(), options));
        filter_matcher_.emplace(*tree);
        entry->partial_filter = std::move(tree);
    }
    live_->entry = std::move(entry);
}

IndexState::IndexState(bson::Document spec, const IndexState& other) : IndexState(std::move(spec), other.table_) {
    live_ = other.live_;
}

plan::IndexEntryPtr IndexState::entry() const {
    const std::lock_guard lock(live_->entry_mutex);
    return live_->entry;
}

void IndexState::note_keys(const key::MultikeyPaths& paths, const key::KeySet& keys) {
    if (is_id_index_) return;
    if (keys_.wildcard_projection() != nullptr) return note_arrays(keys.array_paths());
    if (keys.size() <= 1 && !key::any_multikey(paths)) return;
    const std::lock_guard lock(live_->entry_mutex);
    auto grown = std::make_shared<plan::IndexEntry>(*live_->entry);
    const bool changed = key::merge_multikey_paths(grown->multikey_paths, paths);
    if (!changed && grown->multikey) return;
    grown->multikey = true;
    live_->entry = std::move(grown);
    live_->version.fetch_add(1, std::memory_order_release);
}

// Of a wildcard index: a document has many keys without being multikey.
void IndexState::note_arrays(const std::vector<std::string>& paths) {
    if (paths.empty()) return;
    const std::lock_guard lock(live_->entry_mutex);
    const auto is_known = [this](const std::string& path) {
        return live_->entry->wildcard->multikey_paths.contains(path);
    };
    if (std::all_of(paths.begin(), paths.end(), is_known)) return;
    auto details = std::make_shared<plan::WildcardDetails>(*live_->entry->wildcard);
    details->multikey_paths.insert(paths.begin(), paths.end());
    auto grown = std::make_shared<plan::IndexEntry>(*live_->entry);
    grown->wildcard = std::move(details);
    grown->multikey = true;
    live_->entry = std::move(grown);
    live_->version.fetch_add(1, std::memory_order_release);
}

}  // namespace ixora::write
