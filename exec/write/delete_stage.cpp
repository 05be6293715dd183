#include "ixora/write/delete_stage.hpp"

#include "ixora/store/write_conflict.hpp"

namespace ixora::write {

using stage::Member;
using stage::State;

DeleteStage::DeleteStage(const plan::PlanNode& node, const mql::MatchNode& filter, stage::StagePtr input,
                         DeleteStatement& statement)
    : Stage(node), statement_(statement), matcher_(filter), batched_(node.type == plan::StageType::batched_delete) {
    add_child(std::move(input));
}

State DeleteStage::do_work(Member& out) {
    if (is_eof()) return State::eof;
    const State state = child().work(out);
    if (state != State::advanced) return state;
    out.make_owned();
    if (!batched_) child().save();
    const bool removed = remove(out);
    if (!removed && statement_.sorted) throw store::WriteConflict();
    if (removed) {
        ++stats_.deleted;
        ++statement_.deleted;
    }
    if (!batched_) child().restore();
    if (!removed || !statement_.returns_document) return State::need_time;
    out.become_owned(removed_);
    return State::advanced;
}

bool DeleteStage::remove(const Member& row) {
    bool doomed = true;
    if (statement_.writer == nullptr) {
        removed_ = bson::Document(row.document);
        return true;
    }
    const bool found = statement_.writer->remove(row.id, [&](bson::View newest) {
        doomed = same_bytes(newest, row.document) || matcher_.matches(newest);
        if (doomed && statement_.returns_document) removed_ = bson::Document(newest);
        return doomed;
    });
    return found && doomed;
}

}  // namespace ixora::write
