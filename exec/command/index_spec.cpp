#include "ixora/command/index_spec.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "ixora/bson/builder.hpp"
#include "ixora/bson/debug_string.hpp"
#include "ixora/command/clustered_index.hpp"
#include "ixora/command/collection_options.hpp"
#include "ixora/command/id_index_spec.hpp"
#include "ixora/command/wildcard_spec.hpp"
#include "ixora/key/icu_collator.hpp"
#include "ixora/key/key_pattern.hpp"
#include "ixora/mql/match_parser.hpp"
#include "ixora/mql/match_printer.hpp"

namespace ixora::command {

namespace {

using bson::Element;
using bson::View;

constexpr int partial_filter_depth_max = 4;

template <std::size_t N>
bool contains(const std::array<std::string_view, N>& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

Error cannot_create(const std::string& message) { return Error(ErrorCode::cannot_create_index, message); }

// Step B: names.
void check_names(View spec) {
    const View key = spec["key"].object();
    const std::string_view name = spec["name"].string();
    if (is_id_pattern(key)) {
        if (!spec.contains("clustered")) check_id_index_fields(spec);
        return;
    }
    if (name == "_id_")
        throw Error(
            ErrorCode::bad_value,
            "The index name '_id_' is reserved for the _id index, which must have key pattern {_id: 1}, found key: " +
                bson::debug_string(key));
    if (name == "*") throw Error(ErrorCode::bad_value, "The index name '*' is not valid.");
}

// Step C.
void check_ttl(View spec) {
    const Element seconds = spec["expireAfterSeconds"];
    if (seconds.missing()) return;
    if (!seconds.is_number())
        throw cannot_create("TTL index 'expireAfterSeconds' option must be numeric, but received a type of '" +
                            std::string(bson::type_name(seconds.type())) +
                            "'. Index spec: " + bson::debug_string(spec));
    const double value = seconds.to_double();
    if (std::isnan(value) || value > std::numeric_limits<std::int32_t>::max())
        throw cannot_create(
            "TTL index 'expireAfterSeconds' option must be within an acceptable range, try a different number than " +
            std::to_string(seconds.to_int64()) + ". Index spec: " + bson::debug_string(spec));
    if (value < 0)
        throw cannot_create("TTL index 'expireAfterSeconds' option cannot be less than 0. Index spec: " +
                            bson::debug_string(spec));
    if (spec["key"].object().field_count() != 1)
        throw cannot_create("TTL indexes are single-field indexes, compound indexes do not support TTL. Index spec: " +
                            bson::debug_string(spec));
}

void check_partial_filter(const mql::MatchNode& node, int depth) {
    using mql::MatchKind;
    switch (node.kind) {
        case MatchKind::eq:
        case MatchKind::lt:
        case MatchKind::lte:
        case MatchKind::gt:
        case MatchKind::gte:
        case MatchKind::exists:
        case MatchKind::type:
        case MatchKind::in: return;
        case MatchKind::and_:
        case MatchKind::or_:
            if (depth >= partial_filter_depth_max)
                throw cannot_create("partialFilterExpression depth may not exceed " +
                                    std::to_string(partial_filter_depth_max));
            for (const mql::MatchNodePtr& child : node.children) check_partial_filter(*child, depth + 1);
            return;
        default:
            throw cannot_create("Expression not supported in partial index: " +
                                bson::debug_string(mql::print_match(node).view()));
    }
}

// The options of storage engines: only WiredTiger's are known, and accepted without effect.
void check_storage_engine(View spec) {
    const Element engines = spec["storageEngine"];
    if (engines.missing()) return;
    if (!engines.is_object()) throw cannot_create("\"storageEngine\" options must be a document if present");
    if (engines.object().empty())
        throw cannot_create(
            "Empty \"storageEngine\" options are invalid. Please remove the field or include valid options.");
    check_storage_engines(engines.object());
}

// Step D: against the collection.
void check_for_collection(View spec, const bson::CollatorPtr& collator) {
    const View key = spec["key"].object();
    const std::string_view name = spec["name"].string();
    if (name.empty()) throw cannot_create("index name cannot be empty");
    if (name.find('\0') != std::string_view::npos) throw cannot_create("index name cannot contain NUL bytes");
    const key::IndexType type = key::index_type(key);
    if (type != key::IndexType::btree && type != key::IndexType::hashed && type != key::IndexType::wildcard)
        throw cannot_create("Index type '" + std::string(key::index_type_name(type)) +
                            "' is not supported by this engine. Index spec: " + bson::debug_string(spec));
    key::Ordering::of(key);  // 13103 for too many fields
    if (type == key::IndexType::hashed) {
        if (spec["unique"].truthy())
            throw Error(16764, "Currently hashed indexes cannot guarantee uniqueness. Use a regular index.");
        std::size_t hashed = 0;
        for (const Element& field : key) hashed += field.is_string() ? 1U : 0U;
        if (hashed > 1)
            throw Error(31303, "A maximum of one index field is allowed to be hashed but found " +
                                   std::to_string(hashed) + " for 'key' " + bson::debug_string(key));
    }
    check_storage_engine(spec);
    const Element filter = spec["partialFilterExpression"];
    if (filter.missing()) return;
    if (spec["sparse"].truthy()) throw cannot_create("cannot mix \"partialFilterExpression\" and \"sparse\" options");
    mql::MatchParseOptions options;
    options.collator = collator;
    options.special_features = mql::SpecialFeatures::none;
    // An operator at the top stands below the conjunction that every filter is.
    const bool one_operator = filter.object().field_count() == 1 && filter.object().front().name().starts_with('$');
    check_partial_filter(*mql::parse_match(filter.object(), options), one_operator ? 1 : 0);
}

void append_common(bson::Builder& out, View spec, std::string_view name) {
    const Element version = spec["v"];
    out.append("v", version.missing() ? 2 : static_cast<std::int32_t>(version.to_int64()));
    if (spec["unique"].truthy()) out.append("unique", true);
    if (spec["hidden"].truthy()) out.append("hidden", true);
    out.append("key", spec["key"]);
    out.append("name", name);
}

// Runs a check whose errors name the specification.
template <class Check>
void check_in_context(View spec, Check&& check) {
    try {
        check();
    } catch (const Error& error) {
        throw error.with_context("Error in specification " + bson::debug_string(spec));
    }
}

bson::Document with_version(View spec) {
    bson::Builder out;
    out.append_all(spec);
    if (!spec.contains("v")) out.append("v", 2);
    return out.finish();
}

// Null if the specification names none.
bson::CollatorPtr collator_of(View spec) {
    const Element collation = spec["collation"];
    if (collation.missing()) return nullptr;
    try {
        return key::make_collator(collation.object());
    } catch (const Error& error) {
        throw error.with_context("failed to add collation information to index spec for index creation: " +
                                 bson::debug_string(spec));
    }
}

// Step F.
bson::Document stored_form(View spec, const bson::Collator* collator) {
    static constexpr std::array dropped{
        std::string_view("v"),        std::string_view("unique"), std::string_view("hidden"),
        std::string_view("key"),      std::string_view("name"),   std::string_view("ns"),
        std::string_view("dropDups"), std::string_view("_id"),    std::string_view("collation")};
    bson::Builder out;
    append_common(out, spec, spec["name"].string());
    for (const Element& option : spec) {
        if (option.name() == "expireAfterSeconds")
            out.append(option.name(), static_cast<std::int32_t>(option.to_int64()));
        else if (!contains(dropped, option.name()))
            out.append_element(option);
    }
    if (collator != nullptr) out.append("collation", collator->spec());
    return out.finish();
}

// Whether it is the clustered index that the collection has.
bool is_clustered_here(View spec, const Collection* collection) {
    if (collection == nullptr && spec.contains("clustered"))
        throw Error(6100900, "Cannot implicitly create a new collection with createIndex 'clustered' option");
    bool found = false;
    check_in_context(spec, [&] {
        const bool clustered = collection != nullptr && collection->clustered;
        found = is_clustered_index(spec, clustered ? collection->options["clusteredIndex"].object() : View());
    });
    return found;
}

}  // namespace

std::optional<bson::Document> normalize_index_spec(View spec, const Collection* collection) {
    check_in_context(spec, [spec] { check_index_shape(spec); });
    const bson::Document full = with_version(spec);  // what the server prints in later errors
    check_names(full);
    const View key = spec["key"].object();
    if (key::index_type(key) == key::IndexType::wildcard)
        check_in_context(full, [&full] { check_wildcard_options(full); });
    check_ttl(spec);
    const bson::Collator* collection_collator = collection == nullptr ? nullptr : collection->collator.get();
    if (is_id_pattern(key)) check_id_index_collation(spec, collection_collator);
    if (is_clustered_here(full, collection)) return std::nullopt;
    if (is_id_pattern(key)) return id_index_spec(collection_collator);

    const bson::CollatorPtr own_collator = collator_of(full);
    check_in_context(full, [&] { check_for_collection(full, own_collator); });
    return stored_form(spec, spec.contains("collation") ? own_collator.get() : collection_collator);
}

}  // namespace ixora::command
