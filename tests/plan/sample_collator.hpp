// A collation without ICU for planner tests: letters compare without case, sort keys are the lower-cased bytes.
#pragma once

#include <cctype>
#include <memory>
#include <string>

#include "ixora/bson/collator.hpp"
#include "loose_json.hpp"

namespace ixora::test {

class CaseBlindCollator final : public bson::Collator {
public:
    explicit CaseBlindCollator(bson::Document spec) : spec_(std::move(spec)) {}

    int compare(std::string_view left, std::string_view right) const override {
        return sort_key(left).compare(sort_key(right));
    }
    void append_sort_key(std::string_view text, std::string& out) const override {
        for (const char c : text) out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    const bson::Document& spec() const noexcept override { return spec_; }

private:
    bson::Document spec_;
};

inline bson::CollatorPtr case_blind(std::string_view locale = "fr", int strength = 3) {
    return std::make_shared<CaseBlindCollator>(
        doc("{locale: '" + std::string(locale) + "', caseLevel: false, caseFirst: 'off', strength: " +
            std::to_string(strength) + ", numericOrdering: false, alternate: 'non-ignorable', maxVariable: 'punct', " +
            "normalization: false, backwards: false, version: '57.1'}"));
}

}  // namespace ixora::test
