// The constructors of shell text, ObjectId(...), ISODate(...) and so on, and the wrappers of Extended JSON (spec:
// commands.md sections 10 and 11).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "ixora/bson/document.hpp"

namespace ixora::mql::shell {

// Whether construct() knows `name`.
bool is_constructor(std::string_view name) noexcept;
// The value of `name(arguments)`. Throws std::string: what is wrong with the call, without a position.
bson::Value construct(std::string_view name, bool with_new, bson::View arguments);

// Milliseconds since 1970 of YYYY-MM-DD, YYYY-MM-DDTHH:MM[:SS[.fff]][Z|+hh[:mm]] or YYYYMMDD[THHMM[SS]Z]; without a
// zone it is UTC.
std::optional<std::int64_t> parse_date(std::string_view text) noexcept;
// JavaScript's Date(year, month from 0, day, hours, minutes, seconds, milliseconds), taken as UTC; members may
// overflow.
std::int64_t date_of_parts(const std::int64_t (&parts)[7]) noexcept;

std::optional<std::string> decode_hex(std::string_view text);

// Whether a document that begins with `key` may be a wrapper such as {$oid: ...}.
bool may_be_wrapper(std::string_view key) noexcept;
// The value that a wrapper stands for; nothing when `document` is no wrapper (its key set must be exactly a wrapper's).
// Throws Error (9) for malformed content.
std::optional<bson::Value> unwrap(bson::View document);

}  // namespace ixora::mql::shell
