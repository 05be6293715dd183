#include "ixora/pipeline/limit_skip.hpp"

#include "ixora/base/error.hpp"
#include "ixora/bson/debug_string.hpp"
#include "ixora/pipeline/stages.hpp"

namespace ixora::pipeline {

namespace {

class LimitOperator final : public Operator {
public:
    LimitOperator(std::int64_t limit, OperatorPtr input) : Operator(std::move(input)), left_(limit) {}

private:
    Pulled pull(Row& out) override {
        if (left_ == 0) return Pulled::end;
        const Pulled pulled = input()->next(out);
        if (pulled == Pulled::row) --left_;
        return pulled;
    }
    std::int64_t left_;
};

class SkipOperator final : public Operator {
public:
    SkipOperator(const SkipStage& stage, OperatorPtr input)
        : Operator(std::move(input)), context_(*stage.context()), left_(stage.skip) {}

private:
    Pulled pull(Row& out) override {
        for (;; --left_) {
            const Pulled pulled = input()->next(out);
            if (pulled != Pulled::row || left_ == 0) return pulled;
            if (left_ % 256 == 0) context_.check_interrupt();
        }
    }
    const PipelineContext& context_;
    std::int64_t left_;
};

// A whole number that is not negative; `code` and the texts of the server otherwise.
std::int64_t parse_row_count(bson::Element value, int code) {
    const std::string name(value.name());
    const auto fail = [&](const std::string& why) {
        return Error(code, "invalid argument to " + name + " stage: " + why + bson::debug_element_string(value));
    };
    if (!value.is_number()) throw fail("Expected a number in: ");
    if (value.is_nan()) throw fail("Expected an integer, but found NaN in: ");
    const double number = value.to_double();
    if (number >= 9223372036854775808.0 || number < -9223372036854775808.0) {
        // The largest int64 itself is fine although its nearest double is not.
        if (value.type() != bson::Type::number_long) throw fail("Cannot represent as a 64-bit integer: ");
    }
    const std::int64_t count = value.to_int64();
    if (value.type() != bson::Type::number_long && static_cast<double>(count) != number)
        throw fail("Expected an integer: ");
    if (count < 0) throw fail("Expected a non-negative number in: ");
    return count;
}

}  // namespace

OperatorPtr LimitStage::open(OperatorPtr input) const {
    return std::make_unique<LimitOperator>(limit, std::move(input));
}

OperatorPtr SkipStage::open(OperatorPtr input) const { return std::make_unique<SkipOperator>(*this, std::move(input)); }

void parse_limit(bson::Element spec, const ContextPtr& context, StageList& out) {
    const std::int64_t limit = parse_row_count(spec, 5107201);
    if (limit == 0) throw Error(15958, "the limit must be positive");
    out.push_back(std::make_unique<LimitStage>(limit, context));
}

void parse_skip(bson::Element spec, const ContextPtr& context, StageList& out) {
    out.push_back(std::make_unique<SkipStage>(parse_row_count(spec, 5107200), context));
}

}  // namespace ixora::pipeline
