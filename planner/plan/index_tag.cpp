#include "ixora/plan/index_tag.hpp"

namespace ixora::plan {

std::unique_ptr<mql::NodeTag> OrPushdownTag::clone() const {
    auto copy = std::make_unique<OrPushdownTag>();
    copy->destinations.reserve(destinations.size());
    for (const Destination& destination : destinations)
        copy->destinations.push_back({destination.route, std::make_unique<IndexTag>(*destination.tag)});
    if (own != nullptr) copy->own = std::make_unique<IndexTag>(*own);
    return copy;
}

}  // namespace ixora::plan
