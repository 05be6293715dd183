#include "unordered_value.hpp"

#include <algorithm>
#include <vector>

#include "ixora/bson/builder.hpp"
#include "ixora/bson/compare.hpp"

namespace ixora::mql {

namespace {

// Objects with their fields by name, at every level.
void append_sorted(bson::Builder& out, std::string_view name, bson::Element value) {
    if (!value.is_object() && !value.is_array()) {
        out.append(name, value);
        return;
    }
    std::vector<bson::Element> fields(value.object().begin(), value.object().end());
    if (value.is_object()) {
        std::ranges::stable_sort(fields, {}, &bson::Element::name);
        out.open_object(name);
    } else {
        out.open_array(name);
    }
    for (const bson::Element& field : fields) append_sorted(out, field.name(), field);
    out.close();
}

bson::Value sorted(bson::Element value) {
    bson::Builder out;
    append_sorted(out, {}, value);
    return bson::Value(out.finish_view().front());
}

bool has_fields(bson::Element value) noexcept { return value.is_object() || value.is_array(); }

}  // namespace

UnorderedValue::UnorderedValue(bson::Element value) : sorted_(sorted(value)) {}

bool UnorderedValue::equals(bson::Element other) const {
    if (other.canonical_type() != sorted_.element().canonical_type()) return false;
    if (!has_fields(other)) return bson::equal(sorted_.element(), other);
    return bson::equal(sorted_.element(), sorted(other).element());
}

bson::Element duplicate_member(bson::View array) {
    struct Member {
        bson::Value sorted;
        bson::Element original;
        std::size_t position;
    };
    std::vector<Member> members;
    for (const bson::Element& member : array) members.push_back({sorted(member), member, members.size()});
    std::ranges::sort(members, [](const Member& left, const Member& right) {
        const int order = bson::compare(left.sorted.element(), right.sorted.element());
        return order != 0 ? order < 0 : left.position < right.position;
    });
    const Member* first = nullptr;
    for (std::size_t i = 1; i < members.size(); ++i) {
        const bool repeats = bson::equal(members[i - 1].sorted.element(), members[i].sorted.element());
        if (repeats && (first == nullptr || members[i].position < first->position)) first = &members[i];
    }
    return first == nullptr ? bson::Element() : first->original;
}

}  // namespace ixora::mql
