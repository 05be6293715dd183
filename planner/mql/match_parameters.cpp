#include "ixora/mql/match_parameters.hpp"

#include <algorithm>

#include "ixora/base/error.hpp"

namespace ixora::mql {

namespace {

constexpr std::string_view placeholder_field = "$param";

bool has_placeholder(bson::View object) {
    return std::any_of(object.begin(), object.end(), [](const bson::Element& field) {
        return field.name() == placeholder_field ||
               ((field.is_object() || field.is_array()) && has_placeholder(field.object()));
    });
}

}  // namespace

MatchParameters::MatchParameters(bson::View filter) { collect(filter); }

void MatchParameters::collect(bson::View object) {
    for (const bson::Element& field : object) {
        if (field.name() == placeholder_field)
            throw Error(ErrorCode::failed_to_parse, "$param stands alone in an object in place of a value");
        if (is_placeholder(field)) {
            const bson::Element name = field.object().front();
            if (!name.is_string() || field.object().field_count() != 1)
                throw Error(ErrorCode::failed_to_parse, "$param needs the name of a parameter, and nothing beside it");
            const auto known =
                std::find_if(parameters_.begin(), parameters_.end(),
                             [&name](const Parameter& parameter) { return parameter.name == name.string(); });
            if (known == parameters_.end()) parameters_.emplace_back().name = std::string(name.string());
            ++occurrences_;
        } else if (field.is_object() || field.is_array()) {
            collect(field.object());
        }
    }
}

std::size_t MatchParameters::position(std::string_view name) const {
    for (std::size_t i = 0; i < parameters_.size(); ++i)
        if (parameters_[i].name == name) return i;
    throw Error(ErrorCode::bad_value, "the query has no parameter '" + std::string(name) + "'");
}

void MatchParameters::check_bound() const {
    for (const Parameter& parameter : parameters_)
        if (parameter.value.missing())
            throw Error(ErrorCode::bad_value, "the parameter '" + parameter.name + "' has no value");
}

bool MatchParameters::is_placeholder(bson::Element value) noexcept {
    return value.is_object() && value.object().front().name() == placeholder_field;
}

bson::Element MatchParameters::value_of(bson::Element placeholder) const {
    return value(position(placeholder.object().front().string()));
}

bson::Document MatchParameters::substitute(bson::View filter) const {
    bson::Builder out;
    write(filter, out);
    return out.finish();
}

void MatchParameters::write(bson::View object, bson::Builder& out) const {
    for (const bson::Element& field : object) {
        if (is_placeholder(field)) {
            out.append(field.name(), value_of(field));
        } else if ((field.is_object() || field.is_array()) && has_placeholder(field.object())) {
            if (field.is_array())
                out.open_array(field.name());
            else
                out.open_object(field.name());
            write(field.object(), out);
            out.close();
        } else {
            out.append_element(field);
        }
    }
}

}  // namespace ixora::mql
