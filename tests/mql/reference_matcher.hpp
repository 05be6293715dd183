// A slow matcher written from match.md 2 and 4, word by word: streams of elements per path, then predicates over them.
// The tests compare the compiled matcher with it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ixora/bson/document.hpp"
#include "ixora/mql/match_node.hpp"

namespace ixora::tests {

struct Yield {
    bson::Element element;  // missing: MISSING
    std::optional<std::uint32_t> offset;
};

enum class LeafMode { traverse, no_traverse };

// match.md 2.1: what a path yields, in order.
std::vector<Yield> stream_of(bson::View document, const std::string& path, LeafMode mode);

bool reference_matches(const mql::MatchNode& node, bson::View document, std::optional<std::uint32_t>* offset = nullptr);

}  // namespace ixora::tests
