// $bucketAuto: buckets of about equal size (spec: aggregation.md 3).
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "bucket_item.hpp"
#include "granularity.hpp"
#include "ixora/base/error.hpp"
#include "ixora/bson/compare.hpp"
#include "ixora/bson/debug_string.hpp"
#include "ixora/key/key_string.hpp"
#include "ixora/mql/accumulator.hpp"
#include "ixora/pipeline/evaluation.hpp"
#include "ixora/pipeline/stage_list.hpp"
#include "ixora/pipeline/stages.hpp"
#include "ixora/stage/spilling_sorter.hpp"

namespace ixora::pipeline {

namespace {

struct BucketAutoOptions {
    std::optional<mql::Expression> group_by;
    std::int32_t buckets = 0;
    std::vector<mql::AccumulatorField> output;
    std::optional<Granularity> granularity;
};

class BucketAutoStage final : public PipelineStage {
public:
    BucketAutoStage(BucketAutoOptions options, ContextPtr context)
        : PipelineStage(std::move(context)), options_(std::move(options)) {}

    void print(bson::Builder& out) const override {
        out.open_object("$bucketAuto");
        options_.group_by->serialize(out, "groupBy");
        out.append("buckets", options_.buckets);
        if (options_.granularity) out.append("granularity", options_.granularity->name());
        out.open_object("output");
        for (const mql::AccumulatorField& field : options_.output) field.serialize(out);
        out.close();
        out.close();
    }
    NeedsAnswer add_needs(Needs& needs) const override {
        needs.add(*options_.group_by);
        mql::ExpressionDependencies read;
        for (const mql::AccumulatorField& field : options_.output) field.add_dependencies(read);
        needs.add(read);
        return NeedsAnswer::exhaustive;
    }
    ModifiedPaths modified_paths() const override { return {ModifiedPaths::Kind::all, {}, {}}; }
    void optimize() override {
        options_.group_by->optimize();
        for (mql::AccumulatorField& field : options_.output) field.optimize();
    }
    OperatorPtr open(OperatorPtr input) const override;

    const BucketAutoOptions& options() const noexcept { return options_; }

private:
    BucketAutoOptions options_;
};

// Sorts the rows by their keys, then cuts them into buckets one after another.
class BucketAutoOperator final : public Operator {
public:
    BucketAutoOperator(const BucketAutoStage& stage, OperatorPtr input)
        : Operator(std::move(input)),
          options_(stage.options()),
          operation_(*stage.context()->operation),
          collator_(stage.context()->collator.get()),
          evaluation_(*stage.context()),
          sorter_(0, operation_.spill_policy(operation_.knobs.internalDocumentSourceBucketAutoMaxMemoryBytes)) {}

    void append_statistics(bson::Builder& out) const override { out.append("usedDisk", sorter_.spills() > 0); }

private:
    struct Bucket {
        bson::Value min;
        bson::Value max;
        std::vector<std::unique_ptr<mql::Accumulator>> accumulators;
    };

    Pulled pull(Row& out) override {
        execution_.interrupt = operation_.interrupt;
        while (!populated_) {
            Row row;
            const Pulled pulled = input()->next(row);
            if (pulled == Pulled::pause) return pulled;
            if (pulled == Pulled::row) {
                take(row);
                continue;
            }
            sorter_.finish(execution_);
            item_ = sorter_.next();
            populated_ = true;
        }
        if (item_ == nullptr) return Pulled::end;
        write_bucket(out);
        return Pulled::row;
    }

    int compare(const bson::Value& left, const bson::Value& right) const noexcept {
        return bson::compare(left, right, bson::FieldNames::ignored, collator_);
    }

    void take(Row& row) {
        const mql::ComputedValue computed = options_.group_by->evaluate(evaluation_.on(row));
        if (options_.granularity) check_number(computed.element());
        row.own();
        BucketItem item{computed.missing() ? bson::Value::null() : computed.to_value(), row.owned};
        const std::string key = key::encode_element(item.key, false, collator_);
        sorter_.add(key::as_bytes(key), std::move(item), execution_);
        ++count_;
    }

    static void check_number(bson::Element key) {
        if (!key.is_number())
            throw Error(40258,
                        "$bucketAuto can specify a 'granularity' with numeric boundaries only, but found a value with "
                        "type: " +
                            std::string(key.missing() ? "missing" : bson::type_name(key.type())));
        if (key.is_nan())
            throw Error(40259, "$bucketAuto can specify a 'granularity' with numeric boundaries only, but found a NaN");
        if (key.to_double() < 0)
            throw Error(40260,
                        "$bucketAuto can specify a 'granularity' with non-negative numbers only, but found a "
                        "negative number: " +
                            bson::debug_string(key));
    }

    // Takes its share of the items, then those that may not be told from the last one.
    void write_bucket(Row& out) {
        const bool is_last = ++bucket_number_ == options_.buckets;
        const std::int64_t share = std::max<std::int64_t>(
            1, std::llround(static_cast<double>(count_) / static_cast<double>(options_.buckets)));
        Bucket bucket = begin();
        for (std::int64_t taken = 0; item_ != nullptr && (is_last || taken < share); ++taken) move_item(bucket);
        if (options_.granularity)
            round(bucket);
        else
            extend(bucket);
        write(bucket, out);
        previous_max_ = bucket.max;
    }

    Bucket begin() {
        Bucket bucket{item_->key, {}, {}};
        mql::EvaluationContext& values = evaluation_.on(bson::View());
        for (const mql::AccumulatorField& field : options_.output)
            bucket.accumulators.push_back(field.make(bson::Element(), values));
        return bucket;
    }

    // The item at hand goes into the bucket.
    void move_item(Bucket& bucket) {
        mql::EvaluationContext& row = evaluation_.on(item_->document.view());
        for (std::size_t i = 0; i < bucket.accumulators.size(); ++i)
            bucket.accumulators[i]->process(options_.output[i].evaluate_argument(row));
        bucket.max = item_->key;
        item_ = sorter_.next();
    }

    void extend(Bucket& bucket) {
        while (item_ != nullptr && compare(item_->key, bucket.max) == 0) move_item(bucket);
        if (item_ != nullptr) bucket.max = item_->key;
    }

    void round(Bucket& bucket) {
        const Granularity& granularity = *options_.granularity;
        bucket.min = bucket_number_ == 1 ? rounded(bucket.min, granularity.round_down(bucket.min.element().to_double()))
                                         : previous_max_;
        const bson::Value boundary = rounded(bucket.max, granularity.round_up(bucket.max.element().to_double()));
        while (item_ != nullptr && compare(boundary, item_->key) > 0) move_item(bucket);
        bucket.max = boundary;
        if (boundary.element().to_double() == 0 && item_ != nullptr)
            bucket.max = rounded(item_->key, granularity.round_down(item_->key.element().to_double()));
    }

    // In the type of what was rounded: decimals stay decimals, the rest are doubles.
    static bson::Value rounded(const bson::Value& original, double value) {
        if (original.type() != bson::Type::number_decimal) return bson::Value::of_double(value);
        return bson::Value::of_decimal(bson::Decimal128::from_double(value));
    }

    void write(const Bucket& bucket, Row& out) {
        builder_.reset();
        builder_.open_object("_id");
        builder_.append("min", bucket.min);
        builder_.append("max", bucket.max);
        builder_.close();
        for (std::size_t i = 0; i < bucket.accumulators.size(); ++i) {
            const mql::ComputedValue result = bucket.accumulators[i]->result();
            if (result.missing())
                builder_.append_null(options_.output[i].name());
            else
                result.append_to(builder_, options_.output[i].name());
        }
        out.sort_key = bson::Value();
        out.set_view(builder_.finish_view());
    }

    const BucketAutoOptions& options_;
    const OperationContext& operation_;
    stage::ExecutionContext execution_;
    const bson::Collator* collator_;
    Evaluation evaluation_;
    stage::SpillingSorter<BucketItem> sorter_;
    BucketItem* item_ = nullptr;  // the next one; null at the end
    std::int64_t count_ = 0;
    std::int32_t bucket_number_ = 0;
    bson::Value previous_max_;
    bool populated_ = false;
    bson::Builder builder_;
};

OperatorPtr BucketAutoStage::open(OperatorPtr input) const {
    return std::make_unique<BucketAutoOperator>(*this, std::move(input));
}

std::string type_of(bson::Element value) { return std::string(bson::type_name(value.type())); }

std::int32_t parse_bucket_count(bson::Element field) {
    if (!field.is_number())
        throw Error(40241,
                    "The $bucketAuto 'buckets' field must be a numeric value, but found type: " + type_of(field));
    const double count = field.to_double();
    if (!(count >= std::numeric_limits<std::int32_t>::min() && count <= std::numeric_limits<std::int32_t>::max()) ||
        count != std::trunc(count))
        throw Error(40242, "The $bucketAuto 'buckets' field must be representable as a 32-bit integer, but found " +
                               bson::debug_string(field));
    if (count <= 0)
        throw Error(40243, "The $bucketAuto 'buckets' field must be greater than 0, but found: " +
                               std::to_string(static_cast<std::int32_t>(count)));
    return static_cast<std::int32_t>(count);
}

void parse_option(bson::Element field, mql::ExpressionParseContext& parsing, BucketAutoOptions& options,
                  bool& has_output) {
    if (field.name() == "groupBy") {
        if (!is_path_or_operator(field))
            throw Error(40239,
                        "The $bucketAuto 'groupBy' field must be defined as a $-prefixed path or an expression object, "
                        "but found: " +
                            bson::debug_string(field));
        options.group_by = mql::Expression::parse(field, parsing);
    } else if (field.name() == "buckets") {
        options.buckets = parse_bucket_count(field);
    } else if (field.name() == "output") {
        if (!field.is_object())
            throw Error(40244, "The $bucketAuto 'output' field must be an object, but found type: " + type_of(field));
        has_output = true;
        for (const bson::Element& output : field.object())
            options.output.push_back(mql::AccumulatorField::parse(output, parsing));
    } else if (field.name() == "granularity") {
        if (!field.is_string())
            throw Error(40261,
                        "The $bucketAuto 'granularity' field must be a string, but found type: " + type_of(field));
        options.granularity.emplace(field.string());
    } else {
        throw Error(40245, "Unrecognized option to $bucketAuto: " + std::string(field.name()));
    }
}

}  // namespace

void parse_bucket_auto(bson::Element spec, const ContextPtr& context, StageList& out) {
    if (!spec.is_object())
        throw Error(40240, "The argument to $bucketAuto must be an object, but found type: " + type_of(spec));
    BucketAutoOptions options;
    bool has_output = false;
    mql::ExpressionParseContext parsing = context->parsing();
    for (const bson::Element& field : spec.object()) parse_option(field, parsing, options, has_output);
    if (!options.group_by || options.buckets == 0)
        throw Error(40246, "$bucketAuto requires 'groupBy' and 'buckets' to be specified");
    if (!has_output) {
        bson::Builder count;
        count.open_object("count");
        count.append("$sum", 1);
        count.close();
        const bson::Document field = count.finish();
        options.output.push_back(mql::AccumulatorField::parse(field.view().front(), parsing));
    }
    out.push_back(std::make_unique<BucketAutoStage>(std::move(options), context));
}

}  // namespace ixora::pipeline
