// DELETE and BATCHED_DELETE: remove the rows of their child (spec: execution.md 11.3, 11.4).
#pragma once

#include "ixora/mql/matcher.hpp"
#include "ixora/stage/stage.hpp"
#include "ixora/write/record_writer.hpp"

namespace ixora::write {

// One statement. What it refers to outlives the stage.
struct DeleteStatement {
    bool multi = false;
    bool returns_document = false;   // findAndModify
    bool sorted = false;             // a row that no longer matches means that the statement starts again
    RecordWriter* writer = nullptr;  // null: explain, nothing is removed
    std::int64_t deleted = 0;        // outcome
};

class DeleteStage final : public stage::Stage {
public:
    // `filter` is the whole query, normalised; it outlives the stage.
    DeleteStage(const plan::PlanNode& node, const mql::MatchNode& filter, stage::StagePtr input,
                DeleteStatement& statement);

    bool is_eof() const override { return (stats_.deleted > 0 && !statement_.multi) || child().is_eof(); }

protected:
    stage::State do_work(stage::Member& out) override;

private:
    bool remove(const stage::Member& row);

    DeleteStatement& statement_;
    mql::Matcher matcher_;
    bool batched_;
    bson::Document removed_;
};

}  // namespace ixora::write
