// minItems, maxItems, uniqueItems, items, additionalItems.
#include "placeholder.hpp"
#include "schema_rules.hpp"

namespace ixora::mql {

namespace {

using bson::Type;

MatchNodePtr translate_item_count(const SchemaObject& schema, const SchemaPath& path, Keyword keyword, MatchKind kind) {
    const bson::Element count = schema[keyword];
    if (!count) return nullptr;
    auto node = make_node(kind, place_of(path));
    node->payload = expect_limit(count);
    return for_type(schema, path, Type::array, std::move(node));
}

MatchNodePtr make_elements(MatchKind kind, const SchemaPath& path, std::int64_t index, MatchNodePtr test) {
    auto node = make_node(kind, place_of(path));
    node->payload = ElementPayload{index, find_placeholder(*test).value_or(std::string())};
    node->children.push_back(std::move(test));
    return node;
}

MatchNodePtr test_of_value(bson::View schema) { return translate_schema(schema, std::string(value_placeholder)); }

}  // namespace

MatchNodePtr translate_min_items(const SchemaObject& schema, const SchemaPath& path) {
    return translate_item_count(schema, path, Keyword::min_items, MatchKind::schema_min_items);
}

MatchNodePtr translate_max_items(const SchemaObject& schema, const SchemaPath& path) {
    return translate_item_count(schema, path, Keyword::max_items, MatchKind::schema_max_items);
}

MatchNodePtr translate_unique_items(const SchemaObject& schema, const SchemaPath& path) {
    const bson::Element unique = schema[Keyword::unique_items];
    if (!unique || !expect_flag(unique)) return nullptr;
    return for_type(schema, path, Type::array, make_node(MatchKind::schema_unique_items, place_of(path)));
}

MatchNodePtr translate_items(const SchemaObject& schema, const SchemaPath& path) {
    const bson::Element items = schema[Keyword::items];
    if (!items) return nullptr;
    const std::string type(bson::type_name(items.type()));
    if (items.is_object())
        return for_type(schema, path, Type::array,
                        make_elements(MatchKind::schema_all_elements, path, 0, test_of_value(items.object())));
    if (!items.is_array()) throw wrong_keyword_type("items", "must be an array or an object, not " + type);
    auto all = make_node(MatchKind::and_);
    std::int64_t index = 0;
    for (const bson::Element& item : items.object()) {
        if (!item.is_object())
            throw wrong_keyword_type("items", "requires that each element of the array is an object, but found a " +
                                                  std::string(bson::type_name(item.type())));
        all->children.push_back(
            make_elements(MatchKind::schema_element_at, path, index++, test_of_value(item.object())));
    }
    return for_type(schema, path, Type::array, std::move(all));
}

MatchNodePtr translate_additional_items(const SchemaObject& schema, const SchemaPath& path) {
    const bson::Element additional = schema[Keyword::additional_items];
    if (!additional) return nullptr;
    MatchNodePtr test;
    if (additional.type() == Type::boolean)
        test = make_node(additional.boolean() ? MatchKind::always_true : MatchKind::always_false);
    else if (additional.is_object())
        test = test_of_value(additional.object());
    else
        throw wrong_keyword_type("additionalItems", "must be either an object or a boolean, but got a " +
                                                        std::string(bson::type_name(additional.type())));
    const bson::Element items = schema[Keyword::items];
    if (!items.is_array()) return nullptr;
    const auto first = static_cast<std::int64_t>(items.object().field_count());
    return for_type(schema, path, Type::array,
                    make_elements(MatchKind::schema_all_elements, path, first, std::move(test)));
}

}  // namespace ixora::mql
