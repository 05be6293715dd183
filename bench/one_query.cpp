// Runs one story many times inside repeat(), which callgrind is told to count: bench_one_query STORY. The instructions
// of one call of repeat() are a measure that a busy machine doesn't disturb (instruction_counts.py).
#include <fmt/format.h>

#include <cstdlib>

#include "engine_contestant.hpp"

namespace {

using namespace ixora::bench;

constexpr std::int32_t orders_count = 10'000;
constexpr std::size_t runs = 20;

}  // namespace

// With C linkage so that callgrind's --toggle-collect finds it by this name.
extern "C" __attribute__((noinline)) std::uint64_t repeat(Contestant& contestant, Story story) {
    std::uint64_t rows = 0;
    for (std::size_t set = 0; set < runs; ++set) rows += contestant.run(story, set).rows;
    return rows;
}

int main(int argc, char** argv) {
    const auto parameters = ixora::orders::parameters(orders_count, static_cast<int>(parameter_sets));
    for (const Story story : stories) {
        if (argc != 2 || name_of(story) != argv[1]) continue;
        EngineContestant engine(orders_count, parameters);
        engine.run(story, runs);  // fills caches and thread-local buffers
        fmt::print("{}\n", repeat(engine, story));
        return EXIT_SUCCESS;
    }
    fmt::print(stderr, "usage: bench_one_query STORY\n");
    return EXIT_FAILURE;
}
