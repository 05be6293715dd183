// $top, $topN, $bottom, $bottomN (spec: aggregation.md section 10).
#include <algorithm>
#include <string>

#include "accumulators.hpp"
#include "memory_limit.hpp"

namespace ixora::mql {

namespace {

// The first n rows by sort key, or the last n; of equal keys those seen first. Inputs are {k: sort key, o: output}.
class SortedRows final : public Accumulator {
public:
    SortedRows(const AccumulatorArguments& arguments, bool top, bool single)
        : name_(arguments.operator_name), count_(static_cast<std::size_t>(arguments.n)), top_(top), single_(single) {
        reset();
    }
    void process(const ComputedValue& input) override {
        const std::string_view key = input.object().front().bin_data();
        const bson::Element output = input.object().find("o");
        if (rows_.size() == count_) {
            const bool better = top_ ? key < rows_.back().key : key > rows_.front().key;
            if (!better) return;
            const auto worst = top_ ? rows_.end() - 1 : rows_.begin();
            memory_bytes_ -= bytes_of(*worst);
            rows_.erase(worst);
        }
        const auto place = std::upper_bound(rows_.begin(), rows_.end(), key,
                                            [](std::string_view left, const Row& right) { return left < right.key; });
        const auto added = rows_.insert(place, Row{std::string(key), ComputedValue::view(output).owned()});
        memory_bytes_ += bytes_of(*added);
        check_accumulator_memory(name_, memory_bytes_);
    }
    ComputedValue result() const override {
        if (single_) return rows_.empty() || rows_[0].output.missing() ? ComputedValue::null() : rows_[0].output;
        bson::Builder out;
        out.open_array("");
        for (const Row& row : rows_) row.output.append_member_to(out);
        out.close();
        return ComputedValue::built(out);
    }
    void append_state(bson::Builder& out) const override {
        for (const Row& row : rows_) {
            out.open_object();
            out.append_bin_data("k", 0, row.key);
            row.output.append_to(out, "o");
            out.close();
        }
    }
    void reset() override {
        rows_.clear();
        memory_bytes_ = sizeof *this;
    }

private:
    struct Row {
        std::string key;
        ComputedValue output;
    };
    static std::size_t bytes_of(const Row& row) noexcept {
        return sizeof row.key + row.key.size() + row.output.memory_bytes();
    }

    const std::string_view name_;
    const std::size_t count_;
    const bool top_;
    const bool single_;
    std::vector<Row> rows_;  // in order of the keys
};

}  // namespace

std::unique_ptr<Accumulator> make_top(const AccumulatorArguments& arguments) {
    return std::make_unique<SortedRows>(arguments, true, true);
}
std::unique_ptr<Accumulator> make_top_n(const AccumulatorArguments& arguments) {
    return std::make_unique<SortedRows>(arguments, true, false);
}
std::unique_ptr<Accumulator> make_bottom(const AccumulatorArguments& arguments) {
    return std::make_unique<SortedRows>(arguments, false, true);
}
std::unique_ptr<Accumulator> make_bottom_n(const AccumulatorArguments& arguments) {
    return std::make_unique<SortedRows>(arguments, false, false);
}

}  // namespace ixora::mql
