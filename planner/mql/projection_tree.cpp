#include "projection_tree.hpp"

#include <algorithm>
#include <cstring>

namespace ixora::mql {

namespace {

constexpr std::size_t linear_search_max = 12;

}  // namespace

// No field has an empty name: check_user_path() refuses one.
const ProjectionField* ProjectionNode::find(std::string_view name) const noexcept {
    if (!positions_.empty()) {
        const auto found = positions_.find(name);
        return found == positions_.end() ? nullptr : &fields_[found->second];
    }
    for (const ProjectionField& field : fields_) {
        if (field.name.size() != name.size() || field.name.front() != name.front()) continue;  // most differ here
        if (std::memcmp(field.name.data(), name.data(), name.size()) == 0) return &field;
    }
    return nullptr;
}

ProjectionField& ProjectionNode::add(std::string_view name) {
    ProjectionField& field = fields_.emplace_back();
    field.name = name;
    if (!positions_.empty())
        positions_.emplace(field.name, static_cast<std::uint32_t>(fields_.size() - 1));
    else if (fields_.size() > linear_search_max)
        index_names();
    return field;
}

void ProjectionNode::erase(std::string_view name) {
    std::erase_if(fields_, [name](const ProjectionField& field) { return field.name == name; });
    if (!positions_.empty()) index_names();
}

void ProjectionNode::index_names() {
    positions_.clear();
    for (std::uint32_t i = 0; i < fields_.size(); ++i) positions_.emplace(fields_[i].name, i);
}

void ProjectionNode::seal() {
    for (ProjectionField& field : fields_) {
        if (field.node != nullptr) {
            field.node->seal();
            const auto& below = field.node->fields();
            field.leads_to_positional = std::any_of(below.begin(), below.end(), [](const ProjectionField& inner) {
                return inner.leads_to_positional || inner.kind == ProjectionField::Kind::positional;
            });
        }
        holds_computed_ = holds_computed_ || field.holds_computed();
        if (!field.computed()) ++stored_count_;
    }
}

}  // namespace ixora::mql
