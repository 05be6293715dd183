// A document that fails a validator, with the details that a server recorded.
#pragma once

#include <span>

#include "catch.hpp"
#include "ixora/mql/mismatch.hpp"
#include "quoted_json.hpp"

namespace ixora::tests {

struct RecordedMismatch {
    const char* filter;
    const char* document;
    const char* details;
};

inline void check_mismatches(std::span<const RecordedMismatch> recorded) {
    for (const auto& [filter, document, details] : recorded) {
        CAPTURE(filter, document);
        CHECK(text_of(mql::explain_mismatch(doc(filter), doc(document), {})) == details);
    }
}

}  // namespace ixora::tests
