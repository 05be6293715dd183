// $densify: rows for the values that a sequence lacks (spec: aggregation.md 12).
#include <deque>
#include <optional>

#include "ixora/base/error.hpp"
#include "ixora/bson/compare.hpp"
#include "ixora/pipeline/document_edit.hpp"
#include "ixora/pipeline/stage_list.hpp"
#include "ixora/pipeline/stages.hpp"
#include "value_step.hpp"

namespace ixora::pipeline {

namespace {

constexpr std::int64_t generated_max = 500000;

enum class DensifyBounds { full, partition, given };

struct DensifyOptions {
    bson::FieldPath field;
    std::vector<bson::FieldPath> partition_by;
    bson::Value step;
    std::string unit;
    DensifyBounds bounds = DensifyBounds::full;
    bson::Value lower;  // of given bounds
    bson::Value upper;
};

class DensifyStage final : public PipelineStage {
public:
    DensifyStage(DensifyOptions options, ContextPtr context)
        : PipelineStage(std::move(context)), options_(std::move(options)) {}

    void print(bson::Builder& out) const override {
        out.open_object("$_internalDensify");
        out.append("field", options_.field.dotted());
        out.open_array("partitionByFields");
        for (const bson::FieldPath& path : options_.partition_by) out.append(path.dotted());
        out.close();
        out.open_object("range");
        out.append("step", options_.step);
        if (options_.bounds == DensifyBounds::given) {
            out.open_array("bounds");
            out.append_member(options_.lower);
            out.append_member(options_.upper);
            out.close();
        } else {
            out.append("bounds", options_.bounds == DensifyBounds::full ? "full" : "partition");
        }
        if (!options_.unit.empty()) out.append("unit", options_.unit);
        out.close();
        out.close();
    }
    NeedsAnswer add_needs(Needs& needs) const override {
        needs.fields.insert(options_.field.dotted());
        for (const bson::FieldPath& path : options_.partition_by) needs.fields.insert(path.dotted());
        return NeedsAnswer::see_next;
    }
    ModifiedPaths modified_paths() const override { return {ModifiedPaths::Kind::all, {}, {}}; }
    OperatorPtr open(OperatorPtr input) const override;

    const DensifyOptions& options() const noexcept { return options_; }

private:
    DensifyOptions options_;
};

// Its input comes sorted by the field, and before that by partition unless the bounds are full. Each partition has a
// grid; what of it lies before the value of a row, and is not there, comes out before that row.
class DensifyOperator final : public Operator {
public:
    DensifyOperator(const DensifyStage& stage, OperatorPtr input)
        : Operator(std::move(input)),
          stage_(stage),
          options_(stage.options()),
          step_(options_.step, options_.unit),
          collator_(stage.context()->collator.get()) {}

private:
    struct Partition {
        bson::Document key;  // the partition fields alone
        bson::Value next;    // of the grid
    };

    // A stretch of a partition's grid that is to come out.
    struct Stretch {
        std::size_t partition = 0;
        bson::Value until;
        bool included = false;
    };

    Pulled pull(Row& out) override {
        for (;;) {
            while (!stretches_.empty()) {
                if (generate(stretches_.front(), out)) return Pulled::row;
                stretches_.pop_front();
            }
            if (held_) {
                out.set_owned(*std::exchange(held_, std::nullopt));
                return Pulled::row;
            }
            if (ended_) return Pulled::end;
            Row row;
            const Pulled pulled = input()->next(row);
            if (pulled == Pulled::pause) return pulled;
            if (pulled == Pulled::end) {
                finish();
                continue;
            }
            row.own();
            take(std::move(row.owned));
        }
    }

    static int compare(const bson::Value& left, const bson::Value& right) noexcept {
        return bson::compare(left.element(), right.element());
    }

    // The next value of the grid before the end of the stretch, if there is one. A value that ends it without being
    // included is in the input.
    bool generate(const Stretch& stretch, Row& out) {
        Partition& partition = partitions_[stretch.partition];
        const int order = compare(partition.next, stretch.until);
        if (order > 0 || (order == 0 && !stretch.included)) {
            if (order == 0) partition.next = step_.after(stretch.until);
            return false;
        }
        if (++generated_ > generated_max)
            throw Error(5897900, "Generated " + std::to_string(generated_) +
                                     " documents in $densify, which is over the limit of " +
                                     std::to_string(generated_max) +
                                     ". Increase the 'internalQueryMaxAllowedDensifyDocs' parameter to allow more "
                                     "generated documents");
        if (generated_ % 256 == 0) stage_.context()->check_interrupt();
        out.sort_key = bson::Value();
        out.set_owned(with_field(partition.key, options_.field, partition.next));
        partition.next = step_.after(partition.next);
        return true;
    }

    void take(bson::Document document) {
        const bson::Element value = value_at(document, options_.field);
        const bool nothing = value.missing() || value.is_null() || value.type() == bson::Type::undefined;
        if (!nothing) check_type(value);
        const bson::Value current(value);
        held_ = std::move(document);
        if (nothing) return;
        if (options_.bounds == DensifyBounds::given && compare(current, options_.lower) < 0) return;
        if (global_min_.missing()) global_min_ = current;
        global_max_ = current;
        const std::size_t partition = partition_of(*held_, current);
        const bool beyond = options_.bounds == DensifyBounds::given && compare(current, options_.upper) > 0;
        stretches_.push_back({partition, beyond ? options_.upper : current, false});
    }

    void check_type(bson::Element value) const {
        const bool is_date = value.type() == bson::Type::date;
        if (!is_date && !value.is_number()) throw Error(5733201, "Densify field type must be numeric or a date");
        if (!is_date && !options_.unit.empty())
            throw Error(6053600, "Encountered numeric densify value in collection when step has a date unit.");
        if (is_date && options_.unit.empty())
            throw Error(6053600, "Encountered date densify value in collection when step does not have a date unit.");
    }

    bson::Document partition_key(bson::View document) const {
        bson::Document key;
        for (const bson::FieldPath& path : options_.partition_by) {
            const bson::Value value(value_at(document, path));
            if (!value.missing()) key = with_field(key, path, value);
        }
        return key;
    }

    // Rows that are sorted by partition belong to the last one or to a new one.
    std::size_t partition_of(bson::View document, const bson::Value& value) {
        const bson::Document key = partition_key(document);
        const std::size_t oldest =
            options_.bounds == DensifyBounds::full || partitions_.empty() ? 0 : partitions_.size() - 1;
        for (std::size_t i = oldest; i < partitions_.size(); ++i)
            if (bson::equal(partitions_[i].key.view(), key.view(), collator_)) return i;
        switch (options_.bounds) {
            case DensifyBounds::full: partitions_.push_back({key, global_min_}); break;
            case DensifyBounds::partition: partitions_.push_back({key, value}); break;
            case DensifyBounds::given: partitions_.push_back({key, options_.lower}); break;
        }
        return partitions_.size() - 1;
    }

    // What is left of a partition's grid.
    void complete(std::size_t partition) {
        if (options_.bounds == DensifyBounds::full) stretches_.push_back({partition, global_max_, true});
        if (options_.bounds == DensifyBounds::given) stretches_.push_back({partition, options_.upper, false});
    }

    void finish() {
        ended_ = true;
        if (options_.bounds == DensifyBounds::given && options_.partition_by.empty() && partitions_.empty())
            partitions_.push_back({bson::Document(), options_.lower});
        for (std::size_t i = 0; i < partitions_.size(); ++i) complete(i);
    }

    const DensifyStage& stage_;
    const DensifyOptions& options_;
    ValueStep step_;
    const bson::Collator* collator_;
    std::vector<Partition> partitions_;
    std::deque<Stretch> stretches_;
    std::optional<bson::Document> held_;  // comes after them
    bson::Value global_min_;
    bson::Value global_max_;
    std::int64_t generated_ = 0;
    bool ended_ = false;
};

OperatorPtr DensifyStage::open(OperatorPtr input) const {
    return std::make_unique<DensifyOperator>(*this, std::move(input));
}

std::string type_of(bson::Element value) { return std::string(bson::type_name(value.type())); }

Error wrong_type(std::string_view field, bson::Element value, std::string_view expected) {
    return Error(ErrorCode::type_mismatch, "BSON field '$densify." + std::string(field) + "' is the wrong type '" +
                                               type_of(value) + "', expected type '" + std::string(expected) + "'");
}
Error missing(std::string_view field) {
    return Error(40414, "BSON field '$densify." + std::string(field) + "' is missing but a required field");
}

void parse_bounds(bson::Element bounds, DensifyOptions& options) {
    if (bounds.is_string()) {
        if (bounds.string() == "full")
            options.bounds = DensifyBounds::full;
        else if (bounds.string() == "partition")
            options.bounds = DensifyBounds::partition;
        else
            throw Error(5946802, "Bounds string must either be 'full' or 'partition'");
        return;
    }
    if (!bounds.is_array()) throw Error(5946802, "Bounds must be a string or an array");
    if (bounds.object().field_count() != 2) throw Error(5733403, "A bounding array must have exactly two elements");
    const bson::Element lower = bounds.object()["0"];
    const bson::Element upper = bounds.object()["1"];
    const bool numbers = lower.is_number() && upper.is_number();
    const bool dates = lower.type() == bson::Type::date && upper.type() == bson::Type::date;
    if (!numbers && !dates)
        throw Error(lower.is_number() ? 5733406 : 5733405,
                    "A bounding array must contain either both dates or both numeric types");
    if (numbers && !options.unit.empty()) throw Error(5733409, "Numeric bounds may not have unit parameter");
    if (dates && options.unit.empty()) throw Error(5733410, "A bounding array of dates must specify a unit");
    if (bson::compare(lower, upper) > 0)
        throw Error(5733402, "A bounding array must be an ascending array of either two dates or two numbers");
    if (numbers && (lower.type() != upper.type() || lower.type() != options.step.type()))
        throw Error(5876900, "Upper bound, lower bound, and step must all have the same type");
    options.bounds = DensifyBounds::given;
    options.lower = bson::Value(lower);
    options.upper = bson::Value(upper);
}

void parse_range(bson::View range, DensifyOptions& options) {
    const bson::Element step = range["step"];
    const bson::Element bounds = range["bounds"];
    const bson::Element unit = range["unit"];
    for (const bson::Element& field : range)
        if (field.name() != "step" && field.name() != "bounds" && field.name() != "unit")
            throw Error(40415, "BSON field '$densify.range." + std::string(field.name()) + "' is an unknown field.");
    if (bounds.missing()) throw missing("range.bounds");
    if (step.missing()) throw missing("range.step");
    if (!step.is_number() || step.to_double() <= 0)
        throw Error(5733401, "The step parameter in a range statement must be a strictly positive numeric value");
    options.step = bson::Value(step);
    if (unit) {
        if (!unit.is_string()) throw wrong_type("range.unit", unit, "string");
        unit_millis(unit.string());
        options.unit = unit.string();
        if (static_cast<double>(step.to_int64()) != step.to_double())
            throw Error(6586400,
                        "The step parameter in a range statement must be a whole number when densifying a "
                        "date range");
    }
    parse_bounds(bounds, options);
}

void parse_partition_fields(bson::Element fields, DensifyOptions& options) {
    if (!fields.is_array()) throw wrong_type(fields.name(), fields, "array");
    for (const bson::Element& field : fields.object()) {
        if (!field.is_string()) throw wrong_type("partitionByFields." + std::string(field.name()), field, "string");
        options.partition_by.push_back(checked_path(field.string()));
    }
}

void append_sort(const DensifyOptions& options, const ContextPtr& context, StageList& out) {
    bson::Builder sort;
    sort.open_object("$sort");
    if (options.bounds != DensifyBounds::full)
        for (const bson::FieldPath& path : options.partition_by) sort.append(path.dotted(), 1);
    sort.append(options.field.dotted(), 1);
    sort.close();
    const bson::Document spec = sort.finish();
    parse_stage(spec.view().front(), context, out);
}

}  // namespace

void parse_densify(bson::Element spec, const ContextPtr& context, StageList& out) {
    if (!spec.is_object())
        throw Error(5733401, "The $densify stage specification must be an object, found " + type_of(spec));
    DensifyOptions options;
    bson::Element range;
    bool has_field = false;
    for (const bson::Element& field : spec.object()) {
        if (field.name() == "field") {
            if (!field.is_string()) throw wrong_type("field", field, "string");
            options.field = checked_path(field.string());
            has_field = true;
        } else if (field.name() == "partitionByFields") {
            parse_partition_fields(field, options);
        } else if (field.name() == "range") {
            if (!field.is_object()) throw wrong_type("range", field, "object");
            range = field;
        } else {
            throw Error(40415, "BSON field '$densify." + std::string(field.name()) + "' is an unknown field.");
        }
    }
    if (!has_field) throw missing("field");
    if (range.missing()) throw missing("range");
    parse_range(range.object(), options);
    if (options.bounds == DensifyBounds::partition && options.partition_by.empty())
        throw Error(5733408,
                    "One cannot specify the bounds as 'partition' without specifying a non-empty array of "
                    "partitionByFields. You may have meant to specify 'full' bounds.");
    append_sort(options, context, out);
    out.push_back(std::make_unique<DensifyStage>(std::move(options), context));
}

}  // namespace ixora::pipeline
