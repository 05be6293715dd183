// One output field of $group: `name: {$op: argument}` (spec: aggregation.md section 10).
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "accumulators.hpp"
#include "ixora/base/error.hpp"
#include "ixora/bson/debug_string.hpp"
#include "ixora/mql/sort_pattern.hpp"

namespace ixora::mql {

namespace {

// How the argument of an accumulator is written.
enum class Form { plain, count, counted, ranked, sorted, sorted_n };

struct Entry {
    std::string_view name;
    MakeAccumulator make;
    Form form = Form::plain;
    bool ordered = false;
};

constexpr std::array entries{
    Entry{"$sum", make_sum},
    Entry{"$avg", make_average},
    Entry{"$min", make_minimum},
    Entry{"$max", make_maximum},
    Entry{"$first", make_first, Form::plain, true},
    Entry{"$last", make_last, Form::plain, true},
    Entry{"$push", make_push, Form::plain, true},
    Entry{"$addToSet", make_add_to_set},
    Entry{"$stdDevPop", make_population_deviation},
    Entry{"$stdDevSamp", make_sample_deviation},
    Entry{"$mergeObjects", make_merged_objects, Form::plain, true},
    Entry{"$count", make_sum, Form::count},
    Entry{"$firstN", make_first_n, Form::counted, true},
    Entry{"$lastN", make_last_n, Form::counted, true},
    Entry{"$minN", make_minimum_n, Form::counted},
    Entry{"$maxN", make_maximum_n, Form::counted},
    Entry{"$top", make_top, Form::sorted, true},
    Entry{"$topN", make_top_n, Form::sorted_n, true},
    Entry{"$bottom", make_bottom, Form::sorted, true},
    Entry{"$bottomN", make_bottom_n, Form::sorted_n, true},
    Entry{"$percentile", make_percentile, Form::ranked},
    Entry{"$median", make_median, Form::ranked},
};

const Entry* find_entry(std::string_view name) noexcept {
    const auto found =
        std::find_if(entries.begin(), entries.end(), [name](const Entry& entry) { return entry.name == name; });
    return found == entries.end() ? nullptr : &*found;
}

bool is_counted(Form form) noexcept { return form == Form::counted || form == Form::sorted_n; }
bool is_sorted(Form form) noexcept { return form == Form::sorted || form == Form::sorted_n; }

}  // namespace

struct AccumulatorField::Operator {
    const Entry* entry = nullptr;
    bson::CollatorPtr collator;
    Expression n = Expression::constant({});
    std::vector<double> ranks;
    SortPattern sort_by;
};

namespace {

// {n?, output, sortBy} of the $top family.
struct SortedSpec {
    bson::Element n;
    bson::Element output;
    bson::Element sort_by;
};

SortedSpec parse_sorted(bson::Element argument, bool with_n) {
    if (!argument.is_object())
        throw Error(5788001,
                    fmt::format("specification must be an object; found {}", bson::debug_element_string(argument)));
    SortedSpec spec;
    for (const bson::Element& field : argument.object()) {
        if (field.name() == "n" && with_n)
            spec.n = field;
        else if (field.name() == "output")
            spec.output = field;
        else if (field.name() == "sortBy")
            spec.sort_by = field;
        else
            throw Error(5788002, fmt::format("Unknown argument to {} '{}'", argument.name(), field.name()));
    }
    if (with_n && spec.n.missing()) throw Error(5788003, "Missing value for 'n'");
    if (spec.output.missing()) throw Error(5788004, "Missing value for 'output'");
    if (spec.sort_by.missing()) throw Error(5788005, "Missing value for 'sortBy'");
    if (!spec.sort_by.is_object()) throw Error(10065, "invalid parameter: expected an object (sortBy)");
    return spec;
}

// The one accumulator of a field of $group; the checks in the server's order.
bson::Element only_operator(bson::Element field) {
    const std::string_view name = field.name();
    if (!field.is_object() || field.object().empty() || !field.object().front().name().starts_with('$'))
        throw Error(40234, fmt::format("The field '{}' must be an accumulator object", name));
    if (name.find('.') != std::string_view::npos)
        throw Error(40235, fmt::format("The field name '{}' cannot contain '.'", name));
    if (name.starts_with('$')) throw Error(40236, fmt::format("The field name '{}' cannot be an operator name", name));
    if (field.object().field_count() != 1)
        throw Error(40238, fmt::format("The field '{}' must specify one accumulator", name));
    const bson::Element call = field.object().front();
    if (call.is_array()) throw Error(40237, fmt::format("The {} accumulator is a unary operator", call.name()));
    return call;
}

}  // namespace

AccumulatorField AccumulatorField::parse(bson::Element field, ExpressionParseContext& context) {
    AccumulatorField result = parse_call(only_operator(field), context);
    result.name_ = field.name();
    return result;
}

AccumulatorField AccumulatorField::parse_call(bson::Element call, ExpressionParseContext& context) {
    const Entry* entry = find_entry(call.name());
    if (entry == nullptr) throw Error(15952, fmt::format("unknown group operator '{}'", call.name()));
    AccumulatorField result;
    result.operator_name_ = call.name();
    auto op = std::make_shared<Operator>();
    op->entry = entry;
    op->collator = context.collator;
    switch (entry->form) {
        case Form::count:
            if (!call.is_object() || !call.object().empty())
                throw Error(ErrorCode::type_mismatch, "$count takes no arguments, i.e. $count:{}");
            result.operator_name_ = "$sum";
            result.argument_ = Expression::constant(bson::Value::of_int(1));
            break;
        case Form::counted: {
            const CountedInput spec = parse_counted_input(call);
            op->n = Expression::parse(spec.n, context);
            result.argument_ = Expression::parse(spec.input, context);
            break;
        }
        case Form::ranked: {
            PercentileSpec spec = parse_percentile(call, context);
            op->ranks = std::move(spec.ranks);
            result.argument_ = Expression::parse(spec.input, context);
            break;
        }
        case Form::sorted:
        case Form::sorted_n: {
            const SortedSpec spec = parse_sorted(call, entry->form == Form::sorted_n);
            if (!spec.n.missing()) op->n = Expression::parse(spec.n, context);
            op->sort_by = SortPattern::parse(spec.sort_by.object());
            result.argument_ = Expression::parse(spec.output, context);
            break;
        }
        case Form::plain: result.argument_ = Expression::parse(call, context); break;
    }
    result.operator_ = std::move(op);
    return result;
}

void AccumulatorField::optimize() {
    argument_.optimize();
    auto op = std::make_shared<Operator>(*operator_);
    op->n.optimize();
    operator_ = std::move(op);
}

void AccumulatorField::add_dependencies(ExpressionDependencies& out) const {
    argument_.add_dependencies(out);
    for (const SortPart& part : operator_->sort_by.parts())
        if (!part.path.empty()) out.fields.insert(part.path);
}

void AccumulatorField::serialize(bson::Builder& out) const {
    const Form form = operator_->entry->form;
    out.open_object(name_);
    if (form == Form::plain || form == Form::count) {
        argument_.serialize(out, operator_name_);
    } else {
        out.open_object(operator_name_);
        if (is_counted(form)) operator_->n.serialize(out, "n");
        argument_.serialize(out, is_sorted(form) ? "output" : "input");
        if (is_sorted(form)) out.append("sortBy", operator_->sort_by.print());
        if (form == Form::ranked) {
            if (operator_name_ == "$percentile") {
                out.open_array("p");
                for (const double rank : operator_->ranks) out.append(rank);
                out.close();
            }
            out.append("method", "approximate");
        }
        out.close();
    }
    out.close();
}

std::unique_ptr<Accumulator> AccumulatorField::make(bson::Element group_key, EvaluationContext& context) const {
    const Entry& entry = *operator_->entry;
    AccumulatorArguments arguments{
        .operator_name = entry.name, .collator = operator_->collator, .ranks = operator_->ranks};
    if (is_counted(entry.form)) {
        const bson::View row = context.root;
        context.root = group_key.is_object() ? group_key.object() : bson::View();
        const ComputedValue n = operator_->n.evaluate(context);
        context.root = row;
        arguments.n = count_to_keep(n, Fraction::cut);
    }
    return entry.make(arguments);
}

void Accumulator::absorb(bson::View state) {
    for (const bson::Element& input : state) process(ComputedValue::view(input));
}

ComputedValue AccumulatorField::evaluate_argument(EvaluationContext& context) const {
    if (!is_sorted(operator_->entry->form)) return argument_.evaluate(context);
    std::string key;
    SortKeyGenerator(operator_->sort_by, operator_->collator).append_key(context.root, key);
    bson::Builder out;
    out.open_object("");
    out.append_bin_data("k", 0, key);
    argument_.evaluate(context).append_to(out, "o");
    out.close();
    return ComputedValue::built(out);
}

bool AccumulatorField::depends_on_order() const noexcept { return operator_->entry->ordered; }

MakeAccumulator find_accumulator(std::string_view name) noexcept {
    const Entry* entry = find_entry(name);
    return entry == nullptr ? nullptr : entry->make;
}

bool is_accumulator_name(std::string_view name) noexcept { return find_entry(name) != nullptr; }

CountedInput parse_counted_input(bson::Element argument) {
    const bool first_or_last = argument.name() == "$firstN" || argument.name() == "$lastN";
    if (!argument.is_object())
        throw Error(first_or_last ? 5787801 : 5787900,
                    fmt::format("specification must be an object; found {}", bson::debug_element_string(argument)));
    CountedInput spec;
    for (const bson::Element& field : argument.object()) {
        if (field.name() == "n")
            spec.n = field;
        else if (field.name() == "input")
            spec.input = field;
        else
            throw Error(5787901, fmt::format("Unknown argument for 'n' operator: {}", field.name()));
    }
    if (spec.n.missing()) throw Error(5787906, "Missing value for 'n'");
    if (spec.input.missing()) throw Error(5787907, "Missing value for 'input'");
    return spec;
}

}  // namespace ixora::mql
