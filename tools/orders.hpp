// Deterministic order documents: the data of the demo and of the benchmarks.
//
// One 32-bit generator (mulberry32) and one seed; document i is the same everywhere. Fields: _id, tenant (0-9), status
// (five values with fixed shares), createdAt (2024-2025), total, userId (20 orders each on average), items[{sku, price,
// qty}] (one to five of 2,000 skus), address{province, city}, tags[] (none to three of ten), and, if asked for, payload
// (a text of `payload_bytes`).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ixora/bson/builder.hpp"

namespace ixora::orders {

class Random {
public:
    explicit Random(std::uint32_t seed) noexcept : state_(seed) {}
    // Uniform in [0, 1) with 32 bits.
    double next() noexcept;
    // Uniform in 0 ... n - 1.
    std::int32_t below(std::int32_t n) noexcept { return static_cast<std::int32_t>(next() * n); }

private:
    std::uint32_t state_;
};

struct Options {
    std::uint32_t seed = 42;
    bool even_tenants = false;      // tenant i % 10 instead of a random one, so that each has exactly a tenth
    std::size_t payload_bytes = 0;  // 0: no payload field
};

class Generator {
public:
    explicit Generator(std::int32_t count, Options options = {}) noexcept
        : count_(count), options_(options), random_(options.seed) {}
    std::int32_t count() const noexcept { return count_; }
    // The next document; call it `count` times. Valid until the next call.
    bson::View next();

private:
    std::int32_t count_;
    Options options_;
    Random random_;
    std::int32_t at_ = 0;
    bson::Builder builder_;
};

// One set of parameters for the benchmark queries.
struct Parameters {
    std::int32_t id = 0, user = 0, tenant = 0;
    std::int64_t from = 0, to = 0;  // createdAt range, a tenth of the time
    std::string sku, city_prefix;   // the prefix covers one province's hundred cities
};
std::vector<Parameters> parameters(std::int32_t count, int repetitions = 64, std::uint32_t seed = 7);

}  // namespace ixora::orders
