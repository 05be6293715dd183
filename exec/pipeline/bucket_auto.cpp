// $bucketAuto: buckets of about equal size (spec: aggregation.md 3).
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "granularity.hpp"
#include "ixora/base/error.hpp"
#include "ixora/bson/compare.hpp"
#include "ixora/bson/debug_string.hpp"
#include "ixora/mql/accumulator.hpp"
#include "ixora/pipeline/evaluation.hpp"
#include "ixora/pipeline/stages.hpp"

namespace ixora::pipeline {

namespace {

constexpr std::size_t memory_max = 104857600;

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

class BucketAutoOperator final : public Operator {
public:
    BucketAutoOperator(const BucketAutoStage& stage, OperatorPtr input)
        : Operator(std::move(input)),
          options_(stage.options()),
          collator_(stage.context()->collator.get()),
          evaluation_(*stage.context()) {}

    void append_statistics(bson::Builder& out) const override { out.append("usedDisk", false); }

private:
    struct Item {
        bson::Value key;
        bson::Document document;
    };
    struct Bucket {
        bson::Value min;
        bson::Value max;
    };

    Pulled pull(Row& out) override {
        while (!populated_) {
            Row row;
            const Pulled pulled = input()->next(row);
            if (pulled == Pulled::pause) return pulled;
            if (pulled == Pulled::row) {
                take(row);
                continue;
            }
            std::stable_sort(items_.begin(), items_.end(),
                             [this](const Item& left, const Item& right) { return compare(left.key, right.key) < 0; });
            populated_ = true;
        }
        if (next_ == items_.size()) return Pulled::end;
        write_bucket(out);
        return Pulled::row;
    }

    int compare(const bson::Value& left, const bson::Value& right) const noexcept {
        return bson::compare(left, right, bson::FieldNames::ignored, collator_);
    }

    void take(Row& row) {
        const mql::ComputedValue key = options_.group_by->evaluate(evaluation_.on(row));
        if (options_.granularity) check_number(key.element());
        row.own();
        bytes_ += row.owned.size();
        if (bytes_ > memory_max)
            throw Error(ErrorCode::query_exceeded_memory_limit_no_disk_use_allowed,
                        "Exceeded memory limit for $bucketAuto, but didn't allow external sort. Pass "
                        "allowDiskUse:true to opt in.");
        items_.push_back({key.missing() ? bson::Value::null() : key.to_value(), row.owned});
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
        const auto share = static_cast<std::size_t>(
            std::max(1.0, std::round(static_cast<double>(items_.size()) / static_cast<double>(options_.buckets))));
        const std::size_t first = next_;
        next_ = is_last ? items_.size() : std::min(items_.size(), first + share);
        Bucket bucket{items_[first].key, items_[next_ - 1].key};
        if (options_.granularity)
            round(bucket);
        else
            extend(bucket);
        write(bucket, first, out);
        previous_max_ = bucket.max;
    }

    void extend(Bucket& bucket) {
        while (next_ < items_.size() && compare(items_[next_].key, bucket.max) == 0) ++next_;
        if (next_ < items_.size()) bucket.max = items_[next_].key;
    }

    void round(Bucket& bucket) {
        const Granularity& granularity = *options_.granularity;
        bucket.min = bucket_number_ == 1 ? rounded(bucket.min, granularity.round_down(bucket.min.element().to_double()))
                                         : previous_max_;
        const bson::Value boundary = rounded(bucket.max, granularity.round_up(bucket.max.element().to_double()));
        while (next_ < items_.size() && compare(boundary, items_[next_].key) > 0) ++next_;
        bucket.max = boundary;
        if (boundary.element().to_double() == 0 && next_ < items_.size())
            bucket.max = rounded(items_[next_].key, granularity.round_down(items_[next_].key.element().to_double()));
    }

    // In the type of what was rounded: decimals stay decimals, the rest are doubles.
    static bson::Value rounded(const bson::Value& original, double value) {
        if (original.type() != bson::Type::number_decimal) return bson::Value::of_double(value);
        return bson::Value::of_decimal(bson::Decimal128::from_double(value));
    }

    void write(const Bucket& bucket, std::size_t first, Row& out) {
        builder_.reset();
        builder_.open_object("_id");
        builder_.append("min", bucket.min);
        builder_.append("max", bucket.max);
        builder_.close();
        mql::EvaluationContext& values = evaluation_.on(bson::View());
        std::vector<std::unique_ptr<mql::Accumulator>> accumulators;
        for (const mql::AccumulatorField& field : options_.output)
            accumulators.push_back(field.make(bson::Element(), values));
        for (std::size_t at = first; at < next_; ++at) {
            mql::EvaluationContext& row = evaluation_.on(items_[at].document);
            for (std::size_t i = 0; i < accumulators.size(); ++i)
                accumulators[i]->process(options_.output[i].evaluate_argument(row));
        }
        for (std::size_t i = 0; i < accumulators.size(); ++i) {
            const mql::ComputedValue result = accumulators[i]->result();
            if (result.missing())
                builder_.append_null(options_.output[i].name());
            else
                result.append_to(builder_, options_.output[i].name());
        }
        out.sort_key = bson::Value();
        out.set_view(builder_.finish_view());
    }

    const BucketAutoOptions& options_;
    const bson::Collator* collator_;
    Evaluation evaluation_;
    std::vector<Item> items_;
    std::size_t bytes_ = 0;
    std::size_t next_ = 0;
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
        if (!field.is_object() && !(field.is_string() && field.string().starts_with('$')))
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
