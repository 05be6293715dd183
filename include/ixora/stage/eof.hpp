// EOF: a plan without rows, for a collection that doesn't exist (spec: execution.md 4.1).
#pragma once

#include "ixora/stage/stage.hpp"

namespace ixora::stage {

class EofStage final : public Stage {
public:
    using Stage::Stage;
    bool is_eof() const override { return true; }

protected:
    State do_work(Member&) override { return State::eof; }
};

}  // namespace ixora::stage
