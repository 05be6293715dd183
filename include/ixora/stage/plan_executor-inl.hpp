// make_executor for any store: include it in one source file per store type.
#pragma once

#include "ixora/stage/plan_executor.hpp"
#include "ixora/stage/store_stage_factory.hpp"

namespace ixora::stage {

template <store::Store S>
std::unique_ptr<PlanExecutor> make_executor_for(S& store, plan::Catalog catalog,
                                                std::unique_ptr<plan::CanonicalQuery> query,
                                                std::vector<plan::Solution> solutions, ExecutorOptions options) {
    auto factory =
        std::make_unique<StoreStageFactory<S>>(store, catalog.record_table, options.knobs, options.interrupt);
    return make_executor_on(std::move(factory), SharedCatalog(std::move(catalog)), std::move(query),
                            std::move(solutions), std::move(options));
}

template <store::Store S>
std::unique_ptr<PlanExecutor> make_executor(S& store, plan::Catalog catalog,
                                            std::unique_ptr<plan::CanonicalQuery> query, ExecutorOptions options) {
    return make_executor_for(store, std::move(catalog), std::move(query), {}, std::move(options));
}

template <store::Store S>
std::unique_ptr<PlanExecutor> make_executor_from(S& store, std::unique_ptr<typename S::Unit> unit,
                                                 SharedCatalog catalog, std::unique_ptr<plan::CanonicalQuery> query,
                                                 ExecutorOptions&& options) {
    auto factory = std::make_unique<StoreStageFactory<S>>(store, catalog.catalog->record_table, options.knobs,
                                                          options.interrupt, nullptr, std::move(unit));
    return make_executor_on(std::move(factory), std::move(catalog), std::move(query), {}, std::move(options));
}

template <store::Store S>
std::unique_ptr<PlanExecutor> make_executor_in(S& store, typename S::Unit& unit, plan::Catalog catalog,
                                               std::unique_ptr<plan::CanonicalQuery> query, ExecutorOptions options) {
    auto factory =
        std::make_unique<StoreStageFactory<S>>(store, catalog.record_table, options.knobs, options.interrupt, &unit);
    return make_executor_on(std::move(factory), SharedCatalog(std::move(catalog)), std::move(query), {},
                            std::move(options));
}

}  // namespace ixora::stage
