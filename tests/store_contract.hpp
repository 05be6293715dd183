// The store contract as a test suite for any type that models ixora::store::Store (spec: keystring.md 4.9).
//
//   TEST_CASE("MyStore keeps the store contract") {
//       ixora::test::run_store_contract([] { return std::make_unique<MyStore>(...); });
//   }
//
// `make_store` returns a pointer to a new, empty store. Nothing is assumed beyond the concept: a store may allow one
// writer at a time and may raise more WriteConflicts than it must, but it must raise them at once: a write that waits
// for another unit of the same thread never returns.
#pragma once

#include "store_contract/index_cursors.hpp"
#include "store_contract/index_writes.hpp"
#include "store_contract/record_cursors.hpp"
#include "store_contract/records.hpp"
#include "store_contract/transactions.hpp"

namespace ixora::test {

template <class MakeStore>
void run_store_contract(MakeStore make_store) {
    const auto store = make_store();
    static_assert(store::Store<std::remove_cvref_t<decltype(*store)>>);
    store_contract::check_records(*store);
    store_contract::check_record_cursors(*store);
    store_contract::check_index_writes(*store);
    store_contract::check_index_cursors(*store);
    store_contract::check_transactions(*store);
}

}  // namespace ixora::test
