// Rounds the boundaries of $bucketAuto to numbers of a preferred series (spec: aggregation.md 3).
#pragma once

#include <string>
#include <string_view>

namespace ixora::pipeline {

class Granularity {
public:
    // Throws 40257 for an unknown name.
    explicit Granularity(std::string_view name);

    const std::string& name() const noexcept { return name_; }
    // The next number of the series above `value` (not negative); 0 stays.
    double round_up(double value) const;
    // The number of the series below it; 0 stays.
    double round_down(double value) const;

private:
    std::string name_;
    const double* first_ = nullptr;  // of one decade of the series; null: powers of two
    const double* last_ = nullptr;
};

}  // namespace ixora::pipeline
