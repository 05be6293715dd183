#include "collation_spec.hpp"

#include <array>
#include <utility>

#include "ixora/base/error.hpp"
#include "ixora/bson/debug_string.hpp"

namespace ixora::key {

namespace {

std::string field_label(bson::Element field) { return "'collation." + std::string(field.name()) + "'"; }

[[noreturn]] void fail_type(bson::Element field, const char* expected) {
    throw Error(ErrorCode::type_mismatch, "BSON field " + field_label(field) + " is the wrong type '" +
                                              std::string(bson::type_name(field.type())) + "', expected " + expected);
}
[[noreturn]] void fail_enumeration(bson::Element field, std::string_view value) {
    throw Error(ErrorCode::bad_value, "Enumeration value '" + std::string(value) + "' for field " + field_label(field) +
                                          " is not a valid value.");
}

std::string_view text_of(bson::Element field) {
    if (!field.is_string()) fail_type(field, "type 'string'");
    return field.string();
}

bool flag_of(bson::Element field) {
    if (field.type() != bson::Type::boolean) fail_type(field, "type 'bool'");
    return field.boolean();
}

// Two of the flags are read by another parser, which words it differently.
bool worded_flag_of(bson::Element field) {
    if (field.type() != bson::Type::boolean)
        throw Error(ErrorCode::type_mismatch, "\"" + std::string(field.name()) +
                                                  "\" had the wrong type. Expected bool, found " +
                                                  std::string(bson::type_name(field.type())));
    return field.boolean();
}

int strength_of(bson::Element field) {
    if (!field.is_number()) fail_type(field, "types '[long, int, decimal, double']");
    const std::int64_t strength = field.to_int64();
    if (strength < 1 || strength > 5) fail_enumeration(field, std::to_string(strength));
    return static_cast<int>(strength);
}

template <class Choice, std::size_t N>
Choice choice_of(bson::Element field, const std::array<std::pair<std::string_view, Choice>, N>& choices) {
    const std::string_view text = text_of(field);
    for (const auto& [name, choice] : choices)
        if (name == text) return choice;
    fail_enumeration(field, text);
}

CaseFirst case_first_of(bson::Element field) {
    using Choice = std::pair<std::string_view, CaseFirst>;
    return choice_of(field, std::array<Choice, 3>{Choice{"off", CaseFirst::off}, Choice{"upper", CaseFirst::upper},
                                                  Choice{"lower", CaseFirst::lower}});
}
Alternate alternate_of(bson::Element field) {
    using Choice = std::pair<std::string_view, Alternate>;
    return choice_of(field, std::array<Choice, 2>{Choice{"non-ignorable", Alternate::non_ignorable},
                                                  Choice{"shifted", Alternate::shifted}});
}
MaxVariable max_variable_of(bson::Element field) {
    using Choice = std::pair<std::string_view, MaxVariable>;
    return choice_of(field,
                     std::array<Choice, 2>{Choice{"punct", MaxVariable::punct}, Choice{"space", MaxVariable::space}});
}

void parse_field(bson::Element field, CollationSpec& parsed, std::optional<std::string>& locale,
                 std::optional<std::string>& version) {
    const std::string_view name = field.name();
    if (name == "locale")
        locale = text_of(field);
    else if (name == "caseLevel")
        parsed.case_level = flag_of(field);
    else if (name == "caseFirst")
        parsed.case_first = case_first_of(field);
    else if (name == "strength")
        parsed.strength = strength_of(field);
    else if (name == "numericOrdering")
        parsed.numeric_ordering = flag_of(field);
    else if (name == "alternate")
        parsed.alternate = alternate_of(field);
    else if (name == "maxVariable")
        parsed.max_variable = max_variable_of(field);
    else if (name == "normalization")
        parsed.normalization = worded_flag_of(field);
    else if (name == "backwards")
        parsed.backwards = worded_flag_of(field);
    else if (name == "version")
        version = text_of(field);
    else
        throw Error(40415, "BSON field " + field_label(field) + " is an unknown field.");
}

void check_locale(const std::string& locale, bson::View spec) {
    if (locale.empty())
        throw Error(ErrorCode::bad_value, "Field 'locale' cannot be the empty string in: " + bson::debug_string(spec));
    if (locale.find('\0') != std::string::npos)
        throw Error(ErrorCode::bad_value,
                    "Field 'locale' cannot contain an embedded null byte in: " + bson::debug_string(spec));
}

}  // namespace

CollationSpec parse_collation(bson::View spec) {
    CollationSpec parsed;
    std::optional<std::string> locale, version;
    for (auto field = spec.begin(); field != spec.end(); ++field) {
        for (auto earlier = spec.begin(); earlier != field; ++earlier)
            if (earlier->name() == field->name())
                throw Error(40413, "BSON field " + field_label(*field) + " is a duplicate field");
        parse_field(*field, parsed, locale, version);
    }
    if (!locale) throw Error(40414, "BSON field 'collation.locale' is missing but a required field");
    parsed.locale = *locale;
    if (parsed.simple()) {
        if (spec.field_count() > 1)
            throw Error(ErrorCode::failed_to_parse,
                        "If locale=simple, no other fields should be present in: " + bson::debug_string(spec));
        return parsed;
    }
    check_locale(parsed.locale, spec);
    if (version && *version != collation_version)
        throw Error(161, "Requested collation version " + *version + " but the only available collator version was " +
                             collation_version + ". Requested collation spec: " + bson::debug_string(spec));
    return parsed;
}

}  // namespace ixora::key
