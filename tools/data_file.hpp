// Reads documents from files: JSON Lines, JSON arrays and mongosh literals, mongodump's .bson, each plain or gzipped.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "ixora/bson/view.hpp"

namespace ixora::tool {

// Calls `visit` for every document in order; a view is valid during the call. The kind is taken from the name:
// NAME.bson or NAME.bson.gz is BSON, everything else text. Throws ixora::Error that names the file and, for text, the
// line.
void read_documents(const std::string& path, const std::function<void(bson::View)>& visit);

// The same for documents in a text; `line` is where each of them begins, from 1. `path` names the text in errors.
void parse_documents(const std::string& path, std::string_view text,
                     const std::function<void(bson::View, std::size_t line)>& visit);

// The whole of a text file, plain or gzipped. Throws ixora::Error that names the file.
std::string read_text_file(const std::string& path);

}  // namespace ixora::tool
