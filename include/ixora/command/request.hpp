// Checks of command fields with the server's codes and texts (spec: commands.md 2.1).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "ixora/base/error.hpp"
#include "ixora/bson/document.hpp"

namespace ixora::command {

// A field of a command, for messages: "find.limit".
struct FieldName {
    std::string_view command;
    std::string_view field;
    std::string text() const { return std::string(command) + "." + std::string(field); }
};

// Arguments that every command accepts: $db, lsid, maxTimeMS, comment ...
bool is_generic_argument(std::string_view name) noexcept;
// Throws 40413 when a top-level field stands twice.
void reject_duplicate_fields(bson::View command);

Error unknown_field(std::string_view command, std::string_view field);  // 40415
Error missing_field(std::string_view command, std::string_view field);  // 40414
Error wrong_type(const FieldName& name, bson::Type got, std::string_view expected);

bson::View expect_object(bson::Element value, const FieldName& name);
bson::View expect_array(bson::Element value, const FieldName& name);
std::string_view expect_string(bson::Element value, const FieldName& name);
bool expect_bool(bson::Element value, const FieldName& name);
// Optional booleans of the newer kind take numbers as well; null and undefined count as absent (false).
bool expect_bool_or_number(bson::Element value, const FieldName& name);
// An optional boolean of find: only true and false will do, with a text of its own.
bool expect_optional_bool(bson::Element value);
// A number truncated to 64 bits; nothing for null and undefined.
std::optional<std::int64_t> expect_number(bson::Element value, const FieldName& name);
// The divisor of sizes in collStats and dbStats. Throws 51024 below one.
std::int64_t expect_scale(bson::Element value, const FieldName& name);
std::int64_t expect_long(bson::Element value, const FieldName& name);
// The same with 51024 below zero.
std::optional<std::int64_t> expect_non_negative(bson::Element value, const FieldName& name);

// A hint by name, as {$hint: name}, or by key pattern. Throws FailedToParse (9) with `refusal`.
bson::Document parse_hint(bson::Element value, const char* refusal = "Hint must be a string or an object");

// The shape of a $readPreference argument; a single node has nothing to choose. Throws 14, 40414.
void check_read_preference(bson::Element value);

// The shape of a readConcern argument: every read of a single node is as good as the levels ask. Throws 2, 14, 40415.
void check_read_concern(std::string_view command, bson::Element value);

// Milliseconds of a command's maxTimeMS; 0 is no limit. Throws BadValue (2), FailedToParse (9) for what is no integer,
// and TypeMismatch (14) for what is no number in an aggregate.
std::int64_t parse_max_time_ms(bson::View command);

// {ok: 0, errmsg, code, codeName} with what else the error carries.
bson::Document error_reply(const Error& error);

}  // namespace ixora::command
