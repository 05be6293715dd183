// The query shape that the plan cache commands name by an example (spec: commands.md section 6).
#pragma once

#include "ixora/command/commands.hpp"

namespace ixora::command {

// query, sort, projection and collation of the command.
struct ShapeExample {
    bson::Document query;
    bson::Document sort;
    bson::Document projection;
    std::optional<bson::Document> collation;

    // plan::command_shape() of it. Throws what parsing the query throws.
    std::string shape(const Collection& collection) const;
};

// Nothing if the command names no query; then it must name no other part either. Throws BadValue.
std::optional<ShapeExample> parse_shape_example(bson::View command);

}  // namespace ixora::command
