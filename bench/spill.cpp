// How much memory a sort and a $group take that spill: peak resident memory above that after loading.
//
//   bench_spill [MEBIBYTES [MILLIONS_OF_GROUPS [KNOB_MEBIBYTES]]]     the figures: 3072 20 512
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include "ixora/ixora.hpp"

using namespace ixora;

namespace {

// A line of /proc/self/status in MiB.
long status_mebibytes(const std::string& name) {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with(name)) return std::atol(line.c_str() + name.size() + 1) / 1024;
    return 0;
}

void reset_peak() { std::ofstream("/proc/self/clear_refs") << "5"; }

bson::Document run(Database& database, std::string_view text) {
    bson::Builder command;
    command.append_all(mql::parse_shell_document(text));
    command.append("$db", "bench");
    return database.run_command(command.finish());
}

// Reads the pipeline to its end; the number of rows.
std::int64_t drain(Database& database, const std::string& collection, const std::string& pipeline) {
    bson::Document reply = run(database, "{aggregate: \"" + collection + "\", pipeline: " + pipeline + ", cursor: {}}");
    std::int64_t rows = 0;
    for (const char* batch = "firstBatch";; batch = "nextBatch") {
        if (!reply["ok"].truthy()) {
            std::printf("%s\n", bson::to_json(reply, bson::JsonMode::relaxed).c_str());
            std::exit(1);
        }
        rows += static_cast<std::int64_t>(reply["cursor"].object()[batch].object().field_count());
        const std::int64_t id = reply["cursor"].object()["id"].to_int64();
        if (id == 0) return rows;
        bson::Builder more;
        more.append("getMore", id);
        more.append("collection", collection);
        more.append("$db", "bench");
        reply = database.run_command(more.finish());
    }
}

void measure(Database& database, const char* what, const std::string& collection, const std::string& pipeline) {
    const long loaded = status_mebibytes("VmRSS:");
    reset_peak();
    const auto started = std::chrono::steady_clock::now();
    const std::int64_t rows = drain(database, collection, pipeline);
    const std::chrono::duration<double> used = std::chrono::steady_clock::now() - started;
    std::printf("%-6s %10lld rows  %7.1f s  loaded %6ld MiB  peak above it %6ld MiB\n", what,
                static_cast<long long>(rows), used.count(), loaded, status_mebibytes("VmHWM:") - loaded);
}

// Documents of about 1 KiB in no order.
void load_documents(Database& database, std::int64_t mebibytes) {
    auto documents = database.collection("documents", "bench");
    const std::string padding(960, 'p');
    std::uint64_t random = 1;
    for (std::int64_t i = 0; i < mebibytes * 1024; ++i) {
        random = random * 6364136223846793005ULL + 1442695040888963407ULL;
        bson::Builder document;
        document.append("_id", i);
        document.append("k", static_cast<std::int64_t>(random >> 16));
        document.append("padding", padding);
        documents.insert(document.finish_view());
    }
}

// Arrays of 1,000 numbers, all of them different.
void load_groups(Database& database, std::int64_t millions) {
    auto groups = database.collection("groups", "bench");
    for (std::int64_t i = 0; i < millions * 1000; ++i) {
        bson::Builder document;
        document.append("_id", i);
        document.open_array("v");
        for (std::int64_t j = 0; j < 1000; ++j) document.append(i * 1000 + j);
        document.close();
        groups.insert(document.finish_view());
    }
}

}  // namespace

int main(int argc, char** argv) {
    const auto argument = [&](int at, std::int64_t otherwise) { return argc > at ? std::atoll(argv[at]) : otherwise; };
    Database database;
    Knobs knobs = database.knobs();
    knobs.internalQueryMaxBlockingSortMemoryUsageBytes = argument(3, 512) << 20;
    knobs.internalDocumentSourceGroupMaxMemoryBytes = argument(3, 512) << 20;
    database.set_knobs(knobs);
    // The smaller collection first: what it leaves behind in the allocator hides little of the second measurement.
    load_groups(database, argument(2, 20));
    measure(database, "$group", "groups", "[{$unwind: \"$v\"}, {$group: {_id: \"$v\", n: {$sum: 1}}}]");
    database.collection("groups", "bench").drop();
    load_documents(database, argument(1, 3072));
    measure(database, "sort", "documents", "[{$sort: {k: 1}}]");
}
