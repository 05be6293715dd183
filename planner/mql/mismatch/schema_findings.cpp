#include "schema_findings.hpp"

#include <algorithm>
#include <set>

#include "considered_values.hpp"

namespace ixora::mql {

namespace {

using bson::Element;

bool is_about(const SchemaRule& rule, Element value) {
    if (value.missing())
        return rule.keyword == Keyword::all_of || rule.keyword == Keyword::any_of || rule.keyword == Keyword::one_of ||
               rule.keyword == Keyword::not_;
    if (rule.about == bson::Type::eoo) return true;
    return rule.about == bson::Type::number_double ? value.is_number() : value.type() == rule.about;
}

}  // namespace

bool fails(const SchemaRule& rule, const SchemaObject& schema, const SchemaSubject& subject) {
    return is_about(rule, subject.value()) && !subject.passes(rule.translate(schema, subject.path()));
}

std::vector<FailingProperty> failing_properties(const SchemaObject& schema, const SchemaSubject& object) {
    std::vector<FailingProperty> failing;
    const std::set<std::string_view> required = required_names(schema);
    for (const Element& property : schema[Keyword::properties].object()) {
        const std::vector<Element> values = considered_values(object.value().object(), property.name(), false).values;
        if (values.empty() && !required.contains(property.name())) continue;
        SchemaSubject value = SchemaSubject::of_value(values.empty() ? Element() : values.front());
        const SchemaObject parsed(property.object());
        if (std::ranges::any_of(schema_rules(), [&](const SchemaRule& rule) { return fails(rule, parsed, value); }))
            failing.push_back({property, std::move(value)});
    }
    return failing;
}

}  // namespace ixora::mql
