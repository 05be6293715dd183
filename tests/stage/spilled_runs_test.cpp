// External sorting: runs on disk and their merge.
#include "ixora/stage/spilled_runs.hpp"

#include <algorithm>
#include <filesystem>
#include <random>

#include "catch.hpp"
#include "ixora/base/error.hpp"

using namespace ixora;

namespace {

std::string text_of(std::span<const std::uint8_t> bytes) { return {bytes.begin(), bytes.end()}; }

// A directory of its own that goes with the test.
struct OwnDirectory {
    OwnDirectory()
        : path(std::filesystem::temp_directory_path() / ("ixora-test-" + std::to_string(std::random_device{}()))) {
        std::filesystem::create_directory(path);
    }
    ~OwnDirectory() { std::filesystem::remove_all(path); }
    std::filesystem::path path;
};

}  // namespace

TEST_CASE("runs come back in the order of their keys, equal keys in the order of the runs") {
    for (const int run_count : {1, 2, 64, 65, 200}) {  // past 64 they are merged in several passes
        OwnDirectory directory;
        stage::SpilledRuns runs(directory.path);
        std::vector<std::pair<std::string, std::string>> expected;
        std::mt19937 random(7);
        for (int run = 0; run < run_count; ++run) {
            std::vector<std::string> keys;
            for (int i = 0; i < 30; ++i) keys.push_back(std::to_string(random() % 50));
            std::sort(keys.begin(), keys.end());
            for (const std::string& key : keys) {
                // Some records are larger than a reader's buffer.
                const std::string value =
                    std::to_string(run) + std::string(random() % 100 == 0 ? 300'000 : random() % 40, 'x');
                runs.add(key::as_bytes(key), key::as_bytes(value));
                expected.emplace_back(key, value);
            }
            runs.end_run();
        }
        CHECK(runs.run_count() == run_count);
        std::stable_sort(expected.begin(), expected.end(),
                         [](const auto& left, const auto& right) { return left.first < right.first; });
        runs.start({});
        std::size_t at = 0;
        bool same = true;
        while (runs.next()) {
            same = same && at < expected.size() && text_of(runs.key()) == expected[at].first &&
                   text_of(runs.bytes()) == expected[at].second;
            ++at;
        }
        CHECK(same);
        CHECK(at == expected.size());
        CHECK(std::filesystem::is_empty(directory.path));  // the file never has a name for long
    }
}

TEST_CASE("a directory where nothing can be written is an error") {
    stage::SpilledRuns runs("/nonexistent/directory");
    try {
        runs.add({}, {});
        FAIL("no error");
    } catch (const Error& error) {
        CHECK(error.code() == 38);
        CHECK(std::string(error.what()).find("/nonexistent/directory") != std::string::npos);
    }
}
