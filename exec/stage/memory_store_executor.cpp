// The executor over MemoryStore.
#include "ixora/stage/plan_executor-inl.hpp"
#include "ixora/store/memory_store.hpp"

namespace ixora::stage {

template std::unique_ptr<PlanExecutor> make_executor<store::MemoryStore>(store::MemoryStore&, plan::Catalog,
                                                                         std::unique_ptr<plan::CanonicalQuery>,
                                                                         ExecutorOptions);
template std::unique_ptr<PlanExecutor> make_executor_from<store::MemoryStore>(store::MemoryStore&,
                                                                              std::unique_ptr<store::MemoryStore::Unit>,
                                                                              SharedCatalog,
                                                                              std::unique_ptr<plan::CanonicalQuery>,
                                                                              ExecutorOptions&&);
template std::unique_ptr<PlanExecutor> make_executor_in<store::MemoryStore>(store::MemoryStore&,
                                                                            store::MemoryStore::Unit&, plan::Catalog,
                                                                            std::unique_ptr<plan::CanonicalQuery>,
                                                                            ExecutorOptions);
template std::unique_ptr<PlanExecutor> make_executor_for<store::MemoryStore>(store::MemoryStore&, plan::Catalog,
                                                                             std::unique_ptr<plan::CanonicalQuery>,
                                                                             std::vector<plan::Solution>,
                                                                             ExecutorOptions);

}  // namespace ixora::stage
