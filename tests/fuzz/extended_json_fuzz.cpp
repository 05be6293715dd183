// Any text: either from_json() refuses it, or it gives valid BSON that prints and reads back as itself.
#include <cstddef>
#include <cstdint>

#include "ixora/base/error.hpp"
#include "ixora/base/invariant.hpp"
#include "ixora/bson/compare.hpp"
#include "ixora/bson/extended_json.hpp"
#include "ixora/bson/validate.hpp"

using namespace ixora;

static void check(std::string_view text, const bson::JsonOptions& options) {
    bson::Document document;
    try {
        document = bson::from_json(text, options);
    } catch (const Error& error) {
        IXORA_INVARIANT(error.is(ErrorCode::failed_to_parse));
        return;
    }
    static_cast<void>(bson::validate({document.view().data(), document.size()}));
    IXORA_INVARIANT(same_bytes(bson::from_json(bson::to_json(document)).view(), document.view()));
    // Relaxed text keeps values, not the difference between a long and an int.
    const bson::Document relaxed = bson::from_json(bson::to_json(document, bson::JsonMode::relaxed));
    IXORA_INVARIANT(bson::compare(relaxed.view(), document.view()) == 0);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    check(text, {});
    check(text, {true, 200});
    return 0;
}
