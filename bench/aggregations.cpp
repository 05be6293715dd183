// Aggregations over 100,000 or a million orders, against SQLite and the raw walk over the documents:
//
//   bench_aggregations --orders=N [Google Benchmark's options]
//   bench_aggregations --orders=N FOLDER     writes the data, the queries and ixora's answers for aggregation_peers.mjs
//   bench_aggregations --orders=N NAME       runs one aggregation once, inside run_once(), for callgrind
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <ixora/ixora.hpp>

#include "aggregation_sqlite.hpp"
#include "aggregation_workload.hpp"
#include "arguments.hpp"
#include "hand_written.hpp"

namespace {

using namespace ixora;
using namespace ixora::bench;
using namespace ixora::literals;

// Through run_command, as the aggregate command reaches a server.
class AggregationEngine {
public:
    explicit AggregationEngine(std::int32_t order_count) {
        orders::Generator generator(order_count);
        load("orders", order_count, [&](std::int32_t) { return generator.next(); });
        load("products", product_count, [this](std::int32_t i) { return product(i, builder_); });
        database_.collection("tree", "bench").create_index("{parent: 1}"_bson);
        load("tree", tree_size, [this](std::int32_t i) { return tree_node(i, builder_); });
        for (const Aggregation& aggregation : aggregations()) commands_.push_back(command_of(aggregation));
    }

    Answer run(const Aggregation& aggregation) {
        bson::Document reply =
            database_.run_command(commands_[static_cast<std::size_t>(&aggregation - aggregations().data())]);
        Answer rows;
        for (const char* batch = "firstBatch";; batch = "nextBatch") {
            if (!reply["ok"].truthy()) throw std::runtime_error(bson::to_json(reply, bson::JsonMode::relaxed));
            const bson::View cursor = reply["cursor"].object();
            for (const bson::Element& row : cursor[batch].object()) append_row(aggregation, row.object(), rows);
            const std::int64_t id = cursor["id"].to_int64();
            if (id == 0) return rows;
            bson::Builder more;
            more.append("getMore", id);
            more.append("collection", aggregation.collection);
            more.append("$db", "bench");
            reply = database_.run_command(more.finish());
        }
    }

private:
    template <class Make>
    void load(const char* name, std::int32_t count, Make make) {
        auto collection = database_.collection(name, "bench");
        for (std::int32_t i = 0; i < count; ++i) collection.insert(make(i));
    }

    static bson::Document command_of(const Aggregation& aggregation) {
        const bson::Document pipeline = bson::from_json(fmt::format("{{\"pipeline\": {}}}", aggregation.pipeline));
        bson::Builder command;
        command.append("aggregate", aggregation.collection);
        command.append_all(pipeline);
        command.open_object("cursor");
        command.append("batchSize", 1000);
        command.close();
        command.append("$db", "bench");
        return command.finish();
    }

    static void append_row(const Aggregation& aggregation, bson::View document, Answer& rows) {
        std::vector<Cell>& row = rows.emplace_back();
        for (const std::string_view column : aggregation.columns) {
            if (column.empty()) continue;
            const bson::Element value = document[column];
            if (value.is_string())
                row.emplace_back(std::string(value.string()));
            else
                row.emplace_back(value.to_double());
        }
    }

    Database database_;
    bson::Builder builder_;
    std::vector<bson::Document> commands_;
};

void write_lines(const std::filesystem::path& path, std::int32_t count,
                 const std::function<bson::View(std::int32_t)>& make) {
    std::ofstream out(path);
    std::string line;
    for (std::int32_t i = 0; i < count; ++i) {
        line.clear();
        append_plain_json(make(i), line);
        out << line << '\n';
    }
}

std::string text_of(const Cell& cell) {
    if (const auto* text = std::get_if<std::string>(&cell)) return fmt::format("\"{}\"", *text);
    return fmt::format("{}", std::get<double>(cell));
}

// [{name, collection, pipeline, columns, answer: [[...]]}]
void write_queries(const std::filesystem::path& path, AggregationEngine& engine) {
    std::ofstream out(path);
    const char* separator = "[\n";
    for (const Aggregation& aggregation : aggregations()) {
        out << separator
            << fmt::format(R"({{"name": "{}", "collection": "{}", "pipeline": {}, "columns": ["{}"], "answer": )",
                           aggregation.name, aggregation.collection, aggregation.pipeline,
                           fmt::join(aggregation.columns, "\", \""));
        const char* row_separator = "[";
        for (const std::vector<Cell>& row : engine.run(aggregation)) {
            std::vector<std::string> texts;
            for (const Cell& cell : row) texts.push_back(text_of(cell));
            out << row_separator << fmt::format("[{}]", fmt::join(texts, ","));
            row_separator = ",\n";
        }
        out << "]}";
        separator = ",\n";
    }
    out << "]\n";
}

void write_data(const std::filesystem::path& folder, std::int32_t order_count) {
    std::filesystem::create_directories(folder);
    orders::Generator generator(order_count);
    bson::Builder builder;
    write_lines(folder / "orders.jsonl", order_count, [&](std::int32_t) { return generator.next(); });
    write_lines(folder / "products.jsonl", product_count, [&](std::int32_t i) { return product(i, builder); });
    write_lines(folder / "tree.jsonl", tree_size, [&](std::int32_t i) { return tree_node(i, builder); });
    AggregationEngine engine(order_count);
    write_queries(folder / "queries.json", engine);
}

template <class Run>
void add_benchmark(const std::string& name, Run run) {
    const auto loop = [run](benchmark::State& state) {
        for (auto _ : state) benchmark::DoNotOptimize(run());
    };
    benchmark::RegisterBenchmark(name.c_str(), loop)->Unit(benchmark::kMillisecond);
}

int measure(int argc, char** argv, std::int32_t order_count) {
    AggregationEngine engine(order_count);
    AggregationSqlite sqlite(order_count);
    const std::vector<orders::Parameters> parameters(1);
    HandWritten hand(order_count, parameters);
    for (const Aggregation& aggregation : aggregations()) {
        if (!is_same(aggregation, engine.run(aggregation), sqlite.run(aggregation))) {
            fmt::print(stderr, "{}: SQLite has another answer\n", aggregation.name);
            return EXIT_FAILURE;
        }
        add_benchmark(fmt::format("{}/ixora", aggregation.name), [&] { return engine.run(aggregation).size(); });
        add_benchmark(fmt::format("{}/sqlite", aggregation.name), [&] { return sqlite.run(aggregation).size(); });
    }
    add_benchmark("walk/hand", [&] { return hand.run(Story::scan, 0).rows; });
    benchmark::AddCustomContext("orders", std::to_string(order_count));
    benchmark::AddCustomContext("sqlite", sqlite3_libversion());
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return EXIT_FAILURE;
    benchmark::RunSpecifiedBenchmarks();
    return EXIT_SUCCESS;
}

// With C linkage so that callgrind's --toggle-collect finds it by this name.
extern "C" __attribute__((noinline)) std::uint64_t run_once(AggregationEngine& engine, const Aggregation& aggregation) {
    return engine.run(aggregation).size();
}

}  // namespace

int main(int argc, char** argv) {
    const std::int32_t count = take_count(argc, argv);
    if (count <= 0) {
        fmt::print(stderr, "usage: bench_aggregations --orders=N [FOLDER | NAME | --benchmark_...]\n");
        return EXIT_FAILURE;
    }
    if (argc != 2 || std::string_view(argv[1]).starts_with('-')) return measure(argc, argv, count);
    for (const Aggregation& aggregation : aggregations()) {
        if (aggregation.name != argv[1]) continue;
        AggregationEngine engine(count);
        fmt::print("{} rows\n", run_once(engine, aggregation));
        return EXIT_SUCCESS;
    }
    write_data(argv[1], count);
    return EXIT_SUCCESS;
}
