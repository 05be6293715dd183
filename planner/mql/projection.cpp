#include "ixora/mql/projection.hpp"

#include <algorithm>

#include "projection_tree.hpp"

namespace ixora::mql {

namespace {

using Kind = ProjectionField::Kind;

std::string joined(const std::string& prefix, const std::string& name) {
    return prefix.empty() ? name : prefix + "." + name;
}

// The paths that an inclusion reads. A computed field below a path needs the path itself, whose shape it follows.
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
    if (computes && !prefix.empty()) out.push_back(prefix);
}

bool wants_meta(const ProjectionNode& node, ProjectionMeta meta) noexcept {
    return std::any_of(node.fields().begin(), node.fields().end(), [meta](const ProjectionField& field) {
        return (field.kind == Kind::meta && field.meta == meta) ||
               (field.node != nullptr && wants_meta(*field.node, meta));
    });
}

}  // namespace

Projection::Projection(std::unique_ptr<const State> state) noexcept : state_(std::move(state)) {}
Projection::~Projection() = default;
Projection::Projection(Projection&&) noexcept = default;
Projection& Projection::operator=(Projection&&) noexcept = default;

Projection Projection::parse(bson::View spec, const ProjectionParseOptions& options) {
    auto state = std::make_unique<State>();
    state->spec = bson::Document(spec);
    state->tree = parse_projection(state->spec, options);
    const ProjectionTree& tree = state->tree;
    state->requires_document =
        tree.type == Type::exclusion || tree.has_positional || tree.has_slice || tree.has_elem_match;
    if (!state->requires_document) {
        collect_required(tree.root, {}, state->required_fields);
        std::sort(state->required_fields.begin(), state->required_fields.end());
    }
    state->is_simple = tree.type == Type::inclusion &&
                       std::all_of(tree.root.fields().begin(), tree.root.fields().end(),
                                   [](const ProjectionField& field) { return field.kind == Kind::include; });
    return Projection(std::move(state));
}

Projection::Type Projection::type() const noexcept { return state_->tree.type; }
const bson::Document& Projection::spec() const noexcept { return state_->spec; }
const std::vector<std::string>& Projection::required_fields() const noexcept { return state_->required_fields; }
bool Projection::requires_document() const noexcept { return state_->requires_document; }
bool Projection::requires_match_details() const noexcept { return state_->tree.has_positional; }
bool Projection::has_expressions() const noexcept {
    return state_->tree.has_meta || state_->tree.has_slice || state_->tree.has_elem_match;
}
bool Projection::wants_sort_key() const noexcept { return wants_meta(state_->tree.root, ProjectionMeta::sort_key); }
bool Projection::wants_index_key() const noexcept { return wants_meta(state_->tree.root, ProjectionMeta::index_key); }
bool Projection::wants_record_id() const noexcept { return wants_meta(state_->tree.root, ProjectionMeta::record_id); }
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

void Projection::apply(bson::View document, const RowMetadata& metadata, const MatchDetails* details,
                       bson::Builder& out) const {
    apply_projection(state_->tree, ProjectionRow{document, &metadata, details}, out);
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
