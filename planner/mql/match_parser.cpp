#include "ixora/mql/match_parser.hpp"

#include <algorithm>
#include <array>

#include "integer_argument.hpp"
#include "ixora/base/error.hpp"
#include "ixora/bson/debug_string.hpp"
#include "ixora/mql/json_schema.hpp"
#include "ixora/mql/match_parameters.hpp"
#include "match_leaf.hpp"
#include "schema/internal_operators.hpp"

namespace ixora::mql {

namespace {

// Whether a filter speaks about the document itself (at the root, also below $and/$or/$nor) or about something inside.
enum class Level { document, inside };

constexpr std::array<std::string_view, 14> pathless_operators = {
    "$and",     "$or",         "$nor",        "$expr",        "$where", "$text", "$jsonSchema",
    "$comment", "$sampleRate", "$alwaysTrue", "$alwaysFalse", "$ref",   "$id",   "$db",
};

// Operators under a path that the server knows and this engine does not have.
constexpr std::array<std::string_view, 2> refused_operators = {
    "$_internalSchemaBinDataSubType",
    "$_internalSchemaBinDataEncryptedType",
};

struct ComparisonOperator {
    std::string_view name;
    MatchKind kind;
};
constexpr std::array<ComparisonOperator, 5> comparison_operators = {{{"$eq", MatchKind::eq},
                                                                     {"$lt", MatchKind::lt},
                                                                     {"$lte", MatchKind::lte},
                                                                     {"$gt", MatchKind::gt},
                                                                     {"$gte", MatchKind::gte}}};
constexpr std::array<ComparisonOperator, 5> internal_expr_operators = {
    {{"$_internalExprEq", MatchKind::internal_expr_eq},
     {"$_internalExprGt", MatchKind::internal_expr_gt},
     {"$_internalExprGte", MatchKind::internal_expr_gte},
     {"$_internalExprLt", MatchKind::internal_expr_lt},
     {"$_internalExprLte", MatchKind::internal_expr_lte}}};
constexpr std::array<ComparisonOperator, 4> bits_operators = {{{"$bitsAllSet", MatchKind::bits_all_set},
                                                               {"$bitsAllClear", MatchKind::bits_all_clear},
                                                               {"$bitsAnySet", MatchKind::bits_any_set},
                                                               {"$bitsAnyClear", MatchKind::bits_any_clear}}};

template <std::size_t Size>
const ComparisonOperator* find_operator(const std::array<ComparisonOperator, Size>& table, std::string_view name) {
    const auto found = std::ranges::find(table, name, &ComparisonOperator::name);
    return found == table.end() ? nullptr : &*found;
}

bool is_pathless(std::string_view name) {
    return is_pathless_schema_operator(name) || std::ranges::count(pathless_operators, name) > 0;
}

bool is_near(std::string_view name) { return name == "$near" || name == "$nearSphere" || name == "$geoNear"; }

Error bad_value(const std::string& text) { return Error(ErrorCode::bad_value, text); }

Error unsupported(std::string_view name) { return bad_value(std::string(name) + " is not supported by this engine"); }

class Parser {
public:
    Parser(const MatchParseOptions& options, VariableScope& scope) : options_(options), scope_(scope) {}

    // An AND over the entries, or the only entry's node.
    MatchNodePtr parse_object(bson::View filter, Level level) const {
        auto root = make_node(MatchKind::and_);
        for (const auto& entry : filter) parse_entry(*root, entry, level);
        if (root->children.size() != 1) return root;
        MatchNodePtr only = std::move(root->children.front());
        return only;
    }

private:
    void parse_entry(MatchNode& root, bson::Element entry, Level level) const {
        const std::string_view name = entry.name();
        if (name.starts_with('$')) {
            if (auto node = parse_pathless(entry, level)) root.children.push_back(std::move(node));
            return;
        }
        const std::string path(name);
        if (is_parameter(entry)) {
            root.children.push_back(parse_operand(MatchKind::eq, path, entry));
        } else if (is_operator_object(entry)) {
            parse_operators(root.children, path, entry.object());
        } else if (entry.type() == bson::Type::regex) {
            root.children.push_back(parse_regex_literal(path, entry));
        } else {
            root.children.push_back(parse_comparison(MatchKind::eq, path, entry, options_.collator));
        }
    }

    bool is_parameter(bson::Element value) const {
        return options_.parameters != nullptr && MatchParameters::is_placeholder(value);
    }

    MatchNodePtr parse_operand(MatchKind kind, const std::string& path, bson::Element argument) const {
        if (!is_parameter(argument)) return parse_comparison(kind, path, argument, options_.collator);
        MatchNodePtr node = parse_comparison(kind, path, options_.parameters->value_of(argument), options_.collator);
        const std::size_t parameter = options_.parameters->position(argument.object().front().string());
        options_.places->push_back({parameter, node->value().element().data()});
        return node;
    }

    // Null for $comment.
    MatchNodePtr parse_pathless(bson::Element entry, Level level) const {
        const std::string_view name = entry.name();
        if (name == "$and") return parse_list(MatchKind::and_, entry, level);
        if (name == "$or") return parse_list(MatchKind::or_, entry, level);
        if (name == "$nor") return parse_list(MatchKind::nor, entry, level);
        if (name == "$comment") return nullptr;
        if (name == "$alwaysTrue") return parse_constant(MatchKind::always_true, entry);
        if (name == "$alwaysFalse") return parse_constant(MatchKind::always_false, entry);
        if (name == "$sampleRate") return parse_sample_rate(entry, level);
        if (name == "$ref" || name == "$db") return parse_comparison(MatchKind::eq, std::string(name), entry, nullptr);
        if (name == "$id") return parse_comparison(MatchKind::eq, std::string(name), entry, options_.collator);
        if (!is_pathless(name))
            throw bad_value(
                "unknown top level operator: " + std::string(name) +
                ". If you have a field name that starts with a '$' symbol, consider using $getField or $setField.");
        if (is_pathless_schema_operator(name))
            return parse_pathless_schema_operator(entry, level == Level::document, inner_parser(level));
        check_context(entry, level);
        if (name == "$expr") return parse_expression(entry);
        if (name == "$where") refuse_where(entry);
        if (name == "$text") refuse_text(entry);
        if (!entry.is_object()) throw Error(ErrorCode::type_mismatch, "$jsonSchema must be an object");
        return parse_json_schema(entry.object());
    }

    MatchNodePtr parse_expression(bson::Element entry) const {
        ExpressionParseContext context{scope_, options_.collator};
        auto node = make_node(MatchKind::expression);
        node->collator = options_.collator;
        ExpressionPayload payload{Expression::parse(entry, context)};
        if (!context.unavailable_metadata.empty())
            throw Error(40218, "query requires " + context.unavailable_metadata + " metadata, but it is not available");
        payload.slot_count = scope_.slot_count();
        node->payload = std::move(payload);
        return node;
    }

    // Whether an operator without a path may stand at this place.
    void check_context(bson::Element entry, Level level) const {
        const std::string name(entry.name());
        const bool document_only = name == "$expr" || name == "$where" || name == "$text";
        if (document_only && level != Level::document)
            throw bad_value(name + " can only be applied to the top-level document");
        const bool validates = name == "$expr" || name == "$jsonSchema";
        if (validates && options_.special_features == SpecialFeatures::none)
            throw Error(ErrorCode::query_feature_not_allowed, name + " is not allowed in this context");
        if (!validates && options_.special_features != SpecialFeatures::all)
            throw bad_value(name + " is not allowed in this context");
    }

    // For filters inside of $_internalSchema operators.
    ParseInner inner_parser(Level level) const {
        return [this, level](bson::View filter) { return parse_object(filter, level); };
    }

    // The server's own complaints first, so that a wrong use is answered the same way as there.
    [[noreturn]] static void refuse_where(bson::Element entry) {
        const bson::Type type = entry.type();
        if (type != bson::Type::string && type != bson::Type::code && type != bson::Type::code_with_scope)
            throw bad_value("$where got bad type");
        throw Error(6108304, "no globalScriptEngine in $where parsing");
    }

    [[noreturn]] static void refuse_text(bson::Element entry) {
        if (!entry.is_object()) throw bad_value("$text expects an object");
        const bson::Element search = entry.object()["$search"];
        if (search.missing()) throw Error(4, "Missing expected field \"$search\"");
        if (!search.is_string())
            throw Error(ErrorCode::type_mismatch, "\"$search\" had the wrong type. Expected string, found " +
                                                      std::string(bson::type_name(search.type())));
        throw Error(ErrorCode::index_not_found, "text index required for $text query");
    }

    static void check_list(bson::Element entry) {
        if (!entry.is_array()) throw bad_value(std::string(entry.name()) + " must be an array");
        if (entry.object().empty()) throw bad_value("$and/$or/$nor must be a nonempty array");
    }

    MatchNodePtr parse_list(MatchKind kind, bson::Element entry, Level level) const {
        check_list(entry);
        auto node = make_node(kind);
        for (const auto& item : entry.object()) {
            if (!item.is_object()) throw bad_value("$or/$and/$nor entries need to be full objects");
            node->children.push_back(parse_object(item.object(), level));
        }
        return node;
    }

    static MatchNodePtr parse_constant(MatchKind kind, bson::Element entry) {
        const auto one = read_integer(entry);
        if (!one.ok()) throw Error(ErrorCode::failed_to_parse, one.reason);
        if (one.value != 1)
            throw Error(ErrorCode::failed_to_parse, std::string(entry.name()) + " must be an integer value of 1");
        return make_node(kind);
    }

    static MatchNodePtr parse_sample_rate(bson::Element entry, Level level) {
        if (level != Level::document) throw bad_value("$sampleRate can only be applied to the top-level document");
        if (!entry.is_number()) throw bad_value("argument to $sampleRate must be a numeric type");
        const double rate = entry.to_double();
        if (!(rate >= 0 && rate <= 1)) throw bad_value("numeric argument to $sampleRate must be in [0, 1]");
        if (rate == 0) return make_node(MatchKind::always_false);
        if (rate == 1) return make_node(MatchKind::always_true);
        auto node = make_node(MatchKind::sample_rate);
        node->payload = rate;
        return node;
    }

    // Every operator of the object adds a node to `out`.
    void parse_operators(std::vector<MatchNodePtr>& out, const std::string& path, bson::View operators) const {
        const bson::Element first = operators.front();
        if (is_near(first.name()) && (first.is_object() || first.is_array())) refuse_near(first);
        for (const auto& entry : operators)
            if (auto node = parse_operator(path, entry, operators)) out.push_back(std::move(node));
    }

    // Null for $options, which belongs to $regex.
    MatchNodePtr parse_operator(const std::string& path, bson::Element entry, bson::View operators) const {
        const std::string_view name = entry.name();
        if (const auto* comparison = find_operator(comparison_operators, name))
            return parse_operand(comparison->kind, path, entry);
        if (name == "$ne") {
            if (entry.type() == bson::Type::regex) throw bad_value("Can't have regex as arg to $ne.");
            return make_not(parse_operand(MatchKind::eq, path, entry));
        }
        if (name == "$in") return parse_in(path, entry, options_.collator);
        if (name == "$nin") return make_not(parse_in(path, entry, options_.collator));
        if (name == "$exists") {
            auto exists = make_node(MatchKind::exists, path);
            return entry.truthy() ? std::move(exists) : make_not(std::move(exists));
        }
        if (name == "$not") return parse_not(path, entry);
        if (name == "$regex") return parse_regex_operator(path, operators);
        if (name == "$options") {
            if (!operators.contains("$regex")) throw bad_value("$options needs a $regex");
            return nullptr;
        }
        if (name == "$mod") return parse_mod(path, entry);
        if (name == "$size") return parse_size(path, entry);
        if (name == "$type") return parse_type_operator(path, entry);
        if (name == "$all") return parse_all(path, entry);
        if (name == "$elemMatch") return parse_elem_match(path, entry);
        if (const auto* bits = find_operator(bits_operators, name)) return parse_bits(bits->kind, path, entry);
        if (const auto* internal = find_operator(internal_expr_operators, name))
            return parse_internal_expr(internal->kind, path, entry, options_.collator);
        if (is_schema_operator(name)) return parse_schema_operator(path, entry, inner_parser(Level::inside));
        refuse_operator(entry, operators);
    }

    [[noreturn]] static void refuse_operator(bson::Element entry, bson::View operators) {
        const std::string_view name = entry.name();
        if (is_near(name)) throw bad_value("near must be first in: " + bson::debug_string(operators));
        if (name == "$geoWithin" || name == "$within" || name == "$geoIntersects") refuse_geometry(entry);
        if (name == "$where") throw bad_value("$where cannot be applied to a field");
        if (std::ranges::count(refused_operators, name) > 0) throw unsupported(name);
        throw bad_value("unknown operator: " + std::string(name));
    }

    [[noreturn]] void refuse_near(bson::Element entry) const {
        if (options_.special_features != SpecialFeatures::all)
            throw Error(
                5626500,
                "$geoNear, $near, and $nearSphere are not allowed in this context, as these operators require sorting "
                "geospatial data. If you do not need sort, consider using $geoWithin instead.");
        throw unsupported(entry.name());
    }

    [[noreturn]] static void refuse_geometry(bson::Element entry) {
        constexpr std::array<std::string_view, 6> specifiers = {"$box",     "$center",   "$centerSphere",
                                                                "$polygon", "$geometry", "$uniqueDocs"};
        if (!entry.is_object()) throw bad_value("geometry must be an object");
        for (const auto& specifier : entry.object())
            if (std::ranges::count(specifiers, specifier.name()) == 0)
                throw bad_value("unknown geo specifier: " + bson::debug_element_string(specifier));
        throw unsupported(entry.name());
    }

    MatchNodePtr parse_not(const std::string& path, bson::Element entry) const {
        if (entry.type() == bson::Type::regex) return make_not(parse_regex_literal(path, entry));
        if (!entry.is_object()) throw bad_value("$not needs a regex or a document");
        if (entry.object().empty()) throw bad_value("$not cannot be empty");
        auto conditions = make_node(MatchKind::and_);
        parse_operators(conditions->children, path, entry.object());
        return make_not(std::move(conditions));
    }

    MatchNodePtr parse_all(const std::string& path, bson::Element entry) const {
        const auto is_elem_match = [](const bson::Element& item) {
            return item.is_object() && !item.object().empty() && item.object().front().name() == "$elemMatch";
        };
        if (!entry.is_array()) throw bad_value("$all needs an array");
        const bson::View items = entry.object();
        if (items.empty()) return make_node(MatchKind::always_false);
        const bool elem_matches = is_elem_match(items.front());
        auto node = make_node(MatchKind::and_);
        for (const auto& item : items) {
            if (elem_matches) {
                if (!is_elem_match(item)) throw bad_value("$all/$elemMatch has to be consistent");
                node->children.push_back(parse_elem_match(path, item.object().front()));
            } else if (item.type() == bson::Type::regex) {
                node->children.push_back(parse_regex_literal(path, item));
            } else if (is_operator_object(item)) {
                throw bad_value("no $ expressions in $all");
            } else {
                node->children.push_back(parse_comparison(MatchKind::eq, path, item, options_.collator));
            }
        }
        return node;
    }

    MatchNodePtr parse_elem_match(const std::string& path, bson::Element entry) const {
        if (!entry.is_object()) throw bad_value("$elemMatch needs an Object");
        const bson::View argument = entry.object();
        if (is_operator_object(entry, true) && !is_pathless(argument.front().name())) {
            auto node = make_node(MatchKind::elem_match_value, path);
            parse_operators(node->children, {}, argument);
            return node;
        }
        auto node = make_node(MatchKind::elem_match_object, path);
        node->children.push_back(parse_object(argument, Level::inside));
        return node;
    }

    const MatchParseOptions& options_;
    VariableScope& scope_;
};

}  // namespace

MatchNodePtr parse_match(bson::View filter, const MatchParseOptions& options) {
    if (options.scope != nullptr) return Parser(options, *options.scope).parse_object(filter, Level::document);
    VariableScope scope(VariableScope::current_time());
    return Parser(options, scope).parse_object(filter, Level::document);
}

}  // namespace ixora::mql
