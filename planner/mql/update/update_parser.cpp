#include <algorithm>
#include <charconv>

#include "ixora/base/error.hpp"
#include "ixora/bson/debug_string.hpp"
#include "ixora/bson/field_path.hpp"
#include "update_tree.hpp"

namespace ixora::mql {

namespace {

bool is_array_part(std::string_view part) {
    return part.size() >= 3 && part.substr(0, 2) == "$[" && part.back() == ']';
}
std::string_view identifier_of(std::string_view part) { return part.substr(2, part.size() - 3); }

[[noreturn]] void refuse(const std::string& message) { throw Error(ErrorCode::bad_value, message); }

bson::FieldPath checked_path(std::string_view text) {
    bson::FieldPath path{std::string(text)};
    if (text.empty()) throw Error(56, "An empty update path is not valid.");
    for (std::size_t i = 0; i < path.part_count(); ++i)
        if (path.part(i).empty())
            throw Error(
                56, "The update path '" + std::string(text) + "' contains an empty field name, which is not allowed.");
    return path;
}

std::size_t positional_count(const bson::FieldPath& path) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < path.part_count(); ++i) count += path.part(i) == "$" ? 1 : 0;
    return count;
}

bool is_dynamic(const bson::FieldPath& path) {
    for (std::size_t i = 0; i < path.part_count(); ++i)
        if (path.part(i) == "$" || is_array_part(path.part(i))) return true;
    return false;
}

void check_positional_parts(const bson::FieldPath& path) {
    const std::size_t positional = positional_count(path);
    if (positional > 1) refuse("Too many positional (i.e. '$') elements found in path '" + path.dotted() + "'");
    if (path.part(0) == "$")
        refuse("Cannot have positional (i.e. '$') element in the first position in path '" + path.dotted() + "'");
    if (is_array_part(path.part(0)))
        refuse("Cannot have array filter identifier (i.e. '$[<id>]') element in the first position in path '" +
               path.dotted() + "'");
}

class Parser {
public:
    Parser(Update::Program& program, const bson::CollatorPtr& collator) : program_(program), collator_(collator) {}

    void parse(bson::View update) {
        for (const bson::Element& modifier : update) {
            if (!is_update_operator(modifier.name())) {
                if (modifier.name() == "$v")
                    throw Error(ErrorCode::failed_to_parse, "The $v update field is only recognized internally");
                throw Error(ErrorCode::failed_to_parse,
                            "Unknown modifier: " + std::string(modifier.name()) +
                                ". Expected a valid update modifier or pipeline-style update specified as an array");
            }
            if (!modifier.is_object())
                throw Error(ErrorCode::failed_to_parse, "Modifiers operate on fields but we found type " +
                                                            std::string(bson::type_name(modifier.type())) +
                                                            " instead. For example: {$mod: {<field>: ...}} not " +
                                                            braced(modifier));
            for (const bson::Element& field : modifier.object()) {
                if (modifier.name() == "$rename")
                    add_rename(field);
                else
                    add_operator(modifier.name(), field);
            }
        }
        for (const ArrayFilter& filter : program_.filters)
            if (!filter.used)
                throw Error(ErrorCode::failed_to_parse, "The array filter for identifier '" + filter.identifier +
                                                            "' was not used in the update " +
                                                            bson::debug_string(update));
    }

private:
    void add_operator(std::string_view name, bson::Element field) {
        const bson::FieldPath path = checked_path(field.name());
        check_positional_parts(path);
        place(path, make_update_operator(name, field, collator_));
    }

    void add_rename(bson::Element field) {
        const std::string text = bson::debug_element_string(field);
        if (!field.is_string()) refuse("The 'to' field for $rename must be a string: " + text);
        if (field.string().find('\0') != std::string_view::npos)
            refuse("The 'to' field for $rename cannot contain an embedded null byte");
        const bson::FieldPath from = checked_path(field.name());
        const bson::FieldPath to = checked_path(field.string());
        if (from.dotted() == to.dotted()) refuse("The source and target field for $rename must differ: " + text);
        if (bson::is_path_prefix_or_equal(from.dotted(), to.dotted()) ||
            bson::is_path_prefix_or_equal(to.dotted(), from.dotted()))
            refuse("The source and target field for $rename must not be on the same path: " + text);
        if (is_dynamic(from)) refuse("The source field for $rename may not be dynamic: " + from.dotted());
        if (is_dynamic(to)) refuse("The destination field for $rename may not be dynamic: " + to.dotted());
        place(from, make_rename_source());
        place(to, make_rename_target(from.dotted()));
    }

    // Puts a leaf at the end of `path`, making the inner nodes on the way.
    void place(const bson::FieldPath& path, UpdateOperatorPtr operation) {
        UpdateNode* node = &program_.root;
        for (std::size_t i = 0; i < path.part_count(); ++i) {
            const bool last = i + 1 == path.part_count();
            std::unique_ptr<UpdateNode>& child = slot(*node, path, i);
            const UpdateNode::Kind kind = last                              ? UpdateNode::Kind::leaf
                                          : is_array_part(path.part(i + 1)) ? UpdateNode::Kind::array
                                                                            : UpdateNode::Kind::object;
            if (child && (last || child->kind != kind))
                throw Error(40, "Updating the path '" + path.dotted() + "' would create a conflict at '" +
                                    std::string(path.prefix(i + 1)) + "'");
            if (!child) {
                child = std::make_unique<UpdateNode>();
                child->kind = kind;
            }
            node = child.get();
        }
        node->operation = std::move(operation);
    }

    std::unique_ptr<UpdateNode>& slot(UpdateNode& node, const bson::FieldPath& path, std::size_t i) {
        const std::string_view part = path.part(i);
        if (node.kind == UpdateNode::Kind::array) return node.children[std::string(checked_identifier(path, part))];
        if (part != "$") return node.children[std::string(part)];
        program_.positional = true;
        return node.positional;
    }

    std::string_view checked_identifier(const bson::FieldPath& path, std::string_view part) {
        const std::string_view identifier = identifier_of(part);
        if (identifier.empty()) return identifier;
        const auto filter = std::find_if(program_.filters.begin(), program_.filters.end(),
                                         [&](const ArrayFilter& known) { return known.identifier == identifier; });
        if (filter == program_.filters.end())
            refuse("No array filter found for identifier '" + std::string(identifier) + "' in path '" + path.dotted() +
                   "'");
        filter->used = true;
        return identifier;
    }

    Update::Program& program_;
    const bson::CollatorPtr& collator_;
};

bool is_canonical_number(std::string_view name) noexcept {
    return !name.empty() && (name.front() != '0' || name.size() == 1) &&
           std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

bool UpdateNameLess::operator()(std::string_view left, std::string_view right) const noexcept {
    if (is_canonical_number(left) && is_canonical_number(right) && left.size() != right.size())
        return left.size() < right.size();
    return left < right;
}

Update::Update(std::unique_ptr<const Program> program) noexcept : program_(std::move(program)) {}
Update::~Update() = default;
Update::Update(Update&&) noexcept = default;
Update& Update::operator=(Update&&) noexcept = default;

bool Update::is_replacement() const noexcept { return program_->replacement; }
bool Update::needs_array_offset() const noexcept { return program_->positional; }
bson::View Update::replacement() const noexcept { return program_->argument.element().object(); }

Update Update::parse(bson::Element argument, const UpdateOptions& options) {
    if (!argument.is_object())
        throw Error(ErrorCode::failed_to_parse, "Update argument must be either an object or an array");
    auto program = std::make_unique<Program>();
    program->argument = bson::Value(argument);
    const bson::View update = program->argument.element().object();
    if (options.array_filters) program->filters = parse_array_filters(*options.array_filters, options.collator);
    program->replacement = update.empty() || update.front().name().substr(0, 1) != "$";
    if (!program->replacement) Parser(*program, options.collator).parse(update);
    return Update(std::move(program));
}

Update Update::of_transform(Transform transform) {
    auto program = std::make_unique<Program>();
    program->transform = std::move(transform);
    return Update(std::move(program));
}

}  // namespace ixora::mql
