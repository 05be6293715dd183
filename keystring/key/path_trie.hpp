// The paths of a key pattern as a tree, so that one walk over a document finds all of them (spec: keystring.md 2.1,
// fast path).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ixora/bson/field_path.hpp"
#include "ixora/bson/view.hpp"

namespace ixora::key {

class PathTrie {
public:
    void add(const bson::FieldPath& path, std::size_t position);
    // Stores the element of each position in values[position]; what's missing stays as it was. False as soon as an
    // array is met on or at the end of a path: then the values mean nothing. No allocation.
    bool resolve(bson::View document, bson::Element* values) const noexcept { return walk(document, root_, values); }

private:
    struct Node {
        std::string name;
        std::vector<std::uint8_t> positions;  // of paths that end here
        std::vector<Node> children;           // at most 32, like the positions
    };
    static bool walk(bson::View object, const Node& node, bson::Element* values) noexcept;

    Node root_;
};

}  // namespace ixora::key
