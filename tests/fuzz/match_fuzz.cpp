// Any valid document as a filter: it is refused with an Error, or everything works on it: both forms of the tree match
// the same documents, what is printed parses again, unless it shows nodes that have no syntax, and a document that does
// not match is told why.
#include <array>
#include <cstddef>
#include <cstdint>

#include "ixora/base/error.hpp"
#include "ixora/base/invariant.hpp"
#include "ixora/bson/extended_json.hpp"
#include "ixora/bson/validate.hpp"
#include "ixora/mql/match_parser.hpp"
#include "ixora/mql/match_printer.hpp"
#include "ixora/mql/match_rewrite.hpp"
#include "ixora/mql/matcher.hpp"
#include "ixora/mql/mismatch.hpp"

using namespace ixora;

namespace {

const std::array<bson::Document, 4>& documents() {
    static const std::array<bson::Document, 4> all = {
        bson::from_json(R"({"a": [1, {"b": [2, "x"]}, [null, {"b": 4}], {"0": 7}], "b": "text", "c": {"d": null}})"),
        bson::from_json(R"({"a": {"b": {"c": 1.5}, "0": {"$minKey": 1}}, "": {"": {"$numberDecimal": "2"}}})"),
        bson::from_json(R"({"a": null, "b": [[1, 2], [3, [4]]], "c": [{"d": [{"e": 1}, {"e": [2, 3]}]}]})"),
        bson::Document(),
    };
    return all;
}

// $in and equality differ on a stored undefined, so an $or that has become $in does, too.
bool holds_undefined(bson::View document) {
    for (const bson::Element& field : document) {
        if (field.type() == bson::Type::undefined) return true;
        if ((field.is_object() || field.is_array()) && holds_undefined(field.object())) return true;
    }
    return false;
}

bool draws(const mql::MatchNode& node) {
    if (node.kind == mql::MatchKind::sample_rate) return true;
    for (const auto& child : node.children)
        if (draws(*child)) return true;
    return false;
}

// The outcome of a match: 0, 1, or the code of an error (a regular expression at its limits).
int outcome(const mql::Matcher& matcher, bson::View document) {
    try {
        return matcher.matches(document) ? 1 : 0;
    } catch (const Error& error) {
        return error.code();
    }
}

void compare(const mql::Matcher& raw, const mql::Matcher& normal, bson::View document) {
    mql::MatchDetails details;
    const int first = outcome(raw, document);
    const int second = outcome(normal, document);
    if (first > 1 || second > 1) return;  // short circuits may avoid the failing expression
    if (!holds_undefined(document)) IXORA_INVARIANT(first == second);
    IXORA_INVARIANT(normal.matches(document, details) == (second == 1));
}

void parse_printed(bson::View printed) {
    try {
        static_cast<void>(mql::print_match(*mql::normalize(mql::parse_match(printed))));
    } catch (const Error&) {  // an AND in a value $elemMatch, a $sampleRate
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    bson::View filter;
    mql::MatchNodePtr raw;
    try {
        filter = bson::validate({data, size});
        raw = mql::parse_match(filter);
    } catch (const Error&) {
        return 0;
    }
    const auto normal = mql::normalize(raw->clone());
    parse_printed(mql::print_match(*raw));
    parse_printed(mql::print_match(*normal));
    IXORA_INVARIANT(mql::equivalent(*raw, *raw->clone()));
    if (draws(*raw)) return 0;

    const mql::Matcher raw_matcher(*raw);
    const mql::Matcher normal_matcher(*normal);
    for (const auto& document : documents()) compare(raw_matcher, normal_matcher, document);
    for (const auto& document : documents())
        if (outcome(raw_matcher, document) == 0) static_cast<void>(mql::explain_mismatch(filter, document, {}));
    compare(raw_matcher, normal_matcher, filter);
    for (const bson::Element& field : filter)
        if (field.is_object()) compare(raw_matcher, normal_matcher, field.object());
    return 0;
}
