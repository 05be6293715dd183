#include "ixora/pipeline/group_by_distinct_scan.hpp"

#include "ixora/pipeline/evaluation.hpp"

namespace ixora::pipeline {

namespace {

struct OutputField {
    std::string name;
    mql::Expression value;
};

class GroupByDistinctScanStage final : public PipelineStage {
public:
    GroupByDistinctScanStage(std::vector<OutputField> fields, ContextPtr context)
        : PipelineStage(std::move(context)), fields_(std::move(fields)) {}

    void print(bson::Builder& out) const override {
        out.open_object("$groupByDistinctScan");
        out.open_object("newRoot");
        for (const OutputField& field : fields_) field.value.serialize(out, field.name);
        out.close();
        out.close();
    }
    NeedsAnswer add_needs(Needs& needs) const override {
        for (const OutputField& field : fields_) needs.add(field.value);
        return NeedsAnswer::exhaustive;
    }
    ModifiedPaths modified_paths() const override { return {ModifiedPaths::Kind::all, {}, {}}; }
    bool is_one_to_one() const noexcept override { return true; }
    OperatorPtr open(OperatorPtr input) const override;

    const std::vector<OutputField>& fields() const noexcept { return fields_; }

private:
    std::vector<OutputField> fields_;
};

class GroupByDistinctScanOperator final : public Operator {
public:
    GroupByDistinctScanOperator(const GroupByDistinctScanStage& stage, OperatorPtr input)
        : Operator(std::move(input)), stage_(stage), evaluation_(*stage.context()) {}

private:
    Pulled pull(Row& out) override {
        const Pulled pulled = input()->next(row_);
        if (pulled != Pulled::row) return pulled;
        mql::EvaluationContext& values = evaluation_.on(row_);
        builder_.reset();
        for (const OutputField& field : stage_.fields()) {
            const mql::ComputedValue value = field.value.evaluate(values);
            if (value.missing())
                builder_.append_null(field.name);
            else
                value.append_to(builder_, field.name);
        }
        out.set_view(builder_.finish_view());
        return Pulled::row;
    }

    const GroupByDistinctScanStage& stage_;
    Evaluation evaluation_;
    Row row_;
    bson::Builder builder_;
};

OperatorPtr GroupByDistinctScanStage::open(OperatorPtr input) const {
    return std::make_unique<GroupByDistinctScanOperator>(*this, std::move(input));
}

}  // namespace

std::optional<std::string> distinct_key(const GroupStage& group) {
    const auto paths = group.key_paths();
    if (paths.size() != 1 || group.key_part_count() != 1) return std::nullopt;
    for (const mql::AccumulatorField& field : group.fields())
        if (field.operator_name() != "$first") return std::nullopt;
    return paths.front().second;
}

StagePtr group_by_distinct_scan(const GroupStage& group) {
    std::vector<OutputField> fields{{"_id", group.key()}};
    for (const mql::AccumulatorField& field : group.fields()) fields.push_back({field.name(), field.argument()});
    return std::make_unique<GroupByDistinctScanStage>(std::move(fields), group.context());
}

}  // namespace ixora::pipeline
