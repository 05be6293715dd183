#include "ixora/mql/matcher.hpp"

#include <array>

#include "matcher_program.hpp"

namespace ixora::mql {

namespace {

// Room for the walk's states: on the stack for usual filters, else a buffer that a thread keeps.
template <class Run>
bool with_states(const CompiledFilter& filter, Run run) {
    constexpr std::size_t on_stack = 48;
    if (filter.states_needed <= on_stack) {
        std::array<NodeState, on_stack>
            states;  // NOLINT(cppcoreguidelines-pro-type-member-init): the walk resets what it uses
        return run(states.data());
    }
    thread_local std::vector<NodeState> states;
    if (states.size() < filter.states_needed) states.resize(filter.states_needed);
    return run(states.data());
}

}  // namespace

Matcher::Matcher() noexcept = default;
Matcher::~Matcher() = default;
Matcher::Matcher(Matcher&&) noexcept = default;
Matcher& Matcher::operator=(Matcher&&) noexcept = default;

Matcher::Matcher(const MatchNode& node) : program_(std::make_unique<const Program>(Program{compile_filter(node)})) {}

Matcher Matcher::for_index_key(const MatchNode& node, bson::View key_pattern) {
    Matcher matcher;
    matcher.program_ = std::make_unique<const Program>(Program{compile_filter(node, &key_pattern)});
    return matcher;
}

Matcher Matcher::for_value(const MatchNode& node, std::string_view placeholder) {
    Matcher matcher;
    matcher.program_ = std::make_unique<const Program>(Program{compile_value_filter(node, placeholder)});
    return matcher;
}

bool Matcher::matches(bson::View document) const {
    const CompiledFilter& filter = *program_->filter;
    return with_states(filter, [&](NodeState* states) { return run_on_document(filter, document, states, nullptr); });
}

bool Matcher::matches(bson::View document, MatchDetails& details) const {
    const CompiledFilter& filter = *program_->filter;
    details.array_offset.reset();
    return with_states(
        filter, [&](NodeState* states) { return run_on_document(filter, document, states, &details.array_offset); });
}

bool Matcher::matches_key(bson::View values) const { return run_on_key(*program_->filter, values); }

bool Matcher::matches_value(bson::Element value) const {
    const CompiledFilter& filter = *program_->filter;
    return with_states(filter, [&](NodeState* states) { return run_on_value(filter, value, states); });
}

}  // namespace ixora::mql
