// $sample: a number of rows at random, none twice (spec: aggregation.md 3).
#include <algorithm>
#include <random>

#include "ixora/base/error.hpp"
#include "ixora/pipeline/stages.hpp"

namespace ixora::pipeline {

namespace {

class SampleStage final : public PipelineStage {
public:
    SampleStage(std::int64_t size, ContextPtr context) : PipelineStage(std::move(context)), size_(size) {}

    StageKind kind() const noexcept override { return StageKind::sample; }
    void print(bson::Builder& out) const override {
        out.open_object("$sample");
        out.append("size", size_);
        out.close();
    }
    NeedsAnswer add_needs(Needs&) const override { return NeedsAnswer::see_next; }
    ModifiedPaths modified_paths() const override { return {}; }
    OperatorPtr open(OperatorPtr input) const override;
    std::int64_t size() const noexcept { return size_; }

private:
    std::int64_t size_;
};

// Keeps a reservoir of the sample's size and gives it out in random order.
class SampleOperator final : public Operator {
public:
    SampleOperator(const SampleStage& stage, OperatorPtr input) : Operator(std::move(input)), stage_(stage) {}

private:
    Pulled pull(Row& out) override {
        while (!populated_) {
            const Pulled pulled = input()->next(out);
            if (pulled == Pulled::pause) return pulled;
            if (pulled == Pulled::end) {
                std::shuffle(kept_.begin(), kept_.end(), random_);
                populated_ = true;
            } else {
                take(out);
            }
        }
        if (next_ == kept_.size()) return Pulled::end;
        out.set_owned(std::move(kept_[next_++]));
        return Pulled::row;
    }

    void take(Row& row) {
        ++seen_;
        if (seen_ % 256 == 0) stage_.context()->check_interrupt();
        if (kept_.size() < static_cast<std::size_t>(stage_.size())) {
            row.own();
            kept_.push_back(row.owned);
            return;
        }
        const auto place = std::uniform_int_distribution<std::uint64_t>(0, seen_ - 1)(random_);
        if (place >= kept_.size()) return;
        row.own();
        kept_[static_cast<std::size_t>(place)] = row.owned;
    }

    const SampleStage& stage_;
    std::mt19937_64 random_{std::random_device{}()};
    std::vector<bson::Document> kept_;
    std::uint64_t seen_ = 0;
    std::size_t next_ = 0;
    bool populated_ = false;
};

OperatorPtr SampleStage::open(OperatorPtr input) const {
    return std::make_unique<SampleOperator>(*this, std::move(input));
}

}  // namespace

void parse_sample(bson::Element spec, const ContextPtr& context, StageList& out) {
    if (!spec.is_object()) throw Error(28745, "the $sample stage specification must be an object");
    std::optional<std::int64_t> size;
    for (const bson::Element& field : spec.object()) {
        if (field.name() != "size") throw Error(28748, "unrecognized option to $sample: " + std::string(field.name()));
        if (!field.is_number()) throw Error(28746, "size argument to $sample must be a number");
        size = field.to_int64();
        if (*size < 0) throw Error(28747, "size argument to $sample must not be negative");
    }
    if (!size) throw Error(28749, "$sample stage must specify a size");
    out.push_back(std::make_unique<SampleStage>(*size, context));
}

}  // namespace ixora::pipeline
