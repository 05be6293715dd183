#include "ixora/command/clustered_index.hpp"

#include <algorithm>
#include <array>

#include "ixora/bson/builder.hpp"
#include "ixora/bson/debug_string.hpp"
#include "ixora/command/id_index_spec.hpp"
#include "ixora/command/request.hpp"

namespace ixora::command {

namespace {

constexpr std::string_view option_name = "create.clusteredIndex";

// The fields of the option, of the right types.
struct Parts {
    std::int64_t version = 2;
    bson::Element key;
    std::string_view name = "_id_";
    std::optional<bool> unique;
};

Parts parse(bson::View option) {
    Parts parts;
    for (const bson::Element& field : option) {
        const FieldName name{option_name, field.name()};
        if (field.name() == "v") {
            parts.version = expect_number(field, name).value_or(2);
        } else if (field.name() == "key") {
            expect_object(field, name);
            parts.key = field;
        } else if (field.name() == "name") {
            parts.name = expect_string(field, name);
        } else if (field.name() == "unique") {
            const bool is_absent = field.is_null() || field.type() == bson::Type::undefined;
            const bool unique = expect_bool_or_number(field, name);
            if (!is_absent) parts.unique = unique;
        } else {
            throw unknown_field(option_name, field.name());
        }
    }
    if (!parts.key) throw missing_field(option_name, "key");
    if (!parts.unique) throw missing_field(option_name, "unique");
    return parts;
}

bool is_cluster_key(bson::View key) { return is_id_pattern(key) && key.front().to_double() == 1; }

}  // namespace

std::optional<bson::Document> normalize_clustered_index(bson::Element option) {
    if (!option.is_object()) {
        if (option.type() != bson::Type::boolean && !option.is_number())
            throw wrong_type({"create", "clusteredIndex"}, option.type(), "'[bool]'");
        if (!option.truthy()) return std::nullopt;
        throw Error(5979703,
                    "The 'clusteredIndex' legacy format {clusteredIndex: <bool>} is only supported for specific "
                    "internal collections and vice versa");
    }
    const Parts parts = parse(option.object());
    if (!is_cluster_key(parts.key.object()))
        throw Error(ErrorCode::invalid_index_specification_option,
                    "The clusteredIndex option is only supported for key: {_id: 1}");
    if (!*parts.unique) throw Error(5979700, "The clusteredIndex option requires unique: true to be specified");
    bson::Builder out;
    out.append("v", static_cast<std::int32_t>(parts.version));
    out.append("key", parts.key);
    out.append("name", parts.name);
    out.append("unique", true);
    bson::Document stored = out.finish();
    if (parts.version != 2)
        throw Error(5979704, "Invalid clusteredIndex specification " + bson::debug_string(stored.view()) +
                                 "; cannot create a clusteredIndex with v=" + std::to_string(parts.version));
    return stored;
}

bson::Document listed_clustered_index(bson::View options) {
    bson::Builder out;
    out.append_all(options["clusteredIndex"].object());
    if (const bson::Element seconds = options["expireAfterSeconds"]; seconds.is_number())
        out.append("expireAfterSeconds", static_cast<std::int32_t>(seconds.to_int64()));
    if (const bson::Element collation = options["collation"]; collation.is_object()) out.append_element(collation);
    out.append("clustered", true);
    return out.finish();
}

void check_clustered_shape(bson::View spec) {
    if (!spec["clustered"].truthy()) throw Error(6492800, "Value 'false' for field 'clustered' is invalid");
    const bson::Element unique = spec["unique"];
    if (unique.type() != bson::Type::boolean || !unique.boolean())
        throw Error(ErrorCode::cannot_create_index, "The 'unique' field is required when 'clustered' is specified");
    static constexpr std::array allowed{std::string_view("key"),
                                        std::string_view("name"),
                                        std::string_view("v"),
                                        std::string_view("ns"),
                                        std::string_view("unique"),
                                        std::string_view("clustered"),
                                        std::string_view("expireAfterSeconds")};
    for (const bson::Element& field : spec)
        if (std::find(allowed.begin(), allowed.end(), field.name()) == allowed.end())
            throw Error(
                ErrorCode::invalid_index_specification_option,
                "The field '" + std::string(field.name()) +
                    "' is not valid for a clustered index specification. Specification: " + bson::debug_string(spec));
}

bool is_clustered_index(bson::View spec, bson::View stored) {
    const bool same_key = !stored.empty() && is_id_pattern(spec["key"].object());
    if (!same_key && spec.contains("clustered"))
        throw Error(6243700,
                    "Cannot create index with option 'clustered' that does not match an existing clustered index");
    if (!same_key && !stored.empty() && spec["name"].string() == stored["name"].string())
        throw Error(6100906,
                    "Cannot create an index where the name matches the clusteredIndex but the key does not - "
                    "indexSpec: " +
                        bson::debug_string(spec) + ", clusteredIndex: " + bson::debug_string(stored));
    if (!same_key) return false;
    if (const bson::Element version = spec["v"]; version.is_number() && version.to_int64() != 2)
        throw Error(6100908,
                    "Cannot create an index with the same key pattern as the collection's clusteredIndex but a "
                    "different 'v' field");
    return true;
}

}  // namespace ixora::command
