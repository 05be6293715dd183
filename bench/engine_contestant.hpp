// The stories through ixora's public API: the typed calls, and run_command for those whose rows fit into one batch.
#pragma once

#include <ixora/ixora.hpp>

#include "workload.hpp"

namespace ixora::bench {

// What loading took.
struct LoadFigures {
    double nanos_per_document = 0;
    std::size_t bson_bytes = 0;
    std::size_t resident_bytes = 0;  // growth of the process
};

struct Examined {
    double rows = 0;
    double keys = 0;
    double documents = 0;
};

// Filters are BSON made beforehand, as they reach a server; parsing them is a part of each run.
class EngineContestant final : public Contestant {
public:
    EngineContestant(std::int32_t count, const std::vector<orders::Parameters>& parameters);

    std::string_view name() const override { return "ixora"; }
    Tally run(Story story, std::size_t set) override;
    // The same through the find or count command.
    Tally run_command(Story story, std::size_t set);

    const CollectionHandle& orders() const noexcept { return orders_; }
    const LoadFigures& load_figures() const noexcept { return load_; }
    // From explain, on average over the first `sets` parameter sets.
    Examined examined(Story story, std::size_t sets);
    static bson::Document filter_of(Story story, const orders::Parameters& p);

private:
    void load(std::int32_t count);
    Find find(Story story, std::size_t set) const;
    void make_requests();

    const std::vector<orders::Parameters>& parameters_;
    Database database_;
    CollectionHandle orders_;
    LoadFigures load_;
    bson::Document by_time_, by_total_;  // sorts
    std::array<std::vector<bson::Document>, stories.size()> filters_;
    std::array<std::vector<bson::Document>, stories.size()> commands_;
};

// Prepared finds over the same data.
class PreparedContestant final : public Contestant {
public:
    PreparedContestant(const EngineContestant& engine, const std::vector<orders::Parameters>& parameters);
    std::string_view name() const override { return "prepared"; }
    bool knows(Story story) const override;
    Tally run(Story story, std::size_t set) override;

private:
    const std::vector<orders::Parameters>& parameters_;
    PreparedFind by_id_, by_user_, by_time_;
};

// run_command as a contestant of its own over the same data.
class CommandContestant final : public Contestant {
public:
    explicit CommandContestant(EngineContestant& engine) noexcept : engine_(engine) {}
    std::string_view name() const override { return "command"; }
    bool knows(Story story) const override;
    Tally run(Story story, std::size_t set) override { return engine_.run_command(story, set); }

private:
    EngineContestant& engine_;
};

}  // namespace ixora::bench
