#include "ixora/mql/match_node.hpp"

#include <algorithm>

#include "ixora/bson/compare.hpp"

namespace ixora::mql {

MatchNode::MatchNode() = default;
MatchNode::MatchNode(MatchKind node_kind, std::string node_path) : kind(node_kind), path(std::move(node_path)) {}
MatchNode::MatchNode(MatchNode&&) noexcept = default;
MatchNode& MatchNode::operator=(MatchNode&&) noexcept = default;
MatchNode::~MatchNode() = default;

namespace {

bool same_regex(const RegexPayload& left, const RegexPayload& right) {
    return left.pattern == right.pattern && left.flags == right.flags;
}

bool same_value(const bson::Value& left, const bson::Value& right) {
    return bson::equal(left.element(), right.element());
}

struct SamePayload {
    bool operator()(std::monostate, std::monostate) const { return true; }
    bool operator()(const bson::Value& left, const bson::Value& right) const { return same_value(left, right); }
    bool operator()(const RegexPayload& left, const RegexPayload& right) const { return same_regex(left, right); }
    bool operator()(const InPayload& left, const InPayload& right) const {
        return std::ranges::equal(left.equalities, right.equalities, same_value) &&
               std::ranges::equal(left.regexes, right.regexes, same_regex);
    }
    bool operator()(const ModPayload& left, const ModPayload& right) const {
        return left.divisor == right.divisor && left.remainder == right.remainder;
    }
    bool operator()(const TypeSetPayload& left, const TypeSetPayload& right) const {
        return left.all_numbers == right.all_numbers && left.codes == right.codes;
    }
    bool operator()(const BitsPayload& left, const BitsPayload& right) const {
        return left.positions == right.positions;
    }
    bool operator()(std::int64_t left, std::int64_t right) const { return left == right; }
    bool operator()(double left, double right) const { return left == right; }
    bool operator()(const ExpressionPayload& left, const ExpressionPayload& right) const {
        bson::Builder left_text;
        bson::Builder right_text;
        left.expression.serialize(left_text, "");
        right.expression.serialize(right_text, "");
        return same_bytes(left_text.finish_view(), right_text.finish_view());
    }
    bool operator()(const FmodPayload& left, const FmodPayload& right) const {
        return compare(left.divisor, right.divisor) == 0 && compare(left.remainder, right.remainder) == 0;
    }
    bool operator()(const ElementPayload& left, const ElementPayload& right) const {
        return left.index == right.index && left.placeholder == right.placeholder;
    }
    bool operator()(const AllowedPropertiesPayload& left, const AllowedPropertiesPayload& right) const {
        return left.properties == right.properties && left.placeholder == right.placeholder &&
               left.patterns == right.patterns;
    }
    template <class Left, class Right>
    bool operator()(const Left&, const Right&) const {
        return false;
    }
};

int signed_code(bson::Type type) noexcept { return type == bson::Type::min_key ? -1 : static_cast<int>(type); }

}  // namespace

bool InPayload::has_null() const noexcept {
    return std::ranges::any_of(equalities, [](const bson::Value& value) { return value.type() == bson::Type::null; });
}

bool InPayload::has_empty_array() const noexcept {
    return std::ranges::any_of(equalities, [](const bson::Value& value) {
        return value.type() == bson::Type::array && value.element().object().empty();
    });
}

bool InPayload::has_array() const noexcept {
    return std::ranges::any_of(equalities, [](const bson::Value& value) { return value.type() == bson::Type::array; });
}

void InPayload::sort_equalities(const bson::Collator* collator) {
    const auto less = [collator](const bson::Value& left, const bson::Value& right) {
        return bson::compare(left.element(), right.element(), bson::FieldNames::ignored, collator) < 0;
    };
    const auto same = [collator](const bson::Value& left, const bson::Value& right) {
        return bson::equal(left.element(), right.element(), collator);
    };
    // Unstable on purpose: which of several equal values of different types survives is visible, and is what the same
    // algorithm gives in the server.
    if (!std::is_sorted(equalities.begin(), equalities.end(), less))
        std::sort(equalities.begin(), equalities.end(), less);
    equalities.erase(std::unique(equalities.begin(), equalities.end(), same), equalities.end());
}

bool TypeSetPayload::contains(bson::Type type) const noexcept {
    return (all_numbers && bson::is_number(type)) || codes.contains(signed_code(type));
}

MatchNodePtr MatchNode::clone() const {
    auto copy = make_node(kind, path);
    copy->payload = payload;
    copy->collator = collator;
    copy->children.reserve(children.size());
    for (const auto& child : children) copy->children.push_back(child->clone());
    if (tag) copy->tag = tag->clone();
    return copy;
}

MatchNodePtr make_node(MatchKind kind, std::string path) { return std::make_unique<MatchNode>(kind, std::move(path)); }

MatchNodePtr make_comparison(MatchKind kind, std::string path, bson::Value value, bson::CollatorPtr collator) {
    auto node = make_node(kind, std::move(path));
    node->payload = std::move(value);
    node->collator = std::move(collator);
    return node;
}

MatchNodePtr make_logical(MatchKind kind, std::vector<MatchNodePtr> children) {
    auto node = make_node(kind);
    node->children = std::move(children);
    return node;
}

MatchNodePtr make_not(MatchNodePtr child) {
    auto node = make_node(MatchKind::not_);
    node->children.push_back(std::move(child));
    return node;
}

bool equivalent(const MatchNode& left, const MatchNode& right) {
    if (left.kind != right.kind || left.path != right.path) return false;
    if (!bson::same_collation(left.collator.get(), right.collator.get())) return false;
    if (!std::visit(SamePayload{}, left.payload, right.payload)) return false;
    return std::ranges::equal(left.children, right.children,
                              [](const MatchNodePtr& a, const MatchNodePtr& b) { return equivalent(*a, *b); });
}

}  // namespace ixora::mql
