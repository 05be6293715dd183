// A record store of your own: map_store.hpp under the whole engine.
#include <iostream>

#include <ixora/ixora.hpp>
#include <ixora/stage/plan_executor-inl.hpp>  // compiles the stages for this store; once in a program

#include "map_store.hpp"

using namespace ixora::literals;

static_assert(ixora::store::Store<example::MapStore>);

int main() {
    example::MapStore store;
    ixora::Engine<example::MapStore> engine{store};
    auto orders = engine.collection("orders");
    orders.create_index("{tenant: 1, createdAt: -1}"_bson);
    orders.insert(R"({_id: 1, tenant: 3, createdAt: ISODate("2025-03-01"), items: [{sku: "A", qty: 5}]})"_bson);
    orders.insert(R"({_id: 2, tenant: 3, createdAt: ISODate("2025-04-01"), items: [{sku: "B", qty: 1}]})"_bson);
    orders.insert(R"({_id: 3, tenant: 4, createdAt: ISODate("2025-05-01"), items: []})"_bson);

    for (ixora::bson::View order : orders.find("{tenant: 3}"_bson).sort("{createdAt: -1}"_bson))
        std::cout << ixora::bson::to_json(order["items"], ixora::bson::JsonMode::relaxed) << "\n";

    const auto report = orders.find("{tenant: 3}"_bson).explain(ixora::Verbosity::execution_stats);
    const ixora::bson::View stats = report["executionStats"].object();
    std::cout << "keys examined: " << stats["totalKeysExamined"].to_int64() << "\n";
}
