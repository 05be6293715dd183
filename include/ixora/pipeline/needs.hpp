// Which fields of its input a stage reads, and which it changes (spec: explain.md 8.3, 9.21).
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "ixora/bson/document.hpp"
#include "ixora/mql/expression.hpp"
#include "ixora/mql/match_node.hpp"

namespace ixora::pipeline {

// What a stage says of the fields that it and the stages behind it need.
enum class NeedsAnswer {
    unknown,    // it may need anything
    see_next,   // besides its own needs those of the stages behind it
    exhaustive  // what it lets through is made of its own needs
};

struct Needs {
    std::set<std::string> fields;
    bool whole_document = false;
    std::set<std::string> variables;  // of an enclosing pipeline
    bool random = false;

    void add(const mql::Expression& expression);
    void add(const mql::ExpressionDependencies& read);
    void add(const mql::MatchNode& filter);
};

// The paths that a stage leaves in another state than it found them.
struct ModifiedPaths {
    enum class Kind { none, these, all_except, all };
    Kind kind = Kind::none;
    std::set<std::string> paths;  // the modified ones, or those that keep their values
    // Pure copies: {name in the output, name in the input}.
    std::vector<std::pair<std::string, std::string>> renames;

    // Whether a value at `path` may differ between input and output, renames aside.
    bool touches(std::string_view path) const;
};

// The projection that serves `fields`: sorted, sub-paths of listed ones left out, `_id: 0` where it is not needed.
bson::Document projection_of(const std::set<std::string>& fields);

}  // namespace ixora::pipeline
