#include "ixora/plan/predicate_assignment.hpp"

#include <algorithm>
#include <set>
#include <string_view>

#include "ixora/bson/field_path.hpp"

namespace ixora::plan {

namespace {

std::string_view first_component(std::string_view path) { return path.substr(0, path.find('.')); }

std::size_t component_count(std::string_view path) {
    return 1 + static_cast<std::size_t>(std::count(path.begin(), path.end(), '.'));
}

// Which arrays a set of assigned predicates already traverses, and under whose $elemMatch each of them is pinned.
class UsedArrays {
public:
    // Whether `predicate` can join; claims the arrays on its path. 5.4.2.
    bool claim(const Predicate& predicate, const key::MultikeyComponents& multikey_components) {
        const bson::FieldPath path(predicate.path);
        const std::size_t pinned = predicate.elem_match == nullptr ? 0 : component_count(predicate.elem_match->path);
        for (const std::uint16_t component : multikey_components) {
            std::string prefix(path.prefix(std::size_t{component} + 1));
            const auto known = owners_.find(prefix);
            if (known != owners_.end()) {
                if (known->second == nullptr || known->second != predicate.elem_match) return false;
                continue;
            }
            if (component >= pinned) {
                owners_.emplace(std::move(prefix), nullptr);  // closed
                return true;
            }
            owners_.emplace(std::move(prefix), predicate.elem_match);
        }
        return true;
    }

private:
    std::unordered_map<std::string, const mql::MatchNode*> owners_;  // null: closed to everyone
};

// First path components in use, per $elemMatch and (null) at the top. 5.4.3.
class UsedPrefixes {
public:
    // Each starting predicate replaces what was there, as the server does.
    void start_with(const Predicate& predicate) {
        used_[nullptr] = {std::string(first_component(predicate.path))};
        if (predicate.elem_match != nullptr) used_[predicate.elem_match] = {predicate.own_prefix};
    }

    bool claim(const Predicate& predicate) {
        const auto known = used_.find(predicate.elem_match);
        if (known != used_.end()) return known->second.insert(predicate.own_prefix).second;
        if (!used_[nullptr].insert(std::string(first_component(predicate.path))).second) return false;
        used_[predicate.elem_match].insert(predicate.own_prefix);
        return true;
    }

private:
    std::unordered_map<const mql::MatchNode*, std::set<std::string>> used_;
};

}  // namespace

void assign(const OfferedPredicate& offered, std::size_t position, OneIndexAssignment& assignment) {
    AssignedPredicate assigned{offered.predicate, position, std::nullopt};
    if (offered.route != nullptr) assigned.route = *offered.route;
    assignment.predicates.push_back(std::move(assigned));
}

void compound(const OfferedPredicates& offered, const IndexEntry& index, OneIndexAssignment& assignment) {
    std::size_t position = 0;
    for (const bson::Element field : index.key_pattern.view()) {
        if (position > 0) {
            for (const OfferedPredicate& candidate : offered)
                if (candidate.predicate->path == field.name()) assign(candidate, position, assignment);
        }
        ++position;
    }
}

std::vector<OfferedPredicates> possible_first_assignments(const OfferedPredicates& leading, const IndexEntry& index) {
    const key::MultikeyComponents& arrays = index.multikey_paths[0];
    if (arrays.empty()) return {leading};

    std::vector<OfferedPredicates> groups;
    std::vector<const mql::MatchNode*> elem_matches;  // in order of appearance (spec section 11, item 13)
    std::unordered_map<const mql::MatchNode*, OfferedPredicates> by_elem_match;
    for (const OfferedPredicate& candidate : leading) {
        const mql::MatchNode* elem_match = candidate.predicate->elem_match;
        if (elem_match == nullptr) {
            groups.push_back({candidate});
            continue;
        }
        OfferedPredicates& group = by_elem_match[elem_match];
        if (group.empty()) elem_matches.push_back(elem_match);
        group.push_back(candidate);
    }
    for (const mql::MatchNode* elem_match : elem_matches) {
        OfferedPredicates& group = by_elem_match[elem_match];
        if (arrays.back() < component_count(elem_match->path)) {
            groups.push_back(std::move(group));
        } else {
            for (const OfferedPredicate& candidate : group) groups.push_back({candidate});
        }
    }
    return groups;
}

void compound_multikey_safe(const OfferedPredicates& offered, const IndexEntry& index, OneIndexAssignment& assignment) {
    UsedArrays used;
    for (const AssignedPredicate& assigned : assignment.predicates)
        used.claim(*assigned.predicate, index.multikey_paths[assigned.position]);

    std::size_t position = 0;
    for (const bson::Element field : index.key_pattern.view()) {
        const key::MultikeyComponents& arrays = index.multikey_paths[position];
        for (const OfferedPredicate& candidate : offered) {
            if (candidate.predicate->path != field.name()) continue;
            if (arrays.empty() || used.claim(*candidate.predicate, arrays)) assign(candidate, position, assignment);
        }
        ++position;
    }
}

void compound_conservatively(const OfferedPredicates& offered, const IndexEntry& index,
                             OneIndexAssignment& assignment) {
    UsedPrefixes used;
    for (const AssignedPredicate& assigned : assignment.predicates) used.start_with(*assigned.predicate);
    OfferedPredicates safe;
    for (const OfferedPredicate& candidate : offered)
        if (used.claim(*candidate.predicate)) safe.push_back(candidate);
    compound(safe, index, assignment);
}

}  // namespace ixora::plan
