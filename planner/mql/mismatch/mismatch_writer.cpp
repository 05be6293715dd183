#include "mismatch_writer.hpp"

#include <algorithm>
#include <set>

namespace ixora::mql {

namespace {

constexpr std::size_t considered_values_max = 10;

}  // namespace

void MismatchWriter::specified_as(bson::View clause) const {
    if (!brief_) out_.append("specifiedAs", clause);
}

void MismatchWriter::specified_as(bson::Element keyword) const {
    if (brief_) return;
    out_.open_object("specifiedAs");
    out_.append_element(keyword);
    out_.close();
}

void MismatchWriter::considered(std::span<const bson::Element> values) const {
    if (brief_) return;
    if (values.size() == 1) {
        out_.append("consideredValue", values.front());
        return;
    }
    out_.open_array("consideredValues");
    for (const bson::Element& value : values.first(std::min(values.size(), considered_values_max)))
        out_.append_member(value);
    out_.close();
    if (values.size() > considered_values_max) out_.append("consideredValuesTruncated", true);
}

void MismatchWriter::considered_types(std::span<const bson::Element> values) const {
    std::set<std::string_view> names;
    for (const bson::Element& value : values) names.insert(bson::type_name(value.type()));
    if (names.size() == 1) out_.append("consideredType", *names.begin());
    if (names.size() < 2) return;
    out_.open_array("consideredTypes");
    for (const std::string_view name : names) out_.append(name);
    out_.close();
}

}  // namespace ixora::mql
