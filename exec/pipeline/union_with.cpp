#include "ixora/pipeline/union_with.hpp"

#include "ixora/base/error.hpp"
#include "ixora/pipeline/pipeline.hpp"
#include "ixora/pipeline/stage_list.hpp"
#include "ixora/pipeline/stages.hpp"

namespace ixora::pipeline {

namespace {

class UnionWithOperator final : public Operator {
public:
    UnionWithOperator(const UnionWithStage& stage, OperatorPtr input) : Operator(std::move(input)), stage_(stage) {}

    std::vector<NestedPipeline> nested() override {
        NestedPipeline pipeline;
        pipeline.has_run = inner_ != nullptr;
        if (!inner_) inner_ = stage_.open_inner();
        pipeline.cursor = inner_->cursor();
        for (const StagePtr& stage : inner_->stages()) pipeline.stages.push_back(stage.get());
        pipeline.operators = inner_->operators();
        return {std::move(pipeline)};
    }

private:
    Pulled pull(Row& out) override {
        if (!inner_) {
            const Pulled pulled = input()->next(out);
            if (pulled != Pulled::end) return pulled;
            inner_ = stage_.open_inner();
        }
        return inner_->next(out) ? Pulled::row : Pulled::end;
    }
    void do_save() override {
        if (inner_) inner_->save();
    }
    void do_restore(Interrupt& interrupt) override {
        if (inner_) inner_->restore(interrupt);
    }

    const UnionWithStage& stage_;
    std::unique_ptr<RunningPipeline> inner_;
};

}  // namespace

void UnionWithStage::print(bson::Builder& out) const {
    out.open_object("$unionWith");
    if (!inner_->collectionless) out.append("coll", collection());
    out.open_array("pipeline");
    for (const bson::Document& stage : stages_) out.append(stage);
    out.close();
    out.close();
}

std::unique_ptr<RunningPipeline> UnionWithStage::open_inner() const {
    return RunningPipeline::open(parse_stages(stages_, inner_, PipelinePlace::union_with), inner_);
}

OperatorPtr UnionWithStage::open(OperatorPtr input) const {
    return std::make_unique<UnionWithOperator>(*this, std::move(input));
}

namespace {

void check_pipeline(bson::Element field) {
    if (!field.is_array()) throw Error(ErrorCode::type_mismatch, "A pipeline must be an array of objects");
    for (const bson::Element& stage : field.object())
        if (!stage.is_object())
            throw Error(ErrorCode::type_mismatch, "Each element of the 'pipeline' array must be an object");
}

bool starts_with_documents(bson::Element pipeline) {
    if (pipeline.missing() || !pipeline.object().front().is_object()) return false;
    return pipeline.object().front().object().front().name() == "$documents";
}

}  // namespace

void parse_union_with(bson::Element spec, const ContextPtr& context, StageList& out) {
    if (!spec.is_object() && !spec.is_string())
        throw Error(ErrorCode::failed_to_parse,
                    "the $unionWith stage specification must be an object or string, but found " +
                        std::string(bson::type_name(spec.type())));
    bson::Element collection = spec.is_string() ? spec : bson::Element();
    bson::Element pipeline;
    if (spec.is_object()) {
        for (const bson::Element& field : spec.object()) {
            if (field.name() == "coll") {
                if (!field.is_string())
                    throw Error(ErrorCode::type_mismatch, "BSON field '$unionWith.coll' is the wrong type '" +
                                                              std::string(bson::type_name(field.type())) +
                                                              "', expected type 'string'");
                collection = field;
            } else if (field.name() == "pipeline") {
                check_pipeline(field);
                pipeline = field;
            } else {
                throw Error(40415, "BSON field '$unionWith." + std::string(field.name()) + "' is an unknown field.");
            }
        }
    }
    if (collection.missing() && !starts_with_documents(pipeline))
        throw Error(ErrorCode::failed_to_parse,
                    "$unionWith stage without explicit collection must have a pipeline with $documents as first stage");
    const ContextPtr inner = sub_context(*context, collection.missing() ? "" : std::string(collection.string()));
    inner->collectionless = collection.missing();
    std::vector<bson::Document> stages = inner->view_stages;
    if (!pipeline.missing()) {
        parse_pipeline(pipeline, inner, PipelinePlace::union_with);  // for its errors
        for (const bson::Element& stage : pipeline.object()) stages.emplace_back(stage.object());
    }
    out.push_back(std::make_unique<UnionWithStage>(std::move(stages), inner, context));
}

}  // namespace ixora::pipeline
