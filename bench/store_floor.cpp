#include "store_floor.hpp"

#include <stdexcept>

#include "ixora/bson/builder.hpp"

namespace ixora::bench {

namespace {

key::Ordering time_ordering() {
    key::Ordering ordering;
    ordering.set_descending(1);
    return ordering;
}

bson::View time_values(bson::Builder& out, std::int32_t tenant, std::int64_t created) {
    out.reset();
    out.append("", tenant);
    out.append_date("", created);
    return out.finish_view();
}

}  // namespace

StoreFloor::StoreFloor(std::int32_t count, const std::vector<orders::Parameters>& parameters)
    : parameters_(parameters),
      records_(store_.create_records({})),
      by_id_(store_.create_index({true, false})),
      by_time_(store_.create_index({})) {
    orders::Generator generator(count);
    key::KeyBuilder id_key;
    key::KeyBuilder time_key(time_ordering());
    constexpr std::int32_t batch_size = 1000;
    for (std::int32_t i = 0; i < count;) {
        const auto unit = store_.begin();
        for (const std::int32_t end = std::min(count, i + batch_size); i < end; ++i) {
            const bson::View order = generator.next();
            const key::RecordId record = store_.insert(*unit, records_, order);
            id_key.reset();
            id_key.append(order["_id"]);
            id_key.append_end();
            store_.insert_key(*unit, by_id_, id_key.bytes(), record, {}, false);
            time_key.reset();
            time_key.append(order["tenant"]);
            time_key.append(order["createdAt"]);
            time_key.append_end();
            store_.insert_key(*unit, by_time_, time_key.bytes(), record, {}, true);
        }
        unit->commit();
    }
}

std::string StoreFloor::time_key(std::int32_t tenant, std::int64_t created, key::Discriminator discriminator) {
    bson::Builder values;
    return key::search_key(time_values(values, tenant, created), time_ordering(), discriminator);
}

Tally StoreFloor::run(Story story, std::size_t set) {
    return story == Story::point_id ? look_up(parameters_[set].id) : count_keys(parameters_[set]);
}

Tally StoreFloor::look_up(std::int32_t id) {
    bson::Builder value;
    value.append("", id);
    key::KeyBuilder search;
    search.append(value.finish_view().front());
    search.append_end();
    Tally tally;
    const auto unit = store_.begin();
    auto cursor = store_.index_cursor(*unit, by_id_, store::Direction::forward);
    const store::IndexEntry* entry = cursor.seek(search.bytes());
    if (entry == nullptr || key::compare(entry->key, search.bytes()) != 0) return tally;
    if (const auto document = store_.find(*unit, records_, entry->id)) {
        ++tally.rows;
        tally.bytes += document->size();
    }
    return tally;
}

Tally StoreFloor::count_keys(const orders::Parameters& p) {
    // Dates descend: the range begins behind p.to and ends with p.from.
    const std::string first = time_key(p.tenant, p.to, key::Discriminator::exclusive_after);
    const std::string last = time_key(p.tenant, p.from, key::Discriminator::exclusive_after);
    const key::Bytes end = key::as_bytes(last);
    Tally tally;
    const auto unit = store_.begin();
    auto cursor = store_.index_cursor(*unit, by_time_, store::Direction::forward);
    for (const store::IndexEntry* entry = cursor.seek(key::as_bytes(first)); entry != nullptr; entry = cursor.next()) {
        if (key::compare(entry->key, end) >= 0) break;
        ++tally.rows;
    }
    return tally;
}

bool StoreFloor::seek(const orders::Parameters& p) {
    const std::string first = time_key(p.tenant, p.to, key::Discriminator::exclusive_after);
    const auto unit = store_.begin();
    auto cursor = store_.index_cursor(*unit, by_time_, store::Direction::forward);
    return cursor.seek(key::as_bytes(first)) != nullptr;
}

}  // namespace ixora::bench
