// A running pipeline stage: rows are pulled from the last one (spec: aggregation.md 3, explain.md 8.5).
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "ixora/base/interrupt.hpp"
#include "ixora/bson/builder.hpp"
#include "ixora/pipeline/row.hpp"

namespace ixora::pipeline {

// pause: no row now, ask again later; only rows that a $facet hands out in portions come with pauses.
enum class Pulled : std::uint8_t { row, pause, end };

class Operator;
class PipelineStage;
class Cursor;

// A pipeline inside a stage, as explain prints it. Views into the stage and its operator.
struct NestedPipeline {
    std::string name;                // of a facet
    const Cursor* cursor = nullptr;  // what feeds it; null: the rows of the stage around it
    const Operator* tee = nullptr;   // those rows
    std::vector<const PipelineStage*> stages;
    std::vector<Operator*> operators;  // one for each stage
    bool has_run = true;
};

// The base counts the rows; a stage implements pull(). After `end` it is not asked again. An exception ends the whole
// pipeline.
class Operator {
public:
    explicit Operator(std::unique_ptr<Operator> input = nullptr) noexcept : input_(std::move(input)) {}
    virtual ~Operator() = default;
    Operator(const Operator&) = delete;
    Operator& operator=(const Operator&) = delete;

    Pulled next(Row& out) {
        if (timing_) return timed_next(out);
        const Pulled pulled = pull(out);
        if (pulled == Pulled::row) ++returned_;
        return pulled;
    }

    // Gives up views into the store and the snapshot, inputs included; restore() continues on a new snapshot, under the
    // interrupt of the operation that asks for more.
    void save() {
        do_save();
        if (input_) input_->save();
    }
    void restore(Interrupt& interrupt) {
        if (input_) input_->restore(interrupt);
        do_restore(interrupt);
    }

    // What explain prints between the stage and nReturned.
    virtual void append_statistics(bson::Builder& out) const { (void)out; }
    // What explain prints behind nReturned.
    virtual void append_join_statistics(bson::Builder& out) const { (void)out; }
    // The pipelines inside the stage that explain prints with their own entries: of $facet and $unionWith.
    virtual std::vector<NestedPipeline> nested() { return {}; }

    std::int64_t returned() const noexcept { return returned_; }
    std::int64_t time_millis() const noexcept { return time_nanos_ / 1'000'000; }  // inputs included; 0 without timing
    Operator* input() const noexcept { return input_.get(); }
    void enable_timing() noexcept {
        timing_ = true;
        if (input_) input_->enable_timing();
    }

protected:
    virtual Pulled pull(Row& out) = 0;
    virtual void do_save() {}
    virtual void do_restore(Interrupt& interrupt) { (void)interrupt; }

private:
    Pulled timed_next(Row& out) {
        const auto started = std::chrono::steady_clock::now();
        const Pulled pulled = pull(out);
        time_nanos_ += std::chrono::nanoseconds(std::chrono::steady_clock::now() - started).count();
        if (pulled == Pulled::row) ++returned_;
        return pulled;
    }

    std::unique_ptr<Operator> input_;
    std::int64_t returned_ = 0;
    std::int64_t time_nanos_ = 0;
    bool timing_ = false;
};

using OperatorPtr = std::unique_ptr<Operator>;

}  // namespace ixora::pipeline
