// Equality of values as schemas see it: the order of the fields of objects does not count (spec: match.md section 6,
// enum and uniqueItems).
#pragma once

#include "ixora/bson/document.hpp"

namespace ixora::mql {

// A value to be compared with others many times.
class UnorderedValue {
public:
    explicit UnorderedValue(bson::Element value);
    bool equals(bson::Element other) const;

private:
    bson::Value sorted_;
};

// The first member that equals one before it; missing: all are different. Sorts: n log n comparisons.
bson::Element duplicate_member(bson::View array);

}  // namespace ixora::mql
