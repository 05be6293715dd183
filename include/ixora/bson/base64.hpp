// Base64 (RFC 4648, with padding), as Extended JSON writes binary data (spec: commands.md section 10).
#pragma once

#include <string>
#include <string_view>

namespace ixora::bson {

void append_base64(std::string& out, std::string_view bytes);
// Appends the decoded bytes. False for malformed text; what `out` then holds beyond its old size is unspecified.
bool decode_base64(std::string_view text, std::string& out);

}  // namespace ixora::bson
