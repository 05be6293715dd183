// The store used directly: what the engine's stages stand on. Its index of {tenant: 1, createdAt: -1} and its look-up
// of a record by _id are the floors of the covered count and of the planner.
#pragma once

#include <ixora/key/key_string.hpp>
#include <ixora/store/memory_store.hpp>

#include "workload.hpp"

namespace ixora::bench {

class StoreFloor final : public Contestant {
public:
    StoreFloor(std::int32_t count, const std::vector<orders::Parameters>& parameters);

    std::string_view name() const override { return "store"; }
    bool knows(Story story) const override { return story == Story::point_id || story == Story::count_range; }
    Tally run(Story story, std::size_t set) override;

    // Each opens a snapshot, as a query does.
    Tally look_up(std::int32_t id);
    // Steps over the keys of a range and compares each with the end.
    Tally count_keys(const orders::Parameters& p);
    // Only positions a cursor.
    bool seek(const orders::Parameters& p);

    static std::string time_key(std::int32_t tenant, std::int64_t created, key::Discriminator discriminator);

private:
    const std::vector<orders::Parameters>& parameters_;
    store::MemoryStore store_;
    store::TableId records_, by_id_, by_time_;
};

}  // namespace ixora::bench
