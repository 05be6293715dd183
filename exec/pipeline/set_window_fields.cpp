// $setWindowFields: values computed over the rows around a row (spec: aggregation.md 11).
#include "ixora/base/error.hpp"
#include "ixora/bson/compare.hpp"
#include "ixora/pipeline/document_edit.hpp"
#include "ixora/pipeline/stage_list.hpp"
#include "ixora/pipeline/stages.hpp"
#include "window_function.hpp"

namespace ixora::pipeline {

namespace {

constexpr std::string_view partition_field = "__internal_setWindowFields_partition_key";

struct WindowOutput {
    bson::FieldPath path;
    WindowFunctionPtr function;
};

void refuse_array(bool is_array) {
    if (is_array)
        throw Error(ErrorCode::type_mismatch, "An expression used to partition cannot evaluate to value of type array");
}

struct WindowOptions {
    std::optional<mql::Expression> partition_by;
    mql::SortPattern sort;
    std::vector<WindowOutput> output;
};

class WindowStage final : public PipelineStage {
public:
    WindowStage(WindowOptions options, ContextPtr context)
        : PipelineStage(std::move(context)), options_(std::move(options)) {}

    void print(bson::Builder& out) const override {
        out.open_object("$_internalSetWindowFields");
        if (options_.partition_by) options_.partition_by->serialize(out, "partitionBy");
        if (!options_.sort.empty()) out.append("sortBy", options_.sort.print());
        out.open_object("output");
        for (const WindowOutput& output : options_.output) {
            out.open_object(output.path.dotted());
            output.function->serialize(out);
            out.close();
        }
        out.close();
        out.close();
    }
    NeedsAnswer add_needs(Needs& needs) const override {
        mql::ExpressionDependencies read;
        if (options_.partition_by) options_.partition_by->add_dependencies(read);
        for (const WindowOutput& output : options_.output) output.function->add_needs(read);
        needs.add(read);
        for (const mql::SortPart& part : options_.sort.parts()) needs.fields.insert(part.path);
        return NeedsAnswer::see_next;
    }
    // A $match may pass if it lets whole partitions through or stops them.
    bool swaps_with_match() const noexcept override { return true; }
    ModifiedPaths modified_paths() const override {
        if (!options_.partition_by || options_.partition_by->root_path().empty())
            return {ModifiedPaths::Kind::all, {}, {}};
        return {ModifiedPaths::Kind::all_except, {options_.partition_by->root_path()}, {}};
    }
    void optimize() override {
        if (options_.partition_by) options_.partition_by->optimize();
        for (WindowOutput& output : options_.output) output.function->optimize();
    }
    OperatorPtr open(OperatorPtr input) const override;

    const WindowOptions& options() const noexcept { return options_; }

private:
    WindowOptions options_;
};

// Reads one partition at a time.
class WindowOperator final : public Operator {
public:
    WindowOperator(const WindowStage& stage, OperatorPtr input)
        : Operator(std::move(input)),
          options_(stage.options()),
          collator_(stage.context()->collator.get()),
          evaluation_(*stage.context()),
          met_decimal_(options_.output.size()),
          memory_max_(static_cast<std::size_t>(
              stage.context()->operation->knobs.internalDocumentSourceSetWindowFieldsMaxMemoryBytes)) {}

    void append_statistics(bson::Builder& out) const override {
        out.open_object("maxFunctionMemoryUsageBytes");
        for (const WindowOutput& output : options_.output)
            out.append(output.path.dotted(), static_cast<std::int64_t>(bytes_max_));
        out.close();
        out.append("maxTotalMemoryUsageBytes", static_cast<std::int64_t>(bytes_max_));
        out.append("usedDisk", false);
    }

private:
    Pulled pull(Row& out) override {
        if (next_ == rows_.size()) {
            const Pulled pulled = read_partition();
            if (pulled != Pulled::row) return pulled;
        }
        bson::Document document = rows_[next_];
        for (std::size_t i = 0; i < options_.output.size(); ++i) {
            const bson::Value& value = results_[i][next_];
            document = with_field(document, options_.output[i].path, value.missing() ? null_ : value);
        }
        ++next_;
        out.sort_key = bson::Value();
        out.set_owned(std::move(document));
        return Pulled::row;
    }

    Pulled read_partition() {
        if (!filling_) {
            rows_.clear();
            next_ = 0;
            bytes_ = 0;
            filling_ = true;
            if (ahead_) keep(*std::exchange(ahead_, std::nullopt));
        }
        while (!ended_) {
            Row row;
            const Pulled pulled = input()->next(row);
            if (pulled == Pulled::pause) {
                next_ = rows_.size();
                return pulled;
            }
            if (pulled == Pulled::end) {
                ended_ = true;
                break;
            }
            row.own();
            bson::Value key = partition_key(row.owned);
            const bool is_first = rows_.empty();
            if (!is_first && !bson::equal(key, key_, collator_)) {
                key_ = std::move(key);
                ahead_ = row.owned;
                break;
            }
            if (is_first) key_ = std::move(key);
            keep(row.owned);
        }
        filling_ = false;
        if (rows_.empty()) return Pulled::end;
        compute();
        next_ = 0;
        return Pulled::row;
    }

    bson::Value partition_key(const bson::Document& document) {
        if (!options_.partition_by) return null_;
        const mql::ComputedValue key = options_.partition_by->evaluate(evaluation_.on(document.view()));
        refuse_array(key.is_array());
        return key.missing() ? null_ : key.to_value();
    }

    void keep(bson::Document document) {
        bytes_ += document.size();
        bytes_max_ = std::max(bytes_max_, bytes_);
        if (bytes_ > memory_max_)
            throw Error(5414201, "Exceeded memory limit in DocumentSourceSetWindowFields, used " +
                                     std::to_string(bytes_) + " bytes but max allowed is " +
                                     std::to_string(memory_max_));
        rows_.push_back(std::move(document));
    }

    void compute() {
        results_.clear();
        for (std::size_t i = 0; i < options_.output.size(); ++i) {
            bool met_decimal = met_decimal_[i];
            const Partition partition{rows_, options_.sort, evaluation_, collator_, met_decimal};
            results_.push_back(options_.output[i].function->compute(partition));
            met_decimal_[i] = met_decimal;
        }
    }

    const WindowOptions& options_;
    const bson::Collator* collator_;
    Evaluation evaluation_;
    const bson::Value null_ = bson::Value::null();
    std::vector<bson::Document> rows_;               // of the partition
    std::vector<std::vector<bson::Value>> results_;  // of each output field
    std::vector<bool> met_decimal_;                  // of each output field
    std::size_t memory_max_;
    bson::Value key_;
    std::optional<bson::Document> ahead_;  // the first row of the next partition
    std::size_t next_ = 0;
    std::size_t bytes_ = 0;
    std::size_t bytes_max_ = 0;
    bool filling_ = false;
    bool ended_ = false;
};

OperatorPtr WindowStage::open(OperatorPtr input) const {
    return std::make_unique<WindowOperator>(*this, std::move(input));
}

bson::View object_of(bson::Element field) {
    if (!field.is_object())
        throw Error(ErrorCode::type_mismatch, "BSON field '$setWindowFields." + std::string(field.name()) +
                                                  "' is the wrong type '" + std::string(bson::type_name(field.type())) +
                                                  "', expected type 'object'");
    return field.object();
}

void parse_output(bson::View output, mql::ExpressionParseContext& parsing, WindowOptions& options) {
    for (const bson::Element& field : output) {
        if (!field.is_object())
            throw Error(ErrorCode::failed_to_parse, "The field '" + std::string(field.name()) + "' must be an object");
        bson::FieldPath path = checked_path(field.name());
        for (const WindowOutput& other : options.output)
            if (bson::is_path_prefix_or_equal(other.path.dotted(), path.dotted()) ||
                bson::is_path_prefix_or_equal(path.dotted(), other.path.dotted()))
                throw Error(6307900, "specification contains two conflicting paths. Cannot specify both '" +
                                         path.dotted() + "' and '" + other.path.dotted() + "'");
        options.output.push_back({std::move(path), parse_window_function(field.object(), options.sort, parsing)});
    }
}

void append_made_stage(bson::Builder& made, const ContextPtr& context, StageList& out) {
    const bson::Document spec = made.finish();
    parse_stage(spec.view().front(), context, out);
}

// The sort that brings partitions together, their rows in order.
void append_sort(std::string_view partition_path, const mql::SortPattern& sort, const ContextPtr& context,
                 StageList& out) {
    bson::Builder made;
    made.open_object("$sort");
    bool empty = true;
    if (!partition_path.empty()) {
        made.append(partition_path, 1);
        empty = false;
    }
    for (const mql::SortPart& part : sort.parts()) {
        if (part.path == partition_path) continue;
        made.append(part.path, part.descending ? -1 : 1);
        empty = false;
    }
    made.close();
    if (!empty) append_made_stage(made, context, out);
}

}  // namespace

void parse_set_window_fields(bson::Element spec, const ContextPtr& context, StageList& out) {
    if (!spec.is_object())
        throw Error(ErrorCode::failed_to_parse, "the $setWindowFields stage specification must be an object, found " +
                                                    std::string(bson::type_name(spec.type())));
    WindowOptions options;
    mql::ExpressionParseContext parsing = context->parsing();
    bson::Element output;
    bson::Element partition_by;
    for (const bson::Element& field : spec.object()) {
        if (field.name() == "partitionBy")
            partition_by = field;
        else if (field.name() == "sortBy")
            options.sort = mql::SortPattern::parse(object_of(field));
        else if (field.name() == "output")
            output = field;
        else
            throw Error(40415, "BSON field '$setWindowFields." + std::string(field.name()) + "' is an unknown field.");
    }
    if (output.missing()) throw Error(40414, "BSON field '$setWindowFields.output' is missing but a required field");
    parse_output(object_of(output), parsing, options);

    std::string partition_path;
    bool is_computed = false;
    if (partition_by) {
        mql::Expression expression = mql::Expression::parse(partition_by, parsing);
        expression.optimize();
        refuse_array(expression.is_constant() && expression.constant_value().is_array());
        is_computed = !expression.is_constant() && expression.root_path().empty();
        if (is_computed) {
            bson::Builder made;
            made.open_object("$addFields");
            made.append(partition_field, partition_by);
            made.close();
            append_made_stage(made, context, out);
            expression = mql::Expression::field_path(partition_field);
        }
        if (!expression.is_constant()) {
            partition_path = expression.root_path();
            options.partition_by = std::move(expression);
        }
    }
    append_sort(partition_path, options.sort, context, out);
    out.push_back(std::make_unique<WindowStage>(std::move(options), context));
    if (is_computed) {
        bson::Builder made;
        made.append("$unset", partition_field);
        append_made_stage(made, context, out);
    }
}

}  // namespace ixora::pipeline
