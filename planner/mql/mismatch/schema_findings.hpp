// Which rules of a schema a value breaks.
#pragma once

#include <vector>

#include "../schema/schema_rules.hpp"
#include "schema_subject.hpp"

namespace ixora::mql {

// Whether the rule is about such a value and the value breaks it. A missing value breaks only rules that combine
// schemas: that it is missing is the business of `required`.
bool fails(const SchemaRule& rule, const SchemaObject& schema, const SchemaSubject& subject);

struct FailingProperty {
    bson::Element schema;  // under the property's name
    SchemaSubject value;
};

// Of the object's properties, in the order of `properties`. Required ones that are missing may be among them.
std::vector<FailingProperty> failing_properties(const SchemaObject& schema, const SchemaSubject& object);

}  // namespace ixora::mql
