// Random histories of several units against a model that keeps a whole copy of the data per snapshot.
#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <random>
#include <set>

#include "ixora/store/any_store.hpp"
#include "ixora/store/memory_store.hpp"
#include "store_contract/support.hpp"

namespace {

using namespace ixora;
using namespace ixora::test::store_contract;

// One committed state: records by id, and entries (key, id) of a plain and a unique index over them.
struct State {
    std::map<std::int64_t, std::int64_t> records;
    std::set<std::pair<std::string, std::int64_t>> plain;
    std::set<std::pair<std::string, std::int64_t>> unique;
};

std::string plain_key(std::int64_t value) {
    // Now and then long keys with a long common part, so that blocks and long separators take part.
    return key_of(value % 11 == 0 ? std::string(1500, 'l') + std::to_string(value % 50)
                                  : "p" + std::to_string(value % 40));
}
std::string unique_key(std::int64_t value) { return key_of("u" + std::to_string(value)); }

template <class S>
class History {
public:
    static constexpr std::size_t actors = 4;

    History(S& store, std::uint64_t seed)
        : store_(store), random_(seed), records_(store.create_records({})), plain_(store.create_index({})) {
        store::IndexTableOptions options;
        options.unique = true;
        unique_ = store.create_index(options);
        for (Actor& actor : actors_) actor.unit = store.begin();
    }

    void run(int steps) {
        for (int step = 0; step < steps; ++step) {
            Actor& actor = actors_[random_() % actors];
            switch (random_() % 20) {
                case 0: end(actor, true); break;
                case 1: end(actor, false); break;
                case 2:
                case 3: check(actor); break;
                case 4: scan_and_change(actor); break;
                default: change(actor); break;
            }
        }
        for (Actor& actor : actors_) end(actor, true);
        for (Actor& actor : actors_) check(actor);
    }

private:
    struct Actor {
        std::unique_ptr<typename S::Unit> unit;
        bool open = false;
        bool failed = false;
        bool changed = false;
        std::uint64_t snapshot = 0;
        State state;
        std::set<std::string> written;  // record ids and unique keys, by name
        std::vector<std::function<void(State&)>> log;
    };

    void open(Actor& actor) {
        if (actor.open) return;
        actor.open = true;
        actor.snapshot = commits_;
        actor.state = committed_;
        // The snapshot is taken at the first use.
        REQUIRE(store_.record_count(*actor.unit, records_) == static_cast<std::int64_t>(committed_.records.size()));
    }

    void close(Actor& actor) {
        actor.open = actor.failed = actor.changed = false;
        actor.written.clear();
        actor.log.clear();
    }

    void end(Actor& actor, bool keep) {
        if (!keep || actor.failed) {
            actor.unit->rollback();
            return close(actor);
        }
        if (!actor.changed && random_() % 2 == 0) {
            actor.unit->abandon_snapshot();
            return close(actor);
        }
        actor.unit->commit();
        if (actor.changed) {
            for (const auto& apply : actor.log) apply(committed_);
            ++commits_;
            for (const std::string& name : actor.written) last_write_[name] = commits_;
        }
        close(actor);
    }

    bool must_conflict(const Actor& actor, const std::string& name) const {
        const auto last = last_write_.find(name);
        if (last != last_write_.end() && last->second > actor.snapshot) return true;
        for (const Actor& other : actors_) {
            if (&other != &actor && other.written.count(name) != 0) return true;
        }
        return false;
    }

    // Runs a write that claims `name`; true if it went through. The store must refuse it exactly when the model does.
    template <class Body>
    bool write(Actor& actor, const std::string& name, Body body) {
        const bool conflict = must_conflict(actor, name);
        const bool done = succeeds(body);
        REQUIRE(done == !conflict);
        if (!done) {
            actor.failed = true;
            return false;
        }
        actor.written.insert(name);
        actor.changed = true;
        return true;
    }

    void apply(Actor& actor, std::function<void(State&)> change) {
        change(actor.state);
        actor.log.push_back(std::move(change));
    }

    bool add_entries(Actor& actor, std::int64_t id, std::int64_t value) {
        insert_key(store_, *actor.unit, plain_, plain_key(value), id);
        apply(actor, [=](State& state) { state.plain.emplace(plain_key(value), id); });
        Status status{};
        const bool done = write(actor, unique_key(value), [&] {
            status = insert_key(store_, *actor.unit, unique_, unique_key(value), id, false);
        });
        if (!done) return false;
        const auto owner = actor.state.unique.lower_bound({unique_key(value), 0});
        if (owner == actor.state.unique.end() || owner->first != unique_key(value)) {
            REQUIRE(status == Status::inserted);
        } else {
            REQUIRE(status == (owner->second == id ? Status::already_present : Status::duplicate));
        }
        if (status == Status::inserted)
            apply(actor, [=](State& state) { state.unique.emplace(unique_key(value), id); });
        return true;
    }

    void remove_entries(Actor& actor, std::int64_t id, std::int64_t value) {
        remove_key(store_, *actor.unit, plain_, plain_key(value), id);
        remove_key(store_, *actor.unit, unique_, unique_key(value), id);
        apply(actor, [=](State& state) {
            state.plain.erase({plain_key(value), id});
            state.unique.erase({unique_key(value), id});
        });
    }

    void change(Actor& actor) {
        open(actor);
        if (actor.failed) {
            CHECK_FALSE(succeeds([&] { store_.insert(*actor.unit, records_, document(1)); }));
            return;
        }
        const auto value = static_cast<std::int64_t>(random_() % 400);
        if (actor.state.records.empty() || random_() % 3 == 0) {
            const std::int64_t id = store_.insert(*actor.unit, records_, document(value)).number();
            actor.changed = true;
            apply(actor, [=](State& state) { state.records[id] = value; });
            add_entries(actor, id, value);
            return;
        }
        auto at = actor.state.records.begin();
        std::advance(at, static_cast<std::ptrdiff_t>(random_() % actor.state.records.size()));
        change_record(actor, at->first, value);
    }

    void change_record(Actor& actor, std::int64_t id, std::int64_t value) {
        const std::int64_t before = actor.state.records.at(id);
        const bool removes = random_() % 3 == 0;
        const bool done = write(actor, "record" + std::to_string(id), [&] {
            if (removes)
                store_.remove(*actor.unit, records_, RecordId(id));
            else
                store_.update(*actor.unit, records_, RecordId(id), document(value));
        });
        if (!done) return;
        apply(actor, [=](State& state) {
            if (removes)
                state.records.erase(id);
            else
                state.records[id] = value;
        });
        remove_entries(actor, id, before);
        if (!removes) add_entries(actor, id, value);
    }

    // A cursor on the plain index that meets its unit's own changes must show what the model shows from there on.
    void scan_and_change(Actor& actor) {
        open(actor);
        const Direction direction = random_() % 2 == 0 ? Direction::forward : Direction::backward;
        auto cursor = store_.index_cursor(*actor.unit, plain_, direction);
        const auto* found = cursor.seek(key::as_bytes(scan_start(direction)));
        std::optional<std::pair<std::string, std::int64_t>> last;
        while (found != nullptr && !actor.failed) {
            const auto expected = neighbour(actor.state, last, direction);
            REQUIRE(expected.has_value());
            REQUIRE(text_of(found->key) == expected->first);
            REQUIRE(found->id.number() == expected->second);
            last = expected;
            if (random_() % 8 == 0) change(actor);
            if (random_() % 16 == 0) {
                cursor.save();
                cursor.restore();
            }
            found = cursor.next();
        }
        if (!actor.failed) REQUIRE_FALSE(neighbour(actor.state, last, direction).has_value());
    }

    static std::optional<std::pair<std::string, std::int64_t>> neighbour(
        const State& state, const std::optional<std::pair<std::string, std::int64_t>>& last, Direction direction) {
        if (direction == Direction::forward) {
            const auto at = last ? state.plain.upper_bound(*last) : state.plain.begin();
            return at == state.plain.end() ? std::nullopt : std::optional(*at);
        }
        const auto at = last ? state.plain.lower_bound(*last) : state.plain.end();
        return at == state.plain.begin() ? std::nullopt : std::optional(*std::prev(at));
    }

    void check(Actor& actor) {
        open(actor);
        std::map<std::int64_t, std::int64_t> records;
        auto scan = store_.record_cursor(*actor.unit, records_, Direction::forward);
        while (const auto* record = scan.next()) records[record->id.number()] = value_of(record->document);
        REQUIRE(records == actor.state.records);
        REQUIRE(store_.record_count(*actor.unit, records_) == static_cast<std::int64_t>(records.size()));
        check_index(actor, plain_, actor.state.plain);
        check_index(actor, unique_, actor.state.unique);
    }

    void check_index(Actor& actor, TableId index, const std::set<std::pair<std::string, std::int64_t>>& expected) {
        for (const Direction direction : both_directions) {
            std::vector<std::pair<std::string, std::int64_t>> found;
            auto cursor = store_.index_cursor(*actor.unit, index, direction);
            for (const auto* entry = cursor.seek(key::as_bytes(scan_start(direction))); entry != nullptr;
                 entry = cursor.next()) {
                found.emplace_back(text_of(entry->key), entry->id.number());
            }
            if (direction == Direction::backward) std::reverse(found.begin(), found.end());
            REQUIRE(std::equal(found.begin(), found.end(), expected.begin(), expected.end()));
        }
        REQUIRE(store_.key_count(*actor.unit, index) == static_cast<std::int64_t>(expected.size()));
    }

    S& store_;
    std::mt19937_64 random_;
    TableId records_;
    TableId plain_;
    TableId unique_ = 0;
    State committed_;
    std::uint64_t commits_ = 0;
    std::map<std::string, std::uint64_t> last_write_;
    std::array<Actor, actors> actors_;
};

}  // namespace

TEST_CASE("random histories of MemoryStore equal the model") {
    const std::uint64_t fresh = std::random_device{}();
    for (const std::uint64_t seed : {std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{3}, fresh}) {
        INFO("seed " << seed);
        store::MemoryStore store;
        History<store::MemoryStore>(store, seed).run(1500);
    }
}

TEST_CASE("random histories of AnyStore equal the model") {
    store::AnyStore store(std::make_unique<store::MemoryStore>());
    History<store::AnyStore>(store, 4).run(500);
}
