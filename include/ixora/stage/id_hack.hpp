// IDHACK: the one document of an _id (spec: execution.md 4.6).
#pragma once

#include <optional>

#include "ixora/stage/document_fetcher.hpp"
#include "ixora/stage/stage.hpp"

namespace ixora::stage {

template <store::Store S>
class IdHackStage final : public Stage {
public:
    IdHackStage(const plan::PlanNode& node, StoreContext<S>& context);

    bool is_eof() const override { return done_; }

protected:
    State do_work(Member& out) override;
    void do_save() override { fetcher_.save(); }

private:
    bool look_up(Member& out);

    const plan::IdHackNode& params_;
    StoreContext<S>& context_;
    DocumentFetcher<S> fetcher_;
    bool done_ = false;
};

}  // namespace ixora::stage
