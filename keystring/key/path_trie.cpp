#include "path_trie.hpp"

#include <algorithm>

namespace ixora::key {

void PathTrie::add(const bson::FieldPath& path, std::size_t position) {
    Node* node = &root_;
    for (std::size_t i = 0; i < path.part_count(); ++i) {
        const std::string_view part = path.part(i);
        auto child = std::find_if(node->children.begin(), node->children.end(),
                                  [&](const Node& each) { return each.name == part; });
        if (child == node->children.end()) child = node->children.insert(child, Node{std::string(part), {}, {}});
        node = &*child;
    }
    node->positions.push_back(static_cast<std::uint8_t>(position));
}

bool PathTrie::walk(bson::View object, const Node& node, bson::Element* values) noexcept {
    const std::size_t count = node.children.size();
    std::uint64_t wanted = (1ULL << count) - 1;  // children not found yet: the first field of a name counts
    const std::uint8_t* at = object.data() + 4;
    while (*at != 0 && wanted != 0) {
        const auto* name = reinterpret_cast<const char*>(at + 1);
        const std::size_t name_size = std::strlen(name);
        const std::uint8_t* value = at + 2 + name_size;
        const auto type = static_cast<bson::Type>(*at);
        for (std::size_t i = 0; i < count; ++i) {
            const Node& child = node.children[i];
            if ((wanted >> i & 1U) == 0 || child.name.size() != name_size) continue;
            if (std::memcmp(child.name.data(), name, name_size) != 0) continue;
            wanted &= ~(1ULL << i);
            if (type == bson::Type::array) return false;
            for (const std::uint8_t position : child.positions)
                values[position] = bson::Element(at, static_cast<std::uint32_t>(name_size));
            if (!child.children.empty() && type == bson::Type::object && !walk(bson::View(value), child, values))
                return false;
            break;
        }
        at = value + bson::value_size(type, value);
    }
    return true;
}

}  // namespace ixora::key
