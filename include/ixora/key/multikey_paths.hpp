// Which components of an index's paths have held arrays (spec: keystring.md section 2, planner.md 3.1).
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace ixora::key {

// Ascending component positions (0-based) of one path that were arrays in some document.
using MultikeyComponents = std::vector<std::uint16_t>;
// One entry per key-pattern field. An empty vector means "not tracked" (text, 2d).
using MultikeyPaths = std::vector<MultikeyComponents>;

inline void add_component(MultikeyComponents& components, std::uint16_t component) {
    const auto at = std::lower_bound(components.begin(), components.end(), component);
    if (at == components.end() || *at != component) components.insert(at, component);
}
inline bool any_multikey(const MultikeyPaths& paths) noexcept {
    return std::any_of(paths.begin(), paths.end(), [](const auto& components) { return !components.empty(); });
}
// Adds `more` to `paths`; true when that changed anything.
inline bool merge_multikey_paths(MultikeyPaths& paths, const MultikeyPaths& more) {
    bool changed = false;
    if (paths.size() < more.size()) paths.resize(more.size());
    for (std::size_t i = 0; i < more.size(); ++i) {
        const std::size_t before = paths[i].size();
        for (const std::uint16_t component : more[i]) add_component(paths[i], component);
        changed = changed || paths[i].size() != before;
    }
    return changed;
}

}  // namespace ixora::key
