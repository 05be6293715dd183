// Assertions for programmer errors; never reached by user input. Active unless IXORA_NO_INVARIANTS is defined.
#pragma once

namespace ixora::detail {
[[noreturn]] void invariant_failed(const char* expression, const char* file, int line) noexcept;
}

#ifdef IXORA_NO_INVARIANTS
#define IXORA_INVARIANT(expression) ((void)0)
#else
// States a condition that holds unless ixora itself is wrong; cheap enough to stay on in releases.
#define IXORA_INVARIANT(expression) \
    (static_cast<bool>(expression) ? (void)0 : ::ixora::detail::invariant_failed(#expression, __FILE__, __LINE__))
#endif
