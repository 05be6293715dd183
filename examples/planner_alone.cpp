// The planner without a store: a catalog written by hand goes in, plans come out. For embedders that run plans
// themselves.
#include <iostream>

#include <ixora/ixora.hpp>

using namespace ixora::literals;

namespace {

ixora::plan::IndexEntryPtr make_index(const std::string& name, const ixora::bson::Document& key_pattern) {
    auto index = std::make_shared<ixora::plan::IndexEntry>();
    index->name = name;
    index->key_pattern = key_pattern;
    index->multikey_paths.resize(index->field_count());  // no path has held an array
    return index;
}

void print(const ixora::plan::PlanNode& node, int depth) {
    std::cout << std::string(static_cast<std::size_t>(depth) * 2, ' ') << ixora::plan::stage_name(node.type);
    if (const auto* scan = std::get_if<ixora::plan::IndexScanNode>(&node.params)) {
        std::cout << " " << scan->index->name;
        for (const ixora::plan::IntervalList& field : scan->bounds.fields)
            for (const ixora::plan::Interval& interval : field.intervals)
                std::cout << " " << field.name << ": " << ixora::plan::print_interval(interval, false);
    }
    std::cout << "\n";
    for (const ixora::plan::PlanNodePtr& child : node.children) print(*child, depth + 1);
}

}  // namespace

int main() {
    ixora::plan::Catalog catalog;
    catalog.record_count = 1'000'000;
    catalog.indexes = {make_index("_id_", "{_id: 1}"_bson),
                       make_index("tenant_1_createdAt_-1", "{tenant: 1, createdAt: -1}"_bson),
                       make_index("status_1", "{status: 1}"_bson)};

    ixora::plan::FindRequest request;
    request.ns = "shop.orders";
    request.filter = R"({tenant: 3, status: "paid"})"_bson;
    request.sort = "{createdAt: -1}"_bson;
    const auto query = ixora::plan::CanonicalQuery::make(std::move(request), nullptr);

    // A server would now race these; the first ones come from the first index that fits.
    for (const ixora::plan::Solution& solution : ixora::plan::plan(*query, catalog, ixora::Knobs{}))
        print(*solution.root, 0);
}
