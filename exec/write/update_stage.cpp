#include "ixora/write/update_stage.hpp"

#include "ixora/base/error.hpp"
#include "ixora/mql/upsert.hpp"
#include "ixora/store/write_conflict.hpp"
#include "ixora/write/insert_rules.hpp"

namespace ixora::write {

using stage::Member;
using stage::State;

UpdateStage::UpdateStage(const plan::PlanNode& node, const mql::MatchNode& filter, stage::StagePtr input,
                         UpdateStatement& statement)
    : Stage(node), filter_(filter), statement_(statement), matcher_(filter) {
    add_child(std::move(input));
}

State UpdateStage::do_work(Member& out) {
    if (is_eof()) return State::eof;
    const State state = is_done() ? State::eof : update_one(out);
    if (state != State::eof || is_eof()) return state;
    return insert_one(out);
}

State UpdateStage::update_one(Member& out) {
    const State state = child().work(out);
    if (state != State::advanced) return state;
    if (statement_.multi && !updated_.insert(out.id)) return State::need_time;
    out.make_owned();
    child().save();
    row_matched_ = row_modified_ = false;
    const bson::View seen = out.document;
    if (statement_.writer == nullptr) {
        static_cast<void>(change(seen, seen));
    } else {
        const bool found = statement_.writer->update(out.id, [&](bson::View newest) { return change(newest, seen); });
        if (!found) row_matched_ = false;
    }
    if (row_matched_) {
        ++stats_.matched;
        ++statement_.outcome.matched;
        if (row_modified_) ++statement_.outcome.modified;
        if (row_modified_ || statement_.writer == nullptr) ++stats_.modified;
    } else if (statement_.sorted) {
        throw store::WriteConflict();
    }
    child().restore();
    if (!row_matched_ || statement_.returned == ReturnedDocument::none) return State::need_time;
    out.become_owned(statement_.returned == ReturnedDocument::after && row_modified_ ? after_ : before_);
    return State::advanced;
}

std::optional<bson::Document> UpdateStage::change(bson::View newest, bson::View seen) {
    row_modified_ = false;
    mql::UpdateContext context = statement_.context;
    if (statement_.update->needs_array_offset()) {
        mql::MatchDetails details;
        row_matched_ = matcher_.matches(newest, details);
        context.array_offset = details.array_offset;
    } else {
        row_matched_ = same_bytes(newest, seen) || matcher_.matches(newest);
    }
    if (!row_matched_) return std::nullopt;
    if (statement_.returned != ReturnedDocument::none) before_ = bson::Document(newest);
    mql::UpdateResult result = statement_.update->apply(newest, context);
    if (!result.modified) return std::nullopt;
    check_updated(result.document);
    row_modified_ = true;
    if (statement_.returned == ReturnedDocument::after) after_ = result.document;
    return std::move(result.document);
}

bson::Document UpdateStage::make_upserted() const {
    if (statement_.upserted) return prepare_upsert(*statement_.upserted, statement_.context.now_timestamp);
    const bson::Document seed = mql::upsert_seed(filter_, statement_.update->is_replacement());
    mql::UpdateContext context = statement_.context;
    context.insert = true;
    const mql::UpdateResult result = statement_.update->apply(seed, context);
    return prepare_upsert(result.modified ? result.document.view() : seed.view(), context.now_timestamp);
}

State UpdateStage::insert_one(Member& out) {
    const bson::Document document = make_upserted();
    if (statement_.writer != nullptr) statement_.writer->insert(document);
    ++stats_.upserted;
    statement_.outcome.upserted_id = bson::Value(document["_id"]);
    if (statement_.returned != ReturnedDocument::after) return State::eof;
    out.become_owned(document);
    return State::advanced;
}

}  // namespace ixora::write
