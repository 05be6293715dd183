// OR: its children one after another, each record once (spec: execution.md 6.1).
#pragma once

#include <optional>

#include "ixora/mql/matcher.hpp"
#include "ixora/stage/record_id_set.hpp"
#include "ixora/stage/stage.hpp"

namespace ixora::stage {

class OrStage final : public Stage {
public:
    OrStage(const plan::PlanNode& node, std::vector<StagePtr> inputs);

    bool is_eof() const override { return current_ == children_.size(); }

protected:
    State do_work(Member& out) override;

private:
    std::optional<mql::Matcher> filter_;
    bool dedup_;
    std::size_t current_ = 0;
    RecordIdSet seen_;
};

}  // namespace ixora::stage
