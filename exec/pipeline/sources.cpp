// Stages that make their rows themselves: $documents, $collStats, $indexStats, $planCacheStats (spec: aggregation.md
// 3).
#include "ixora/base/error.hpp"
#include "ixora/bson/debug_string.hpp"
#include "ixora/pipeline/evaluation.hpp"
#include "ixora/pipeline/stages.hpp"

namespace ixora::pipeline {

namespace {

using Produce = std::function<std::vector<bson::Document>(const PipelineContext&)>;

// Asks for its documents when it is pulled first.
class SourceOperator final : public Operator {
public:
    SourceOperator(const PipelineContext& context, const Produce& produce) : context_(context), produce_(produce) {}

private:
    Pulled pull(Row& out) override {
        if (!started_) {
            started_ = true;
            documents_ = produce_(context_);
        }
        if (next_ == documents_.size()) return Pulled::end;
        out.sort_key = bson::Value();
        out.set_owned(std::move(documents_[next_++]));
        return Pulled::row;
    }

    const PipelineContext& context_;
    const Produce& produce_;
    std::vector<bson::Document> documents_;
    std::size_t next_ = 0;
    bool started_ = false;
};

class SourceStage final : public PipelineStage {
public:
    SourceStage(bson::Document printed, Produce produce, ContextPtr context)
        : PipelineStage(std::move(context)), printed_(std::move(printed)), produce_(std::move(produce)) {}

    void print(bson::Builder& out) const override { out.append_all(printed_); }
    NeedsAnswer add_needs(Needs&) const override { return NeedsAnswer::exhaustive; }
    ModifiedPaths modified_paths() const override { return {ModifiedPaths::Kind::all, {}, {}}; }
    bool is_source() const noexcept override { return true; }
    OperatorPtr open(OperatorPtr) const override { return std::make_unique<SourceOperator>(*context_, produce_); }

private:
    bson::Document printed_;
    Produce produce_;
};

bson::Document printed_spec(bson::Element spec) {
    bson::Builder out;
    out.append_element(spec);
    return out.finish();
}

std::vector<bson::Document> evaluate_documents(const mql::Expression& expression, const PipelineContext& context) {
    Evaluation evaluation(context);
    const mql::ComputedValue value = expression.evaluate(evaluation.on(bson::View()));
    if (!value.is_array()) throw Error(5858203, "an array is expected");
    std::vector<bson::Document> documents;
    for (const bson::Element& member : value.object()) {
        if (!member.is_object())
            throw Error(40228,
                        "elements within the array passed to $documents must evaluate to an object, but resulting "
                        "value was: " +
                            bson::debug_string(member) + ". Type of resulting value: '" +
                            std::string(bson::type_name(member.type())) + "'.");
        documents.emplace_back(member.object());
    }
    return documents;
}

}  // namespace

void parse_documents(bson::Element spec, const ContextPtr& context, StageList& out) {
    mql::ExpressionParseContext parsing = context->parsing();
    mql::Expression expression = mql::Expression::parse(spec, parsing);
    bson::Builder printed;
    expression.serialize(printed, "$documents");
    out.push_back(std::make_unique<SourceStage>(
        printed.finish(),
        [expression](const PipelineContext& running) { return evaluate_documents(expression, running); }, context));
}

void parse_collection_statistics(bson::Element spec, const ContextPtr& context, StageList& out) {
    if (!spec.is_object())
        throw Error(5447000, "$collStats must take a nested object but found: " + bson::debug_element_string(spec));
    for (const bson::Element& option : spec.object()) {
        const std::string_view name = option.name();
        if (name != "latencyStats" && name != "storageStats" && name != "count" && name != "queryExecStats")
            throw Error(40415, "BSON field '$collStats." + std::string(name) + "' is an unknown field.");
        if (!option.is_object())
            throw Error(ErrorCode::type_mismatch,
                        "BSON field '$collStats." + std::string(name) + "' is the wrong type '" +
                            std::string(bson::type_name(option.type())) + "', expected type 'object'");
    }
    const bson::Document options(spec.object());
    out.push_back(std::make_unique<SourceStage>(
        printed_spec(spec),
        [options](const PipelineContext& running) {
            return std::vector{running.operation->environment->collection_statistics(running.ns, options)};
        },
        context));
}

void parse_index_statistics(bson::Element spec, const ContextPtr& context, StageList& out) {
    if (!spec.is_object() || !spec.object().empty())
        throw Error(28803, "The $indexStats stage specification must be an empty object");
    out.push_back(std::make_unique<SourceStage>(
        printed_spec(spec),
        [](const PipelineContext& running) { return running.operation->environment->index_statistics(running.ns); },
        context));
}

void parse_plan_cache_statistics(bson::Element spec, const ContextPtr& context, StageList& out) {
    if (!spec.is_object())
        throw Error(ErrorCode::failed_to_parse,
                    "$planCacheStats value must be an object. Found: " + std::string(bson::type_name(spec.type())));
    if (!spec.object().empty())
        throw Error(ErrorCode::failed_to_parse, "$planCacheStats parameters object must be empty. Found: object");
    out.push_back(std::make_unique<SourceStage>(
        printed_spec(spec),
        [](const PipelineContext& running) {
            return running.operation->environment->plan_cache_statistics(running.ns);
        },
        context));
}

}  // namespace ixora::pipeline
