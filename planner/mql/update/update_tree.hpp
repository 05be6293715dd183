// The paths of an update document as a tree: inner nodes are fields and array parts, leaves are operators
// (spec: update.md sections 2, 4, 5).
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "ixora/mql/matcher.hpp"
#include "update_operator.hpp"

namespace ixora::mql {

// The order in which fields are applied, and therefore appended: by value where both names are digits without a leading
// zero, else bytewise.
struct UpdateNameLess {
    using is_transparent = void;
    bool operator()(std::string_view left, std::string_view right) const noexcept;
};

struct UpdateNode {
    enum class Kind : std::uint8_t {
        leaf,
        object,  // children by field name or array index
        array,   // children by array filter identifier; "" is $[]
    };
    using Children = std::map<std::string, std::unique_ptr<UpdateNode>, UpdateNameLess>;

    Kind kind = Kind::object;
    UpdateOperatorPtr operation;             // of a leaf
    Children children;                       // of an inner node
    std::unique_ptr<UpdateNode> positional;  // of an object node: the child `$`
};

struct ArrayFilter {
    std::string identifier;
    Matcher matcher;  // of documents {identifier: member}
    bool used = false;
};

struct Update::Program {
    bson::Value argument;
    bool replacement = false;
    Transform transform;  // of an update that is neither a replacement nor made of operators
    bool positional = false;
    UpdateNode root;
    std::vector<ArrayFilter> filters;
};

// Throws what parsing them throws.
std::vector<ArrayFilter> parse_array_filters(bson::View filters, const bson::CollatorPtr& collator);

}  // namespace ixora::mql
