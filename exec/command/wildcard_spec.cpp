#include "ixora/command/wildcard_spec.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ixora/base/error.hpp"
#include "ixora/bson/debug_string.hpp"
#include "ixora/bson/field_path.hpp"
#include "ixora/key/wildcard_projection.hpp"
#include "ixora/mql/projection.hpp"

namespace ixora::command {

namespace {

using bson::Element;
using bson::View;

Error cannot_create(const std::string& message) { return Error(ErrorCode::cannot_create_index, message); }

bool overlap(std::string_view one, std::string_view other) {
    return bson::is_path_prefix_or_equal(one, other) || bson::is_path_prefix_or_equal(other, one);
}

std::string_view wildcard_name(View key) {
    for (const Element& field : key)
        if (key::is_wildcard_field(field.name())) return field.name();
    return {};
}

std::vector<std::string_view> ordinary_fields(View key) {
    std::vector<std::string_view> names;
    for (const Element& field : key)
        if (!key::is_wildcard_field(field.name())) names.push_back(field.name());
    return names;
}

// Values that are neither yes nor no make a projection compute something.
void refuse_computed_fields(View projection) {
    for (const Element& field : projection) {
        const bool computed = field.is_object() ? field.object().front().name().starts_with('$')
                                                : !field.is_number() && field.type() != bson::Type::boolean;
        if (computed)
            throw Error(51271,
                        "Bad projection specification, cannot use computed fields when parsing a spec in "
                        "kBanComputedFields mode");
        const bson::FieldPath path{std::string(field.name())};
        for (std::size_t i = 0; i < path.part_count(); ++i)
            if (path.part(i).starts_with('$')) throw Error(16410, "FieldPath field names may not start with '$'.");
        if (field.is_object()) refuse_computed_fields(field.object());
    }
}

struct CompoundProjection {
    std::vector<std::string_view> names;  // without `_id`
    bool inclusion = false;
    std::optional<bool> keeps_id;  // if it says so
};

CompoundProjection read_compound_projection(View projection) {
    CompoundProjection read;
    bool first = true;
    for (const Element& field : projection) {
        if (!field.is_number() && field.type() != bson::Type::boolean)
            throw Error(7246207, "The wildcardProjection can hold numbers and booleans only, but '" +
                                     std::string(field.name()) + "' is " + bson::debug_string(field));
        if (field.name() == "_id") {
            read.keeps_id = field.truthy();
            continue;
        }
        if (first) read.inclusion = field.truthy();
        first = false;
        if (field.truthy() != read.inclusion)
            throw Error(7246211,
                        "The wildcardProjection cannot combine inclusion and exclusion statements, with the exception "
                        "that _id may be excluded for inclusion projections and included for exclusion projections");
        read.names.push_back(field.name());
    }
    if (read.names.empty()) read.inclusion = read.keeps_id.value_or(false);
    return read;
}

void check_inclusion(const CompoundProjection& projection, const std::vector<std::string_view>& ordinary) {
    std::vector<std::string_view> included = projection.names;
    if (projection.keeps_id.value_or(false)) included.push_back("_id");
    for (const std::string_view name : included)
        for (const std::string_view field : ordinary)
            if (bson::is_path_prefix_or_equal(name, field))
                throw Error(7246208, "Index Key and Wildcard Projection cannot contain overlapping fields, however '" +
                                         std::string(field) + "' index field is overlapping with '" +
                                         std::string(name) + "' wildcardProjection path");
}

// Every ordinary field must lie in an excluded path. The server looks at the greatest excluded path that is not behind
// the field, and has a code of its own for there being none.
void check_exclusion(const CompoundProjection& projection, const std::vector<std::string_view>& ordinary) {
    std::set<std::string_view> excluded(projection.names.begin(), projection.names.end());
    if (!projection.keeps_id.value_or(true)) excluded.insert("_id");
    for (const std::string_view field : ordinary) {
        const auto behind = excluded.upper_bound(field);
        const bool none = behind == excluded.begin();
        if (!none && bson::is_path_prefix_or_equal(*std::prev(behind), field)) continue;
        throw Error(none ? 7246209 : 7246210,
                    "wildcardProjection paths must exclude all regular index fields, however '" + std::string(field) +
                        "'is not excluded");
    }
}

void check_compound_projection(View key, View projection) {
    const CompoundProjection read = read_compound_projection(projection);
    for (std::size_t i = 0; i < read.names.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (overlap(read.names[i], read.names[j]))
                throw Error(7246200, "Fields in Wildcard Projection cannot overlap, however '" +
                                         std::string(read.names[j]) + "' is overlapped with '" +
                                         std::string(read.names[i]));
    const std::vector<std::string_view> ordinary = ordinary_fields(key);
    if (read.inclusion)
        check_inclusion(read, ordinary);
    else
        check_exclusion(read, ordinary);
}

}  // namespace

void check_wildcard_key(View key) {
    const std::vector<std::string_view> ordinary = ordinary_fields(key);
    const auto fields = static_cast<std::size_t>(key.field_count());
    if (fields - ordinary.size() > 1) throw Error(7246201, "Wildcard indexes must have exactly one wildcard field");
    const std::string_view wildcard = wildcard_name(key);
    if (wildcard == "$**") return;
    const std::string_view subtree = wildcard.substr(0, wildcard.rfind(".$**"));
    for (const std::string_view field : ordinary)
        if (overlap(field, subtree))
            throw Error(7246204,
                        "A wildcard index field should not overlap with and index key fields if wildcard projection is "
                        "empty, however '" +
                            std::string(field) + "' is overlapping with the wildcard index field.");
}

void check_wildcard_projection(View key, Element projection) {
    const bool compound = key.field_count() > 1;
    const bool whole_document = wildcard_name(key) == "$**";
    if (projection.missing()) {
        if (compound && whole_document)
            throw cannot_create(
                "Compound wildcard indexes on all fields must also specify 'wildcardProjection' option");
        return;
    }
    if (!projection.is_object())
        throw Error(ErrorCode::type_mismatch, "The field 'wildcardProjection' must be an object, but got " +
                                                  std::string(bson::type_name(projection.type())));
    if (!whole_document)
        throw Error(ErrorCode::failed_to_parse,
                    "The field 'wildcardProjection' is only allowed when 'key' is {\"$**\": \xC2\xB1"
                    "1}");
    if (projection.object().empty())
        throw Error(ErrorCode::failed_to_parse, "The 'wildcardProjection' field can't be an empty object");
    if (compound) check_compound_projection(key, projection.object());
    try {
        refuse_computed_fields(projection.object());
        mql::Projection::parse(projection.object());
    } catch (const Error& error) {
        throw error.with_context("Failed to parse: wildcardProjection");
    }
}

void check_wildcard_options(View spec) {
    for (const std::string_view option : {std::string_view("sparse"), std::string_view("unique")})
        if (spec[option].truthy())
            throw cannot_create("Index type 'wildcard' does not support the '" + std::string(option) + "' option");
    if (spec.contains("expireAfterSeconds"))
        throw cannot_create("Index type 'wildcard' does not support the 'expireAfterSeconds' option")
            .with_context("cannot make a TTL index");
    if (const Element version = spec["v"]; version.is_number() && version.to_int64() == 1)
        throw cannot_create("bad index key pattern " + bson::debug_string(spec["key"].object()) +
                            ": 'wildcard' index plugin is not allowed with index version v:1");
}

}  // namespace ixora::command
