#include "ixora/mql/match_printer.hpp"

#include "ixora/base/invariant.hpp"
#include "schema/internal_operators.hpp"
#include "schema/schema_operator_names.hpp"

namespace ixora::mql {

namespace {

// Inside a value $elemMatch the predicates have no path and print their operators alone.
enum class Paths { shown, hidden };

void print_fields(bson::Builder& out, const MatchNode& node, Paths paths);

std::string_view comparison_name(MatchKind kind) {
    switch (kind) {
        case MatchKind::eq: return "$eq";
        case MatchKind::lte: return "$lte";
        case MatchKind::lt: return "$lt";
        case MatchKind::gt: return "$gt";
        case MatchKind::gte: return "$gte";
        case MatchKind::internal_expr_eq: return "$_internalExprEq";
        case MatchKind::internal_expr_gt: return "$_internalExprGt";
        case MatchKind::internal_expr_gte: return "$_internalExprGte";
        case MatchKind::internal_expr_lt: return "$_internalExprLt";
        default: return "$_internalExprLte";
    }
}

std::string_view bits_name(MatchKind kind) {
    switch (kind) {
        case MatchKind::bits_all_set: return "$bitsAllSet";
        case MatchKind::bits_all_clear: return "$bitsAllClear";
        case MatchKind::bits_any_set: return "$bitsAnySet";
        default: return "$bitsAnyClear";
    }
}

void print_in(bson::Builder& out, const InPayload& list) {
    out.open_array("$in");
    for (const auto& value : list.equalities) out.append_member(value.element());
    std::uint32_t index = static_cast<std::uint32_t>(list.equalities.size());
    for (const auto& regex : list.regexes)
        out.append_regex(bson::Builder::IndexName(index++).view(), regex.pattern, regex.flags);
    out.close();
}

void print_types(bson::Builder& out, const TypeSetPayload& types) {
    out.open_array("$type");
    if (types.all_numbers) out.append("number");
    for (const int code : types.codes) out.append(static_cast<std::int32_t>(code));
    out.close();
}

void print_bits(bson::Builder& out, MatchKind kind, const BitsPayload& bits) {
    out.open_array(bits_name(kind));
    for (const std::uint32_t position : bits.positions) out.append(static_cast<std::int32_t>(position));
    out.close();
}

// The operators of a node that has a path.
void print_right_side(bson::Builder& out, const MatchNode& node) {
    if (is_comparison(node.kind) || is_internal_expr(node.kind)) {
        out.append(comparison_name(node.kind), node.value());
        return;
    }
    if (is_bits_test(node.kind)) {
        print_bits(out, node.kind, std::get<BitsPayload>(node.payload));
        return;
    }
    if (is_schema(node.kind)) {
        print_schema_operator(out, node);
        return;
    }
    switch (node.kind) {
        case MatchKind::regex:
            out.append("$regex", node.regex().pattern);
            if (!node.regex().flags.empty()) out.append("$options", node.regex().flags);
            return;
        case MatchKind::mod: {
            const auto& mod = std::get<ModPayload>(node.payload);
            out.open_array("$mod");
            out.append(mod.divisor);
            out.append(mod.remainder);
            out.close();
            return;
        }
        case MatchKind::exists: out.append("$exists", true); return;
        case MatchKind::size:
            out.append("$size", static_cast<std::int32_t>(std::get<std::int64_t>(node.payload)));
            return;
        case MatchKind::type: print_types(out, node.types()); return;
        case MatchKind::in: print_in(out, node.in()); return;
        case MatchKind::elem_match_object:
            out.open_object("$elemMatch");
            print_fields(out, *node.children.front(), Paths::shown);
            out.close();
            return;
        case MatchKind::elem_match_value:
            out.open_object("$elemMatch");
            for (const auto& child : node.children) print_fields(out, *child, Paths::hidden);
            out.close();
            return;
        default: IXORA_INVARIANT(false && "a kind without a printed form");
    }
}

bool has_path(MatchKind kind) {
    switch (kind) {
        case MatchKind::and_:
        case MatchKind::or_:
        case MatchKind::nor:
        case MatchKind::not_:
        case MatchKind::where:
        case MatchKind::expression:
        case MatchKind::sample_rate:
        case MatchKind::always_false:
        case MatchKind::always_true:
        case MatchKind::text: return false;
        default: return !is_pathless_schema_kind(kind);
    }
}

void print_list(bson::Builder& out, std::string_view name, const std::vector<MatchNodePtr>& nodes, Paths paths) {
    out.open_array(name);
    for (const auto& node : nodes) {
        out.open_object();
        print_fields(out, *node, paths);
        out.close();
    }
    out.close();
}

void print_not(bson::Builder& out, const MatchNode& node, Paths paths) {
    const MatchNode& negated = *node.children.front();
    if (negated.kind == MatchKind::and_ && negated.children.empty()) {
        out.append("$alwaysFalse", 1);
    } else if (paths == Paths::hidden) {
        out.open_object("$not");
        if (negated.kind == MatchKind::and_) {
            for (const auto& child : negated.children) print_fields(out, *child, paths);
        } else {
            print_fields(out, negated, paths);
        }
        out.close();
    } else if (has_path(negated.kind)) {
        out.open_object(negated.path);
        out.open_object("$not");
        print_right_side(out, negated);
        out.close();
        out.close();
    } else {
        print_list(out, "$nor", node.children, paths);
    }
}

void print_sample_rate(bson::Builder& out, double rate) {
    out.open_object("$expr");
    out.open_array("$lt");
    out.open_object();
    out.open_object("$rand");
    out.close();
    out.close();
    out.open_object();
    out.append("$const", rate);
    out.close();
    out.close();
    out.close();
}

void print_fields(bson::Builder& out, const MatchNode& node, Paths paths) {
    switch (node.kind) {
        case MatchKind::and_:
            if (!node.children.empty()) print_list(out, "$and", node.children, paths);
            return;
        case MatchKind::or_:
            if (node.children.empty()) {
                out.append("$alwaysFalse", 1);
            } else {
                print_list(out, "$or", node.children, paths);
            }
            return;
        case MatchKind::nor: print_list(out, "$nor", node.children, paths); return;
        case MatchKind::not_: print_not(out, node, paths); return;
        case MatchKind::always_false: out.append("$alwaysFalse", 1); return;
        case MatchKind::always_true: out.append("$alwaysTrue", 1); return;
        case MatchKind::sample_rate: print_sample_rate(out, std::get<double>(node.payload)); return;
        case MatchKind::expression: node.expression().expression.serialize(out, "$expr"); return;
        default: break;
    }
    if (paths == Paths::hidden || is_pathless_schema_kind(node.kind)) {
        print_right_side(out, node);
        return;
    }
    out.open_object(node.path);
    print_right_side(out, node);
    out.close();
}

}  // namespace

bson::Document print_match(const MatchNode& node) {
    bson::Builder out;
    print_fields(out, node, Paths::shown);
    return out.finish();
}

void append_match(bson::Builder& out, std::string_view name, const MatchNode& node) {
    out.open_object(name);
    print_fields(out, node, Paths::shown);
    out.close();
}

}  // namespace ixora::mql
