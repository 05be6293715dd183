// The fields that every kind of detail has in common.
#pragma once

#include <span>
#include <string_view>

#include "ixora/bson/builder.hpp"

namespace ixora::mql {

// Writes into an object that is open in the builder.
class MismatchWriter {
public:
    MismatchWriter(bson::Builder& out, bool brief) : out_(out), brief_(brief) {}

    bson::Builder& out() const noexcept { return out_; }
    void begin_rule(std::string_view name) const { out_.append("operatorName", name); }
    void reason(std::string_view text) const { out_.append("reason", text); }
    void specified_as(bson::View clause) const;
    void specified_as(bson::Element keyword) const;
    // One value, or an array of the first ten.
    void considered(std::span<const bson::Element> values) const;
    void considered(bson::Element value) const { considered({&value, 1}); }
    // The names of the values' types, each once, sorted.
    void considered_types(std::span<const bson::Element> values) const;
    bool is_brief() const noexcept { return brief_; }

private:
    bson::Builder& out_;
    bool brief_;
};

}  // namespace ixora::mql
