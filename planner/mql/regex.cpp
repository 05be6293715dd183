#include "regex.hpp"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "ixora/base/error.hpp"

namespace ixora::mql {

namespace {

struct FreeMatchData {
    void operator()(pcre2_match_data* data) const noexcept { pcre2_match_data_free(data); }
};

// Only whether there is a match matters, so one pair of offsets serves every pattern of a thread.
pcre2_match_data* match_data() {
    thread_local const std::unique_ptr<pcre2_match_data, FreeMatchData> data(pcre2_match_data_create(1, nullptr));
    return data.get();
}

std::uint32_t compile_options(std::string_view flags) {
    std::uint32_t options = PCRE2_UTF;
    for (const char flag : flags) {
        switch (flag) {
            case 'i': options |= PCRE2_CASELESS; break;
            case 'm': options |= PCRE2_MULTILINE; break;
            case 's': options |= PCRE2_DOTALL; break;
            case 'x': options |= PCRE2_EXTENDED; break;
            case 'u': break;
            default: throw Error(51108, std::string(" invalid flag in regex options: ") + flag);
        }
    }
    return options;
}

PCRE2_SPTR units(std::string_view text) { return reinterpret_cast<PCRE2_SPTR>(text.data()); }

}  // namespace

struct Regex::Code {
    explicit Code(pcre2_code* compiled) noexcept : code(compiled) {}
    Code(const Code&) = delete;
    Code& operator=(const Code&) = delete;
    ~Code() { pcre2_code_free(code); }
    pcre2_code* code;
};

namespace {

// Null where PCRE2 refuses the pattern; then `reason` says why.
pcre2_code* compile(const RegexPayload& source, std::string& reason) {
    const std::uint32_t options = compile_options(source.flags);
    if (source.pattern.find('\0') != std::string::npos)
        throw Error(ErrorCode::bad_value, "Regular expression cannot contain an embedded null byte");
    int error = 0;
    PCRE2_SIZE offset = 0;
    pcre2_code* compiled =
        pcre2_compile(units(source.pattern), source.pattern.size(), options, &error, &offset, nullptr);
    if (compiled == nullptr) {
        PCRE2_UCHAR text[256] = {};
        pcre2_get_error_message(error, text, sizeof text);
        reason = reinterpret_cast<const char*>(text);
    }
    return compiled;
}

}  // namespace

Regex::Regex(const RegexPayload& source) {
    std::string reason;
    pcre2_code* compiled = compile(source, reason);
    if (compiled == nullptr) throw Error(51091, "Regular expression is invalid: " + reason);
    code_ = std::make_shared<const Code>(compiled);
    pcre2_jit_compile(compiled, PCRE2_JIT_COMPLETE);  // a failure leaves the interpreter in charge
}

std::string regex_error(const RegexPayload& source) {
    std::string reason;
    pcre2_code_free(compile(source, reason));
    return reason;
}

namespace {

// Whether there is a match; its offsets are in `data`.
bool run(const pcre2_code* code, std::string_view text, std::size_t from, pcre2_match_data* data) {
    int result = pcre2_match(code, units(text), text.size(), from, 0, data, nullptr);
    if (result == PCRE2_ERROR_JIT_STACKLIMIT)
        result = pcre2_match(code, units(text), text.size(), from, PCRE2_NO_JIT, data, nullptr);
    if (result >= 0) return true;
    if (result == PCRE2_ERROR_NOMATCH || (result <= PCRE2_ERROR_UTF8_ERR1 && result >= PCRE2_ERROR_UTF8_ERR21))
        return false;
    throw Error(51156, "Error occurred while executing the regular expression. Result code: " + std::to_string(result));
}

}  // namespace

bool Regex::search(std::string_view text) const { return run(code_->code, text, 0, match_data()); }

std::vector<std::pair<std::size_t, std::size_t>> Regex::find(std::string_view text, std::size_t from) const {
    const std::unique_ptr<pcre2_match_data, FreeMatchData> data(
        pcre2_match_data_create_from_pattern(code_->code, nullptr));
    std::vector<std::pair<std::size_t, std::size_t>> groups;
    if (!run(code_->code, text, from, data.get())) return groups;
    const PCRE2_SIZE* offsets = pcre2_get_ovector_pointer(data.get());
    for (std::uint32_t i = 0; i < pcre2_get_ovector_count(data.get()); ++i) {
        const bool set = offsets[2 * i] != PCRE2_UNSET;
        groups.emplace_back(set ? offsets[2 * i] : unset, set ? offsets[2 * i + 1] : unset);
    }
    return groups;
}

}  // namespace ixora::mql
