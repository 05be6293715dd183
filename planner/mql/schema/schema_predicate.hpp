// The tests of schemas that ordinary filters do not have: of one value, and of a document's fields as a whole (spec:
// match.md section 6).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "../regex.hpp"
#include "unordered_value.hpp"

namespace ixora::mql {

struct CompiledFilter;
struct NodeState;

// Lengths, multiples, uniqueness and equality of a value. Values of another type than the test is about do not pass.
class ValueTest {
public:
    explicit ValueTest(const MatchNode& node);
    bool holds(bson::Element value) const;

private:
    MatchKind kind_;
    std::int64_t limit_ = 0;
    FmodPayload fmod_;
    std::optional<UnorderedValue> equal_to_;
};

// Numbers and names of fields, and equality of the whole.
class DocumentTest {
public:
    explicit DocumentTest(const MatchNode& node);
    ~DocumentTest();
    DocumentTest(DocumentTest&&) noexcept;
    DocumentTest& operator=(DocumentTest&&) noexcept;

    bool holds(bson::View document, NodeState* states) const;
    std::size_t states_needed() const noexcept;

private:
    bool allows(const bson::Element& field, NodeState* states) const;

    MatchKind kind_;
    std::int64_t limit_ = 0;
    std::optional<UnorderedValue> equal_to_;
    std::vector<std::string> properties_;  // sorted
    std::vector<Regex> patterns_;
    std::vector<std::unique_ptr<CompiledFilter>> filters_;  // of the patterns, then of all other fields
};

}  // namespace ixora::mql
