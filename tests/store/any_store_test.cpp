#include "ixora/store/any_store.hpp"

#include "ixora/store/memory_store.hpp"
#include "store_contract.hpp"

TEST_CASE("AnyStore over MemoryStore keeps the store contract") {
    ixora::test::run_store_contract(
        [] { return std::make_unique<ixora::store::AnyStore>(std::make_unique<ixora::store::MemoryStore>()); });
}
