#include "ixora/pipeline/update_pipeline.hpp"

#include "ixora/base/error.hpp"
#include "ixora/pipeline/stage_list.hpp"

namespace ixora::pipeline {

// Gives the document at hand. The stages of an update are one to one, so each is asked once for each document.
class UpdatePipeline::Source final : public Operator {
public:
    void set(bson::View document) noexcept { document_ = document; }

private:
    Pulled pull(Row& out) override {
        out.sort_key = bson::Value();
        out.set_view(document_);
        return Pulled::row;
    }

    bson::View document_;
};

namespace {

void check_allowed(const PipelineStage& stage) {
    const StageKind kind = stage.kind();
    if (kind == StageKind::project || kind == StageKind::add_fields || kind == StageKind::replace_root) return;
    throw Error(ErrorCode::invalid_options, stage_name(stage) + " is not allowed to be used within an update");
}

}  // namespace

UpdatePipeline::UpdatePipeline(bson::Element pipeline, const ContextPtr& context)
    : stages_(parse_pipeline(pipeline, context)) {
    for (const StagePtr& stage : stages_) check_allowed(*stage);
    auto source = std::make_unique<Source>();
    source_ = source.get();
    tail_ = std::move(source);
    for (const StagePtr& stage : stages_) tail_ = stage->open(std::move(tail_));
}

bson::View UpdatePipeline::apply(bson::View document) {
    source_->set(document);
    tail_->next(row_);
    return row_.document;
}

}  // namespace ixora::pipeline
