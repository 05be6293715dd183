// Shell text of three documents, a projection, a document and a filter: the projection is refused or its output is
// valid BSON; the simple form gives the same bytes as the general engine.
#include <array>
#include <cstddef>
#include <cstdint>

#include "ixora/base/error.hpp"
#include "ixora/base/invariant.hpp"
#include "ixora/bson/validate.hpp"
#include "ixora/mql/match_parser.hpp"
#include "ixora/mql/match_rewrite.hpp"
#include "ixora/mql/projection.hpp"
#include "ixora/mql/shell.hpp"

using namespace ixora;

static bson::Document next_document(std::string_view& text) {
    std::size_t consumed = 0;
    const bson::Value value = mql::parse_shell_value_prefix(text, consumed);
    text.remove_prefix(consumed);
    return value.type() == bson::Type::object ? bson::Document(value.element().object()) : bson::Document();
}

static void check(std::string_view text) {
    std::array<bson::Document, 3> documents;
    for (bson::Document& document : documents) document = next_document(text);
    // Spare levels: computed fields may make a document deeper.
    bson::ValidateOptions options;
    options.depth_max = 2 * bson::command_depth_max;

    const mql::MatchNodePtr filter = mql::normalize(mql::parse_match(documents[2]));
    mql::ProjectionParseOptions parse_options;
    parse_options.filter = filter.get();
    const mql::Projection projection = mql::Projection::parse(documents[0], parse_options);
    mql::RowMetadata metadata;
    metadata.record_id = documents[1].view().front();
    mql::MatchDetails details;
    if (projection.requires_match_details()) projection.positional_matcher()->matches(documents[1], details);
    bson::Builder general;
    mql::EvaluationContext row;
    row.root = documents[1];
    row.metadata = &metadata;
    projection.apply(row, &details, general);
    const bson::Document made = general.finish();
    static_cast<void>(bson::validate({made.view().data(), made.size()}, options));
    if (!projection.is_simple()) return;
    bson::Builder simple;
    projection.apply_simple(documents[1], simple);
    IXORA_INVARIANT(same_bytes(simple.finish().view(), made.view()));
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    try {
        check(std::string_view(reinterpret_cast<const char*>(data), size));
    } catch (const Error& error) {
        IXORA_INVARIANT(!error.is(ErrorCode::invalid_bson));
    }
    return 0;
}
