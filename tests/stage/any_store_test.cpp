// The executor over AnyStore answers and counts as over the store inside, also where that cannot skip, and asks again
// for reads that the store wants repeated.
#include "catch.hpp"
#include "collection.hpp"
#include "ixora/stage/plan_executor-inl.hpp"
#include "ixora/store/any_store-inl.hpp"
#include "ixora/store/write_conflict.hpp"

using namespace ixora;
using namespace ixora::test;

namespace {

// A store that shares another one's tables and refuses some reads, as an engine may that aborts readers. Its cursors
// can't skip.
class RefusingStore {
public:
    using Inner = store::MemoryStore;
    using Unit = Inner::Unit;

    class RecordCursor {
    public:
        RecordCursor(RefusingStore& owner, Inner::RecordCursor cursor) : owner_(&owner), cursor_(std::move(cursor)) {}
        const store::Record* next() { return owner_->refuse(), cursor_.next(); }
        const store::Record* seek_exact(const key::RecordId& id) { return owner_->refuse(), cursor_.seek_exact(id); }
        const store::Record* seek(const key::RecordId& id, bool inclusive) {
            return owner_->refuse(), cursor_.seek(id, inclusive);
        }
        void save() { cursor_.save(); }
        void restore() { cursor_.restore(); }

    private:
        RefusingStore* owner_;
        Inner::RecordCursor cursor_;
    };

    class IndexCursor {
    public:
        IndexCursor(RefusingStore& owner, Inner::IndexCursor cursor) : owner_(&owner), cursor_(std::move(cursor)) {}
        void set_end(store::Bytes search_key) { cursor_.set_end(search_key); }
        const store::IndexEntry* seek(store::Bytes search_key) { return owner_->refuse(), cursor_.seek(search_key); }
        const store::IndexEntry* next() { return owner_->refuse(), cursor_.next(); }
        void save() { cursor_.save(); }
        void save_unpositioned() { cursor_.save_unpositioned(); }
        void restore() { cursor_.restore(); }

    private:
        RefusingStore* owner_;
        Inner::IndexCursor cursor_;
    };

    // Refuses about every `period`th read, in no regular pattern; 0: none.
    RefusingStore(Inner& inner, std::uint32_t period) noexcept : inner_(inner), period_(period) {}
    void refuse() {
        if (period_ == 0) return;
        reads_ = reads_ * 1103515245U + 12345U;
        if ((reads_ >> 16) % period_ == 0) throw store::WriteConflict("refused");
    }

    std::unique_ptr<Unit> begin() { return inner_.begin(); }
    store::TableId create_records(store::RecordTableOptions options) { return inner_.create_records(options); }
    store::TableId create_index(store::IndexTableOptions options) { return inner_.create_index(options); }
    void drop_table(store::TableId table) { inner_.drop_table(table); }
    key::RecordId insert(Unit& unit, store::TableId table, bson::View document) {
        return inner_.insert(unit, table, document);
    }
    bool insert_at(Unit& unit, store::TableId table, const key::RecordId& id, bson::View document) {
        return inner_.insert_at(unit, table, id, document);
    }
    void update(Unit& unit, store::TableId table, const key::RecordId& id, bson::View document) {
        inner_.update(unit, table, id, document);
    }
    void remove(Unit& unit, store::TableId table, const key::RecordId& id) { inner_.remove(unit, table, id); }
    std::optional<bson::View> find(Unit& unit, store::TableId table, const key::RecordId& id) {
        return inner_.find(unit, table, id);
    }
    std::int64_t record_count(Unit& unit, store::TableId table) { return inner_.record_count(unit, table); }
    std::int64_t data_size(Unit& unit, store::TableId table) { return inner_.data_size(unit, table); }
    store::InsertKeyResult insert_key(Unit& unit, store::TableId table, store::Bytes key, const key::RecordId& id,
                                      store::Bytes type_bits, bool duplicates_allowed) {
        return inner_.insert_key(unit, table, key, id, type_bits, duplicates_allowed);
    }
    void remove_key(Unit& unit, store::TableId table, store::Bytes key, const key::RecordId& id) {
        inner_.remove_key(unit, table, key, id);
    }
    std::int64_t key_count(Unit& unit, store::TableId table) { return inner_.key_count(unit, table); }
    std::int64_t index_size(Unit& unit, store::TableId table) { return inner_.index_size(unit, table); }
    RecordCursor record_cursor(Unit& unit, store::TableId table, store::Direction direction) {
        return {*this, inner_.record_cursor(unit, table, direction)};
    }
    IndexCursor index_cursor(Unit& unit, store::TableId table, store::Direction direction) {
        return {*this, inner_.index_cursor(unit, table, direction)};
    }

private:
    Inner& inner_;
    std::uint32_t period_;
    std::uint32_t reads_ = 0;
};

static_assert(store::Store<RefusingStore>);
static_assert(!store::SkippingCursor<RefusingStore::IndexCursor>);

Collection example() {
    Collection c({"{a: 1}", "{b: 1}"});
    c.insert_many(60, [](int i, bson::Builder& out) {
        out.append("a", i % 4);
        out.append("b", i);
    });
    return c;
}

std::unique_ptr<plan::CanonicalQuery> query(const std::string& filter, const std::string& sort, bool is_count) {
    plan::FindRequest request;
    request.ns = "test.c";
    request.filter = mql::parse_shell_document(filter);
    request.sort = mql::parse_shell_document(sort);
    request.is_count = is_count;
    return plan::CanonicalQuery::make(std::move(request), nullptr);
}

struct Case {
    const char* filter;
    const char* sort;
    bool count;
};
const Case cases[] = {{"{}", "{}", false},
                      {"{a: 1}", "{}", false},
                      {"{a: {$in: [0, 3]}}", "{b: -1}", false},
                      {"{a: 2, b: {$gt: 10}}", "{}", false},
                      {"{_id: 5}", "{}", false},
                      {"{$or: [{a: 1}, {b: {$lt: 9}}]}", "{}", false},
                      {"{b: {$gte: 7}}", "{}", true},
                      {"{}", "{}", true},
                      {"{a: 1, b: {$gte: 7}}", "{}", true}};

}  // namespace

TEST_CASE("AnyStore runs the same plans with the same counters") {
    Collection c = example();
    store::AnyStore any(std::make_unique<RefusingStore>(c.store(), 0));
    for (const Case& one : cases) {
        stage::ExecutorOptions options;
        if (one.count) options.count.emplace();
        auto plain = stage::make_executor(c.store(), c.catalog(), query(one.filter, one.sort, one.count), options);
        auto wrapped = stage::make_executor(any, c.catalog(), query(one.filter, one.sort, one.count), options);
        INFO(one.filter);
        CHECK(ids(*wrapped) == ids(*plain));
        CHECK(wrapped->counted() == plain->counted());
        CHECK(describe(wrapped->report().winner) == describe(plain->report().winner));
    }
}

TEST_CASE("a refused read is a needYield unit and changes no result") {
    Collection c = example();
    std::int64_t conflicts = 0;
    for (const Case& one : cases) {
        stage::ExecutorOptions options;
        if (one.count) options.count.emplace();
        auto plain = stage::make_executor(c.store(), c.catalog(), query(one.filter, one.sort, one.count), options);
        const std::string expected = ids(*plain);
        for (const std::uint32_t period : {2U, 3U, 5U}) {
            RefusingStore refusing(c.store(), period);
            auto executor =
                stage::make_executor(refusing, c.catalog(), query(one.filter, one.sort, one.count), options);
            INFO(one.filter << " period " << period);
            CHECK(ids(*executor) == expected);
            CHECK(executor->counted() == plain->counted());
            const stage::StageStats root = executor->report().winner.stats;
            CHECK(root.works >= root.advanced + root.need_time + root.need_yield);
            conflicts += root.need_yield;
        }
    }
    CHECK(conflicts > 50);
}
