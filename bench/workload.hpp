// The data and the questions that all contestants of the benchmarks share (tools/orders.hpp has the documents).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "orders.hpp"

namespace ixora::bench {

// What a user asks for. The comment of each is the query; `p` is a set of parameters.
enum class Story {
    point_id,     // {_id: p.id}
    user_eq,      // {userId: p.user}
    user_status,  // {userId: p.user, status: "paid"}: two indexes to choose from, so the plan comes from the plan cache
    range_limit,  // {tenant: p.tenant, createdAt: {$gte: p.from, $lt: p.to}}, sort {createdAt: -1}, limit 20
    multikey,     // {"items.sku": p.sku}
    elem_match,   // {items: {$elemMatch: {sku: p.sku, qty: {$gte: 8}}}}
    count_range,  // count of range_limit's filter
    count_in,     // count of {status: {$in: ["returned", "cancelled"]}}
    prefix,       // {"address.city": /^C07/}
    scan,         // {total: {$gt: 5000}}: no index
    top10,        // sort {total: -1}, limit 10: no index
};
inline constexpr std::array stories{Story::point_id, Story::user_eq,    Story::user_status, Story::range_limit,
                                    Story::multikey, Story::elem_match, Story::count_range, Story::count_in,
                                    Story::prefix,   Story::scan,       Story::top10};
std::string_view name_of(Story story);

inline constexpr double scan_total = 5000;
inline constexpr std::int32_t elem_match_quantity = 8;
inline constexpr std::int64_t range_rows = 20;
inline constexpr std::string_view user_status = "paid";
inline constexpr std::array<std::string_view, 2> counted_statuses{"cancelled", "returned"};

// What a story gave. Every row counts as read once its size is known; nobody copies rows.
struct Tally {
    std::uint64_t rows = 0;
    std::uint64_t bytes = 0;
    bool planned = false;  // the engine had to make a plan
};

// One way to answer the stories.
class Contestant {
public:
    Contestant() = default;
    Contestant(const Contestant&) = delete;
    Contestant& operator=(const Contestant&) = delete;
    virtual ~Contestant() = default;
    virtual std::string_view name() const = 0;
    virtual bool knows(Story) const { return true; }
    // `set` is the number of a parameter set.
    virtual Tally run(Story story, std::size_t set) = 0;
};

inline constexpr std::size_t parameter_sets = 64;

}  // namespace ixora::bench
