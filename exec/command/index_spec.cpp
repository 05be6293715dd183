#include "ixora/command/index_spec.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

#include "ixora/bson/builder.hpp"
#include "ixora/bson/compare.hpp"
#include "ixora/bson/debug_string.hpp"
#include "ixora/bson/field_path.hpp"
#include "ixora/command/collection_options.hpp"
#include "ixora/command/id_index_spec.hpp"
#include "ixora/command/wildcard_spec.hpp"
#include "ixora/key/icu_collator.hpp"
#include "ixora/key/key_pattern.hpp"
#include "ixora/key/wildcard_projection.hpp"
#include "ixora/mql/match_parser.hpp"
#include "ixora/mql/match_printer.hpp"
#include "ixora/mql/match_rewrite.hpp"

namespace ixora::command {

namespace {

using bson::Element;
using bson::Type;
using bson::View;

constexpr int partial_filter_depth_max = 5;

constexpr std::array known_options{
    std::string_view("key"),
    std::string_view("name"),
    std::string_view("v"),
    std::string_view("ns"),
    std::string_view("unique"),
    std::string_view("sparse"),
    std::string_view("hidden"),
    std::string_view("background"),
    std::string_view("dropDups"),
    std::string_view("expireAfterSeconds"),
    std::string_view("partialFilterExpression"),
    std::string_view("collation"),
    std::string_view("storageEngine"),
    std::string_view("wildcardProjection"),
    std::string_view("weights"),
    std::string_view("default_language"),
    std::string_view("language_override"),
    std::string_view("textIndexVersion"),
    std::string_view("2dsphereIndexVersion"),
    std::string_view("bits"),
    std::string_view("min"),
    std::string_view("max"),
    std::string_view("bucketSize"),
    std::string_view("coarsestIndexedLevel"),
    std::string_view("finestIndexedLevel"),
    std::string_view("prepareUnique"),
    std::string_view("clustered"),
    std::string_view("originalSpec"),
    std::string_view("_id"),
};
template <std::size_t N>
bool contains(const std::array<std::string_view, N>& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

Error cannot_create(const std::string& message) { return Error(ErrorCode::cannot_create_index, message); }

Error field_type_error(std::string_view field, std::string_view wanted, Element got) {
    return Error(ErrorCode::type_mismatch, "The field '" + std::string(field) + "' must be " + std::string(wanted) +
                                               ", but got " + std::string(bson::type_name(got.type())));
}

void check_field_name(std::string_view name, bool wildcard) {
    if (name.empty()) throw cannot_create("Index keys cannot be an empty field.");
    const bson::FieldPath path{std::string(name)};
    for (std::size_t i = 0; i < path.part_count(); ++i) {
        const std::string_view part = path.part(i);
        if (part.empty()) throw cannot_create("Index keys cannot contain an empty field.");
        if (part.front() != '$') continue;
        const bool reference = i > 0 && (part == "$db" || part == "$id" || part == "$ref");
        const bool wildcard_tail = wildcard && part == "$**" && i + 1 == path.part_count();
        if (!reference && !wildcard_tail)
            throw cannot_create("Index key contains an illegal field name: field name starts with '$'.");
    }
}

void check_key_value(Element field) {
    if (field.is_number()) {
        const double value = field.to_double();
        if (std::isnan(value)) throw cannot_create("Values in the index key pattern cannot be NaN.");
        if (value == 0) throw cannot_create("Values in the index key pattern cannot be 0.");
    } else if (!field.is_string()) {
        throw cannot_create("Values in v:2 index key pattern cannot be of type " +
                            std::string(bson::type_name(field.type())) +
                            ". Only numbers > 0, numbers < 0, and strings are allowed.");
    } else if (field.string().empty()) {
        throw cannot_create("Values in the index key pattern cannot be empty strings");
    } else if (field.string() == "wildcard") {
        throw cannot_create("The key pattern value for an 'wildcard' index must be a non-zero number, not a string.");
    } else if (field.string() == "geoHaystack") {
        throw cannot_create("GeoHaystack indexes cannot be created in version 5.0 and above");
    }
}

void check_key_pattern(View key) {
    if (key.size() > 2048) throw cannot_create("Index key pattern too large.");
    if (key.empty()) throw cannot_create("Index keys cannot be empty.");
    std::set<std::string_view> names;
    std::string_view plugin;
    for (const Element& field : key) {
        if (!names.insert(field.name()).second)
            throw Error(ErrorCode::bad_value, "The field '" + std::string(field.name()) +
                                                  "' appears multiple times in the index key pattern " +
                                                  bson::debug_string(key));
        check_key_value(field);
        const std::string_view own = field.is_string()                      ? field.string()
                                     : key::is_wildcard_field(field.name()) ? std::string_view("wildcard")
                                                                            : std::string_view();
        if (own.empty()) continue;
        if (!plugin.empty() && plugin != own)
            throw cannot_create("Can't use more than one index plugin for a single index.");
        plugin = own;
    }
    const key::IndexType type = key::index_type(key);  // 67 for an unknown plug-in
    for (const Element& field : key) {
        check_field_name(field.name(), type == key::IndexType::wildcard);
        if (field.name() == "_fts" && type != key::IndexType::text)
            throw cannot_create("Index key contains an illegal field name: '_fts'");
    }
    if (type == key::IndexType::wildcard) check_wildcard_key(key);
}

void check_version(Element version) {
    if (!version.is_number()) throw field_type_error("v", "a number", version);
    const double value = version.to_double();
    if (value != std::floor(value) || std::abs(value) > std::numeric_limits<std::int32_t>::max())
        throw Error(ErrorCode::bad_value, "Index version must be representable as a 32-bit integer, but got " +
                                              bson::debug_element_string(version));
    const std::int64_t number = version.to_int64();
    if (number != 1 && number != 2)
        throw cannot_create("Invalid index specification " + bson::debug_element_string(version) +
                            "; cannot create an index with v=" + std::to_string(number));
}

void check_option(Element option) {
    const std::string_view name = option.name();
    if (name == "name" && !option.is_string()) throw field_type_error(name, "a string", option);
    if (name == "hidden" && option.type() != Type::boolean) throw field_type_error("name", "a bool", option);
    if (name == "v") check_version(option);
    if (name == "collation") {
        if (!option.is_object()) throw field_type_error(name, "an object", option);
        if (option.object().empty())
            throw Error(ErrorCode::bad_value, "The field 'collation' cannot be an empty object.");
    }
    if ((name == "partialFilterExpression" || name == "storageEngine") && !option.is_object())
        throw field_type_error(name, "an object", option);
    static constexpr std::array booleans{std::string_view("background"),    std::string_view("unique"),
                                         std::string_view("sparse"),        std::string_view("dropDups"),
                                         std::string_view("prepareUnique"), std::string_view("clustered")};
    if (contains(booleans, name) && option.type() != Type::boolean && !option.is_number())
        throw Error(ErrorCode::type_mismatch, "The field '" + std::string(name) + " has value " +
                                                  bson::debug_element_string(option) +
                                                  ", which is not convertible to bool");
    static constexpr std::array texts{std::string_view("default_language"), std::string_view("language_override")};
    if (contains(texts, name) && !option.is_string()) throw field_type_error(name, "a string", option);
    static constexpr std::array numbers{std::string_view("bits"),
                                        std::string_view("min"),
                                        std::string_view("max"),
                                        std::string_view("bucketSize"),
                                        std::string_view("coarsestIndexedLevel"),
                                        std::string_view("finestIndexedLevel"),
                                        std::string_view("textIndexVersion"),
                                        std::string_view("2dsphereIndexVersion")};
    if (contains(numbers, name) && !option.is_number()) throw field_type_error(name, "a number", option);
    if (name == "weights" && !option.is_object() && !option.is_string())
        throw field_type_error(name, "an object", option);
}

}  // namespace

void check_index_shape(View spec) {
    for (const Element& option : spec) {
        if (option.name() == "key") {
            if (!option.is_object()) throw field_type_error("key", "an object", option);
            check_key_pattern(option.object());
        } else if (!contains(known_options, option.name())) {
            throw Error(ErrorCode::invalid_index_specification_option,
                        "The field '" + std::string(option.name()) +
                            "' is not valid for an index specification. Specification: " + bson::debug_string(spec));
        } else {
            check_option(option);
        }
    }
    if (!spec.contains("key"))
        throw Error(ErrorCode::failed_to_parse, "The 'key' field is a required property of an index specification");
    if (!spec.contains("name"))
        throw Error(ErrorCode::failed_to_parse, "The 'name' field is a required property of an index specification");
    const key::IndexType type = key::index_type(spec["key"].object());
    if (spec.contains("wildcardProjection") && type != key::IndexType::wildcard)
        throw Error(ErrorCode::bad_value, "The field 'wildcardProjection' is only allowed in 'wildcard' indexes");
    if (type == key::IndexType::wildcard) check_wildcard_projection(spec["key"].object(), spec["wildcardProjection"]);
    if (spec.contains("weights") && type != key::IndexType::text)
        throw cannot_create("The field 'weights' can only be specified with text indexes");
    if (spec["unique"].truthy() && spec["prepareUnique"].truthy())
        throw cannot_create("Cannot create an index with both 'unique' and 'prepareUnique'");
}

namespace {

// Step B: names.
void check_names(View spec) {
    const View key = spec["key"].object();
    const std::string_view name = spec["name"].string();
    if (is_id_pattern(key)) return check_id_index_fields(spec);
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
        std::size_t hashed = 0;
        for (const Element& field : key) hashed += field.is_string() ? 1U : 0U;
        if (hashed > 1)
            throw Error(31303, "A maximum of one index field is allowed to be hashed but found " +
                                   std::to_string(hashed) + " for 'key' " + bson::debug_string(key));
        if (spec["unique"].truthy())
            throw Error(16764, "Currently hashed indexes cannot guarantee uniqueness. Use a regular index.");
    }
    check_storage_engine(spec);
    const Element filter = spec["partialFilterExpression"];
    if (filter.missing()) return;
    if (spec["sparse"].truthy()) throw cannot_create("cannot mix \"partialFilterExpression\" and \"sparse\" options");
    mql::MatchParseOptions options;
    options.collator = collator;
    options.special_features = false;
    check_partial_filter(*mql::optimize(mql::parse_match(filter.object(), options)), 0);
}

void append_common(bson::Builder& out, View spec, std::string_view name) {
    const Element version = spec["v"];
    out.append("v", version.missing() ? 2 : static_cast<std::int32_t>(version.to_int64()));
    if (spec["unique"].truthy()) out.append("unique", true);
    if (spec["hidden"].truthy()) out.append("hidden", true);
    out.append("key", spec["key"]);
    out.append("name", name);
}

}  // namespace

bson::Document normalize_index_spec(View spec, const bson::Collator* collection_collator) {
    try {
        check_index_shape(spec);
    } catch (const Error& error) {
        throw error.with_context("Error in specification " + bson::debug_string(spec));
    }
    bson::Builder with_version;  // what the server prints in later errors
    with_version.append_all(spec);
    if (!spec.contains("v")) with_version.append("v", 2);
    const bson::Document full = with_version.finish();
    check_names(full);
    if (key::index_type(full["key"].object()) == key::IndexType::wildcard) {
        try {
            check_wildcard_options(full);
        } catch (const Error& error) {
            throw error.with_context("Error in specification " + bson::debug_string(full.view()));
        }
    }
    check_ttl(full);
    const View key = spec["key"].object();
    if (is_id_pattern(key)) {
        check_id_index_collation(spec, collection_collator);
        return id_index_spec(collection_collator);
    }

    bson::CollatorPtr collator;
    const Element collation = spec["collation"];
    if (!collation.missing()) collator = key::make_collator(collation.object());
    check_for_collection(full, collator);
    const bson::Collator* effective = collation.missing() ? collection_collator : collator.get();

    bson::Builder out;
    append_common(out, spec, spec["name"].string());
    for (const Element& option : spec) {
        static constexpr std::array dropped{
            std::string_view("v"),        std::string_view("unique"), std::string_view("hidden"),
            std::string_view("key"),      std::string_view("name"),   std::string_view("ns"),
            std::string_view("dropDups"), std::string_view("_id"),    std::string_view("collation")};
        if (option.name() == "expireAfterSeconds")
            out.append(option.name(), static_cast<std::int32_t>(option.to_int64()));
        else if (!contains(dropped, option.name()))
            out.append_element(option);
    }
    if (effective != nullptr) out.append("collation", effective->spec());
    return out.finish();
}

}  // namespace ixora::command
