// $replaceRoot and $replaceWith (spec: aggregation.md 3).
#include "ixora/pipeline/replace_root.hpp"
#include "ixora/base/error.hpp"
#include "ixora/bson/debug_string.hpp"
#include "ixora/pipeline/document_edit.hpp"
#include "ixora/pipeline/evaluation.hpp"
#include "ixora/pipeline/stages.hpp"

namespace ixora::pipeline {

namespace {

class ReplaceRootOperator final : public Operator {
public:
    ReplaceRootOperator(const ReplaceRootStage& stage, OperatorPtr input)
        : Operator(std::move(input)), stage_(stage), evaluation_(*stage.context()) {}

private:
    Pulled pull(Row& out) override {
        const Pulled pulled = input()->next(row_);
        if (pulled != Pulled::row) return pulled;
        root_ = stage_.new_root().evaluate(evaluation_.on(row_));
        if (!root_.is_object()) refuse();
        out.sort_key = bson::Value();
        out.set_view(root_.object());
        return Pulled::row;
    }

    [[noreturn]] void refuse() const {
        const bson::Element value = root_.element();
        const std::string shown = value.missing() ? "MISSING" : bson::debug_string(value);
        const std::string type = value.missing() ? "missing" : std::string(bson::type_name(value.type()));
        throw Error(40228, (stage_.is_replace_with() ? "'replacement document' must" : "'newRoot' expression must") +
                               std::string(" evaluate to an object, but resulting value was: ") + shown +
                               ". Type of resulting value: '" + type +
                               "'. Input document: " + document_text(row_.document));
    }

    const ReplaceRootStage& stage_;
    Evaluation evaluation_;
    Row row_;
    mql::ComputedValue root_;
};

}  // namespace

void ReplaceRootStage::print(bson::Builder& out) const {
    out.open_object("$replaceRoot");
    new_root_.serialize(out, "newRoot");
    out.close();
}

NeedsAnswer ReplaceRootStage::add_needs(Needs& needs) const {
    needs.add(new_root_);
    return NeedsAnswer::exhaustive;
}

OperatorPtr ReplaceRootStage::open(OperatorPtr input) const {
    return std::make_unique<ReplaceRootOperator>(*this, std::move(input));
}

void parse_replace_root(bson::Element spec, const ContextPtr& context, StageList& out) {
    const bool replace_with = spec.name() == "$replaceWith";
    bson::Element new_root = spec;
    if (!replace_with) {
        if (!spec.is_object())
            throw Error(40229, "expected an object as specification for $replaceRoot stage, got " +
                                   std::string(bson::type_name(spec.type())));
        for (const bson::Element& field : spec.object())
            if (field.name() != "newRoot")
                throw Error(40415, "BSON field '$replaceRoot." + std::string(field.name()) + "' is an unknown field.");
        new_root = spec.object()["newRoot"];
        if (new_root.missing()) throw Error(40414, "BSON field '$replaceRoot.newRoot' is missing but a required field");
    }
    mql::ExpressionParseContext parsing = context->parsing();
    out.push_back(std::make_unique<ReplaceRootStage>(mql::Expression::parse(new_root, parsing), replace_with, context));
}

}  // namespace ixora::pipeline
