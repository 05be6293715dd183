#include <algorithm>

#include "ixora/bson/compare.hpp"
#include "ixora/plan/index_selection.hpp"

namespace ixora::plan {

namespace {

using bson::Type;
using bson::Value;
using mql::MatchKind;
using mql::MatchNode;

// Comparisons of both families by what they do.
enum class Relation { less, less_equal, equal, greater_equal, greater };

Relation relation_of(MatchKind kind) noexcept {
    switch (kind) {
        case MatchKind::lt:
        case MatchKind::internal_expr_lt: return Relation::less;
        case MatchKind::lte:
        case MatchKind::internal_expr_lte: return Relation::less_equal;
        case MatchKind::gt:
        case MatchKind::internal_expr_gt: return Relation::greater;
        case MatchKind::gte:
        case MatchKind::internal_expr_gte: return Relation::greater_equal;
        default: return Relation::equal;
    }
}

bool allows_equality(Relation relation) noexcept { return relation != Relation::less && relation != Relation::greater; }

bool needs_collation(Type type) noexcept { return type == Type::string || type == Type::object || type == Type::array; }

// {p: left op value} implies {p: right op value}, values of one canonical type.
bool implies(Relation left, const Value& left_value, const bson::Collator* left_collator, Relation right,
             const Value& right_value, const bson::Collator* right_collator, bool inclusive_borders) {
    if (left_value.element().canonical_type() != right_value.element().canonical_type()) return false;
    const bool left_nan = left_value.element().is_nan();
    const bool right_nan = right_value.element().is_nan();
    if (left_nan || right_nan) return left_nan && right_nan && allows_equality(left) && allows_equality(right);
    if (needs_collation(left_value.type()) && !bson::same_collation(left_collator, right_collator)) return false;
    const int order =
        bson::compare(left_value.element(), right_value.element(), bson::FieldNames::ignored, right_collator);
    if (left == right && order == 0) return true;
    switch (right) {
        case Relation::less:
        case Relation::less_equal: {
            const bool at_border = inclusive_borders && right == Relation::less_equal && order == 0;
            return left != Relation::greater && left != Relation::greater_equal && (order < 0 || at_border);
        }
        case Relation::greater:
        case Relation::greater_equal: {
            const bool at_border = inclusive_borders && right == Relation::greater_equal && order == 0;
            return left != Relation::less && left != Relation::less_equal && (order > 0 || at_border);
        }
        case Relation::equal: break;
    }
    return false;
}

bool is_subset_of_comparison(const MatchNode& left, const MatchNode& right) {
    if (left.path != right.path) return false;
    const Relation relation = relation_of(right.kind);
    if (mql::is_comparison(left.kind)) {
        return implies(relation_of(left.kind), left.value(), left.collator.get(), relation, right.value(),
                       right.collator.get(), true);
    }
    if (left.kind != MatchKind::in || !left.in().regexes.empty()) return false;
    return std::all_of(left.in().equalities.begin(), left.in().equalities.end(), [&](const Value& value) {
        return implies(Relation::equal, value, left.collator.get(), relation, right.value(), right.collator.get(),
                       true);
    });
}

bool is_subset_of_internal_expr(const MatchNode& left, const MatchNode& right) {
    if (!mql::is_internal_expr(left.kind) || left.path != right.path) return false;
    // The server never recognises an inclusive border here; a comparer of plans would notice.
    return implies(relation_of(left.kind), left.value(), left.collator.get(), relation_of(right.kind), right.value(),
                   right.collator.get(), false);
}

bool implies_existence(const MatchNode& left, const std::string& path) {
    if (left.kind == MatchKind::not_) {
        const MatchNode& child = *left.children.front();
        if (child.path != path) return false;
        if (child.kind == MatchKind::eq) return child.value().type() == Type::null;
        return child.kind == MatchKind::in && child.in().has_null();
    }
    if (left.path != path) return false;
    if (mql::is_comparison(left.kind)) return left.value().type() != Type::null;
    switch (left.kind) {
        case MatchKind::elem_match_value:
        case MatchKind::elem_match_object:
        case MatchKind::exists:
        case MatchKind::geo:
        case MatchKind::mod:
        case MatchKind::regex:
        case MatchKind::size:
        case MatchKind::type: return true;
        case MatchKind::in: return !left.in().has_null();
        default: return false;
    }
}

// Some member of the right-hand list alone covers `left`.
bool is_subset_of_list(const MatchNode& left, const MatchNode& right) {
    if (!right.in().regexes.empty()) return false;
    return std::any_of(right.in().equalities.begin(), right.in().equalities.end(), [&](const Value& value) {
        const mql::MatchNodePtr one = mql::make_comparison(MatchKind::eq, right.path, value, right.collator);
        return is_subset_of(left, *one);
    });
}

}  // namespace

bool is_subset_of(const MatchNode& left, const MatchNode& right) {
    if (mql::equivalent(left, right)) return true;
    const auto in_child = [&left](const mql::MatchNodePtr& child) { return is_subset_of(left, *child); };
    const auto child_in = [&right](const mql::MatchNodePtr& child) { return is_subset_of(*child, right); };
    if (right.kind == MatchKind::or_) return std::any_of(right.children.begin(), right.children.end(), in_child);
    if (right.kind == MatchKind::and_) return std::all_of(right.children.begin(), right.children.end(), in_child);
    if (left.kind == MatchKind::and_) return std::any_of(left.children.begin(), left.children.end(), child_in);
    if (left.kind == MatchKind::or_) return std::all_of(left.children.begin(), left.children.end(), child_in);
    if (mql::is_comparison(right.kind)) return is_subset_of_comparison(left, right);
    if (mql::is_internal_expr(right.kind)) return is_subset_of_internal_expr(left, right);
    if (right.kind == MatchKind::exists) return implies_existence(left, right.path);
    if (right.kind == MatchKind::in) return is_subset_of_list(left, right);
    return false;
}

}  // namespace ixora::plan
