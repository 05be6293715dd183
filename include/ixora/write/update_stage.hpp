// UPDATE: applies an update to the rows of its child; with an upsert, inserts where there was none (spec: execution.md
// 11.1, 11.2, 11.5).
#pragma once

#include <optional>

#include "ixora/mql/matcher.hpp"
#include "ixora/mql/update.hpp"
#include "ixora/stage/record_id_set.hpp"
#include "ixora/stage/stage.hpp"
#include "ixora/write/record_writer.hpp"

namespace ixora::write {

// Which version of a document a findAndModify hands out.
enum class ReturnedDocument : std::uint8_t { none, before, after };

// One statement. What it refers to outlives the stage.
struct UpdateStatement {
    const mql::Update* update = nullptr;
    mql::UpdateContext context;  // without array offset
    bool multi = false;
    bool upsert = false;
    std::optional<bson::View> upserted;  // the document that an upsert inserts as it is
    ReturnedDocument returned = ReturnedDocument::none;
    bool sorted = false;             // a row that no longer matches means that the statement starts again
    RecordWriter* writer = nullptr;  // null: explain, nothing is written

    struct Outcome {
        std::int64_t matched = 0;
        std::int64_t modified = 0;
        bson::Value upserted_id;  // missing: nothing was inserted
    } outcome;
};

class UpdateStage final : public stage::Stage {
public:
    // `filter` is the whole query, normalised; it outlives the stage.
    UpdateStage(const plan::PlanNode& node, const mql::MatchNode& filter, stage::StagePtr input,
                UpdateStatement& statement);

    bool is_eof() const override {
        return is_done() && (!statement_.upsert || stats_.matched > 0 || stats_.upserted > 0);
    }

protected:
    stage::State do_work(stage::Member& out) override;

private:
    // Of the update proper.
    bool is_done() const { return (stats_.matched > 0 && !statement_.multi) || child().is_eof(); }
    stage::State update_one(stage::Member& out);
    stage::State insert_one(stage::Member& out);
    bson::Document make_upserted() const;
    // The changed document, or nothing where the document doesn't match any more or stays as it is.
    std::optional<bson::Document> change(bson::View newest, bson::View seen);

    const mql::MatchNode& filter_;
    UpdateStatement& statement_;
    mql::Matcher matcher_;
    stage::RecordIdSet updated_;  // so that a document which moves in the index is not updated twice
    bool row_matched_ = false;
    bool row_modified_ = false;
    bson::Document before_;
    bson::Document after_;
};

}  // namespace ixora::write
