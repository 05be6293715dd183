#include "orders.hpp"

#include <array>
#include <cmath>

#include <fmt/format.h>

namespace ixora::orders {

namespace {

constexpr std::int64_t first_instant = 1704067200000;  // 2024-01-01
constexpr std::int64_t last_instant = 1767225600000;   // 2026-01-01
constexpr std::int32_t sku_count = 2000;

constexpr std::array statuses{"new", "paid", "shipped", "returned", "cancelled"};
constexpr std::array status_cuts{0.15, 0.40, 0.85, 0.95, 1.0};  // cumulative shares
constexpr std::array tags{"gift",     "promo", "b2b",         "fragile", "express",
                          "preorder", "vip",   "fraud-check", "bulk",    "eco"};

const char* status_of(double share) {
    std::size_t i = 0;
    while (share >= status_cuts[i]) ++i;
    return statuses[i];
}

std::string sku_name(std::int32_t number) { return fmt::format("SKU-{:05}", number); }
double round_half_up(double value) { return std::floor(value + 0.5); }

}  // namespace

double Random::next() noexcept {
    state_ += 0x6d2b79f5U;
    std::uint32_t t = state_;
    t = (t ^ (t >> 15)) * (t | 1U);
    t ^= t + (t ^ (t >> 7)) * (t | 61U);
    return static_cast<double>(t ^ (t >> 14)) / 4294967296.0;
}

bson::View Generator::next() {
    const std::int32_t users = std::max(1, count_ / 20);
    const std::int32_t id = at_++;
    const char* status = status_of(random_.next());

    struct Item {
        std::int32_t sku, quantity;
        double price;
    };
    std::array<Item, 5> items{};
    const std::int32_t item_count = 1 + random_.below(5);
    double total = 0;
    for (std::int32_t i = 0; i < item_count; ++i) {
        Item& item = items[static_cast<std::size_t>(i)];
        item.price = round_half_up(100 + random_.next() * 19900) / 100;
        item.quantity = 1 + random_.below(10);
        total += item.price * item.quantity;
        item.sku = random_.below(sku_count);
    }
    const std::int32_t province = random_.below(34);
    std::array<std::int32_t, 3> tag_numbers{};
    const std::int32_t tag_count = random_.below(4);
    for (std::int32_t i = 0; i < tag_count; ++i) tag_numbers[static_cast<std::size_t>(i)] = random_.below(10);

    builder_.reset();
    builder_.append("_id", id);
    const std::int32_t tenant = random_.below(10);
    builder_.append("tenant", options_.even_tenants ? id % 10 : tenant);
    builder_.append("status", status);
    builder_.append_date(
        "createdAt",
        first_instant + static_cast<std::int64_t>(random_.next() * static_cast<double>(last_instant - first_instant)));
    builder_.append("total", round_half_up(total * 100) / 100);
    builder_.append("userId", random_.below(users));
    builder_.open_array("items");
    for (std::int32_t i = 0; i < item_count; ++i) {
        const Item& item = items[static_cast<std::size_t>(i)];
        builder_.open_object();
        builder_.append("sku", sku_name(item.sku));
        builder_.append("price", item.price);
        builder_.append("qty", item.quantity);
        builder_.close();
    }
    builder_.close();
    builder_.open_object("address");
    builder_.append("province", fmt::format("P{:02}", province));
    builder_.append("city", fmt::format("C{:04}", province * 100 + random_.below(100)));
    builder_.close();
    builder_.open_array("tags");
    for (std::int32_t i = 0; i < tag_count; ++i)
        builder_.append(tags[static_cast<std::size_t>(tag_numbers[static_cast<std::size_t>(i)])]);
    builder_.close();
    if (options_.payload_bytes > 0)
        builder_.append("payload", std::string(options_.payload_bytes, static_cast<char>('a' + id % 26)));
    return builder_.finish_view();
}

std::vector<Parameters> parameters(std::int32_t count, int repetitions, std::uint32_t seed) {
    Random random(seed);
    const std::int32_t users = std::max(1, count / 20);
    const auto span = static_cast<double>(last_instant - first_instant);
    std::vector<Parameters> out;
    for (int i = 0; i < repetitions; ++i) {
        Parameters set;
        set.from = first_instant + static_cast<std::int64_t>(random.next() * span * 0.8);
        set.to = set.from + static_cast<std::int64_t>(span * 0.1);
        set.id = random.below(count);
        set.user = random.below(users);
        set.tenant = random.below(10);
        set.sku = sku_name(random.below(sku_count));
        set.city_prefix = fmt::format("C{:02}", random.below(34));
        out.push_back(std::move(set));
    }
    return out;
}

}  // namespace ixora::orders
