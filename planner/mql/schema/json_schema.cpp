#include "ixora/mql/json_schema.hpp"

#include "schema_rules.hpp"

namespace ixora::mql {

namespace {

using bson::Type;

constexpr std::array rules = {
    SchemaRule{Keyword::pattern, Type::string, translate_pattern},
    SchemaRule{Keyword::max_length, Type::string, translate_max_length},
    SchemaRule{Keyword::min_length, Type::string, translate_min_length},
    SchemaRule{Keyword::multiple_of, Type::number_double, translate_multiple_of},
    SchemaRule{Keyword::maximum, Type::number_double, translate_maximum},
    SchemaRule{Keyword::minimum, Type::number_double, translate_minimum},
    SchemaRule{Keyword::min_items, Type::array, translate_min_items},
    SchemaRule{Keyword::max_items, Type::array, translate_max_items},
    SchemaRule{Keyword::unique_items, Type::array, translate_unique_items},
    SchemaRule{Keyword::items, Type::array, translate_items},
    SchemaRule{Keyword::additional_items, Type::array, translate_additional_items},
    SchemaRule{Keyword::properties, Type::object, translate_properties},
    SchemaRule{Keyword::pattern_properties, Type::object, translate_allowed_properties},
    SchemaRule{Keyword::required, Type::object, translate_required},
    SchemaRule{Keyword::min_properties, Type::object, translate_min_properties},
    SchemaRule{Keyword::max_properties, Type::object, translate_max_properties},
    SchemaRule{Keyword::dependencies, Type::object, translate_dependencies},
    SchemaRule{Keyword::all_of, Type::eoo, translate_all_of},
    SchemaRule{Keyword::any_of, Type::eoo, translate_any_of},
    SchemaRule{Keyword::one_of, Type::eoo, translate_one_of},
    SchemaRule{Keyword::not_, Type::eoo, translate_not},
    SchemaRule{Keyword::enumeration, Type::eoo, translate_enum},
    SchemaRule{Keyword::type, Type::eoo, translate_types},
};

}  // namespace

std::span<const SchemaRule> schema_rules() noexcept { return rules; }

MatchNodePtr translate_schema(const SchemaObject& schema, const SchemaPath& path) {
    auto all = make_node(MatchKind::and_);
    for (const SchemaRule& rule : rules)
        if (MatchNodePtr node = rule.translate(schema, path)) all->children.push_back(std::move(node));
    if (!path && schema.types() && !schema.types()->contains(bson::Type::object))
        return make_node(MatchKind::always_false);
    return all;
}

MatchNodePtr translate_schema(bson::View schema, const SchemaPath& path) {
    return translate_schema(SchemaObject(schema), path);
}

MatchNodePtr parse_json_schema(bson::View schema) { return translate_schema(schema, std::nullopt); }

}  // namespace ixora::mql
