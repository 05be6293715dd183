// $_internalInhibitOptimization: lets every row through and no rewrite past it.
#include "ixora/base/error.hpp"
#include "ixora/pipeline/stages.hpp"

namespace ixora::pipeline {

namespace {

class InhibitOperator final : public Operator {
public:
    using Operator::Operator;

private:
    Pulled pull(Row& out) override { return input()->next(out); }
};

class InhibitStage final : public PipelineStage {
public:
    using PipelineStage::PipelineStage;

    void print(bson::Builder& out) const override {
        out.open_object("$_internalInhibitOptimization");
        out.close();
    }
    NeedsAnswer add_needs(Needs&) const override { return NeedsAnswer::unknown; }
    ModifiedPaths modified_paths() const override { return {ModifiedPaths::Kind::all, {}, {}}; }
    OperatorPtr open(OperatorPtr input) const override { return std::make_unique<InhibitOperator>(std::move(input)); }
};

}  // namespace

void parse_inhibit_optimization(bson::Element spec, const ContextPtr& context, StageList& out) {
    if (!spec.is_object() || !spec.object().empty())
        throw Error(ErrorCode::type_mismatch,
                    "$_internalInhibitOptimization must take a nested empty object as its specification");
    out.push_back(std::make_unique<InhibitStage>(context));
}

}  // namespace ixora::pipeline
