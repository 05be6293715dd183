// The shape of an index specification (spec: keystring.md 2.7 step A).
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

#include "ixora/bson/debug_string.hpp"
#include "ixora/bson/field_path.hpp"
#include "ixora/command/clustered_index.hpp"
#include "ixora/command/index_spec.hpp"
#include "ixora/command/wildcard_spec.hpp"
#include "ixora/key/key_pattern.hpp"
#include "ixora/key/wildcard_projection.hpp"
#include "ixora/mql/match_parser.hpp"

namespace ixora::command {

namespace {

using bson::Element;
using bson::Type;
using bson::View;

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

void check_version(Element version, View spec) {
    if (!version.is_number()) throw field_type_error("v", "a number", version);
    const double value = version.to_double();
    if (value != std::floor(value) || std::abs(value) > std::numeric_limits<std::int32_t>::max())
        throw Error(ErrorCode::bad_value,
                    "Index version must be representable as a 32-bit integer, but got " + bson::debug_string(version));
    const std::int64_t number = version.to_int64();
    if (number != 1 && number != 2)
        throw cannot_create("Invalid index specification " + bson::debug_string(spec) +
                            "; cannot create an index with v=" + std::to_string(number));
}

// Against what a partial index may hold it is checked later.
void check_filter_parses(Element option) {
    if (!option.is_object()) throw field_type_error(option.name(), "an object", option);
    mql::MatchParseOptions options;
    options.special_features = mql::SpecialFeatures::none;
    mql::parse_match(option.object(), options);
}

// The specification that a build was asked for: a specification itself.
void check_original(Element option) {
    if (!option.is_object()) throw field_type_error(option.name(), "an object", option);
    if (option.object().empty())
        throw Error(ErrorCode::bad_value, "The field 'originalSpec' cannot be an empty object.");
    check_index_shape(option.object());
}

void check_option(Element option, View spec) {
    const std::string_view name = option.name();
    if (name == "name" && !option.is_string()) throw field_type_error(name, "a string", option);
    if (name == "hidden" && option.type() != Type::boolean) throw field_type_error("name", "a bool", option);
    if (name == "v") check_version(option, spec);
    if (name == "collation") {
        if (!option.is_object()) throw field_type_error(name, "an object", option);
        if (option.object().empty())
            throw Error(ErrorCode::bad_value, "The field 'collation' cannot be an empty object.");
    }
    if (name == "partialFilterExpression") check_filter_parses(option);
    if (name == "originalSpec") check_original(option);
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
    if (name == "weights" && !option.is_object() && !option.is_array() && !option.is_string())
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
            check_option(option, spec);
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
        throw cannot_create("Invalid index specification " + bson::debug_string(spec) +
                            "; the field 'weights' can only be specified with text indexes");
    if (spec["unique"].truthy() && spec["prepareUnique"].truthy())
        throw cannot_create("Cannot create an index with both 'unique' and 'prepareUnique'");
    if (spec.contains("clustered")) check_clustered_shape(spec);
}

}  // namespace ixora::command
