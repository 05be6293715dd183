// Accumulators of $group, $bucket, $bucketAuto and windows (spec: aggregation.md section 10).
//
//   mql::AccumulatorField field = mql::AccumulatorField::parse(element, parsing);    // total: {$sum: "$price"}
//   auto total = field.make(group_key, context);                                    // one per group
//   total->process(field.evaluate_argument(context));                               // for each row
//   total->result().append_to(out, field.name());
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "ixora/mql/expression.hpp"

namespace ixora::mql {

// The running state of one accumulator. Not thread-safe.
class Accumulator {
public:
    virtual ~Accumulator() = default;

    // `input` is the value of the argument for the next row, in order; it may be a view and is copied where it is kept.
    // Throws 146 past 100 MiB where the server does ($push, $addToSet, the N family, $percentile), 40400 for
    // $mergeObjects.
    virtual void process(const ComputedValue& input) = 0;
    // May be asked at any time; missing where the accumulator has no value ($first of a missing field).
    virtual ComputedValue result() const = 0;
    // What has been processed so far, as members of the array that is open in `out`: an accumulator that has gone to
    // disk goes on from there.
    virtual void append_state(bson::Builder& out) const = 0;
    // As if what made that state had been processed now.
    virtual void absorb(bson::View state);
    // As if nothing had been processed.
    virtual void reset() = 0;
    std::size_t memory_bytes() const noexcept { return memory_bytes_; }

protected:
    std::size_t memory_bytes_ = 0;  // all that it keeps, itself included
};

// One output field of $group: name, operator, argument. Immutable after optimize(); copies share the expressions.
class AccumulatorField {
public:
    // `field` is `name: {$op: argument}`. Throws 40234, 40238, 15952, 40237, 40235, 40236, and the operators' own
    // codes.
    static AccumulatorField parse(bson::Element field, ExpressionParseContext& context);
    // From `$op: argument` alone, without a name; window functions take an array as the argument, $group does not.
    static AccumulatorField parse_call(bson::Element call, ExpressionParseContext& context);

    const std::string& name() const noexcept { return name_; }
    // "$sum"; $count goes by that name, too.
    std::string_view operator_name() const noexcept { return operator_name_; }

    void optimize();
    void add_dependencies(ExpressionDependencies& out) const;
    // Appends `name: {$op: argument}` as explain prints it.
    void serialize(bson::Builder& out) const;

    // An accumulator for the group whose _id is `group_key`; `n` of the N family is evaluated on that as the root when
    // it is an object. Throws 5787902, 5787903, 5787908.
    std::unique_ptr<Accumulator> make(bson::Element group_key, EvaluationContext& context) const;
    // What the accumulator processes for the row in `context`.
    ComputedValue evaluate_argument(EvaluationContext& context) const;
    const Expression& argument() const noexcept { return argument_; }

    // How the server keeps input order: $first, $last, $firstN, $lastN, $push need it.
    bool depends_on_order() const noexcept;

private:
    struct Operator;
    AccumulatorField() = default;

    std::string name_;
    std::string operator_name_;
    Expression argument_ = Expression::constant({});
    std::shared_ptr<const Operator> operator_;  // what the name stands for, with its further arguments
};

// Whether `name` ("$sum") is an accumulator of $group.
bool is_accumulator_name(std::string_view name) noexcept;

}  // namespace ixora::mql
