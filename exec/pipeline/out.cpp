// $out: the rows become the contents of a collection (spec: aggregation.md 14).
#include <optional>

#include "ixora/base/error.hpp"
#include "ixora/pipeline/stages.hpp"

namespace ixora::pipeline {

namespace {

constexpr std::size_t batch_bytes_max = 1UL << 20;

class OutStage final : public PipelineStage {
public:
    OutStage(CollectionName target, ContextPtr context)
        : PipelineStage(std::move(context)), target_(std::move(target)) {}

    void print(bson::Builder& out) const override {
        out.open_object("$out");
        out.append("db", target_.database);
        out.append("coll", target_.collection);
        out.close();
    }
    NeedsAnswer add_needs(Needs&) const override { return NeedsAnswer::unknown; }
    ModifiedPaths modified_paths() const override { return {}; }
    bool writes() const noexcept override { return true; }
    OperatorPtr open(OperatorPtr input) const override;

    const CollectionName& target() const noexcept { return target_; }

private:
    CollectionName target_;
};

class OutOperator final : public Operator {
public:
    OutOperator(const OutStage& stage, OperatorPtr input) : Operator(std::move(input)), stage_(stage) {}

private:
    Pulled pull(Row& out) override {
        const OperationContext& operation = *stage_.context()->operation;
        if (!operation.is_explain && !output_) output_ = operation.environment->replace_collection(stage_.target());
        for (;;) {
            const Pulled pulled = input()->next(out);
            if (pulled == Pulled::row) {
                if (output_) take(out);
                continue;
            }
            if (pulled == Pulled::end && output_) {
                flush();
                output_->publish();
            }
            return pulled;
        }
    }

    void take(Row& row) {
        row.own();
        bytes_ += row.owned.size();
        batch_.push_back(std::move(row.owned));
        if (bytes_ > batch_bytes_max) flush();
    }
    void flush() {
        stage_.context()->check_interrupt();
        const std::vector<bson::View> views(batch_.begin(), batch_.end());
        output_->insert(views);
        batch_.clear();
        bytes_ = 0;
    }

    const OutStage& stage_;
    std::unique_ptr<OutputCollection> output_;
    std::vector<bson::Document> batch_;
    std::size_t bytes_ = 0;
};

OperatorPtr OutStage::open(OperatorPtr input) const { return std::make_unique<OutOperator>(*this, std::move(input)); }

CollectionName parse_target(bson::Element spec, const std::string& database) {
    if (spec.is_string()) return {database, std::string(spec.string())};
    std::optional<std::string> db, coll;
    for (const bson::Element& field : spec.object()) {
        if (field.name() != "db" && field.name() != "coll")
            throw Error(40415, "BSON field '$out." + std::string(field.name()) + "' is an unknown field.");
        if (!field.is_string())
            throw Error(ErrorCode::type_mismatch,
                        "BSON field '$out." + std::string(field.name()) + "' is the wrong type '" +
                            std::string(bson::type_name(field.type())) + "', expected type 'string'");
        (field.name() == "db" ? db : coll) = field.string();
    }
    for (const auto& [name, value] : {std::pair("coll", &coll), std::pair("db", &db)})
        if (!*value) throw Error(40414, "BSON field '$out." + std::string(name) + "' is missing but a required field");
    return {*db, *coll};
}

}  // namespace

void parse_out(bson::Element spec, const ContextPtr& context, StageList& out) {
    if (!spec.is_string() && !spec.is_object())
        throw Error(16990, "$out only supports a string or object argument, but found " +
                               std::string(bson::type_name(spec.type())));
    CollectionName target = parse_target(spec, context->ns.database);
    if (target.collection.empty())
        throw Error(ErrorCode::invalid_namespace, "Invalid $out target namespace, " + target.database);
    if (target.collection.starts_with("system."))
        throw Error(17385, "Can't $out to special collection: " + target.collection);
    for (const char* internal : {"admin", "config", "local"})
        if (target.database == internal) throw Error(31321, "Can't $out to internal database: " + target.database);
    out.push_back(std::make_unique<OutStage>(std::move(target), context));
}

}  // namespace ixora::pipeline
