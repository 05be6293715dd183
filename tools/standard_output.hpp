// Standard output that reports what could not be written.
#pragma once

#include <string_view>

namespace ixora::tool {

// Throws ixora::Error (OperationFailed) when the text cannot be written: a full disk, a closed pipe.
void write_output(std::string_view text);
void flush_output();
// Whether standard output is a terminal that takes colours (NO_COLOR is respected).
bool output_takes_colour();

}  // namespace ixora::tool
