#include "ixora/key/wildcard_projection.hpp"

#include <algorithm>

namespace ixora::key {

namespace {

using Node = WildcardProjection::Node;
using Choice = WildcardProjection::Choice;

constexpr std::string_view tail = ".$**";

// The first leaf beside a top-level `_id` tells inclusion from exclusion; `_id` alone speaks for itself.
const bson::Element* find_deciding_leaf(bson::View projection, bool top, bson::Element& leaf) {
    for (const bson::Element& field : projection) {
        if (field.is_object()) {
            if (find_deciding_leaf(field.object(), false, leaf) != nullptr) return &leaf;
        } else if (!top || field.name() != "_id") {
            leaf = field;
            return &leaf;
        }
    }
    return nullptr;
}

void collect_leaves(const Node& node, const std::string& prefix, std::vector<std::string>& out) {
    for (const Node& child : node.children) {
        const std::string path = prefix + child.name;
        if (child.choice == Choice::look_inside)
            collect_leaves(child, path + ".", out);
        else
            out.push_back(path + (child.choice == Choice::keep ? " 1" : " 0"));
    }
}

std::vector<std::string> sorted_leaves(const Node& root) {
    std::vector<std::string> leaves;
    collect_leaves(root, {}, leaves);
    std::sort(leaves.begin(), leaves.end());
    return leaves;
}

}  // namespace

std::size_t wildcard_field_position(bson::View key_pattern) noexcept {
    std::size_t position = 0;
    for (const bson::Element& field : key_pattern) {
        if (is_wildcard_field(field.name())) break;
        ++position;
    }
    return position;
}

const Node* WildcardProjection::Node::find(std::string_view child) const noexcept {
    const auto found =
        std::find_if(children.begin(), children.end(), [child](const Node& each) { return each.name == child; });
    return found == children.end() ? nullptr : &*found;
}

WildcardProjection::WildcardProjection(bson::View key_pattern, bson::View projection) {
    for (const bson::Element& field : key_pattern) {
        if (!field.name().ends_with(tail)) continue;
        inclusion_ = true;
        add(bson::FieldPath(std::string(field.name().substr(0, field.name().size() - tail.size()))), Choice::keep);
        return;
    }
    bson::Element leaf;
    if (find_deciding_leaf(projection, true, leaf) != nullptr)
        inclusion_ = leaf.truthy();
    else
        inclusion_ = projection["_id"].truthy();
    add_all({}, projection);
    if (root_.find("_id") == nullptr) add(bson::FieldPath("_id"), Choice::drop);
}

void WildcardProjection::add_all(const std::string& prefix, bson::View projection) {
    for (const bson::Element& field : projection) {
        const std::string path = prefix + std::string(field.name());
        if (field.is_object())
            add_all(path + ".", field.object());
        else
            add(bson::FieldPath(path), field.truthy() ? Choice::keep : Choice::drop);
    }
}

void WildcardProjection::add(const bson::FieldPath& path, Choice choice) {
    Node* node = &root_;
    for (std::size_t i = 0; i < path.part_count(); ++i) {
        const auto found = std::find_if(node->children.begin(), node->children.end(),
                                        [&](const Node& each) { return each.name == path.part(i); });
        if (found != node->children.end()) {
            node = &*found;
        } else {
            node->children.push_back({std::string(path.part(i)), Choice::look_inside, {}});
            node = &node->children.back();
        }
    }
    node->choice = choice;
}

bool WildcardProjection::admits(const bson::FieldPath& path) const noexcept {
    const Node* node = &root_;
    for (std::size_t i = 0; i < path.part_count(); ++i) {
        node = node->find(path.part(i));
        if (node == nullptr) return unnamed() == Choice::keep;
        if (node->choice != Choice::look_inside) return node->choice == Choice::keep;
    }
    return !inclusion_;  // a value where the projection looks for fields below
}

std::size_t WildcardProjection::covering_length(const bson::FieldPath& path) const noexcept {
    const Node* node = &root_;
    for (std::size_t i = 0; i < path.part_count(); ++i) {
        node = node->find(path.part(i));
        if (node == nullptr) return 0;
        if (node->choice == Choice::keep) return i + 1;
    }
    return 0;
}

bool operator==(const WildcardProjection& left, const WildcardProjection& right) {
    return left.inclusion_ == right.inclusion_ && sorted_leaves(left.root_) == sorted_leaves(right.root_);
}

}  // namespace ixora::key
