// SORT_KEY_GENERATOR: gives rows that come sorted from an index the metadata that {$meta: "sortKey"} prints
// (spec: execution.md 8.4).
#pragma once

#include "ixora/stage/sort_key_source.hpp"
#include "ixora/stage/stage.hpp"

namespace ixora::stage {

class SortKeyGeneratorStage final : public Stage {
public:
    SortKeyGeneratorStage(const plan::PlanNode& node, StagePtr input, bson::View pattern, bson::CollatorPtr collator)
        : Stage(node), keys_(pattern, std::move(collator)) {
        add_child(std::move(input));
    }

    bool is_eof() const override { return eof_; }

protected:
    State do_work(Member& out) override {
        const State state = child().work(out);
        if (state == State::eof) eof_ = true;
        if (state == State::advanced) {
            out.sort_key = keys_.sort_key_metadata(out);
            out.has_sort_key = true;
        }
        return state;
    }

private:
    SortKeySource keys_;
    bool eof_ = false;
};

}  // namespace ixora::stage
