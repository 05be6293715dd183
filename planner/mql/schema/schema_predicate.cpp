#include "schema_predicate.hpp"

#include <algorithm>

#include "../matcher_program.hpp"
#include "ixora/base/invariant.hpp"
#include "ixora/bson/numbers.hpp"

namespace ixora::mql {

namespace {

std::int64_t code_points(std::string_view text) noexcept {
    return std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; });
}

bool is_fmod(const FmodPayload& fmod, bson::Element value) noexcept {
    if (!value.is_number()) return false;
    const bson::Decimal128 remainder = bson::as_decimal(value).modulo(fmod.divisor);
    return !remainder.is_nan() && compare(remainder, fmod.remainder) == 0;
}

std::int64_t field_count(bson::View object) noexcept { return static_cast<std::int64_t>(object.field_count()); }

bool has_limit(MatchKind kind) noexcept {
    switch (kind) {
        case MatchKind::schema_max_items:
        case MatchKind::schema_max_length:
        case MatchKind::schema_max_properties:
        case MatchKind::schema_min_items:
        case MatchKind::schema_min_length:
        case MatchKind::schema_min_properties: return true;
        default: return false;
    }
}

}  // namespace

ValueTest::ValueTest(const MatchNode& node) : kind_(node.kind) {
    if (has_limit(kind_)) limit_ = node.number();
    if (kind_ == MatchKind::schema_fmod) fmod_ = std::get<FmodPayload>(node.payload);
    if (kind_ == MatchKind::schema_eq) equal_to_.emplace(node.value());
}

bool ValueTest::holds(bson::Element value) const {
    switch (kind_) {
        case MatchKind::schema_max_items: return value.is_array() && field_count(value.object()) <= limit_;
        case MatchKind::schema_min_items: return value.is_array() && field_count(value.object()) >= limit_;
        case MatchKind::schema_max_length: return value.is_string() && code_points(value.string()) <= limit_;
        case MatchKind::schema_min_length: return value.is_string() && code_points(value.string()) >= limit_;
        case MatchKind::schema_unique_items: return value.is_array() && !duplicate_member(value.object());
        case MatchKind::schema_eq: return !value.missing() && equal_to_->equals(value);
        default: IXORA_INVARIANT(kind_ == MatchKind::schema_fmod); return is_fmod(fmod_, value);
    }
}

DocumentTest::DocumentTest(const MatchNode& node) : kind_(node.kind) {
    if (has_limit(kind_)) limit_ = node.number();
    if (kind_ == MatchKind::schema_root_document_eq) equal_to_.emplace(node.value());
    if (kind_ != MatchKind::schema_allowed_properties) return;
    const AllowedPropertiesPayload& allowed = node.allowed_properties();
    properties_ = allowed.properties;
    for (const std::string& pattern : allowed.patterns) patterns_.emplace_back(RegexPayload{pattern, {}});
    for (const MatchNodePtr& child : node.children)
        filters_.push_back(compile_value_filter(*child, allowed.placeholder));
}

DocumentTest::~DocumentTest() = default;
DocumentTest::DocumentTest(DocumentTest&&) noexcept = default;
DocumentTest& DocumentTest::operator=(DocumentTest&&) noexcept = default;

bool DocumentTest::holds(bson::View document, NodeState* states) const {
    switch (kind_) {
        case MatchKind::schema_max_properties: return field_count(document) <= limit_;
        case MatchKind::schema_min_properties: return field_count(document) >= limit_;
        case MatchKind::schema_root_document_eq: return equal_to_->equals(bson::Value::of_object(document));
        default:
            IXORA_INVARIANT(kind_ == MatchKind::schema_allowed_properties);
            return std::all_of(document.begin(), document.end(),
                               [&](const bson::Element& field) { return allows(field, states); });
    }
}

// A listed field may match patterns as well; only one that is neither has to pass the last filter.
bool DocumentTest::allows(const bson::Element& field, NodeState* states) const {
    bool known = std::binary_search(properties_.begin(), properties_.end(), field.name());
    for (std::size_t i = 0; i < patterns_.size(); ++i) {
        if (!patterns_[i].search(field.name())) continue;
        known = true;
        if (!run_on_value(*filters_[i], field, states)) return false;
    }
    return known || run_on_value(*filters_.back(), field, states);
}

std::size_t DocumentTest::states_needed() const noexcept {
    std::size_t needed = 0;
    for (const auto& filter : filters_) needed = std::max(needed, filter->states_needed);
    return needed;
}

}  // namespace ixora::mql
