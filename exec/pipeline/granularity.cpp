#include "granularity.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "ixora/base/error.hpp"

namespace ixora::pipeline {

namespace {

constexpr double r5[] = {10, 16, 25, 40, 63};
constexpr double r10[] = {100, 125, 160, 200, 250, 315, 400, 500, 630, 800};
constexpr double r20[] = {100, 112, 125, 140, 160, 180, 200, 224, 250, 280,
                          315, 355, 400, 450, 500, 560, 630, 710, 800, 900};
constexpr double r40[] = {100, 106, 112, 118, 125, 132, 140, 150, 160, 170, 180, 190, 200, 212,
                          224, 236, 250, 265, 280, 300, 315, 335, 355, 375, 400, 425, 450, 475,
                          500, 530, 560, 600, 630, 670, 710, 750, 800, 850, 900, 950};
constexpr double r80[] = {103, 109, 115, 122, 128, 136, 145, 155, 165, 175, 185, 195, 206, 218,
                          230, 243, 258, 272, 290, 307, 325, 345, 365, 387, 412, 437, 462, 487,
                          515, 545, 575, 615, 650, 690, 730, 775, 825, 875, 925, 975};
constexpr double one_two_five[] = {10, 20, 50};
constexpr double e6[] = {10, 15, 22, 33, 47, 68};
constexpr double e12[] = {10, 12, 15, 18, 22, 27, 33, 39, 47, 56, 68, 82};
constexpr double e24[] = {10, 11, 12, 13, 15, 16, 18, 20, 22, 24, 27, 30,
                          33, 36, 39, 43, 47, 51, 56, 62, 68, 75, 82, 91};
constexpr double e48[] = {100, 105, 110, 115, 121, 127, 133, 140, 147, 154, 162, 169, 178, 187, 196, 205,
                          215, 226, 237, 249, 261, 274, 287, 301, 316, 332, 348, 365, 383, 402, 422, 442,
                          464, 487, 511, 536, 562, 590, 619, 649, 681, 715, 750, 787, 825, 866, 909, 953};
constexpr double e96[] = {100, 102, 105, 107, 110, 113, 115, 118, 121, 124, 127, 130, 133, 137, 140, 143,
                          147, 150, 154, 158, 162, 165, 169, 174, 178, 182, 187, 191, 196, 200, 205, 210,
                          215, 221, 226, 232, 237, 243, 249, 255, 261, 267, 274, 280, 287, 294, 301, 309,
                          316, 324, 332, 340, 348, 357, 365, 374, 383, 392, 402, 412, 422, 432, 442, 453,
                          464, 475, 487, 499, 511, 523, 536, 549, 562, 576, 590, 604, 619, 634, 649, 665,
                          681, 698, 715, 732, 750, 768, 787, 806, 825, 845, 866, 887, 909, 931, 953, 976};
constexpr double e192[] = {
    100, 101, 102, 104, 105, 106, 107, 109, 110, 111, 113, 114, 115, 117, 118, 120, 121, 123, 124, 126, 127, 129,
    130, 132, 133, 135, 137, 138, 140, 142, 143, 145, 147, 149, 150, 152, 154, 156, 158, 160, 162, 164, 165, 167,
    169, 172, 174, 176, 178, 180, 182, 184, 187, 189, 191, 193, 196, 198, 200, 203, 205, 208, 210, 213, 215, 218,
    221, 223, 226, 229, 232, 234, 237, 240, 243, 246, 249, 252, 255, 258, 261, 264, 267, 271, 274, 277, 280, 284,
    287, 291, 294, 298, 301, 305, 309, 312, 316, 320, 324, 328, 332, 336, 340, 344, 348, 352, 357, 361, 365, 370,
    374, 379, 383, 388, 392, 397, 402, 407, 412, 417, 422, 427, 432, 437, 442, 448, 453, 459, 464, 470, 475, 481,
    487, 493, 499, 505, 511, 517, 523, 530, 536, 542, 549, 556, 562, 569, 576, 583, 590, 597, 604, 612, 619, 626,
    634, 642, 649, 657, 665, 673, 681, 690, 698, 706, 715, 723, 732, 741, 750, 759, 768, 777, 787, 796, 806, 816,
    825, 835, 845, 856, 866, 876, 887, 898, 909, 920, 931, 942, 953, 965, 976, 988};

struct Series {
    std::string_view name;
    const double* first;
    const double* last;
};

template <std::size_t count>
constexpr Series series(std::string_view name, const double (&values)[count]) {
    return {name, values, values + count};
}

constexpr Series all_series[] = {
    series("R5", r5),   series("R10", r10), series("R20", r20),
    series("R40", r40), series("R80", r80), series("1-2-5", one_two_five),
    series("E6", e6),   series("E12", e12), series("E24", e24),
    series("E48", e48), series("E96", e96), series("E192", e192),
};

}  // namespace

Granularity::Granularity(std::string_view name) : name_(name) {
    if (name == "POWERSOF2") return;
    const auto* found = std::find_if(std::begin(all_series), std::end(all_series),
                                     [name](const Series& entry) { return entry.name == name; });
    if (found == std::end(all_series)) throw Error(40257, "Unknown rounding granularity '" + name_ + "'");
    first_ = found->first;
    last_ = found->last;
}

// Finds the decade first; between the last number of one and the first of the next lies no other.
double Granularity::round_up(double value) const {
    if (value == 0) return 0;
    if (first_ == nullptr) return std::exp2(std::floor(std::log2(value)) + 1);
    double multiplier = 1;
    while (value >= last_[-1] * multiplier) multiplier *= 10;
    while (value < *first_ * multiplier) {
        const double next_decade = *first_ * multiplier;
        multiplier /= 10;
        if (value >= last_[-1] * multiplier) return next_decade;
    }
    return *std::upper_bound(first_, last_, value, [multiplier](double left, double right) {
        return left < right * multiplier;
    }) * multiplier;
}

double Granularity::round_down(double value) const {
    if (value == 0) return 0;
    if (first_ == nullptr) return std::exp2(std::ceil(std::log2(value)) - 1);
    double multiplier = 1;
    while (value <= *first_ * multiplier) multiplier /= 10;
    while (value > last_[-1] * multiplier) {
        const double previous_decade = last_[-1] * multiplier;
        multiplier *= 10;
        if (value <= *first_ * multiplier) return previous_decade;
    }
    const double* above = std::lower_bound(
        first_, last_, value, [multiplier](double left, double right) { return left * multiplier < right; });
    return above[-1] * multiplier;
}

}  // namespace ixora::pipeline
