#include <algorithm>
#include <limits>
#include <set>

#include "ixora/base/error.hpp"
#include "ixora/bson/builder.hpp"
#include "ixora/bson/debug_string.hpp"
#include "ixora/bson/validate.hpp"
#include "ixora/mql/match_parser.hpp"
#include "ixora/mql/user_path.hpp"
#include "projection_tree.hpp"

namespace ixora::mql {

namespace {

using Kind = ProjectionField::Kind;
using Type = Projection::Type;

bool is_positional(std::string_view name) noexcept { return name.ends_with(".$"); }

// Reads {$slice: ...} in the form of find(). Throws the errors that make the parser try the aggregation form.
ProjectionSlice parse_find_slice(bson::Element argument) {
    ProjectionSlice slice;
    if (argument.is_number()) {
        const std::int64_t count = argument.to_int64();
        if (count < 0) {
            slice.skip = std::max(count, -std::numeric_limits<std::int64_t>::max());
            slice.limit = -slice.skip;
        } else {
            slice.limit = count;
        }
        return slice;
    }
    if (!argument.is_array()) throw Error(31273, "$slice only supports numbers and [skip, limit] arrays");
    if (argument.object().field_count() != 2)
        throw Error(31272, "$slice array argument should be of form [skip, limit]");
    const bson::Element skip = argument.object().front();
    const bson::Element limit = argument.object()["1"];
    if (!skip.is_number()) throw Error(31257, "$slice expects the first argument to be a number");
    if (!limit.is_number()) throw Error(31258, "$slice expects the second argument to be a number");
    slice.skip = skip.to_int64();
    slice.limit = limit.to_int64();
    if (slice.limit <= 0) throw Error(31259, "$slice limit must be positive");
    return slice;
}

// What the aggregation expression of that name says to a form that it does not take either.
Error wrong_slice(bson::Element argument, const Error& find_error, const Error& expression_error) {
    return Error(28667, "Invalid $slice syntax. The given syntax { $slice: " + bson::debug_string(argument) +
                            " } did not match the find() syntax because :: " + find_error.code_name() + ": " +
                            find_error.what() +
                            " :: The given syntax did not match the expression $slice syntax. :: caused by :: " +
                            expression_error.what());
}

// Filters with operators that a positional projection cannot run again are refused.
void check_positional_filter(const MatchNode& filter) {
    const auto refuse = [](std::string_view what, std::string_view verb) {
        throw Error(ErrorCode::query_feature_not_allowed,
                    std::string(what) + " " + std::string(verb) + " not allowed in this context");
    };
    switch (filter.kind) {
        case MatchKind::expression: refuse("$expr", "is"); break;
        case MatchKind::text: refuse("$text", "is"); break;
        case MatchKind::where: refuse("$where", "is"); break;
        case MatchKind::geo_near: refuse("$geoNear, $near, and $nearSphere", "are"); break;
        default: break;
    }
    for (const MatchNodePtr& child : filter.children) check_positional_filter(*child);
}

class Parser {
public:
    Parser(const ProjectionParseOptions& options, VariableScope& scope)
        : options_(options), expressions_{scope, options.collator} {}

    ProjectionTree parse(bson::View spec) {
        if (options_.purpose == ProjectionPurpose::add_fields) {
            for (const bson::Element& entry : spec) parse_added(entry, tree_.root, {}, spec);
            tree_.type = Type::exclusion;
        } else {
            if (options_.purpose == ProjectionPurpose::project && spec.empty())
                throw Error(51272, "projection specification must have at least one field");
            for (const bson::Element& entry : spec) parse_entry(entry, tree_.root, 0);
            resolve_type();
        }
        if (!expressions_.unavailable_metadata.empty())
            throw Error(40218,
                        "query requires " + expressions_.unavailable_metadata + " metadata, but it is not available");
        tree_.slot_count = expressions_.scope.slot_count();
        tree_.root.seal();
        return std::move(tree_);
    }

private:
    bool in_find() const noexcept { return options_.purpose == ProjectionPurpose::find; }

    void parse_entry(bson::Element entry, ProjectionNode& parent, std::size_t depth) {
        const std::string_view name = entry.name();
        if (name.find(".$.") != std::string_view::npos)
            throw Error(
                31394,
                "As of 4.4, it's illegal to specify positional operator in the middle of a path."
                "Positional projection may only be used at the end, for example: a.b.$. If the query previously used a "
                "form like a.b.$.d, remove the parts following the '$' and the results will be equivalent.");
        switch (entry.type()) {
            case bson::Type::object: parse_object(entry, parent, depth); break;
            case bson::Type::boolean:
            case bson::Type::number_int:
            case bson::Type::number_long:
            case bson::Type::number_double:
            case bson::Type::number_decimal:
                if (entry.truthy())
                    parse_inclusion(entry, parent, depth);
                else
                    parse_exclusion(entry, parent, depth);
                break;
            default: parse_literal(entry, parent, depth); break;
        }
    }

    void parse_object(bson::Element entry, ProjectionNode& parent, std::size_t depth) {
        if (is_positional(entry.name()))
            throw Error(31271, "positional projection cannot be used with an expression or sub object");
        check_user_path(entry.name());
        const bson::View object = entry.object();
        if (object.empty())
            throw Error(51270, "An empty sub-projection is not a valid value. Found empty object at path");
        const bson::Element first = object.front();
        if (first.name().starts_with('$') && object.field_count() == 1) {
            parse_operator(entry, first, parent, depth);
            return;
        }
        ProjectionField* target = path_field(parent, entry.name());
        const std::size_t parts =
            1 + static_cast<std::size_t>(std::count(entry.name().begin(), entry.name().end(), '.'));
        if (target == nullptr) {
            target = &add(parent, entry.name(), depth, Kind::path);
            target->node = std::make_unique<ProjectionNode>();
        }
        for (const bson::Element& inner : object) parse_entry(inner, *target->node, depth + parts);
    }

    void parse_operator(bson::Element entry, bson::Element operation, ProjectionNode& parent, std::size_t depth) {
        if (operation.name() == "$slice" && in_find())
            parse_slice(entry, operation, parent, depth);
        else if (operation.name() == "$elemMatch")
            parse_elem_match(entry, operation, parent, depth);
        else if (operation.name() == "$meta")
            parse_meta(entry, operation, parent, depth);
        else
            parse_expression(entry, operation, parent, depth);
    }

    void parse_slice(bson::Element entry, bson::Element operation, ProjectionNode& parent, std::size_t depth) {
        std::optional<Error> find_error;
        try {
            const ProjectionSlice slice = parse_find_slice(operation);
            add(parent, entry.name(), depth, Kind::slice).slice = slice;
            tree_.has_slice = true;
            return;
        } catch (const Error& error) {
            find_error = error;
        }
        require_inclusion_of_expression();
        try {
            add_expression(entry, parent, depth);
        } catch (const Error& error) {
            throw error.code() == 28667 ? wrong_slice(operation, *find_error, error) : error;
        }
    }

    void parse_elem_match(bson::Element entry, bson::Element operation, ProjectionNode& parent, std::size_t depth) {
        if (!in_find()) throw Error(168, "Cannot use $elemMatch in this context");
        if (!operation.is_object())
            throw Error(31274, "elemMatch: Invalid argument, object required, but got " +
                                   std::string(bson::type_name(operation.type())));
        if (tree_.has_positional) throw Error(31255, "Cannot specify positional operator and $elemMatch.");
        if (&parent != &tree_.root || entry.name().find('.') != std::string_view::npos)
            throw Error(31275, "Cannot use $elemMatch projection on a nested field.");
        bson::Builder filter;
        filter.append(entry.name(), entry);
        MatchParseOptions match_options;
        match_options.collator = options_.collator;
        match_options.special_features = SpecialFeatures::none;
        auto matcher = std::make_unique<const Matcher>(*parse_match(filter.finish_view(), match_options));
        add(parent, entry.name(), depth, Kind::elem_match).matcher = std::move(matcher);
        tree_.has_elem_match = true;
    }

    void parse_meta(bson::Element entry, bson::Element operation, ProjectionNode& parent, std::size_t depth) {
        const MetadataName& metadata = parse_metadata_name(operation);
        if (metadata.kind == Metadata::unavailable && expressions_.unavailable_metadata.empty())
            expressions_.unavailable_metadata = metadata.description;
        add(parent, entry.name(), depth, Kind::meta).meta = &metadata;
        tree_.has_meta = true;
    }

    void parse_expression(bson::Element entry, bson::Element operation, ProjectionNode& parent, std::size_t depth) {
        require_inclusion_of_expression();
        if (!is_expression_name(operation.name()))
            throw Error(31325, "Unknown expression " + std::string(operation.name()));
        add_expression(entry, parent, depth);
    }

    void parse_literal(bson::Element entry, ProjectionNode& parent, std::size_t depth) {
        if (is_positional(entry.name())) throw Error(31308, "positional projection cannot be used with a literal");
        check_user_path(entry.name());
        add_expression(entry, parent, depth);
        if (type_ == Type::exclusion)
            throw Error(
                31310, "Cannot use an expression " + bson::debug_element_string(entry) + " in an exclusion projection");
        type_ = Type::inclusion;
    }

    void parse_inclusion(bson::Element entry, ProjectionNode& parent, std::size_t depth) {
        std::string_view path = entry.name();
        if (is_positional(path)) {
            path.remove_suffix(2);
            if (!in_find()) throw Error(31324, "Cannot use positional projection in aggregation projection");
            if (tree_.has_positional)
                throw Error(31276, "Cannot specify more than one positional projection per query.");
            if (tree_.has_elem_match) throw Error(31256, "Cannot specify positional operator and $elemMatch.");
            check_user_path(path);
            if (options_.filter != nullptr) check_positional_filter(*options_.filter);
            const MatchNode everything(MatchKind::and_, {});
            tree_.positional_matcher =
                std::make_unique<const Matcher>(options_.filter != nullptr ? *options_.filter : everything);
            add(parent, path, depth, Kind::positional);
            tree_.has_positional = true;
        } else {
            check_user_path(path);
            add(parent, path, depth, Kind::include);
        }
        if (is_root_id(entry, parent)) {
            id_included_ = true;
            return;
        }
        if (type_ == Type::exclusion)
            throw Error(31253,
                        "Cannot do inclusion on field " + std::string(entry.name()) + " in exclusion projection");
        type_ = Type::inclusion;
    }

    void parse_exclusion(bson::Element entry, ProjectionNode& parent, std::size_t depth) {
        if (is_positional(entry.name())) throw Error(31395, "positional projection cannot be used with exclusion");
        check_user_path(entry.name());
        add(parent, entry.name(), depth, Kind::exclude);
        if (is_root_id(entry, parent)) {
            id_excluded_ = true;
            return;
        }
        if (type_ == Type::inclusion)
            throw Error(31254,
                        "Cannot do exclusion on field " + std::string(entry.name()) + " in inclusion projection");
        type_ = Type::exclusion;
    }

    bool is_root_id(bson::Element entry, const ProjectionNode& parent) const noexcept {
        return &parent == &tree_.root && entry.name() == "_id";
    }

    void require_inclusion_of_expression() {
        if (type_ == Type::exclusion)
            throw Error(31252, "Cannot use expression other than $meta in exclusion projection");
        type_ = Type::inclusion;
    }

    // A computed field whose expression is the entry's value.
    void add_expression(bson::Element entry, ProjectionNode& parent, std::size_t depth) {
        Expression expression = Expression::parse(entry, expressions_);
        add(parent, entry.name(), depth, Kind::expression).expression = std::move(expression);
        tree_.has_expression = true;
    }

    // An entry of $addFields below `prefix`: everything is computed, objects that are no expressions hold more fields.
    void parse_added(bson::Element entry, ProjectionNode& parent, const std::string& prefix, bson::View spec) {
        check_user_path(entry.name());
        const std::string path = prefix + std::string(entry.name());
        const auto depth = static_cast<std::size_t>(std::count(prefix.begin(), prefix.end(), '.'));
        if (!entry.is_object() || entry.object().front().name().starts_with('$')) {
            if (entry.is_object() && entry.object().field_count() != 1)
                throw Error(40181,
                            "an expression specification must contain exactly one field, the name of the "
                            "expression. Found " +
                                std::to_string(entry.object().field_count()) + " fields in " +
                                bson::debug_string(entry) + ", while parsing object " + bson::debug_string(entry));
            check_conflict(path, spec);
            add_expression(entry, parent, depth);
            return;
        }
        if (entry.object().empty())
            throw Error(40180, "an empty object is not a valid value. Found empty object at path " + path);
        for (const bson::Element& inner : entry.object())
            if (inner.name().find('.') != std::string_view::npos)
                throw Error(40183, "cannot use dotted field name '" + std::string(inner.name()) +
                                       "' in a sub object: " + bson::debug_string(entry));
        ProjectionField* target = path_field(parent, entry.name());
        if (target == nullptr) {
            for (const bson::Element& inner : entry.object())
                check_conflict(path + "." + std::string(inner.name()), spec, false);
            target = &add(parent, entry.name(), depth, Kind::path);
            target->node = std::make_unique<ProjectionNode>();
        }
        for (const bson::Element& inner : entry.object()) parse_added(inner, *target->node, path + ".", spec);
    }

    // No path of $addFields may be another one or lie below it. Paths are kept with a NUL for every dot, so that what
    // lies below a path comes right behind it.
    void check_conflict(const std::string& path, bson::View spec, bool keep = true) {
        std::string key = path;
        std::replace(key.begin(), key.end(), '.', '\0');
        const auto is_below = [](std::string_view inner, std::string_view outer) {
            return inner.starts_with(outer) && (inner.size() == outer.size() || inner[outer.size()] == '\0');
        };
        const auto next = added_.lower_bound(key);
        std::string other;
        if (next != added_.end() && is_below(*next, key))
            other = *next;
        else if (next != added_.begin() && is_below(key, *std::prev(next)))
            other = *std::prev(next);
        if (!other.empty()) {
            std::replace(other.begin(), other.end(), '\0', '.');
            throw Error(40176, "specification contains two conflicting paths. Cannot specify both '" + path +
                                   "' and '" + other + "': " + bson::debug_string(spec));
        }
        if (keep) added_.insert(std::move(key));
    }

    // The existing inner node at `path`, or null.
    static ProjectionField* path_field(ProjectionNode& parent, std::string_view path) {
        ProjectionNode* node = &parent;
        for (std::size_t start = 0;;) {
            const std::size_t dot = std::min(path.find('.', start), path.size());
            ProjectionField* field = node->find(path.substr(start, dot - start));
            if (field == nullptr || field->kind != Kind::path) return nullptr;
            if (dot == path.size()) return field;
            node = field->node.get();
            start = dot + 1;
        }
    }

    // A new field at `path` below `parent`, which lies `depth` names deep.
    static ProjectionField& add(ProjectionNode& parent, std::string_view path, std::size_t depth, Kind kind) {
        ProjectionNode* node = &parent;
        for (std::size_t start = 0;; ++depth) {
            if (depth >= static_cast<std::size_t>(bson::command_depth_max))
                throw Error(ErrorCode::overflow, "FieldPath is too long");
            const std::size_t dot = std::min(path.find('.', start), path.size());
            const std::string_view name = path.substr(start, dot - start);
            ProjectionField* field = node->find(name);
            const bool last = dot == path.size();
            if (last && field != nullptr) throw Error(31250, "Path collision at " + std::string(path));
            if (field != nullptr && field->kind != Kind::path)
                throw Error(31249, "Path collision at " + std::string(path) + " remaining portion " +
                                       std::string(path.substr(path.find('.') + 1)));
            if (field == nullptr) {
                field = &node->add(name);
                field->kind = last ? kind : Kind::path;
                if (!last) field->node = std::make_unique<ProjectionNode>();
            }
            if (last) return *field;
            node = field->node.get();
            start = dot + 1;
        }
    }

    // What an ambiguous specification means, and what becomes of _id.
    void resolve_type() {
        if (type_)
            tree_.type = *type_;
        else if (id_included_ || (tree_.has_elem_match && !tree_.has_slice) || (!in_find() && tree_.has_meta))
            tree_.type = Type::inclusion;
        else
            tree_.type = Type::exclusion;
        if (tree_.type == Type::inclusion) {
            if (id_excluded_)
                tree_.root.erase("_id");
            else if (tree_.root.find("_id") == nullptr)
                add(tree_.root, "_id", 0, Kind::include);
        } else if (id_included_) {
            tree_.root.erase("_id");
        }
    }

    const ProjectionParseOptions& options_;
    ExpressionParseContext expressions_;
    ProjectionTree tree_;
    std::set<std::string> added_;  // paths of $addFields
    std::optional<Type> type_;
    bool id_included_ = false;
    bool id_excluded_ = false;
};

}  // namespace

ProjectionTree parse_projection(bson::View spec, const ProjectionParseOptions& options) {
    if (options.scope != nullptr) return Parser(options, *options.scope).parse(spec);
    VariableScope scope(VariableScope::current_time());
    return Parser(options, scope).parse(spec);
}

}  // namespace ixora::mql
