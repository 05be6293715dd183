#include "ixora/mql/sort_pattern.hpp"

#include <algorithm>

#include "ixora/base/error.hpp"
#include "ixora/bson/debug_string.hpp"
#include "ixora/key/ordering.hpp"
#include "ixora/mql/user_path.hpp"

namespace ixora::mql {

namespace {

// {$meta: "textScore" | "randVal"}: always descending.
SortPart parse_meta(bson::View expression) {
    const bson::Element keyword = expression.front();
    if (keyword.name() != "$meta") throw Error(17312, "$meta is the only expression supported by $sort right now");
    if (expression.field_count() != 1)
        throw Error(ErrorCode::failed_to_parse, "Cannot have additional keys in a $meta sort specification");
    SortPart part;
    part.descending = true;
    if (keyword.is_string() && keyword.string() == "textScore")
        part.meta = SortPart::Meta::text_score;
    else if (keyword.is_string() && keyword.string() == "randVal")
        part.meta = SortPart::Meta::rand_val;
    else if (keyword.is_string() && keyword.string() == "searchScore")
        throw Error(31218, "$meta sort by 'searchScore' metadata is not supported");
    else if (keyword.is_string() && keyword.string() == "searchHighlights")
        throw Error(31219, "$meta sort by 'searchHighlights' metadata is not supported");
    else
        throw Error(31138, "Illegal $meta sort: " + bson::debug_element_string(keyword));
    return part;
}

SortPart parse_field(bson::Element field) {
    if (!field.is_number())
        throw Error(15974, "Illegal key in $sort specification: " + bson::debug_element_string(field));
    const std::int64_t direction = field.to_int64();
    if (direction != 1 && direction != -1)
        throw Error(15975, "$sort key ordering must be 1 (for ascending) or -1 (for descending)");
    check_user_path(field.name());
    SortPart part;
    part.path = field.name();
    part.descending = direction < 0;
    return part;
}

}  // namespace

SortPattern SortPattern::parse(bson::View spec) {
    SortPattern pattern;
    for (const bson::Element& field : spec) {
        SortPart part = field.is_object() ? parse_meta(field.object()) : parse_field(field);
        // A path given again has no effect: the first occurrence decides already.
        const bool repeated =
            std::any_of(pattern.parts_.begin(), pattern.parts_.end(), [&part](const SortPart& earlier) {
                return part.meta == SortPart::Meta::none && earlier.meta == part.meta && earlier.path == part.path;
            });
        if (!repeated) pattern.parts_.push_back(std::move(part));
        if (pattern.parts_.size() > key::key_fields_max) throw Error(13103, "too many compound keys");
    }
    return pattern;
}

bson::Document SortPattern::print() const {
    bson::Builder out;
    int computed = 0;
    for (const SortPart& part : parts_) {
        if (part.meta == SortPart::Meta::none) {
            out.append(part.path, part.descending ? -1 : 1);
            continue;
        }
        out.open_object("$computed" + std::to_string(computed++));
        out.append("$meta", part.meta == SortPart::Meta::text_score ? "textScore" : "randVal");
        out.close();
    }
    return out.finish();
}

bool is_natural_sort(bson::View spec) noexcept { return spec.contains("$natural"); }

}  // namespace ixora::mql
