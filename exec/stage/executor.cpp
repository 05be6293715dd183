#include "executor.hpp"

#include "ixora/base/invariant.hpp"
#include "ixora/plan/query_text.hpp"
#include "ixora/stage/count.hpp"

namespace ixora::stage {

using plan::StageType;

// What the stages that the executor itself puts in are made of.
const plan::PlanNode multi_plan_node{StageType::multi_plan};
const plan::PlanNode cached_plan_node{StageType::cached_plan};

Executor::Executor(std::unique_ptr<StageFactory> factory, SharedCatalog catalog,
                   std::unique_ptr<plan::CanonicalQuery> query, ExecutorOptions&& options)
    : factory_(std::move(factory)),
      catalog_(std::move(catalog.catalog)),
      record_count_(catalog.record_count),
      query_(std::move(query)),
      options_(std::move(options)),
      yield_policy_(factory_->context(),
                    {[this] { factory_->new_snapshot(); }, [this] { check_alive(); }, factory_->can_yield()}) {
    if (options_.count) count_node_ = plan::make_plan_node(StageType::count, *options_.count);
}

// A plan that has run rests until a query of the same form comes.
Executor::~Executor() {
    if (form_ == nullptr || !may_rest() || !root_->rest()) return;
    factory_->rest();
    options_.plan_cache.idle_plans->put(
        {std::move(form_), std::move(factory_), std::move(solutions_.front()), std::move(root_)});
}

void Executor::prepare(std::vector<plan::Solution> solutions) {
    if (solutions.empty())
        choose_approach();
    else
        run_solutions(std::move(solutions));
    is_prepared_ = true;
}

void Executor::check_alive() const {
    if (options_.alive.check != nullptr)
        options_.alive.check(options_.alive.subject.get(), is_prepared_ ? &root_node() : nullptr);
}

// planner.md 6.1.
void Executor::choose_approach() {
    if (count_node_ && catalog_->exists && query_->is_empty_query() && !query_->has_hint()) return prepare_fast_count();
    if (options_.distinct && catalog_->exists && (prepare_distinct() || options_.distinct->strict)) return;
    const plan::Approach approach = plan::choose_approach(*query_, *catalog_, knobs());
    switch (approach) {
        case plan::Approach::eof: return answer_by(plan::Route::no_collection, plan::make_eof_solution());
        case plan::Approach::id_hack:
            return answer_by(plan::Route::id_lookup, plan::make_id_hack_solution(*query_, *catalog_));
        case plan::Approach::subplan:
        case plan::Approach::plan: break;
    }
    if (approach == plan::Approach::plan && use_template()) return;
    if (use_cached_plan()) return;
    if (approach == plan::Approach::subplan)
        prepare_subplan();
    else
        plan_whole_query();
}

void Executor::prepare_fast_count() {
    count_node_.reset();
    plan::Solution solution;
    solution.root = plan::make_plan_node(StageType::record_store_fast_count, *options_.count);
    answer_by(plan::Route::fast_count, std::move(solution));
}

std::vector<plan::Solution> Executor::plan_or_explain() {
    was_planned_ = true;
    try {
        plan::PlanningTrace* const trace = options_.trace == nullptr ? nullptr : &options_.trace->whole;
        return plan::traced_plan(*query_, *catalog_, knobs(), trace);
    } catch (const Error& error) {
        throw error.with_context("error processing query: " + plan::query_text(*query_) + " planner returned error");
    }
}

// False where the query is to be planned the ordinary way.
bool Executor::prepare_distinct() {
    plan::DistinctPlan choice = plan::plan_distinct(*query_, *options_.distinct, *catalog_, knobs());
    if (choice.solution) {
        answer_by(plan::Route::distinct_scan, std::move(*choice.solution));
        return true;
    }
    if (!choice.keeps_projection) query_ = query_->without_projection();
    return false;
}

void Executor::plan_whole_query() {
    std::vector<plan::Solution> solutions = plan_or_explain();
    if (solutions.size() == 1 && subplan_ == nullptr) make_template(solutions.front(), nullptr);
    if (query_->request().is_count && subplan_ == nullptr) {
        for (plan::Solution& solution : solutions)
            if (plan::convert_to_count_scan(solution)) return answer_by(plan::Route::count_scan, std::move(solution));
    }
    run_solutions(std::move(solutions));
}

void Executor::run_solutions(std::vector<plan::Solution> solutions, CachingMode mode) {
    if (solutions.size() == 1)
        use_single(std::move(solutions.front()));
    else
        race(std::move(solutions), mode);
}

void Executor::use_single(plan::Solution solution) {
    solutions_.push_back(std::move(solution));
    set_root(factory_->build(*solutions_.front().root, *query_));
}

void Executor::answer_by(plan::Route route, plan::Solution solution) {
    if (options_.trace != nullptr) options_.trace->settle(route, *catalog_, solution);
    use_single(std::move(solution));
}

void Executor::race(std::vector<plan::Solution> solutions, CachingMode mode) {
    solutions_ = std::move(solutions);
    auto multi_plan = std::make_unique<MultiPlanStage>(multi_plan_node);
    multi_plan_ = multi_plan.get();
    for (const plan::Solution& solution : solutions_)
        multi_plan->add_candidate(*solution.root, factory_->build(*solution.root, *query_),
                                  solution.has_blocking_stage);
    set_root(std::move(multi_plan));
    multi_plan_->pick_best(yield_policy_, trial_limits(*query_), knobs());
    remember(*query_, solutions_, *multi_plan_, mode);
}

// Puts `stage` below SUBPLAN and COUNT, as far as they are there.
void Executor::set_root(StagePtr stage) {
    if (subplan_ != nullptr) {
        subplan_->set_input(std::move(stage));
    } else {
        root_ = count_node_ ? std::make_unique<CountStage>(*count_node_, std::move(stage)) : std::move(stage);
        for (const UpperStage& upper : options_.upper) root_ = upper.make(*upper.node, *query_, std::move(root_));
        yield_policy_.set_root(*root_, factory_->context());
    }
    if (query_->request().is_explain) root_->enable_timing();
}

TrialLimits Executor::trial_limits(const plan::CanonicalQuery& query) const {
    return TrialLimits::of(knobs(), record_count_, query.request().limit);
}

State Executor::run_units(Member& out) {
    const std::int64_t budget = yield_policy_.before_units();
    std::int64_t done = 0;
    const State state = root_->work_run(out, budget, done);
    yield_policy_.after_units(done);
    if (state == State::need_yield)
        yield_policy_.yield_after_conflict();
    else
        yield_policy_.forget_conflicts();
    return state;
}

[[gnu::flatten]] bool Executor::next(Member& out) {
    for (;;) {
        switch (run_units(out)) {
            case State::advanced: return true;
            case State::eof: return false;
            case State::need_time:
            case State::need_yield: break;
        }
    }
}

void Executor::run_to_end() {
    Member row;
    while (next(row)) {
    }
}

void Executor::save() {
    root_->save();
    factory_->new_snapshot();
}

void Executor::restore(Interrupt& interrupt) {
    factory_->context().interrupt = &interrupt;
    options_.interrupt = &interrupt;
    interrupt.check();
    check_alive();
    while (!read_succeeds([this] { root_->restore(); })) save();
}

ExecutionReport Executor::report() const {
    ExecutionReport report;
    report.winner = root_->collect();
    report.from_cache = from_cache_;
    report.limits = solutions_[multi_plan_ == nullptr ? 0 : multi_plan_->winner()].limits;
    if (multi_plan_ == nullptr) return report;
    report.winner_index = multi_plan_->winner();
    for (const TrialResult& result : multi_plan_->results())
        report.candidates.push_back({with_upper_stages(*root_, result.tree), result.score, result.failed});
    return report;
}

// `candidate` in place of MULTI_PLAN; the stages above it with their live counters (explain.md 7.25).
StatsTree Executor::with_upper_stages(const Stage& stage, const StatsTree& candidate) const {
    if (&stage == multi_plan_) return candidate;
    StatsTree tree{&stage.node(), stage.collect_own(), {}};
    tree.children.push_back(with_upper_stages(*stage.children().front(), candidate));
    return tree;
}

const plan::PlanNode& Executor::root_node() const {
    const std::size_t solution = multi_plan_ == nullptr ? 0 : multi_plan_->winner();
    if (!count_node_ && !subplan_node_ && options_.upper.empty()) return *solutions_[solution].root;
    if (!shown_ || shown_solution_ != solution) {
        shown_ = solutions_[solution].root->clone();
        if (subplan_node_) shown_ = plan::make_plan_node(StageType::subplan, {}, std::move(shown_));
        if (count_node_) shown_ = plan::make_plan_node(StageType::count, count_node_->params, std::move(shown_));
        for (const UpperStage& upper : options_.upper)
            shown_ = plan::make_plan_node(upper.node->type, upper.node->params, std::move(shown_));
        shown_solution_ = solution;
    }
    return *shown_;
}

std::unique_ptr<PlanExecutor> make_executor_on(std::unique_ptr<StageFactory> factory, SharedCatalog catalog,
                                               std::unique_ptr<plan::CanonicalQuery> query,
                                               std::vector<plan::Solution> solutions, ExecutorOptions&& options) {
    auto executor =
        std::make_unique<Executor>(std::move(factory), std::move(catalog), std::move(query), std::move(options));
    executor->prepare(std::move(solutions));
    if (!executor->has_plan()) return nullptr;
    return executor;
}

}  // namespace ixora::stage
