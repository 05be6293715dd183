#include "ixora/stage/multi_plan.hpp"

#include <algorithm>
#include <cmath>

#include "ixora/base/error.hpp"

namespace ixora::stage {

namespace {

bool is_memory_limit(const Error& error) noexcept {
    return error.is(ErrorCode::query_exceeded_memory_limit_no_disk_use_allowed);
}

}  // namespace

TrialLimits TrialLimits::of(const Knobs& knobs, std::int64_t record_count, std::int64_t query_limit) {
    const double fraction = knobs.internalQueryPlanEvaluationCollFraction * static_cast<double>(record_count);
    TrialLimits limits;
    limits.works = std::max(knobs.internalQueryPlanEvaluationWorks, static_cast<std::int64_t>(std::floor(fraction)));
    limits.results = knobs.internalQueryPlanEvaluationMaxResults;
    if (query_limit > 0) limits.results = std::min(limits.results, query_limit);
    return limits;
}

void MultiPlanStage::add_candidate(const plan::PlanNode& root_node, StagePtr root, bool has_blocking_stage) {
    Candidate candidate;
    candidate.root_node = &root_node;
    candidate.root = root.get();
    candidate.has_blocking_stage = has_blocking_stage;
    candidates_.push_back(std::move(candidate));
    add_child(std::move(root));
}

void MultiPlanStage::pick_best(YieldPolicy& yield_policy, const TrialLimits& limits, const Knobs& knobs) {
    try {
        run_trial(yield_policy, limits);
    } catch (const Error& error) {
        throw error.with_context("error while multiplanner was selecting best plan");
    }
    choose(knobs);
    keep_only_chosen();
}

void MultiPlanStage::run_trial(YieldPolicy& yield_policy, const TrialLimits& limits) {
    for (std::int64_t round = 0; round < limits.works; ++round)
        if (run_round(yield_policy, limits.results)) return;
}

// One unit for every candidate that hasn't failed; true if one of them ended the trial. The round is always completed,
// so that all get the same number of units.
bool MultiPlanStage::run_round(YieldPolicy& yield_policy, std::int64_t results_wanted) {
    bool ended = false;
    for (Candidate& candidate : candidates_) {
        if (candidate.failed) continue;
        yield_policy.before_units();
        Member& row = candidate.row;
        State state = State::need_time;
        try {
            state = candidate.root->work(row);
        } catch (const Error& error) {
            if (!is_memory_limit(error)) throw;
            candidate.failed = true;
            if (std::all_of(candidates_.begin(), candidates_.end(),
                            [](const Candidate& other) { return other.failed; }))
                throw;
            continue;
        }
        switch (state) {
            case State::advanced:
                row.make_owned();
                candidate.rows.push_back(std::move(row));
                ended = ended || static_cast<std::int64_t>(candidate.rows.size()) >= results_wanted;
                break;
            case State::eof: ended = true; break;
            case State::need_time: break;
            case State::need_yield: yield_policy.yield_after_conflict(); break;
        }
        if (state != State::need_yield) yield_policy.forget_conflicts();
    }
    return ended;
}

void MultiPlanStage::choose(const Knobs& knobs) {
    std::vector<RankInput> inputs;
    for (const Candidate& candidate : candidates_) {
        TrialResult result;
        result.tree = candidate.root->collect();
        result.failed = candidate.failed;
        inputs.push_back({candidate.root_node, result.tree.stats.works, result.tree.stats.advanced,
                          result.tree.stats.is_eof, candidate.failed});
        results_.push_back(std::move(result));
    }
    Ranking ranking = rank_plans(inputs, knobs);
    for (std::size_t i = 0; i < results_.size(); ++i) results_[i].score = ranking.scores[i];
    ranking_ = std::move(ranking.order);

    winner_ = ranking_.front();
    const Candidate& winner = candidates_[winner_];
    if (!winner.has_blocking_stage || !winner.rows.empty()) return;
    for (const std::size_t candidate : ranking_) {
        if (candidates_[candidate].has_blocking_stage || candidates_[candidate].failed) continue;
        backup_ = candidate;
        return;
    }
}

void MultiPlanStage::keep_only_chosen() {
    std::vector<StagePtr> kept(backup_ ? 2 : 1);
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
        if (i == winner_) {
            kept[0] = std::move(children_[i]);
        } else if (backup_ && i == *backup_) {
            kept[1] = std::move(children_[i]);
        } else {
            children_[i]->save();
            results_[i].tree = children_[i]->collect();
        }
    }
    children_ = std::move(kept);
    rows_ = std::move(candidates_[winner_].rows);
    for (std::size_t i = 0; i < candidates_.size(); ++i)
        if (!backup_ || i != *backup_) candidates_[i].rows.clear();
    chosen_ = true;
}

State MultiPlanStage::do_work(Member& out) {
    std::int64_t done = 0;
    return do_run(out, 1, done);
}

State MultiPlanStage::do_run(Member& out, std::int64_t budget, std::int64_t& done) {
    if (!rows_.empty()) {
        ++done;
        return pop_row(out);
    }
    try {
        const State state = child().work_run(out, budget, done);
        if (state == State::advanced && backup_) {
            backup_.reset();
            children_.pop_back();
        }
        return state;
    } catch (const Error& error) {
        if (!backup_ || !is_memory_limit(error)) throw;
    }
    switch_to_backup();
    return rows_.empty() ? child().work(out) : pop_row(out);  // still the same unit
}

State MultiPlanStage::pop_row(Member& out) {
    out = std::move(rows_.front());
    rows_.pop_front();
    return State::advanced;
}

void MultiPlanStage::switch_to_backup() {
    if (on_backup_) on_backup_();
    winner_ = *backup_;
    rows_ = std::move(candidates_[winner_].rows);
    children_.erase(children_.begin());
    backup_.reset();
}

}  // namespace ixora::stage
