// MULTI_PLAN: lets candidates race and carries on with the best (spec: execution.md 9.1, planner.md 7).
#pragma once

#include <deque>
#include <functional>
#include <optional>

#include "ixora/stage/plan_ranker.hpp"
#include "ixora/stage/stage.hpp"
#include "ixora/stage/yield_policy.hpp"

namespace ixora::stage {

struct TrialLimits {
    std::int64_t works = 0;    // rounds
    std::int64_t results = 0;  // a candidate with so many rows ends the trial

    static TrialLimits of(const Knobs& knobs, std::int64_t record_count, std::int64_t query_limit);
};

// A candidate as the trial left it.
struct TrialResult {
    StatsTree tree;  // of the candidate alone
    double score = 0;
    bool failed = false;
};

// Never appears in a StatsTree: collect() gives the winner. Rows of the trial are handed out first. Losers are saved
// once when they are rejected and then given up, except a backup: if the winner blocks and has given no row yet, the
// best candidate that doesn't block stays ready to step in when the winner runs out of memory.
class MultiPlanStage final : public Stage {
public:
    using Stage::Stage;

    // Before the trial, in solution order. `has_blocking_stage` as the planner says.
    void add_candidate(const plan::PlanNode& root_node, StagePtr root, bool has_blocking_stage);

    // Runs the trial and chooses. Errors get the context "error while multiplanner was selecting best plan".
    void pick_best(YieldPolicy& yield_policy, const TrialLimits& limits, const Knobs& knobs);

    std::size_t winner() const noexcept { return winner_; }
    const std::vector<std::size_t>& ranking() const noexcept { return ranking_; }  // candidate numbers, best first
    const std::vector<TrialResult>& results() const noexcept { return results_; }  // in candidate order

    // Called when the winner ran out of memory and the backup steps in.
    void set_on_backup(std::function<void()> hook) { on_backup_ = std::move(hook); }

    bool is_eof() const override { return rows_.empty() && chosen_ && child().is_eof(); }
    StatsTree collect() const override { return child().collect(); }

protected:
    State do_work(Member& out) override;
    State do_run(Member& out, std::int64_t budget, std::int64_t& done) override;

private:
    struct Candidate {
        const plan::PlanNode* root_node = nullptr;
        Stage* root = nullptr;
        bool has_blocking_stage = false;
        bool failed = false;
        Member row;               // of the unit at hand
        std::deque<Member> rows;  // of the trial so far
    };

    void run_trial(YieldPolicy& yield_policy, const TrialLimits& limits);
    bool run_round(YieldPolicy& yield_policy, std::int64_t results_wanted);
    void choose(const Knobs& knobs);
    void keep_only_chosen();
    void switch_to_backup();
    State pop_row(Member& out);

    std::vector<Candidate> candidates_;  // children_ holds their roots: all, later the winner and perhaps the backup
    std::vector<TrialResult> results_;
    std::vector<std::size_t> ranking_;
    std::function<void()> on_backup_;
    std::size_t winner_ = 0;
    std::optional<std::size_t> backup_;
    std::deque<Member> rows_;  // of the winner's trial
    bool chosen_ = false;
};

}  // namespace ixora::stage
