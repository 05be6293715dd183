// The parts that queries are made of, timed alone: bench_parts --orders=100000 [Google Benchmark's options]. Times are
// per item: a key, a document, a query.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "arguments.hpp"
#include "engine_contestant.hpp"
#include "ixora/mql/match_parser.hpp"
#include "ixora/mql/match_rewrite.hpp"
#include "ixora/mql/matcher.hpp"
#include "ixora/plan/plan_template.hpp"
#include "store_floor.hpp"

namespace {

using namespace ixora;
using namespace ixora::bench;
using namespace ixora::literals;
using Parameters = std::vector<orders::Parameters>;

constexpr std::int32_t sample_size = 1024;

// A sample of orders that stays in the cache.
std::vector<bson::Document> sample_orders() {
    orders::Generator generator(sample_size);
    std::vector<bson::Document> out;
    for (std::int32_t i = 0; i < sample_size; ++i) out.emplace_back(generator.next());
    return out;
}

void per_item(benchmark::State& state, double items) {
    state.counters["items"] = benchmark::Counter(items, benchmark::Counter::kAvgIterations);
}

void encode_key(benchmark::State& state, const std::vector<bson::Document>& sample,
                std::vector<std::string_view> fields) {
    std::vector<bson::Element> values;
    for (const bson::Document& order : sample)
        for (const std::string_view field : fields) values.push_back(order.view().find_dotted(field));
    key::KeyBuilder builder;
    std::int64_t keys = 0;
    for (auto _ : state) {
        for (std::size_t at = 0; at < values.size(); at += fields.size()) {
            builder.reset();
            for (std::size_t i = 0; i < fields.size(); ++i) builder.append(values[at + i]);
            builder.append_end();
            benchmark::DoNotOptimize(builder.bytes().data());
        }
        keys += sample_size;
    }
    per_item(state, static_cast<double>(keys));
}

void compare_keys(benchmark::State& state, const std::vector<bson::Document>& sample) {
    std::vector<std::string> keys;
    for (const bson::Document& order : sample)
        keys.push_back(StoreFloor::time_key(order["tenant"].number_int(), order["createdAt"].date(),
                                            key::Discriminator::inclusive));
    std::int64_t compared = 0;
    for (auto _ : state) {
        int sum = 0;
        for (std::size_t i = 1; i < keys.size(); ++i)
            sum += key::compare(key::as_bytes(keys[i - 1]), key::as_bytes(keys[i]));
        benchmark::DoNotOptimize(sum);
        compared += sample_size - 1;
    }
    per_item(state, static_cast<double>(compared));
}

void match_filter(benchmark::State& state, const std::vector<bson::Document>& sample, const bson::Document& filter) {
    const mql::MatchNodePtr tree = mql::optimize(mql::parse_match(filter));
    const mql::Matcher matcher(*tree);
    std::int64_t documents = 0;
    for (auto _ : state) {
        int matches = 0;
        for (const bson::Document& order : sample) matches += matcher.matches(order) ? 1 : 0;
        benchmark::DoNotOptimize(matches);
        documents += sample_size;
    }
    per_item(state, static_cast<double>(documents));
}

plan::IndexEntryPtr make_index(std::string name, bson::Document key_pattern, bool multikey = false) {
    auto index = std::make_shared<plan::IndexEntry>();
    index->name = std::move(name);
    index->key_pattern = std::move(key_pattern);
    index->multikey = multikey;
    index->multikey_paths.resize(index->field_count());
    if (multikey) index->multikey_paths.front().push_back(0);
    return index;
}

// The indexes of the stories, as the planner sees them.
plan::Catalog story_catalog(std::int32_t count) {
    plan::Catalog catalog;
    catalog.record_count = count;
    catalog.indexes = {make_index("_id_", "{_id: 1}"_bson),
                       make_index("userId_1", "{userId: 1}"_bson),
                       make_index("tenant_1_createdAt_-1", "{tenant: 1, createdAt: -1}"_bson),
                       make_index("items.sku_1", "{'items.sku': 1}"_bson, true),
                       make_index("status_1", "{status: 1}"_bson),
                       make_index("address.city_1", "{'address.city': 1}"_bson)};
    return catalog;
}

// The same and five more, two of which a query of four predicates can use beside its two.
plan::Catalog large_catalog(std::int32_t count) {
    plan::Catalog catalog = story_catalog(count);
    for (const char* pattern : {"{total: 1}", "{createdAt: 1}", "{tags: 1}", "{payload: 1}", "{'address.province': 1}"})
        catalog.indexes.push_back(make_index(pattern, mql::parse_shell_document(pattern)));
    return catalog;
}

plan::FindRequest request_of(const bson::Document& filter) {
    plan::FindRequest request;
    request.ns = "bench.orders";
    request.filter = filter;
    return request;
}

void parse_query(benchmark::State& state, const bson::Document& filter) {
    for (auto _ : state) benchmark::DoNotOptimize(plan::CanonicalQuery::make(request_of(filter), nullptr));
}

void plan_query(benchmark::State& state, const bson::Document& filter, const plan::Catalog& catalog) {
    const auto query = plan::CanonicalQuery::make(request_of(filter), nullptr);
    const Knobs knobs;
    for (auto _ : state) benchmark::DoNotOptimize(plan::plan(*query, catalog, knobs));
}

// What a query takes whose form has been planned before.
void use_template(benchmark::State& state, const bson::Document& filter, const plan::Catalog& catalog) {
    const auto query = plan::CanonicalQuery::make(request_of(filter), nullptr);
    const auto knobs = std::make_shared<const Knobs>();
    plan::PlanTemplates templates;
    const std::vector<plan::Solution> solutions = plan::plan(*query, catalog, *knobs);
    if (auto made = plan::PlanTemplate::make(*query, catalog, knobs, solutions.front())) templates.put(std::move(made));
    for (auto _ : state) {
        const plan::PlanTemplatePtr found = templates.find(*query, catalog, knobs.get());
        if (found == nullptr) return state.SkipWithError("no template");
        benchmark::DoNotOptimize(found->instantiate(*query));
    }
}

void add_store_parts(StoreFloor& store, const Parameters& parameters) {
    benchmark::RegisterBenchmark("store_point_lookup", [&](benchmark::State& state) {
        std::size_t set = 0;
        for (auto _ : state) benchmark::DoNotOptimize(store.look_up(parameters[set++ % parameter_sets].id));
    });
    benchmark::RegisterBenchmark("tree_seek", [&](benchmark::State& state) {
        std::size_t set = 0;
        for (auto _ : state) benchmark::DoNotOptimize(store.seek(parameters[set++ % parameter_sets]));
    });
    benchmark::RegisterBenchmark("tree_step_and_compare", [&](benchmark::State& state) {
        std::size_t set = 0;
        std::uint64_t keys = 0;
        for (auto _ : state) keys += store.count_keys(parameters[set++ % parameter_sets]).rows;
        per_item(state, static_cast<double>(keys));
    });
}

}  // namespace

int main(int argc, char** argv) {
    const std::int32_t count = take_count(argc, argv);
    if (count <= 0) {
        fmt::print(stderr, "usage: bench_parts --orders=N [--benchmark_...]\n");
        return EXIT_FAILURE;
    }
    const auto parameters = orders::parameters(count, static_cast<int>(parameter_sets));
    const auto sample = sample_orders();
    const plan::Catalog catalog = story_catalog(count);
    StoreFloor store(count, parameters);

    benchmark::RegisterBenchmark("key_encode_number_date", [&](benchmark::State& state) {
        encode_key(state, sample, {"tenant", "createdAt"});
    });
    benchmark::RegisterBenchmark("key_encode_text",
                                 [&](benchmark::State& state) { encode_key(state, sample, {"address.city"}); });
    benchmark::RegisterBenchmark("key_compare", [&](benchmark::State& state) { compare_keys(state, sample); });
    add_store_parts(store, parameters);

    const auto filter_of = [&](Story story) { return EngineContestant::filter_of(story, parameters.front()); };
    const bson::Document two_indexes = R"({userId: 17, status: "paid"})"_bson;
    const std::vector<std::pair<std::string, bson::Document>> filters{{"one_comparison", filter_of(Story::scan)},
                                                                      {"range", filter_of(Story::range_limit)},
                                                                      {"elem_match", filter_of(Story::elem_match)},
                                                                      {"two_indexes", two_indexes}};
    for (const auto& entry : filters) {
        const bson::Document filter = entry.second;
        benchmark::RegisterBenchmark(("filter_" + entry.first).c_str(), [&sample, filter](benchmark::State& state) {
            match_filter(state, sample, filter);
        });
        benchmark::RegisterBenchmark(("parse_" + entry.first).c_str(),
                                     [filter](benchmark::State& state) { parse_query(state, filter); });
        benchmark::RegisterBenchmark(("plan_" + entry.first).c_str(), [&catalog, filter](benchmark::State& state) {
            plan_query(state, filter, catalog);
        });
    }
    const plan::Catalog larger = large_catalog(count);
    const bson::Document four =
        R"({userId: 17, status: "paid", total: {$gt: 100}, createdAt: {$lt: ISODate("2025-03-01")}})"_bson;
    benchmark::RegisterBenchmark("plan_four_predicates_ten_indexes",
                                 [&larger, four](benchmark::State& state) { plan_query(state, four, larger); });
    for (const Story story : {Story::user_eq, Story::range_limit}) {
        benchmark::RegisterBenchmark(
            fmt::format("template_{}", name_of(story)).c_str(),
            [&catalog, filter = filter_of(story)](benchmark::State& state) { use_template(state, filter, catalog); });
    }
    benchmark::AddCustomContext("orders", std::to_string(count));
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return EXIT_FAILURE;
    benchmark::RunSpecifiedBenchmarks();
    return EXIT_SUCCESS;
}
