// The aggregations that bench_aggregations times, and the data they read beside the orders.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "ixora/bson/builder.hpp"

namespace ixora::bench {

// Pipelines are strict JSON, so that the JavaScript peers parse the same text.
struct Aggregation {
    std::string_view name;
    std::string_view collection;
    std::string_view pipeline;
    std::array<std::string_view, 3> columns;  // the fields of a row that are compared; "" where there are fewer
    // What SQLite is asked; its first columns are the compared ones. A cross join keeps to the order of its tables,
    // which the planner gets wrong otherwise.
    std::string_view sql;
};
std::span<const Aggregation> aggregations();

// The compared fields of all rows.
using Cell = std::variant<double, std::string>;
using Answer = std::vector<std::vector<Cell>>;

// Whether the rows are equal; sums may differ in their last digits. The order counts only for the rows themselves:
// both sides are sorted where the pipeline does not sort.
bool is_same(const Aggregation& aggregation, Answer left, Answer right);

inline constexpr std::int32_t product_count = 2000;  // of the skus that orders have
inline constexpr std::int32_t tree_size = 100'000;

// {_id: "SKU-00017", name, category: 0-49, weight}. Valid until the next call on the same builder.
bson::View product(std::int32_t number, bson::Builder& builder);

// Node i of a random tree: {_id: i, parent: less than i, weight, label}; node 0 has no parent.
bson::View tree_node(std::int32_t number, bson::Builder& builder);

// Plain JSON: dates are milliseconds. Texts must not need escapes.
void append_plain_json(bson::View document, std::string& out);

}  // namespace ixora::bench
