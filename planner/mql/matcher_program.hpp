// The compiled form of a filter: a boolean program over predicates, and the trie of the paths that they read.
//
//   {a: 1, "b.c": {$gt: 2}, "b.d": 3}      steps   AND  leaf 0  leaf 1  leaf 2
//                                          trie    root - a
//                                                       - b - c
//                                                           - d
//
// Matching asks for one leaf after the other. A leaf's element is looked for along its chain of trie nodes; every
// object on the way has a cursor that never goes back, and all wanted fields that it passes are noted, so that a
// document is walked at most once, and only as far as the answer needs. Paths that meet an array leave the trie and are
// followed element by element (match.md 2.1).
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "field_name.hpp"
#include "ixora/mql/matcher.hpp"
#include "matcher_predicate.hpp"

namespace ixora::mql {

struct PathPart {
    FieldName name;
    std::int64_t index = -1;  // when the part can be an array position
};

// A field that some path asks for. Node 0 is the document itself.
struct TrieNode {
    FieldName name;
    std::vector<std::uint32_t> children;
    boost::unordered_flat_map<std::string_view, std::uint32_t> by_name;  // instead of `children` where these are many
};

struct Leaf {
    Predicate predicate;
    std::uint32_t first_part = 0;  // into parts
    std::uint32_t part_count = 0;  // 0: the value of a filter of values itself
    std::uint32_t first_node = 0;  // into chain
    std::uint32_t node_count = 0;  // part_count, or less for a path deeper than any document
    std::uint32_t key_position = 0;
    bool unwinds_leaf = true;      // an array at the end of the path yields its members
    bool stops_at_arrays = false;  // an array on the way is itself the value
};

enum class StepKind : std::uint8_t {
    leaf,
    all,
    any,
    none,
    exactly_one,
    condition,  // if, then, else
    always_true,
    always_false,
    sample,
    expression,
    document_test,
};

// Steps are in prefix order; the operands of step i lie in (i, end).
struct Step {
    StepKind kind = StepKind::all;
    std::uint32_t end = 0;
    std::uint32_t leaf = 0;  // of an expression, a document test: its place among these
    double rate = 0;         // of sample
};

// Where a walk has found a trie node in the current document.
struct NodeState {
    const std::uint8_t* data;    // the element, or null: not seen yet
    const std::uint8_t* cursor;  // inside an object: what of it is not walked yet
    std::uint32_t name_size;
};

struct CompiledFilter {
    std::deque<std::string> paths;  // owns all names
    std::vector<PathPart> parts;
    std::vector<TrieNode> trie;
    std::vector<std::uint32_t> chain;
    std::vector<Leaf> leaves;
    std::vector<Step> steps;
    std::vector<ExpressionPayload> expressions;
    std::vector<DocumentTest> document_tests;
    std::size_t states_needed = 0;  // trie nodes of this filter and of the nested filters that are active with it
};

// Children are compared one by one up to this number.
inline constexpr std::size_t linear_children_max = 8;

// `key_pattern`: null for the document form.
std::unique_ptr<CompiledFilter> compile_filter(const MatchNode& node, const bson::View* key_pattern = nullptr);

// A filter of values, whose paths begin with the name that stands for the value. For run_on_value().
std::unique_ptr<CompiledFilter> compile_value_filter(const MatchNode& node, std::string_view placeholder);

// `states` has room for filter.states_needed. A null offset: nobody asks for it.
bool run_on_document(const CompiledFilter& filter, bson::View document, NodeState* states,
                     std::optional<std::uint32_t>* offset);
bool run_on_value(const CompiledFilter& filter, bson::Element value, NodeState* states);
bool run_on_key(const CompiledFilter& filter, bson::View values);

struct Matcher::Program {
    std::unique_ptr<const CompiledFilter> filter;
};

}  // namespace ixora::mql
