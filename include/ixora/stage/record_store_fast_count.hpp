// RECORD_STORE_FAST_COUNT: a count without predicate asks the store (spec: execution.md 4.8).
#pragma once

#include <algorithm>

#include "ixora/stage/execution_context.hpp"
#include "ixora/stage/stage.hpp"

namespace ixora::stage {

// One unit that never advances. skipped is the requested skip, even where the collection is smaller.
template <store::Store S>
class RecordStoreFastCountStage final : public Stage {
public:
    RecordStoreFastCountStage(const plan::PlanNode& node, StoreContext<S>& context)
        : Stage(node), params_(node.as<plan::CountNode>()), context_(context) {}

    bool is_eof() const override { return done_; }

protected:
    State do_work(Member&) override {
        std::int64_t count =
            std::max<std::int64_t>(0, context_.store->record_count(*context_.unit, context_.records) - params_.skip);
        if (params_.limit != 0) count = std::min(count, params_.limit < 0 ? -params_.limit : params_.limit);
        stats_.counted = count;
        stats_.skipped = params_.skip;
        done_ = true;
        return State::eof;
    }

private:
    const plan::CountNode& params_;
    StoreContext<S>& context_;
    bool done_ = false;
};

}  // namespace ixora::stage
