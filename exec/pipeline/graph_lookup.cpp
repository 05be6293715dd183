#include "ixora/pipeline/graph_lookup.hpp"

#include <boost/unordered/unordered_flat_set.hpp>

#include "ixora/base/error.hpp"
#include "ixora/bson/compare.hpp"
#include "ixora/bson/debug_string.hpp"
#include "ixora/mql/match_parser.hpp"
#include "ixora/pipeline/document_edit.hpp"
#include "ixora/pipeline/evaluation.hpp"
#include "ixora/pipeline/match.hpp"
#include "ixora/pipeline/stage_list.hpp"
#include "ixora/pipeline/stages.hpp"
#include "lookup_operator.hpp"

namespace ixora::pipeline {

namespace {

constexpr std::size_t memory_max = 104857600;

struct ValueHash {
    using is_transparent = void;
    const bson::Collator* collator;
    std::size_t operator()(const bson::Element& value) const { return bson::hash(value, collator); }
};
struct ValueEqual {
    using is_transparent = void;
    const bson::Collator* collator;
    bool operator()(const bson::Element& left, const bson::Element& right) const {
        return bson::equal(left, right, collator);
    }
};
using ValueSet = boost::unordered_flat_set<bson::Value, ValueHash, ValueEqual>;

ValueSet make_set(const bson::Collator* collator) { return ValueSet(0, ValueHash{collator}, ValueEqual{collator}); }

// Searches breadth first, one find for each depth.
class GraphLookupOperator final : public Operator {
public:
    GraphLookupOperator(const GraphLookupStage& stage, OperatorPtr input)
        : Operator(std::move(input)), stage_(stage), evaluation_(*stage.context()) {}

private:
    Pulled pull(Row& out) override {
        for (;;) {
            if (!stage_.unwinding()) {
                const Pulled pulled = input()->next(row_);
                if (pulled != Pulled::row) return pulled;
                search();
                write_array(out);
                return Pulled::row;
            }
            if (in_row_ && next_ < found_.size()) {
                write_unwound(bson::Value::of_object(found_[next_]), static_cast<std::int64_t>(next_), out);
                ++next_;
                return Pulled::row;
            }
            const Pulled pulled = input()->next(row_);
            if (pulled != Pulled::row) return pulled;
            search();
            in_row_ = true;
            next_ = 0;
            if (found_.empty() && stage_.unwinding()->preserve_null_and_empty) {
                write_unwound(bson::Value(), std::nullopt, out);
                return Pulled::row;
            }
        }
    }

    void search() {
        const bson::Collator* collator = stage_.context()->collator.get();
        found_.clear();
        bytes_ = 0;
        ValueSet visited = make_set(collator);
        ValueSet asked = make_set(collator);
        std::vector<bson::Value> frontier = start_values();
        for (std::int64_t depth = 0; !frontier.empty(); ++depth) {
            if (stage_.options().depth_max && depth > *stage_.options().depth_max) break;
            std::vector<bson::Value> fresh;
            for (bson::Value& value : frontier)
                if (asked.insert(value).second) fresh.push_back(std::move(value));
            frontier = fresh.empty() ? std::vector<bson::Value>() : search_level(fresh, depth, visited);
        }
    }

    std::vector<bson::Value> start_values() {
        const mql::ComputedValue start = stage_.options().start_with->evaluate(evaluation_.on(row_));
        std::vector<bson::Value> values;
        if (start.is_array()) {
            for (const bson::Element& member : start.object()) values.emplace_back(member);
        } else if (!start.missing()) {
            values.push_back(start.to_value());
        }
        return values;
    }

    // Visits what connects to `values` and was not visited; returns the values that those connect from.
    std::vector<bson::Value> search_level(const std::vector<bson::Value>& values, std::int64_t depth,
                                          ValueSet& visited) {
        stage_.context()->check_interrupt();
        std::vector<bson::Value> frontier;
        const auto level = open_level(values);
        Row found;
        while (level->next(found)) {
            if (!visited.insert(bson::Value(found.document["_id"])).second) continue;
            std::vector<bson::Element> next;
            collect_join_values(found.document, stage_.options().connect_from, next);
            for (const bson::Element& value : next) frontier.emplace_back(value);
            keep(found, depth);
        }
        return frontier;
    }

    std::unique_ptr<RunningPipeline> open_level(const std::vector<bson::Value>& values) const {
        bson::Builder filter;
        filter.open_array("$and");
        if (stage_.options().restriction) filter.append(*stage_.options().restriction);
        filter.open_object();
        append_connection(filter, values);
        filter.close();
        filter.close();
        StageList stages = parse_stages(stage_.inner()->view_stages, stage_.inner(), PipelinePlace::lookup);
        stages.push_back(std::make_unique<MatchStage>(filter.finish(), stage_.inner()));
        return RunningPipeline::open(std::move(stages), stage_.inner());
    }

    void append_connection(bson::Builder& out, const std::vector<bson::Value>& values) const {
        const std::string& field = stage_.options().connect_to.dotted();
        const bool has_regex = std::any_of(values.begin(), values.end(),
                                           [](const bson::Value& value) { return value.type() == bson::Type::regex; });
        if (!has_regex) {
            out.open_object(field);
            out.open_array("$in");
            for (const bson::Value& value : values) out.append_member(value);
            out.close();
            out.close();
            return;
        }
        out.open_array("$or");
        for (const bson::Value& value : values) {
            out.open_object();
            out.open_object(field);
            out.append("$eq", value);
            out.close();
            out.close();
        }
        out.close();
    }

    void keep(const Row& found, std::int64_t depth) {
        if (stage_.options().depth_field)
            found_.push_back(with_field(found.document, *stage_.options().depth_field, bson::Value::of_long(depth)));
        else
            found_.emplace_back(found.document);
        bytes_ += found_.back().size();
        if (bytes_ > memory_max) throw Error(40099, "$graphLookup reached maximum memory consumption");
    }

    void write_array(Row& out) {
        builder_.reset();
        builder_.open_array("");
        for (const bson::Document& document : found_) builder_.append(document);
        builder_.close();
        give(builder_.finish_view().front(), out);
    }

    void give(bson::Element value, Row& out) {
        result_.reset();
        append_with(result_, row_.document, stage_.options().as, value);
        out.sort_key = row_.sort_key;
        out.set_view(result_.finish_view());
    }

    void write_unwound(const bson::Value& value, std::optional<std::int64_t> position, Row& out) {
        give(value, out);
        if (!stage_.unwinding()->index) return;
        const bson::Value index = position ? bson::Value::of_long(*position) : bson::Value::null();
        builder_.reset();
        append_with(builder_, out.document, *stage_.unwinding()->index, index);
        out.set_view(builder_.finish_view());
    }

    void do_save() override { row_.own(); }

    const GraphLookupStage& stage_;
    Evaluation evaluation_;
    Row row_;
    std::vector<bson::Document> found_;
    std::size_t bytes_ = 0;
    std::size_t next_ = 0;
    bool in_row_ = false;
    bson::Builder builder_;
    bson::Builder result_;
};

void parse_text_option(bson::Element field, GraphLookupOptions& options, bool& has_from) {
    if (field.name() == "from" && !field.is_string())
        throw Error(ErrorCode::failed_to_parse, "$graphLookup 'from' field must be a string, but found " +
                                                    std::string(bson::type_name(field.type())));
    if (!field.is_string())
        throw Error(40103, "expected string as argument for " + std::string(field.name()) +
                               ", found: " + std::string(bson::type_name(field.type())));
    if (field.name() == "from") {
        options.from = field.string();
        has_from = true;
    } else if (field.name() == "as") {
        options.as = checked_path(field.string());
    } else if (field.name() == "connectFromField") {
        options.connect_from = checked_path(field.string());
    } else if (field.name() == "connectToField") {
        options.connect_to = checked_path(field.string());
    } else if (field.name() == "depthField") {
        options.depth_field = checked_path(field.string());
    } else {
        throw Error(40104, "Unknown argument to $graphLookup: " + std::string(field.name()));
    }
}

void parse_depth_max(bson::Element field, GraphLookupOptions& options) {
    if (!field.is_number())
        throw Error(40100, "maxDepth must be numeric, found type: " + std::string(bson::type_name(field.type())));
    options.depth_max = field.to_int64();
    if (static_cast<double>(*options.depth_max) != field.to_double())
        throw Error(40102, "maxDepth could not be represented as a long long: " + std::to_string(*options.depth_max));
    if (*options.depth_max < 0)
        throw Error(40101, "maxDepth requires a nonnegative argument, found: " + std::to_string(*options.depth_max));
}

void parse_restriction(bson::Element field, const ContextPtr& context, GraphLookupOptions& options) {
    if (!field.is_object())
        throw Error(40185,
                    "restrictSearchWithMatch must be an object, found " + std::string(bson::type_name(field.type())));
    options.restriction = bson::Document(field.object());
    try {
        const MatchStage checked(*options.restriction, context);
    } catch (const Error& error) {
        throw error.with_context("Failed to parse 'restrictSearchWithMatch' option to $graphLookup");
    }
}

}  // namespace

void GraphLookupStage::print(bson::Builder& out) const {
    out.open_object("$graphLookup");
    out.append("from", options_.from);
    out.append("as", options_.as.dotted());
    out.append("connectToField", options_.connect_to.dotted());
    out.append("connectFromField", options_.connect_from.dotted());
    options_.start_with->serialize(out, "startWith");
    if (options_.depth_field) out.append("depthField", options_.depth_field->dotted());
    if (options_.depth_max) out.append("maxDepth", *options_.depth_max);
    if (options_.restriction) out.append("restrictSearchWithMatch", *options_.restriction);
    if (unwinding_) append_unwinding(out, *unwinding_);
    out.close();
}

NeedsAnswer GraphLookupStage::add_needs(Needs& needs) const {
    needs.add(*options_.start_with);
    return NeedsAnswer::see_next;
}

ModifiedPaths GraphLookupStage::modified_paths() const {
    ModifiedPaths modified{ModifiedPaths::Kind::these, {options_.as.dotted()}, {}};
    if (unwinding_ && unwinding_->index) modified.paths.insert(unwinding_->index->dotted());
    return modified;
}

OperatorPtr GraphLookupStage::open(OperatorPtr input) const {
    return std::make_unique<GraphLookupOperator>(*this, std::move(input));
}

void parse_graph_lookup(bson::Element spec, const ContextPtr& context, StageList& out) {
    if (!spec.is_object())
        throw Error(ErrorCode::failed_to_parse, "the $graphLookup stage specification must be an object, but found " +
                                                    std::string(bson::type_name(spec.type())));
    GraphLookupOptions options;
    bool has_from = false;
    for (const bson::Element& field : spec.object()) {
        if (field.name() == "startWith") {
            mql::ExpressionParseContext parsing = context->parsing();
            options.start_with = mql::Expression::parse(field, parsing);
        } else if (field.name() == "maxDepth") {
            parse_depth_max(field, options);
        } else if (field.name() == "restrictSearchWithMatch") {
            parse_restriction(field, context, options);
        } else {
            parse_text_option(field, options, has_from);
        }
    }
    const auto is_missing = [](const bson::FieldPath& path) { return path.dotted().empty(); };
    if (!has_from || !options.start_with || is_missing(options.as) || is_missing(options.connect_from) ||
        is_missing(options.connect_to))
        throw Error(40105,
                    "$graphLookup requires 'from', 'as', 'startWith', 'connectFromField', and 'connectToField' to be "
                    "specified.");
    const ContextPtr inner = sub_context(*context, options.from);
    out.push_back(std::make_unique<GraphLookupStage>(std::move(options), inner, context));
}

}  // namespace ixora::pipeline
