#include "ixora/bson/builder.hpp"
#include "ixora/plan/bounds_builder.hpp"

namespace ixora::plan {

namespace {

void append_collated_fields(bson::Builder& out, bson::View fields, const bson::Collator& collator, std::string& key) {
    for (const bson::Element& field : fields) {
        switch (field.type()) {
            case bson::Type::string:
                key.clear();
                collator.append_sort_key(field.string(), key);
                out.append(field.name(), std::string_view(key));
                break;
            case bson::Type::object:
                out.open_object(field.name());
                append_collated_fields(out, field.object(), collator, key);
                out.close();
                break;
            case bson::Type::array:
                out.open_array(field.name());
                append_collated_fields(out, field.object(), collator, key);
                out.close();
                break;
            default: out.append_element(field);
        }
    }
}

}  // namespace

bson::Value collated_value(bson::Element value, const bson::Collator* collator) {
    if (collator == nullptr) return bson::Value(value);
    if (value.is_string()) return bson::Value::of_string(collator->sort_key(value.string()));
    if (!value.is_object() && !value.is_array()) return bson::Value(value);
    bson::Builder out;
    std::string key;
    append_collated_fields(out, value.object(), *collator, key);
    const bson::View made = out.finish_view();
    return value.is_array() ? bson::Value::of_array(made) : bson::Value::of_object(made);
}

}  // namespace ixora::plan
