// Planning by way of the plan cache (spec: planner.md 7.6-7.8).
#include <chrono>
#include <cmath>

#include "executor.hpp"
#include "ixora/plan/query_shape.hpp"

namespace ixora::stage {

namespace {

constexpr double tie_epsilon = 1e-10;

// A branch's winner is kept only if the trial told the candidates apart.
bool is_clear_winner(const MultiPlanStage& trial) {
    const std::vector<std::size_t>& ranking = trial.ranking();
    const TrialResult& best = trial.results()[ranking[0]];
    if (best.tree.stats.advanced == 0) return false;
    const TrialResult& second = trial.results()[ranking[1]];
    return second.failed || best.score - second.score >= tie_epsilon;
}

std::int64_t now_millis() {
    const auto since_epoch = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::milliseconds>(since_epoch).count();
}

std::vector<CandidateReport> ranked_candidates(const MultiPlanStage& trial) {
    std::vector<CandidateReport> ranked;
    for (const std::size_t candidate : trial.ranking()) {
        const TrialResult& result = trial.results()[candidate];
        ranked.push_back({result.tree, result.score, result.failed});
    }
    return ranked;
}

}  // namespace

bool Executor::may_cache(const plan::CanonicalQuery& query) const {
    return options_.plan_cache.cache != nullptr && plan::is_cacheable(query, knobs());
}

std::string Executor::cache_key(const plan::CanonicalQuery& query) const {
    return plan::query_shape(query, knobs()) + plan::indexability(query, *catalog_);
}

// A template of a cached plan holds as long as the cache trusts that very entry; one of an only solution as long as the
// cache has nothing to say.
bool Executor::use_template() {
    const PlanCacheUse& use = options_.plan_cache;
    if (use.templates == nullptr || !may_cache(*query_)) return false;
    const plan::PlanTemplatePtr known = use.templates->find(*query_, *catalog_, options_.knobs.get());
    if (known == nullptr) return false;
    std::optional<plan::PlanCache::Found> cached;
    if (!use.cache->empty()) cached = use.cache->find_active(catalog_->indexes, known->cache_key());
    if ((cached ? cached->entry : nullptr) != known->entry()) return false;
    if (!cached && use_idle_plan(*known)) return true;
    std::optional<plan::Solution> solution = known->instantiate(*query_);
    if (!solution) return false;
    if (query_->request().is_count) plan::convert_to_count_scan(*solution);
    if (cached) {
        run_cached(std::move(*solution), known->cache_key(), cached->works);
    } else {
        use_single(std::move(*solution));
        form_ = known;
    }
    return true;
}

bool Executor::may_rest() const noexcept {
    return options_.plan_cache.idle_plans != nullptr && count_node_ == nullptr && options_.upper.empty();
}

bool Executor::use_idle_plan(const plan::PlanTemplate& form) {
    if (!may_rest()) return false;
    std::optional<IdlePlan> idle = options_.plan_cache.idle_plans->take(form);
    if (!idle || !form.fill(*idle->solution.root, *query_)) return false;
    idle->factory->take_over(*factory_);
    factory_ = std::move(idle->factory);
    solutions_.push_back(std::move(idle->solution));
    form_ = std::move(idle->form);
    idle->root->begin();
    set_root(std::move(idle->root));
    return true;
}

void Executor::make_template(const plan::Solution& solution, plan::PlanCacheEntryPtr entry) {
    const PlanCacheUse& use = options_.plan_cache;
    if (use.templates == nullptr || !may_cache(*query_)) return;
    plan::PlanTemplatePtr made =
        plan::PlanTemplate::make(*query_, *catalog_, options_.knobs, solution, std::move(entry));
    if (made != nullptr) use.templates->put(std::move(made));
}

bool Executor::use_cached_plan() {
    if (!may_cache(*query_) || options_.plan_cache.cache->empty()) return false;
    const std::string key = cache_key(*query_);
    const auto found = options_.plan_cache.cache->find_active(catalog_->indexes, key);
    if (!found) return false;
    std::optional<plan::Solution> solution = plan::rebuild_solution(*query_, *catalog_, knobs(), found->entry->plan);
    if (!solution) return false;
    make_template(*solution, found->entry);
    if (query_->request().is_count) plan::convert_to_count_scan(*solution);
    run_cached(std::move(*solution), key, found->works);
    return true;
}

void Executor::run_cached(plan::Solution solution, const std::string& key, std::int64_t works) {
    solutions_.push_back(std::move(solution));
    auto cached =
        std::make_unique<CachedPlanStage>(cached_plan_node, factory_->build(*solutions_.front().root, *query_));
    CachedPlanStage* const stage = cached.get();
    set_root(std::move(cached));
    const double works_max = options_.knobs->internalQueryCacheEvictionRatio * static_cast<double>(works);
    const CachedPlanStage::Outcome outcome =
        stage->try_out(yield_policy_, static_cast<std::int64_t>(std::floor(works_max)), trial_limits(*query_).results);
    if (outcome == CachedPlanStage::Outcome::good) {
        from_cache_ = true;
        return;
    }
    root_.reset();
    solutions_.clear();
    CachingMode mode = CachingMode::never;
    if (outcome == CachedPlanStage::Outcome::too_many_works) {
        options_.plan_cache.cache->deactivate(key);
        mode = CachingMode::always;
    }
    run_solutions(plan_or_explain(), mode);
}

void Executor::remember(const plan::CanonicalQuery& query, const std::vector<plan::Solution>& solutions,
                        MultiPlanStage& trial, CachingMode mode) {
    if (mode == CachingMode::never || !may_cache(query)) return;
    plan::PlanCache* const cache = options_.plan_cache.cache;
    std::string key = cache_key(query);
    if (&query == query_.get()) trial.set_on_backup([cache, key] { cache->remove(key); });
    if (mode == CachingMode::sometimes && !is_clear_winner(trial)) return;
    for (const plan::Solution& solution : solutions)
        if (solution.origin.kind == plan::SolutionOrigin::Kind::none) return;

    const std::int64_t works = trial.results()[trial.winner()].tree.stats.works;
    const auto admission = cache->admit(catalog_->indexes, key, works, knobs());
    if (admission == plan::PlanCache::Admission::refused) return;
    std::optional<plan::CachedPlan> plan = plan::make_cached_plan(query, solutions[trial.winner()]);
    if (!plan) return;
    auto entry = std::make_shared<plan::PlanCacheEntry>();
    entry->plan = std::move(*plan);
    entry->query_hash = plan::query_hash(query, knobs());
    entry->plan_cache_key = plan::shape_hash(key);
    entry->created_millis = now_millis();
    if (options_.plan_cache.describe != nullptr) {
        PlanDescription description =
            options_.plan_cache.describe(options_.plan_cache, knobs(), query, ranked_candidates(trial));
        entry->command_key = std::move(description.command_key);
        if (cache->keeps_debug_info(knobs())) entry->debug_info = std::move(description.debug_info);
    }
    cache->put(catalog_->indexes, key, std::move(entry), works, admission == plan::PlanCache::Admission::active,
               knobs());
}

std::optional<plan::SolutionOrigin> Executor::cached_branch(const plan::CanonicalQuery& branch) const {
    if (!may_cache(branch) || options_.plan_cache.cache->empty()) return std::nullopt;
    const auto found = options_.plan_cache.cache->find_active(catalog_->indexes, cache_key(branch));
    if (!found) return std::nullopt;
    // A plan that is no index assignment cannot be part of a composite; like a branch that chose such a plan in its
    // trial it ends in planning the whole query.
    if (found->entry->plan.kind != plan::SolutionOrigin::Kind::index_tags) {
        plan::SolutionOrigin origin;
        origin.kind = found->entry->plan.kind;
        return origin;
    }
    return plan::restore_assignments(branch, *catalog_, found->entry->plan);
}

}  // namespace ixora::stage
