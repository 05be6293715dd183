#include "spilled_groups.hpp"

#include <algorithm>

#include "ixora/key/key_string.hpp"

namespace ixora::pipeline {

namespace {

// Keys of all groups in one buffer.
struct SortedKey {
    std::size_t begin;
    std::uint32_t size;
    std::uint32_t group;
};

}  // namespace

void SpilledGroups::spill(std::deque<Group>& groups) {
    std::string keys;
    std::vector<SortedKey> order;
    order.reserve(groups.size());
    for (std::uint32_t i = 0; i < groups.size(); ++i) {
        const std::string key = key::encode_element(groups[i].key, false, collator_);
        order.push_back({keys.size(), static_cast<std::uint32_t>(key.size()), i});
        keys += key;
    }
    const auto key_of = [&keys](const SortedKey& entry) {
        return std::string_view(keys).substr(entry.begin, entry.size);
    };
    std::sort(order.begin(), order.end(),
              [&](const SortedKey& left, const SortedKey& right) { return key_of(left) < key_of(right); });
    bson::Builder record;
    for (const SortedKey& entry : order) {
        const Group& group = groups[entry.group];
        record.reset();
        record.append("k", group.key);
        for (const auto& accumulator : group.accumulators) {
            record.open_array("s");
            accumulator->append_state(record);
            record.close();
        }
        const bson::View bytes = record.finish_view();
        runs_.add(key::as_bytes(key_of(entry)), {bytes.data(), bytes.size()});
    }
    runs_.end_run();
    groups.clear();
}

void SpilledGroups::start(const stage::ExecutionContext& context) {
    runs_.start(context);
    has_record_ = runs_.next();
}

bool SpilledGroups::next(Group& out, mql::EvaluationContext& values) {
    if (!has_record_) return false;
    key_.assign(runs_.key().begin(), runs_.key().end());
    out.key = bson::Value(bson::View(runs_.bytes().data()).front());
    out.accumulators.clear();
    for (const mql::AccumulatorField& field : fields_)
        out.accumulators.push_back(field.make(out.key.element(), values));
    do {
        absorb(out);
        has_record_ = runs_.next();
    } while (has_record_ && std::equal(key_.begin(), key_.end(), runs_.key().begin(), runs_.key().end()));
    return true;
}

void SpilledGroups::absorb(Group& group) {
    auto state = bson::View(runs_.bytes().data()).begin();
    for (const auto& accumulator : group.accumulators) accumulator->absorb((++state)->object());
}

}  // namespace ixora::pipeline
