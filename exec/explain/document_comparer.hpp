// Finds the differences between two documents in normal form, stage trees and lists of plans aligned.
#pragma once

#include "ixora/explain/diff.hpp"

namespace ixora::explain {

std::vector<Difference> compare_documents(bson::View ours, bson::View theirs);
// No difference; both may be missing.
bool same_in_normal_form(bson::Element ours, bson::Element theirs);

}  // namespace ixora::explain
