// $redact: keeps or prunes a row level by level (spec: aggregation.md 3).
#include "ixora/base/error.hpp"
#include "ixora/bson/debug_string.hpp"
#include "ixora/pipeline/evaluation.hpp"
#include "ixora/pipeline/stages.hpp"

namespace ixora::pipeline {

namespace {

// The slots of the variables that the expression may use beside its own.
struct RedactVariables {
    std::uint32_t current = 0;
    std::uint32_t descend = 0;
    std::uint32_t prune = 0;
    std::uint32_t keep = 0;
};

class RedactStage final : public PipelineStage {
public:
    RedactStage(mql::Expression expression, RedactVariables variables, ContextPtr context)
        : PipelineStage(std::move(context)), expression_(std::move(expression)), variables_(variables) {}

    StageKind kind() const noexcept override { return StageKind::redact; }
    void print(bson::Builder& out) const override { expression_.serialize(out, "$redact"); }
    NeedsAnswer add_needs(Needs& needs) const override {
        needs.add(expression_);
        needs.whole_document = true;
        return NeedsAnswer::see_next;
    }
    ModifiedPaths modified_paths() const override { return {ModifiedPaths::Kind::all, {}, {}}; }
    void optimize() override { expression_.optimize(); }
    OperatorPtr open(OperatorPtr input) const override;

    const mql::Expression& expression() const noexcept { return expression_; }
    const RedactVariables& variables() const noexcept { return variables_; }

private:
    mql::Expression expression_;
    RedactVariables variables_;
};

class RedactOperator final : public Operator {
public:
    RedactOperator(const RedactStage& stage, OperatorPtr input)
        : Operator(std::move(input)), stage_(stage), evaluation_(*stage.context()) {}

private:
    enum class Decision { descend, prune, keep };

    Pulled pull(Row& out) override {
        for (;;) {
            const Pulled pulled = input()->next(row_);
            if (pulled != Pulled::row) return pulled;
            stage_.context()->check_interrupt();
            mql::EvaluationContext& values = evaluation_.on(row_);
            values.variables[stage_.variables().descend] = descend_;
            values.variables[stage_.variables().prune] = prune_;
            values.variables[stage_.variables().keep] = keep_;
            const Decision decision = decide(row_.document, values);
            if (decision == Decision::prune) continue;
            out.sort_key = row_.sort_key;
            if (decision == Decision::keep) {
                out.set_view(row_.document);
                return Pulled::row;
            }
            builder_.reset();
            for (const bson::Element& field : row_.document) write(field.name(), field, values);
            out.set_view(builder_.finish_view());
            return Pulled::row;
        }
    }

    // A decision is known by the string that its variable stands for.
    Decision decide(bson::View level, mql::EvaluationContext& values) const {
        values.variables[stage_.variables().current] = mql::ComputedValue::document(level);
        const mql::ComputedValue result = stage_.expression().evaluate(values);
        if (result.is_string()) {
            if (result.string() == "descend") return Decision::descend;
            if (result.string() == "prune") return Decision::prune;
            if (result.string() == "keep") return Decision::keep;
        }
        throw Error(17053,
                    "$redact's expression should not return anything aside from the variables $$KEEP, $$DESCEND, and "
                    "$$PRUNE, but returned " +
                        bson::debug_string(result.element()));
    }

    void write(std::string_view name, bson::Element value, mql::EvaluationContext& values) {
        if (value.is_array()) {
            builder_.open_array(name);
            for (const bson::Element& member : value.object()) write_member(member, values);
            builder_.close();
        } else if (value.is_object()) {
            write_level(
                value, values, [&] { builder_.open_object(name); }, [&] { builder_.append(name, value); });
        } else {
            builder_.append(name, value);
        }
    }
    void write_member(bson::Element value, mql::EvaluationContext& values) {
        if (value.is_array()) {
            builder_.open_array();
            for (const bson::Element& member : value.object()) write_member(member, values);
            builder_.close();
        } else if (value.is_object()) {
            write_level(
                value, values, [&] { builder_.open_object(); }, [&] { builder_.append_member(value); });
        } else {
            builder_.append_member(value);
        }
    }
    template <class Open, class Keep>
    void write_level(bson::Element value, mql::EvaluationContext& values, Open&& open, Keep&& keep) {
        switch (decide(value.object(), values)) {
            case Decision::prune: return;
            case Decision::keep: keep(); return;
            case Decision::descend: break;
        }
        open();
        for (const bson::Element& field : value.object()) write(field.name(), field, values);
        builder_.close();
    }

    const RedactStage& stage_;
    Evaluation evaluation_;
    const mql::ComputedValue descend_ = mql::ComputedValue::of_string("descend");
    const mql::ComputedValue prune_ = mql::ComputedValue::of_string("prune");
    const mql::ComputedValue keep_ = mql::ComputedValue::of_string("keep");
    Row row_;
    bson::Builder builder_;
};

OperatorPtr RedactStage::open(OperatorPtr input) const {
    return std::make_unique<RedactOperator>(*this, std::move(input));
}

}  // namespace

void parse_redact(bson::Element spec, const ContextPtr& context, StageList& out) {
    const std::size_t mark = context->scope->mark();
    RedactVariables variables;
    variables.current = context->scope->define("CURRENT");
    variables.descend = context->scope->define("DESCEND");
    variables.prune = context->scope->define("PRUNE");
    variables.keep = context->scope->define("KEEP");
    mql::ExpressionParseContext parsing = context->parsing();
    mql::Expression expression = mql::Expression::parse(spec, parsing);
    context->scope->release(mark);
    out.push_back(std::make_unique<RedactStage>(std::move(expression), variables, context));
}

}  // namespace ixora::pipeline
