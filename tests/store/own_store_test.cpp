// The example store of examples/own_store.cpp keeps the same contract as ours.
#include "../../examples/map_store.hpp"

#include <memory>

#include "store_contract.hpp"

TEST_CASE("The example store over std::map keeps the store contract") {
    ixora::test::run_store_contract([] { return std::make_unique<example::MapStore>(); });
}
