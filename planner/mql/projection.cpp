#include "ixora/mql/projection.hpp"

#include <algorithm>

#include "projection_tree.hpp"

namespace ixora::mql {

namespace {

using Kind = ProjectionField::Kind;

std::string joined(const std::string& prefix, const std::string& name) {
    return prefix.empty() ? name : prefix + "." + name;
}

// The paths that an inclusion reads. A computed field below a path follows the shape of all that lies on the path,
// scalars in arrays included, so it needs the whole of the path's first field.
void collect_required(const ProjectionNode& node, const std::string& prefix, std::vector<std::string>& out) {
    bool computes = false;
    for (const ProjectionField& field : node.fields()) {
        if (field.kind == Kind::path)
            collect_required(*field.node, joined(prefix, field.name), out);
        else if (field.computed())
            computes = true;
        else
            out.push_back(joined(prefix, field.name));
    }
    if (computes && !prefix.empty()) out.push_back(prefix.substr(0, prefix.find('.')));
}

bool wants_meta(const ProjectionNode& node, Metadata meta) noexcept {
    return std::any_of(node.fields().begin(), node.fields().end(), [meta](const ProjectionField& field) {
        return (field.kind == Kind::meta && field.meta->kind == meta) ||
               (field.node != nullptr && wants_meta(*field.node, meta));
    });
}

void collect_dependencies(const ProjectionNode& node, ExpressionDependencies& out) {
    for (const ProjectionField& field : node.fields()) {
        if (field.expression) field.expression->add_dependencies(out);
        if (field.kind == Kind::meta) out.metadata = true;
        if (field.node != nullptr) collect_dependencies(*field.node, out);
    }
}

void optimize_fields(ProjectionNode& node) {
    for (ProjectionField& field : node.fields()) {
        if (field.expression) field.expression->optimize();
        if (field.node != nullptr) optimize_fields(*field.node);
    }
}

}  // namespace

Projection::Projection(std::unique_ptr<State> state) noexcept : state_(std::move(state)) {}
Projection::~Projection() = default;
Projection::Projection(Projection&&) noexcept = default;
Projection& Projection::operator=(Projection&&) noexcept = default;

Projection Projection::parse(bson::View spec, const ProjectionParseOptions& options) {
    auto state = std::make_unique<State>();
    state->spec = bson::Document(spec);
    state->tree = parse_projection(state->spec, options);
    state->purpose = options.purpose;
    state->settle_needs();
    const ProjectionTree& tree = state->tree;
    state->is_simple = tree.type == Type::inclusion &&
                       std::all_of(tree.root.fields().begin(), tree.root.fields().end(),
                                   [](const ProjectionField& field) { return field.kind == Kind::include; });
    return Projection(std::move(state));
}

void Projection::State::settle_needs() {
    dependencies = {};
    collect_dependencies(tree.root, dependencies);
    requires_document = tree.type == Type::exclusion || tree.has_positional || tree.has_slice || tree.has_elem_match ||
                        dependencies.whole_document;
    required_fields.clear();
    if (requires_document) return;
    collect_required(tree.root, {}, required_fields);
    required_fields.insert(required_fields.end(), dependencies.fields.begin(), dependencies.fields.end());
    std::sort(required_fields.begin(), required_fields.end());
    required_fields.erase(std::unique(required_fields.begin(), required_fields.end()), required_fields.end());
}

void Projection::optimize() {
    optimize_fields(state_->tree.root);
    state_->settle_needs();
}

Projection::Type Projection::type() const noexcept { return state_->tree.type; }
const bson::Document& Projection::spec() const noexcept { return state_->spec; }
const std::vector<std::string>& Projection::required_fields() const noexcept { return state_->required_fields; }
bool Projection::requires_document() const noexcept { return state_->requires_document; }
bool Projection::requires_match_details() const noexcept { return state_->tree.has_positional; }
bool Projection::has_expressions() const noexcept {
    return state_->tree.has_meta || state_->tree.has_slice || state_->tree.has_elem_match ||
           state_->tree.has_expression;
}
bool Projection::wants_sort_key() const noexcept { return wants_meta(state_->tree.root, Metadata::sort_key); }
bool Projection::wants_index_key() const noexcept { return wants_meta(state_->tree.root, Metadata::index_key); }
bool Projection::wants_record_id() const noexcept { return wants_meta(state_->tree.root, Metadata::record_id); }
bool Projection::is_simple() const noexcept { return state_->is_simple; }
const Matcher* Projection::positional_matcher() const noexcept { return state_->tree.positional_matcher.get(); }

bool Projection::preserves(std::string_view path) const noexcept {
    const ProjectionNode* node = &state_->tree.root;
    for (std::size_t start = 0; start <= path.size();) {
        const std::size_t dot = std::min(path.find('.', start), path.size());
        const ProjectionField* field = node->find(path.substr(start, dot - start));
        if (field == nullptr) return state_->tree.type == Type::exclusion;
        if (field->kind != Kind::path) return field->kind == Kind::include;
        node = field->node.get();
        start = dot + 1;
    }
    return false;  // something below the path is projected
}

bool Projection::keeps_top_level(std::string_view name) const noexcept {
    const ProjectionField* field = state_->tree.root.find(name);
    return field != nullptr && field->kind == Kind::include;
}

void Projection::add_dependencies(ExpressionDependencies& out) const {
    const ExpressionDependencies& own = state_->dependencies;
    out.fields.insert(state_->required_fields.begin(), state_->required_fields.end());
    out.fields.insert(own.fields.begin(), own.fields.end());
    out.variables.insert(own.variables.begin(), own.variables.end());
    out.whole_document |= own.whole_document;
    out.random |= own.random;
    out.metadata |= own.metadata;
}

void Projection::serialize(bson::Builder& out) const { serialize_projection(state_->tree, state_->purpose, out); }

void Projection::apply(EvaluationContext& row, const MatchDetails* details, bson::Builder& out) const {
    apply_projection(state_->tree, row, details, out);
}

void Projection::apply_simple(bson::View document, bson::Builder& out) const {
    std::size_t missing = state_->tree.root.fields().size();
    if (missing == 0) return;
    for (const bson::Element& element : document) {
        if (state_->tree.root.find(element.name()) == nullptr) continue;
        out.append_element(element);
        if (--missing == 0) return;
    }
}

}  // namespace ixora::mql
