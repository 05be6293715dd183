// AND_HASH: intersects its children by record id with a hash table (spec: execution.md 6.2).
#pragma once

#include <string>

#include <boost/unordered/unordered_flat_map.hpp>

#include "ixora/stage/stage.hpp"

namespace ixora::stage {

struct RecordIdHash {
    std::size_t operator()(const key::RecordId& id) const noexcept;
};

// Reads all children but the last into the table, one after another, then lets the last one probe: rows come in the
// last child's order.
class AndHashStage final : public Stage {
public:
    static constexpr std::int64_t memory_limit = 32LL << 20;

    AndHashStage(const plan::PlanNode& node, std::vector<StagePtr> inputs);

    bool is_eof() const override;

protected:
    State do_work(Member& out) override;

private:
    struct Entry {
        Member row;
        bool seen = false;  // by the child that is being read
    };

    State look_ahead();
    State read(std::size_t child_number, Member& out);
    State hash_first(Member& out);
    State hash_other(Member& out);
    State next_child();
    State probe(Member& out);
    State nothing_left();

    std::vector<Member> look_ahead_rows_;  // one per child
    std::vector<bool> has_look_ahead_;
    boost::unordered_flat_map<key::RecordId, Entry, RecordIdHash> table_;
    std::size_t current_ = 0;
    bool looked_ahead_ = false;
    bool hashing_ = true;
};

}  // namespace ixora::stage
