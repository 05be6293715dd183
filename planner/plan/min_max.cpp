#include "ixora/plan/min_max.hpp"

#include "ixora/base/error.hpp"
#include "ixora/bson/builder.hpp"
#include "ixora/bson/compare.hpp"
#include "ixora/plan/bounds_builder.hpp"

namespace ixora::plan {

namespace {

bool depends_on_collation(bson::Type type) {
    return type == bson::Type::string || type == bson::Type::symbol || type == bson::Type::object ||
           type == bson::Type::array;
}

// The names must be those of the key pattern, in its order, and strings must compare as the index compares them.
bool fits(bson::View boundary, const IndexEntry& index, bool same_collation) {
    const bson::View pattern = index.key_pattern.view();
    if (index.type == key::IndexType::wildcard || boundary.field_count() != pattern.field_count()) return false;
    auto key = pattern.begin();
    for (const bson::Element value : boundary) {
        if (value.name() != key->name() || (!same_collation && depends_on_collation(value.type()))) return false;
        ++key;
    }
    return true;
}

bson::Document index_key(bson::View boundary, const bson::Collator* collator) {
    bson::Builder key;
    for (const bson::Element value : boundary) key.append("", collated_value(value, collator));
    return key.finish();
}

bson::Document single_key(bool lowest) {
    bson::Builder key;
    if (lowest) {
        key.append_min_key("");
    } else {
        key.append_max_key("");
    }
    return key.finish();
}

// In the order of the index; of two keys where one begins the other the shorter comes first.
int compare_keys(bson::View left, bson::View right, bson::View key_pattern) {
    auto left_value = left.begin();
    auto right_value = right.begin();
    for (const bson::Element key : key_pattern) {
        const bool left_ends = left_value == left.end();
        const bool right_ends = right_value == right.end();
        if (left_ends || right_ends) return static_cast<int>(right_ends) - static_cast<int>(left_ends);
        const int order = bson::compare(*left_value, *right_value);
        if (order != 0) return key.to_double() < 0 ? -order : order;
        ++left_value;
        ++right_value;
    }
    return 0;
}

}  // namespace

KeyRange min_max_range(const CanonicalQuery& query, const IndexEntry& index) {
    const FindRequest& request = query.request();
    const bson::View pattern = index.key_pattern.view();
    const bool same_collation = bson::same_collation(query.collator().get(), index.collator.get());
    for (const bson::Document* boundary : {&request.min, &request.max})
        if (!boundary->empty() && !fits(*boundary, index, same_collation))
            throw Error(51174, "The index chosen is not compatible with min/max");

    KeyRange range;
    range.end_inclusive = false;
    if (!request.min.empty()) range.start_key = index_key(request.min, index.collator.get());
    if (!request.max.empty()) range.end_key = index_key(request.max, index.collator.get());
    if (request.min.empty()) range.start_key = single_key(compare_keys(single_key(true), range.end_key, pattern) < 0);
    if (request.max.empty()) range.end_key = single_key(compare_keys(single_key(false), range.start_key, pattern) <= 0);
    if (compare_keys(range.start_key, range.end_key, pattern) >= 0) {
        throw Error(
            51175,
            "The value provided for min() does not come before the value provided for max() in the hinted index");
    }
    return range;
}

}  // namespace ixora::plan
