#include "ixora/command/id_index_spec.hpp"

#include <algorithm>
#include <array>

#include "ixora/base/error.hpp"
#include "ixora/bson/builder.hpp"
#include "ixora/bson/debug_string.hpp"
#include "ixora/key/icu_collator.hpp"

namespace ixora::command {

bool is_id_pattern(bson::View key) {
    return key.field_count() == 1 && key.front().name() == "_id" && key.front().is_number();
}

void check_id_index_fields(bson::View spec) {
    static constexpr std::array allowed{std::string_view("key"), std::string_view("name"),
                                        std::string_view("v"),   std::string_view("ns"),
                                        std::string_view("_id"), std::string_view("collation")};
    for (const bson::Element& option : spec)
        if (std::find(allowed.begin(), allowed.end(), option.name()) == allowed.end())
            throw Error(
                ErrorCode::invalid_index_specification_option,
                "The field '" + std::string(option.name()) +
                    "' is not valid for an _id index specification. Specification: " + bson::debug_string(spec));
    const bson::View key = spec["key"].object();
    if (!is_id_pattern(key) || key.front().to_double() != 1)
        throw Error(ErrorCode::bad_value,
                    "The field 'key' for an _id index must be {_id: 1}, but got " + bson::debug_string(key));
}

void check_id_index_collation(bson::View spec, const bson::Collator* collection_collator) {
    const bson::Element collation = spec["collation"];
    if (collation.missing()) return;
    const bson::CollatorPtr collator = key::make_collator(collation.object());
    if (bson::same_collation(collator.get(), collection_collator)) return;
    const auto text = [](const bson::Collator* of) {
        return of == nullptr ? std::string("{ locale: \"simple\" }") : bson::debug_string(of->spec().view());
    };
    throw Error(ErrorCode::bad_value,
                "The _id index must have the same collation as the collection. Index collation: " +
                    text(collator.get()) + ", collection collation: " + text(collection_collator));
}

bson::Document id_index_spec(const bson::Collator* collection_collator) {
    bson::Builder out;
    out.append("v", 2);
    out.open_object("key");
    out.append("_id", 1);
    out.close();
    out.append("name", "_id_");
    if (collection_collator != nullptr) out.append("collation", collection_collator->spec());
    return out.finish();
}

}  // namespace ixora::command
