// $min, $max, $first, $last, $mergeObjects (spec: aggregation.md section 10).
#include <fmt/format.h>

#include "../expression/comparison.hpp"
#include "../expression/object_value.hpp"
#include "../expression/value_text.hpp"
#include "accumulators.hpp"
#include "ixora/base/error.hpp"

namespace ixora::mql {

namespace {

// The least value, or the greatest with `sign` -1; the first of equal ones.
class Extreme final : public Accumulator {
public:
    Extreme(int sign, bson::CollatorPtr collator) : sign_(sign), collator_(std::move(collator)) { reset(); }
    void process(const ComputedValue& input) override {
        if (input.nullish()) return;
        if (!value_.missing() && sign_ * compare_values(input, value_, collator_.get()) >= 0) return;
        value_ = input.owned();
        memory_bytes_ = sizeof *this + value_.memory_bytes();
    }
    ComputedValue result() const override { return value_.missing() ? ComputedValue::null() : value_; }
    void append_state(bson::Builder& out) const override { value_.append_member_to(out); }
    void reset() override {
        value_ = {};
        memory_bytes_ = sizeof *this;
    }

private:
    const int sign_;
    const bson::CollatorPtr collator_;
    ComputedValue value_;
};

class First final : public Accumulator {
public:
    First() { reset(); }
    void process(const ComputedValue& input) override {
        if (started_) return;
        started_ = true;
        value_ = input.owned();
        memory_bytes_ = sizeof *this + value_.memory_bytes();
    }
    ComputedValue result() const override { return value_; }
    void append_state(bson::Builder& out) const override {
        if (started_) value_.append_member_to(out);
    }
    void reset() override {
        started_ = false;
        value_ = {};
        memory_bytes_ = sizeof *this;
    }

private:
    bool started_ = false;
    ComputedValue value_;
};

class Last final : public Accumulator {
public:
    Last() { reset(); }
    void process(const ComputedValue& input) override {
        value_ = input.owned();
        memory_bytes_ = sizeof *this + value_.memory_bytes();
    }
    ComputedValue result() const override { return value_; }
    void append_state(bson::Builder& out) const override { value_.append_member_to(out); }
    void reset() override {
        value_ = {};
        memory_bytes_ = sizeof *this;
    }

private:
    ComputedValue value_;
};

class MergedObjects final : public Accumulator {
public:
    MergedObjects() { reset(); }
    void process(const ComputedValue& input) override {
        if (input.nullish()) return;
        if (!input.is_object())
            throw Error(40400, fmt::format("$mergeObjects requires object inputs, but input {} is of type {}",
                                           value_text(input), bson::type_name(input.type())));
        FieldSet fields;
        if (!merged_.missing()) fields.put_all(merged_.object());
        fields.put_all(input.object());
        merged_ = fields.object();
        memory_bytes_ = sizeof *this + merged_.memory_bytes();
    }
    ComputedValue result() const override { return merged_.missing() ? FieldSet().object() : merged_; }
    void append_state(bson::Builder& out) const override { merged_.append_member_to(out); }
    void reset() override {
        merged_ = {};
        memory_bytes_ = sizeof *this;
    }

private:
    ComputedValue merged_;
};

}  // namespace

std::unique_ptr<Accumulator> make_minimum(const AccumulatorArguments& arguments) {
    return std::make_unique<Extreme>(1, arguments.collator);
}
std::unique_ptr<Accumulator> make_maximum(const AccumulatorArguments& arguments) {
    return std::make_unique<Extreme>(-1, arguments.collator);
}
std::unique_ptr<Accumulator> make_first(const AccumulatorArguments&) { return std::make_unique<First>(); }
std::unique_ptr<Accumulator> make_last(const AccumulatorArguments&) { return std::make_unique<Last>(); }
std::unique_ptr<Accumulator> make_merged_objects(const AccumulatorArguments&) {
    return std::make_unique<MergedObjects>();
}

}  // namespace ixora::mql
