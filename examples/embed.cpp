// ixora in ten lines: documents, an index, a query, its plan.
#include <iostream>

#include <ixora/ixora.hpp>

using namespace ixora::literals;

int main() {
    ixora::Database db;  // in memory, nothing to configure
    auto orders = db.collection("orders");
    orders.create_index("{tenant: 1, createdAt: -1}"_bson);
    orders.insert(R"({_id: 1, tenant: 3, createdAt: ISODate("2025-03-01"), items: [{sku: "A", qty: 5}]})"_bson);
    orders.insert(R"({_id: 2, tenant: 3, createdAt: ISODate("2025-04-01"), items: [{sku: "B", qty: 1}]})"_bson);

    for (ixora::bson::View order : orders.find("{tenant: 3}"_bson).sort("{createdAt: -1}"_bson).limit(10))
        std::cout << ixora::bson::to_json(order["items"], ixora::bson::JsonMode::relaxed) << "\n";

    const auto report = orders.find("{tenant: 3}"_bson).explain(ixora::Verbosity::execution_stats);
    const ixora::bson::View stats = report["executionStats"].object();
    std::cout << "keys examined: " << stats["totalKeysExamined"].to_int64() << "\n";
}
