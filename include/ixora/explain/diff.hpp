// What two explain replies disagree on (spec: explain.md section 13).
#pragma once

#include <string>
#include <vector>

#include "ixora/bson/document.hpp"
#include "ixora/explain/normal_form.hpp"

namespace ixora::explain {

enum class DifferenceKind {
    changed,  // both have it, with another value; of stages with different names or indexes: the whole stages
    only_ours,
    only_theirs,
    moved,      // an array member that stands elsewhere in theirs: plans generated in another order
    reordered,  // the same fields in another order; the values are arrays of their names
};

std::string_view difference_kind_name(DifferenceKind kind) noexcept;  // "changed", "onlyOurs", ...

struct Difference {
    DifferenceKind kind = DifferenceKind::changed;
    std::string path;            // dotted, array members by number; in ours, or where it is only theirs in theirs
    std::string path_in_theirs;  // the same unless stages or array members stand elsewhere there
    bson::Value ours;            // missing: not there
    bson::Value theirs;
};

struct Diff {
    bson::Document ours;  // in normal form
    bson::Document theirs;
    std::vector<Difference> differences;
    std::vector<std::string> notes;  // what was not compared and why; what a difference comes down to

    bool equal() const noexcept { return differences.empty(); }
};

// Compares the normal forms; options.other is set from the replies themselves. Fields that the older server does not
// print are left out of both. Throws what normal_form throws, with "ours" or "theirs" as context.
Diff diff(bson::View ours, bson::View theirs, const NormalFormOptions& options = {});

// {equal, differences: [{path, pathInTheirs?, kind, ours?, theirs?}], notes}.
bson::Document to_document(const Diff& diff);

}  // namespace ixora::explain
