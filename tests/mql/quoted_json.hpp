// Documents in tests: Extended JSON with ' in place of ".
#pragma once

#include <algorithm>
#include <string>

#include "ixora/bson/extended_json.hpp"

namespace ixora::tests {

inline bson::Document doc(std::string text) {
    std::ranges::replace(text, '\'', '"');
    return bson::from_json(text, {.legacy_v1 = false, .depth_max = 1000});
}

// The relaxed form of a document, in the same notation.
inline std::string text_of(bson::View document) {
    std::string text = bson::to_json(document, bson::JsonMode::relaxed);
    std::ranges::replace(text, '"', '\'');
    return text;
}

}  // namespace ixora::tests
