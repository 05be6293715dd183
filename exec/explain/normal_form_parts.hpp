// The steps behind normal_form.hpp (spec: explain.md 13.2, 14).
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "ixora/bson/builder.hpp"
#include "ixora/explain/normal_form.hpp"

namespace ixora::explain::normal {

template <std::size_t N>
bool is_one_of(const std::array<std::string_view, N>& names, std::string_view name) noexcept {
    for (const std::string_view each : names)
        if (each == name) return true;
    return false;
}

// Size estimates (class E): only their presence is compared.
bool is_size_estimate(std::string_view name) noexcept;

// The value under `name`, order kept, every number in one form: int64 if it is whole, else as it is.
void append_value(bson::Builder& out, std::string_view name, bson::Element value);
// An interval as explain prints it, with the number spellings of 7.0 and, unless `keep_keys`, without collation keys.
std::string bounds_text(std::string_view text, bool keep_keys);

struct StageContext {
    const NormalFormOptions& options;
    Printer printer;
    bool ignore_timing = false;  // inside rejected plans and $cursor
};
// A stage and everything below it.
void append_stage(bson::Builder& out, std::string_view name, bson::View stage, const StageContext& context);

// A slot-based reply as a classic one, as far as it goes (section 14); other replies as they are.
bson::Document as_classic(bson::View reply);

// Fields by name, except where their order is meaning.
bson::Document sort_fields(bson::View document);

}  // namespace ixora::explain::normal
