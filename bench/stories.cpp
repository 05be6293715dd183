// The user stories, timed: bench_stories --orders=100000 [Google Benchmark's options]. All contestants must give the
// same rows before anything is timed. bench/run.sh runs it at both sizes; report.py reads what it writes.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>

#include "arguments.hpp"
#include "engine_contestant.hpp"
#include "hand_written.hpp"
#include "sqlite_peer.hpp"
#include "store_floor.hpp"

namespace {

using namespace ixora::bench;

constexpr std::size_t checked_sets = 8;

// The contestants must give as many rows as the first for each of the first sets.
bool all_agree(const std::vector<Contestant*>& contestants) {
    for (const Story story : stories) {
        for (std::size_t set = 0; set < checked_sets; ++set) {
            const std::uint64_t rows = contestants.front()->run(story, set).rows;
            for (Contestant* contestant : contestants) {
                if (!contestant->knows(story)) continue;
                const std::uint64_t theirs = contestant->run(story, set).rows;
                if (theirs == rows) continue;
                fmt::print(stderr, "{}: {} gives {} rows, {} gives {}\n", name_of(story), contestants.front()->name(),
                           rows, contestant->name(), theirs);
                return false;
            }
        }
    }
    return true;
}

void add_benchmark(Story story, Contestant& contestant, const Examined& examined) {
    const auto loop = [story, &contestant, examined](benchmark::State& state) {
        std::size_t set = 0;
        std::int64_t planned = 0;
        for (auto _ : state) {
            Tally tally = contestant.run(story, set++ % parameter_sets);
            benchmark::DoNotOptimize(tally);
            planned += tally.planned ? 1 : 0;
        }
        state.counters["rows"] = examined.rows;
        state.counters["planned"] = static_cast<double>(planned);
        if (contestant.name() != "ixora") return;
        state.counters["keys"] = examined.keys;
        state.counters["docs"] = examined.documents;
    };
    benchmark::RegisterBenchmark(fmt::format("{}/{}", name_of(story), contestant.name()).c_str(), loop);
}

}  // namespace

int main(int argc, char** argv) {
    const std::int32_t count = take_count(argc, argv);
    if (count <= 0) {
        fmt::print(stderr, "usage: bench_stories --orders=N [--benchmark_...]\n");
        return EXIT_FAILURE;
    }
    const auto parameters = ixora::orders::parameters(count, static_cast<int>(parameter_sets));
    EngineContestant engine(count, parameters);  // first, so that its memory is measured alone
    CommandContestant command(engine);
    PreparedContestant prepared(engine, parameters);
    HandWritten hand(count, parameters);
    StoreFloor store(count, parameters);
    SqlitePeer sqlite(count, parameters);
    const std::vector<Contestant*> contestants{&hand, &engine, &command, &prepared, &store, &sqlite};
    if (!all_agree(contestants)) return EXIT_FAILURE;

    const LoadFigures& load = engine.load_figures();
    benchmark::AddCustomContext("orders", std::to_string(count));
    benchmark::AddCustomContext("load_ns_per_document", fmt::format("{:.0f}", load.nanos_per_document));
    benchmark::AddCustomContext("bson_bytes", std::to_string(load.bson_bytes));
    benchmark::AddCustomContext("resident_bytes", std::to_string(load.resident_bytes));
    benchmark::AddCustomContext("sqlite", SqlitePeer::version());
    for (const Story story : stories) {
        const Examined examined = engine.examined(story, checked_sets);
        for (Contestant* contestant : contestants)
            if (contestant->knows(story)) add_benchmark(story, *contestant, examined);
    }
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return EXIT_FAILURE;
    benchmark::RunSpecifiedBenchmarks();
    return EXIT_SUCCESS;
}
