// Any bytes: either validate() refuses them, or everything that reads documents can work on them.
#include <cstddef>
#include <cstdint>

#include "ixora/base/error.hpp"
#include "ixora/base/invariant.hpp"
#include "ixora/bson/builder.hpp"
#include "ixora/bson/compare.hpp"
#include "ixora/bson/debug_string.hpp"
#include "ixora/bson/extended_json.hpp"
#include "ixora/bson/validate.hpp"

using namespace ixora;

// A document whose objects look like wrappers may read back as another one, or not at all; that one then stays the
// same.
static void round_trip(const std::string& text) {
    bson::Document document;
    try {
        document = bson::from_json(text);
    } catch (const Error& error) {
        IXORA_INVARIANT(error.is(ErrorCode::failed_to_parse));
        return;
    }
    IXORA_INVARIANT(same_bytes(bson::from_json(bson::to_json(document)).view(), document.view()));
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    bson::View view;
    try {
        view = bson::validate({data, size});
    } catch (const Error& error) {
        IXORA_INVARIANT(error.is(ErrorCode::invalid_bson) || error.is(ErrorCode::overflow));
        return 0;
    }
    bson::Builder fields;
    for (const bson::Element& field : view) {
        fields.append_element(field);
        IXORA_INVARIANT(bson::compare(field, bson::Value(field).element()) == 0);
        IXORA_INVARIANT(bson::hash(field) == bson::hash(bson::Value(field)));
        static_cast<void>(field.to_double());
        static_cast<void>(field.to_int64());
        static_cast<void>(field.truthy());
    }
    IXORA_INVARIANT(same_bytes(fields.finish_view(), view));
    IXORA_INVARIANT(bson::compare(view, view) == 0);
    static_cast<void>(bson::debug_string(view));
    round_trip(bson::to_json(view));
    round_trip(bson::to_json(view, bson::JsonMode::relaxed));
    return 0;
}
