#include "hand_written.hpp"

#include <algorithm>
#include <cstring>

namespace ixora::bench {

namespace {

template <class T>
T load(const std::uint8_t* at) {
    T value;
    std::memcpy(&value, at, sizeof value);
    return value;
}

// One field on a walk over a document; just the types that orders are made of.
struct Field {
    const std::uint8_t* at;
    std::size_t name_size;

    explicit Field(const std::uint8_t* type_byte)
        : at(type_byte), name_size(std::strlen(reinterpret_cast<const char*>(type_byte + 1))) {}
    bool is(std::string_view name) const {
        return name_size == name.size() && std::memcmp(at + 1, name.data(), name_size) == 0;
    }
    const std::uint8_t* value() const { return at + 2 + name_size; }
    const std::uint8_t* next() const {
        switch (*at) {
            case 0x01:
            case 0x09: return value() + 8;
            case 0x02: return value() + 4 + load<std::int32_t>(value());
            case 0x10: return value() + 4;
            default: return value() + load<std::int32_t>(value());  // object, array
        }
    }
    std::string_view text() const {
        return {reinterpret_cast<const char*>(value() + 4), static_cast<std::size_t>(load<std::int32_t>(value())) - 1};
    }
};

// Calls visit(field) until it returns true or the document ends.
template <class Visit>
void walk(const std::uint8_t* document, Visit visit) {
    for (const std::uint8_t* at = document + 4; *at != 0;) {
        const Field field(at);
        if (visit(field)) return;
        at = field.next();
    }
}

// The value of a field that is there.
const std::uint8_t* value_of(const std::uint8_t* document, std::string_view name) {
    const std::uint8_t* found = nullptr;
    walk(document, [&](const Field& field) {
        if (!field.is(name)) return false;
        found = field.value();
        return true;
    });
    return found;
}

std::uint64_t time_key(std::int32_t tenant, std::int64_t created) {
    // Dates of orders fit into 48 bits.
    return static_cast<std::uint64_t>(tenant) << 48 | (0xFFFFFFFFFFFFU - static_cast<std::uint64_t>(created));
}

}  // namespace

HandWritten::TextKey HandWritten::text_key(std::string_view text, std::uint32_t record) {
    TextKey key{};
    std::memcpy(key.text, text.data(), std::min(text.size(), sizeof key.text));
    key.record = record;
    return key;
}

HandWritten::HandWritten(std::int32_t count, const std::vector<orders::Parameters>& parameters)
    : parameters_(parameters) {
    orders::Generator generator(count);
    for (std::int32_t i = 0; i < count; ++i) {
        const bson::View order = generator.next();
        offsets_.push_back(bytes_.size());
        bytes_.insert(bytes_.end(), order.data(), order.data() + order.size());
        index(order.data(), static_cast<std::uint32_t>(i));
    }
    bytes_.shrink_to_fit();
    sort_indexes();
}

void HandWritten::index(const std::uint8_t* order, std::uint32_t record) {
    by_id_.emplace(load<std::int32_t>(value_of(order, "_id")), record);
    by_user_.push_back(static_cast<std::uint64_t>(load<std::int32_t>(value_of(order, "userId"))) << 32 | record);
    by_time_.push_back(
        {time_key(load<std::int32_t>(value_of(order, "tenant")), load<std::int64_t>(value_of(order, "createdAt"))),
         record});
    walk(order, [&](const Field& field) {
        if (field.is("status")) by_status_.push_back(text_key(field.text(), record));
        if (field.is("items"))
            walk(field.value(), [&](const Field& item) {
                walk(item.value(), [&](const Field& part) {
                    if (part.is("sku")) by_sku_.push_back(text_key(part.text(), record));
                    return false;
                });
                return false;
            });
        if (field.is("address"))
            walk(field.value(), [&](const Field& part) {
                if (part.is("city")) by_city_.push_back(text_key(part.text(), record));
                return false;
            });
        return false;
    });
}

void HandWritten::sort_indexes() {
    std::sort(by_user_.begin(), by_user_.end());
    std::sort(by_time_.begin(), by_time_.end(),
              [](const TimeKey& a, const TimeKey& b) { return a.key != b.key ? a.key < b.key : a.record < b.record; });
    for (auto* keys : {&by_sku_, &by_status_, &by_city_}) {
        std::sort(keys->begin(), keys->end(), [](const TextKey& a, const TextKey& b) {
            const int order = std::memcmp(a.text, b.text, sizeof a.text);
            return order != 0 ? order < 0 : a.record < b.record;
        });
        const auto same = [](const TextKey& a, const TextKey& b) { return std::memcmp(&a, &b, sizeof a) == 0; };
        keys->erase(std::unique(keys->begin(), keys->end(), same), keys->end());
    }
}

void HandWritten::read(std::uint32_t record, Tally& tally) const {
    ++tally.rows;
    tally.bytes += load<std::uint32_t>(document(record));
}

Tally HandWritten::run(Story story, std::size_t set) {
    const orders::Parameters& p = parameters_[set];
    switch (story) {
        case Story::point_id: return point_id(p);
        case Story::user_eq: return of_user(p, {});
        case Story::user_status: return of_user(p, user_status);
        case Story::range_limit: return range(p, false);
        case Story::multikey: return multikey(p);
        case Story::elem_match: return elem_match(p);
        case Story::count_range: return range(p, true);
        case Story::count_in: return count_in();
        case Story::prefix: return prefix(p);
        case Story::scan: return scan();
        case Story::top10: return top10();
    }
    return {};
}

Tally HandWritten::point_id(const orders::Parameters& p) const {
    Tally tally;
    if (const auto found = by_id_.find(p.id); found != by_id_.end()) read(found->second, tally);
    return tally;
}

// Of any status where that is empty.
Tally HandWritten::of_user(const orders::Parameters& p, std::string_view status) const {
    Tally tally;
    const auto has_status = [&](std::uint32_t record) {
        const std::uint8_t* value = value_of(document(record), "status");
        return std::string_view(reinterpret_cast<const char*>(value) + 4, load<std::uint32_t>(value) - 1) == status;
    };
    const auto user = static_cast<std::uint64_t>(p.user);
    for (auto at = std::lower_bound(by_user_.begin(), by_user_.end(), user << 32);
         at != by_user_.end() && *at >> 32 == user; ++at) {
        const auto record = static_cast<std::uint32_t>(*at);
        if (status.empty() || has_status(record)) read(record, tally);
    }
    return tally;
}

// Newest first: from the last instant before p.to down to p.from.
Tally HandWritten::range(const orders::Parameters& p, bool counting) const {
    Tally tally;
    const std::uint64_t first = time_key(p.tenant, p.to - 1);
    const std::uint64_t last = time_key(p.tenant, p.from);
    auto at = std::lower_bound(by_time_.begin(), by_time_.end(), first,
                               [](const TimeKey& entry, std::uint64_t key) { return entry.key < key; });
    if (counting) {
        for (; at != by_time_.end() && at->key <= last; ++at) ++tally.rows;
        return tally;
    }
    for (; at != by_time_.end() && at->key <= last && tally.rows < range_rows; ++at) read(at->record, tally);
    return tally;
}

template <class Visit>
void HandWritten::with_sku(const std::string& sku, Visit visit) const {
    const TextKey wanted = text_key(sku, 0);
    const auto before = [](const TextKey& a, const TextKey& b) {
        return std::memcmp(a.text, b.text, sizeof a.text) < 0;
    };
    for (auto at = std::lower_bound(by_sku_.begin(), by_sku_.end(), wanted, before);
         at != by_sku_.end() && std::memcmp(at->text, wanted.text, sizeof wanted.text) == 0; ++at)
        visit(at->record);
}

Tally HandWritten::multikey(const orders::Parameters& p) const {
    Tally tally;
    with_sku(p.sku, [&](std::uint32_t record) { read(record, tally); });
    return tally;
}

Tally HandWritten::elem_match(const orders::Parameters& p) const {
    Tally tally;
    with_sku(p.sku, [&](std::uint32_t record) {
        bool found = false;
        walk(value_of(document(record), "items"), [&](const Field& item) {
            bool same_sku = false;
            bool enough = false;
            walk(item.value(), [&](const Field& part) {
                if (part.is("sku"))
                    same_sku = part.text() == p.sku;
                else if (part.is("qty"))
                    enough = load<std::int32_t>(part.value()) >= elem_match_quantity;
                return false;
            });
            return found = same_sku && enough;
        });
        if (found) read(record, tally);
    });
    return tally;
}

Tally HandWritten::count_in() const {
    Tally tally;
    for (const std::string_view status : counted_statuses) {
        const TextKey wanted = text_key(status, 0);
        const auto before = [](const TextKey& a, const TextKey& b) {
            return std::memcmp(a.text, b.text, sizeof a.text) < 0;
        };
        for (auto at = std::lower_bound(by_status_.begin(), by_status_.end(), wanted, before);
             at != by_status_.end() && std::memcmp(at->text, wanted.text, sizeof wanted.text) == 0; ++at)
            ++tally.rows;
    }
    return tally;
}

Tally HandWritten::prefix(const orders::Parameters& p) const {
    Tally tally;
    const TextKey wanted = text_key(p.city_prefix, 0);
    const auto before = [](const TextKey& a, const TextKey& b) {
        return std::memcmp(a.text, b.text, sizeof a.text) < 0;
    };
    for (auto at = std::lower_bound(by_city_.begin(), by_city_.end(), wanted, before);
         at != by_city_.end() && std::memcmp(at->text, wanted.text, p.city_prefix.size()) == 0; ++at)
        read(at->record, tally);
    return tally;
}

Tally HandWritten::scan() const {
    Tally tally;
    for (std::uint32_t record = 0; record < offsets_.size(); ++record)
        if (load<double>(value_of(document(record), "total")) > scan_total) read(record, tally);
    return tally;
}

Tally HandWritten::top10() const {
    using Candidate = std::pair<double, std::uint32_t>;
    std::vector<Candidate> best;  // a heap with the smallest total on top
    const auto larger = [](const Candidate& a, const Candidate& b) { return a.first > b.first; };
    for (std::uint32_t record = 0; record < offsets_.size(); ++record) {
        const double total = load<double>(value_of(document(record), "total"));
        if (best.size() == 10) {
            if (total <= best.front().first) continue;
            std::pop_heap(best.begin(), best.end(), larger);
            best.pop_back();
        }
        best.emplace_back(total, record);
        std::push_heap(best.begin(), best.end(), larger);
    }
    std::sort_heap(best.begin(), best.end(), larger);
    Tally tally;
    for (const Candidate& candidate : best) read(candidate.second, tally);
    return tally;
}

}  // namespace ixora::bench
