// Extended JSON v2 in and out, canonical and relaxed; v1 wrappers only where asked (spec: commands.md section 10).
#pragma once

#include <string>
#include <string_view>

#include "ixora/bson/document.hpp"

namespace ixora::bson {

enum class JsonMode { canonical, relaxed };

// One line of JSON. Doubles print in their shortest round-trip form.
std::string to_json(View document, JsonMode mode = JsonMode::canonical);
std::string to_json(Element value, JsonMode mode = JsonMode::canonical);
void append_json(std::string& out, View document, JsonMode mode);

struct JsonOptions {
    bool legacy_v1 = false;  // also {$date: 5}, {$binary, $type}, {$regex, $options} as values: data files only
    int depth_max = 200;     // levels below the top one, as validate() counts them
};

// Parses exactly one JSON object. Duplicate keys are kept. Throws FailedToParse (9) with the byte offset.
Document from_json(std::string_view text, const JsonOptions& options = {});

}  // namespace ixora::bson
