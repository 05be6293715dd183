// The stories coded by hand: what is left of a query without a parser, a planner, stages or snapshots. The lower bound
// that the engine is compared with.
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <memory>
#include <string>

#include "workload.hpp"

namespace ixora::bench {

// Documents lie back to back in one buffer, indexes are sorted arrays of fixed-size keys.
class HandWritten final : public Contestant {
public:
    HandWritten(std::int32_t count, const std::vector<orders::Parameters>& parameters);

    std::string_view name() const override { return "hand"; }
    Tally run(Story story, std::size_t set) override;

    std::size_t bson_bytes() const noexcept { return bytes_.size(); }

private:
    // {tenant: 1, createdAt: -1} as one number that orders as the index does.
    struct TimeKey {
        std::uint64_t key;
        std::uint32_t record;
    };
    // A short text, padded with zeros.
    struct TextKey {
        char text[12];
        std::uint32_t record;
    };

    void index(const std::uint8_t* document, std::uint32_t record);
    void sort_indexes();
    static TextKey text_key(std::string_view text, std::uint32_t record);

    const std::uint8_t* document(std::uint32_t record) const { return bytes_.data() + offsets_[record]; }
    void read(std::uint32_t record, Tally& tally) const;

    Tally point_id(const orders::Parameters& p) const;
    Tally of_user(const orders::Parameters& p, std::string_view status) const;
    Tally range(const orders::Parameters& p, bool counting) const;
    template <class Visit>
    void with_sku(const std::string& sku, Visit visit) const;
    Tally multikey(const orders::Parameters& p) const;
    Tally elem_match(const orders::Parameters& p) const;
    Tally count_in() const;
    Tally prefix(const orders::Parameters& p) const;
    Tally scan() const;
    Tally top10() const;

    const std::vector<orders::Parameters>& parameters_;
    std::vector<std::uint8_t> bytes_;
    std::vector<std::size_t> offsets_;
    boost::unordered_flat_map<std::int32_t, std::uint32_t> by_id_;
    std::vector<std::uint64_t> by_user_;  // user << 32 | record
    std::vector<TimeKey> by_time_;
    std::vector<TextKey> by_sku_, by_status_, by_city_;
};

}  // namespace ixora::bench
