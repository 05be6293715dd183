// The executor over AnyStore, whatever it wraps.
#include "ixora/stage/plan_executor-inl.hpp"
#include "ixora/store/any_store.hpp"

namespace ixora::stage {

template std::unique_ptr<PlanExecutor> make_executor<store::AnyStore>(store::AnyStore&, plan::Catalog,
                                                                      std::unique_ptr<plan::CanonicalQuery>,
                                                                      ExecutorOptions);
template std::unique_ptr<PlanExecutor> make_executor_from<store::AnyStore>(store::AnyStore&,
                                                                           std::unique_ptr<store::AnyStore::Unit>,
                                                                           SharedCatalog,
                                                                           std::unique_ptr<plan::CanonicalQuery>,
                                                                           ExecutorOptions&&);
template std::unique_ptr<PlanExecutor> make_executor_in<store::AnyStore>(store::AnyStore&, store::AnyStore::Unit&,
                                                                         plan::Catalog,
                                                                         std::unique_ptr<plan::CanonicalQuery>,
                                                                         ExecutorOptions);
template std::unique_ptr<PlanExecutor> make_executor_for<store::AnyStore>(store::AnyStore&, plan::Catalog,
                                                                          std::unique_ptr<plan::CanonicalQuery>,
                                                                          std::vector<plan::Solution>, ExecutorOptions);

}  // namespace ixora::stage
