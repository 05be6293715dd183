// Which fields of a document belong into a wildcard index (spec: keystring.md 2.4, planner.md 2.9.1).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ixora/bson/field_path.hpp"
#include "ixora/bson/view.hpp"

namespace ixora::key {

// Whether a name of a key pattern is the wildcard one: "$**" or "x.y.$**".
constexpr bool is_wildcard_field(std::string_view name) noexcept { return name == "$**" || name.ends_with(".$**"); }
// The position of the wildcard field in a key pattern; the number of fields if there is none.
std::size_t wildcard_field_position(bson::View key_pattern) noexcept;

// The subtree of "x.$**", or else the index's wildcardProjection, as a tree of field names. `_id` is left out unless
// the projection asks for it.
class WildcardProjection {
public:
    // Expects a valid pair (exec/command/wildcard_spec.hpp checks it).
    WildcardProjection(bson::View key_pattern, bson::View projection);

    bool is_inclusion() const noexcept { return inclusion_; }
    // Whether a value at exactly this path is indexed.
    bool admits(const bson::FieldPath& path) const noexcept;
    // Of an inclusion: how many components the included path has that covers `path`; 0 if none does.
    std::size_t covering_length(const bson::FieldPath& path) const noexcept;

    // The same documents have the same keys; the order and the spelling of the projection do not matter.
    friend bool operator==(const WildcardProjection& left, const WildcardProjection& right);

    enum class Choice { keep, drop, look_inside };
    struct Node {
        std::string name;
        Choice choice = Choice::look_inside;
        std::vector<Node> children;

        const Node* find(std::string_view child) const noexcept;
    };
    const Node& root() const noexcept { return root_; }
    // What happens to fields that the tree does not name.
    Choice unnamed() const noexcept { return inclusion_ ? Choice::drop : Choice::keep; }

private:
    void add(const bson::FieldPath& path, Choice choice);
    void add_all(const std::string& prefix, bson::View projection);

    Node root_;
    bool inclusion_ = false;
};

}  // namespace ixora::key
