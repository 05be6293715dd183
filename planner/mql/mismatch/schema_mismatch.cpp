#include "schema_mismatch.hpp"

#include <algorithm>

#include "../regex.hpp"
#include "../schema/schema_rules.hpp"
#include "../schema/unordered_value.hpp"
#include "considered_values.hpp"
#include "ixora/base/invariant.hpp"
#include "schema_findings.hpp"
#include "schema_subject.hpp"

namespace ixora::mql {

namespace {

using bson::Element;
using bson::View;

std::string_view comparison_reason(Keyword keyword) {
    switch (keyword) {
        case Keyword::pattern: return "regular expression did not match";
        case Keyword::max_length:
        case Keyword::min_length: return "specified string length was not satisfied";
        case Keyword::multiple_of: return "considered value is not a multiple of the specified value";
        case Keyword::min_items:
        case Keyword::max_items: return "array did not match specified length";
        default: return "comparison failed";
    }
}

class SchemaExplanation {
public:
    explicit SchemaExplanation(const MismatchWriter& writer) : writer_(writer), out_(writer.out()) {}

    // The fields of the object that is open.
    void write_document(View schema, const SchemaSubject& document) {
        const SchemaObject parsed(schema);
        writer_.begin_rule("$jsonSchema");
        if (excludes_objects(parsed)) return write_never(schema);
        write_metadata(schema);
        out_.open_array("schemaRulesNotSatisfied");
        write_rules(parsed, document);
        out_.close();
    }

private:
    static bool excludes_objects(const SchemaObject& schema) {
        return schema.types() && !schema.types()->contains(bson::Type::object);
    }

    // No document at all can follow the schema.
    static bool is_never(const SchemaObject& schema, const SchemaSubject& subject) {
        return subject.is_document() && excludes_objects(schema);
    }

    void write_never(View schema) {
        bson::Builder written;
        written.append("$jsonSchema", schema);
        writer_.specified_as(written.finish_view());
        writer_.reason("expression always evaluates to false");
    }

    void write_metadata(View schema) {
        out_.append_element(schema["title"]);
        out_.append_element(schema["description"]);
    }

    // "details" of a schema inside of another one.
    void write_details(View schema, const SchemaSubject& subject) {
        const SchemaObject parsed(schema);
        if (is_never(parsed, subject)) {
            out_.open_object("details");
            writer_.begin_rule("$jsonSchema");
            write_never(schema);
        } else {
            out_.open_array("details");
            write_rules(parsed, subject);
        }
        out_.close();
    }

    void write_rules(const SchemaObject& schema, const SchemaSubject& subject) {
        for (const SchemaRule& rule : schema_rules()) {
            if (!fails(rule, schema, subject)) continue;
            if (rule.keyword == Keyword::pattern_properties) {
                write_additional_properties(schema, subject);
                write_pattern_properties(schema, subject);
                continue;
            }
            if (rule.keyword == Keyword::properties) {
                write_properties(failing_properties(schema, subject));
                continue;
            }
            out_.open_object();
            write_rule(rule.keyword, schema, subject);
            out_.close();
        }
    }

    void write_rule(Keyword keyword, const SchemaObject& schema, const SchemaSubject& subject) {
        const Keyword written = keyword == Keyword::type && !schema[Keyword::type] ? Keyword::bson_type : keyword;
        const Element argument = schema[written];
        writer_.begin_rule(argument.name());
        switch (written) {
            case Keyword::items: return write_items(argument, subject);
            case Keyword::additional_items: return write_additional_items(schema, subject);
            case Keyword::required: return write_required(schema, subject);
            case Keyword::dependencies: return write_dependencies(argument, subject);
            case Keyword::all_of:
            case Keyword::any_of: return write_failing_schemas(argument, subject);
            case Keyword::one_of: return write_one_of(argument, subject);
            case Keyword::not_: return writer_.reason("child expression matched");
            case Keyword::enumeration: return write_enum(argument, subject);
            default: return write_scalar(written, schema, subject);
        }
    }

    void write_scalar(Keyword keyword, const SchemaObject& schema, const SchemaSubject& subject) {
        write_limit(keyword, schema);
        const Element value = subject.value();
        switch (keyword) {
            case Keyword::type:
            case Keyword::bson_type:
                writer_.reason("type did not match");
                writer_.considered(value);
                return writer_.considered_types({&value, 1});
            case Keyword::unique_items:
                writer_.reason("found a duplicate item");
                writer_.considered(value);
                if (!writer_.is_brief()) out_.append("duplicatedValue", duplicate_member(value.object()));
                return;
            case Keyword::min_properties:
            case Keyword::max_properties:
                writer_.reason("specified number of properties was not satisfied");
                return out_.append("numberOfProperties", static_cast<std::int32_t>(value.object().field_count()));
            default: writer_.reason(comparison_reason(keyword)); return writer_.considered(value);
        }
    }

    // The keyword as written; an exclusive end of a range says so.
    void write_limit(Keyword keyword, const SchemaObject& schema) {
        bson::Builder written;
        written.append_element(schema[keyword]);
        for (const auto& [limit, exclusive] : {std::pair(Keyword::maximum, Keyword::exclusive_maximum),
                                               std::pair(Keyword::minimum, Keyword::exclusive_minimum)})
            if (keyword == limit && schema[exclusive].truthy()) written.append_element(schema[exclusive]);
        writer_.specified_as(written.finish_view());
    }

    void write_items(Element items, const SchemaSubject& array) {
        if (items.is_object())
            return write_first_failing_item(items.object(), array, 0, "At least one item did not match the sub-schema");
        const View values = array.value().object();
        auto value = values.begin();
        out_.open_array("details");
        std::int64_t index = 0;
        for (const Element& schema : items.object()) {
            if (value == values.end()) break;
            const SchemaSubject item = SchemaSubject::of_value(*value++);
            if (!item.follows(schema.object())) {
                out_.open_object();
                out_.append("itemIndex", index);
                write_details(schema.object(), item);
                out_.close();
            }
            ++index;
        }
        out_.close();
    }

    void write_additional_items(const SchemaObject& schema, const SchemaSubject& array) {
        const Element additional = schema[Keyword::additional_items];
        const auto first = static_cast<std::int32_t>(schema[Keyword::items].object().field_count());
        if (additional.is_object())
            return write_first_failing_item(additional.object(), array, first,
                                            "At least one additional item did not match the sub-schema");
        writer_.specified_as(additional);
        writer_.reason("found additional items");
        if (writer_.is_brief()) return;
        out_.open_array("additionalItems");
        std::int32_t index = 0;
        for (const Element& value : array.value().object())
            if (index++ >= first) out_.append_member(value);
        out_.close();
    }

    void write_first_failing_item(View schema, const SchemaSubject& array, std::int32_t first,
                                  std::string_view reason) {
        std::int32_t index = -1;
        for (const Element& value : array.value().object()) {
            if (++index < first) continue;
            const SchemaSubject item = SchemaSubject::of_value(value);
            if (item.follows(schema)) continue;
            write_metadata(schema);
            writer_.reason(reason);
            out_.append("itemIndex", index);
            return write_details(schema, item);
        }
        IXORA_INVARIANT(false && "a failing rule has an item that fails");
    }

    // None: a required one is missing, which is the business of another rule.
    void write_properties(const std::vector<FailingProperty>& failing) {
        if (failing.empty()) return;
        out_.open_object();
        writer_.begin_rule(keyword_name(Keyword::properties));
        out_.open_array("propertiesNotSatisfied");
        for (const auto& [property, value] : failing) {
            out_.open_object();
            out_.append("propertyName", property.name());
            write_metadata(property.object());
            write_details(property.object(), value);
            out_.close();
        }
        out_.close();
        out_.close();
    }

    bool is_described(const SchemaObject& schema, std::string_view name) const {
        if (schema[Keyword::properties] && schema[Keyword::properties].object().contains(name)) return true;
        const Element patterns = schema[Keyword::pattern_properties];
        if (!patterns) return false;
        const View all = patterns.object();
        return std::any_of(all.begin(), all.end(), [name](const Element& pattern) {
            return Regex({std::string(pattern.name()), {}}).search(name);
        });
    }

    // As an object of its own, where a property fails that is neither listed nor matches a pattern.
    void write_additional_properties(const SchemaObject& schema, const SchemaSubject& object) {
        const Element additional = schema[Keyword::additional_properties];
        if (!additional || (additional.type() == bson::Type::boolean && additional.boolean())) return;
        std::vector<Element> failing;
        for (const Element& field : object.value().object()) {
            const bool fails = !additional.is_object() || !SchemaSubject::of_value(field).follows(additional.object());
            if (fails && !is_described(schema, field.name())) failing.push_back(field);
        }
        if (failing.empty()) return;
        out_.open_object();
        writer_.begin_rule(additional.name());
        if (additional.is_object()) {
            write_metadata(additional.object());
            writer_.reason("at least one additional property did not match the subschema");
            out_.append("failingProperty", failing.front().name());
            write_details(additional.object(), SchemaSubject::of_value(failing.front()));
        } else {
            writer_.specified_as(additional);
            out_.open_array("additionalProperties");
            for (const Element& field : failing) out_.append(field.name());
            out_.close();
        }
        out_.close();
    }

    void write_pattern_properties(const SchemaObject& schema, const SchemaSubject& object) {
        const Element patterns = schema[Keyword::pattern_properties];
        if (!patterns) return;
        bool opened = false;
        for (const Element& pattern : patterns.object()) {
            const Element field = first_failing_field(object.value().object(), pattern);
            if (!field) continue;
            if (!opened) {
                out_.open_object();
                writer_.begin_rule(patterns.name());
                out_.open_array("details");
                opened = true;
            }
            out_.open_object();
            out_.append("propertyName", field.name());
            write_metadata(pattern.object());
            out_.append("regexMatched", pattern.name());
            write_details(pattern.object(), SchemaSubject::of_value(field));
            out_.close();
        }
        if (!opened) return;
        out_.close();
        out_.close();
    }

    static Element first_failing_field(View object, Element pattern) {
        const Regex regex({std::string(pattern.name()), {}});
        for (const Element& field : object)
            if (regex.search(field.name()) && !SchemaSubject::of_value(field).follows(pattern.object())) return field;
        return {};
    }

    static bool has_property(const SchemaSubject& object, std::string_view name) {
        return object.value().is_object() && considered_values(object.value().object(), name, true).exists;
    }

    void write_required(const SchemaObject& schema, const SchemaSubject& object) {
        writer_.specified_as(schema[Keyword::required]);
        out_.open_array("missingProperties");
        for (const std::string_view name : required_names(schema))
            if (!has_property(object, name)) out_.append(name);
        out_.close();
    }

    void write_dependencies(Element dependencies, const SchemaSubject& object) {
        out_.open_array("failingDependencies");
        for (const Element& dependency : dependencies.object()) {
            if (!has_property(object, dependency.name())) continue;
            if (dependency.is_object() ? object.follows(dependency.object()) : has_all(object, dependency.object()))
                continue;
            out_.open_object();
            out_.append("conditionalProperty", dependency.name());
            if (dependency.is_object()) {
                write_details(dependency.object(), object);
            } else {
                out_.open_array("missingProperties");
                for (const Element& name : dependency.object())
                    if (!has_property(object, name.string())) out_.append(name.string());
                out_.close();
            }
            out_.close();
        }
        out_.close();
    }

    static bool has_all(const SchemaSubject& object, View names) {
        return std::all_of(names.begin(), names.end(),
                           [&object](const Element& name) { return has_property(object, name.string()); });
    }

    void write_failing_schemas(Element schemas, const SchemaSubject& subject) {
        out_.open_array("schemasNotSatisfied");
        std::int32_t index = 0;
        for (const Element& schema : schemas.object()) {
            if (!subject.follows(schema.object())) {
                out_.open_object();
                out_.append("index", index);
                if (!is_never(SchemaObject(schema.object()), subject)) write_metadata(schema.object());
                write_details(schema.object(), subject);
                out_.close();
            }
            ++index;
        }
        out_.close();
    }

    void write_one_of(Element schemas, const SchemaSubject& subject) {
        std::vector<std::int32_t> followed;
        std::int32_t index = 0;
        for (const Element& schema : schemas.object()) {
            if (subject.follows(schema.object())) followed.push_back(index);
            ++index;
        }
        if (followed.empty()) return write_failing_schemas(schemas, subject);
        writer_.reason("more than one subschema matched");
        out_.open_array("matchingSchemaIndexes");
        for (const std::int32_t place : followed) out_.append(place);
        out_.close();
    }

    void write_enum(Element values, const SchemaSubject& subject) {
        writer_.specified_as(values);
        const View listed = values.object();
        const bool hopeless = subject.is_document() && std::none_of(listed.begin(), listed.end(),
                                                                    [](const Element& v) { return v.is_object(); });
        if (hopeless) return writer_.reason("expression always evaluates to false");
        writer_.reason("value was not found in enum");
        writer_.considered(subject.value());
    }

    const MismatchWriter& writer_;
    bson::Builder& out_;
};

}  // namespace

void write_schema_mismatch(const MismatchWriter& writer, View schema, View document) {
    SchemaExplanation(writer).write_document(schema, SchemaSubject::of_document(document));
}

}  // namespace ixora::mql
