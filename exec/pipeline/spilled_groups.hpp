// The groups of a $group that went to disk (spec: aggregation.md section 15).
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "ixora/pipeline/group.hpp"
#include "ixora/stage/spilled_runs.hpp"

namespace ixora::pipeline {

struct Group {
    bson::Value key;
    std::vector<std::unique_ptr<mql::Accumulator>> accumulators;  // of each field
};

// Each spill is a run of groups in the order of their keys; the merge brings the parts of one group together, in the
// order in which their rows came.
class SpilledGroups {
public:
    SpilledGroups(const GroupStage& stage, std::string directory)
        : fields_(stage.fields()), collator_(stage.context()->collator.get()), runs_(std::move(directory)) {}

    // Writes the groups down and takes them out of memory.
    void spill(std::deque<Group>& groups);
    void start(const stage::ExecutionContext& context);
    // False at the end.
    bool next(Group& out, mql::EvaluationContext& values);

    const stage::SpilledRuns& runs() const noexcept { return runs_; }

private:
    void absorb(Group& group);

    const std::vector<mql::AccumulatorField>& fields_;
    const bson::Collator* collator_;
    stage::SpilledRuns runs_;
    bool has_record_ = false;
    std::vector<std::uint8_t> key_;  // of the group at hand
};

}  // namespace ixora::pipeline
