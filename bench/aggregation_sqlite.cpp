#include "aggregation_sqlite.hpp"

#include <stdexcept>

#include "orders.hpp"

namespace ixora::bench {

AggregationSqlite::AggregationSqlite(std::int32_t order_count) {
    sqlite3* opened = nullptr;
    const int result =
        sqlite3_open_v2(":memory:", &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nullptr);
    database_.reset(opened);
    check(result);
    load(order_count);
    for (const Aggregation& aggregation : aggregations()) statements_[aggregation.name] = prepare(aggregation.sql);
}

void AggregationSqlite::check(int result) const {
    if (result != SQLITE_OK && result != SQLITE_DONE && result != SQLITE_ROW)
        throw std::runtime_error(sqlite3_errmsg(database_.get()));
}

void AggregationSqlite::execute(const char* sql) {
    check(sqlite3_exec(database_.get(), sql, nullptr, nullptr, nullptr));
}

AggregationSqlite::Statement AggregationSqlite::prepare(std::string_view sql) {
    sqlite3_stmt* statement = nullptr;
    check(sqlite3_prepare_v2(database_.get(), sql.data(), static_cast<int>(sql.size()), &statement, nullptr));
    return Statement(statement);
}

void AggregationSqlite::insert(sqlite3_stmt* statement, bson::View document) {
    json_.clear();
    append_plain_json(document, json_);
    const bson::Element id = document["_id"];
    if (id.is_string())
        sqlite3_bind_text(statement, 1, id.string().data(), static_cast<int>(id.string().size()), SQLITE_TRANSIENT);
    else
        sqlite3_bind_int(statement, 1, id.number_int());
    sqlite3_bind_text(statement, 2, json_.data(), static_cast<int>(json_.size()), SQLITE_TRANSIENT);
    check(sqlite3_step(statement));
    sqlite3_reset(statement);
}

void AggregationSqlite::load(std::int32_t order_count) {
    execute("create table orders(id integer primary key, doc text not null)");
    execute("create table products(id text primary key, doc text not null) without rowid");
    // A join in a recursive query does not use an index over an expression.
    execute(
        "create table tree(id integer primary key, doc text not null, "
        "parent integer generated always as (json_extract(doc,'$.parent')) stored)");
    execute("begin");
    {
        const Statement order = prepare("insert into orders values(?,?)");
        const Statement goods = prepare("insert into products values(?,?)");
        const Statement node = prepare("insert into tree(id, doc) values(?,?)");
        bson::Builder builder;
        orders::Generator generator(order_count);
        for (std::int32_t i = 0; i < order_count; ++i) insert(order.get(), generator.next());
        for (std::int32_t i = 0; i < product_count; ++i) insert(goods.get(), product(i, builder));
        for (std::int32_t i = 0; i < tree_size; ++i) insert(node.get(), tree_node(i, builder));
    }
    execute("commit");
    execute("create index by_parent on tree(parent)");
    execute("analyze");
}

Answer AggregationSqlite::run(const Aggregation& aggregation) {
    sqlite3_stmt* const statement = statements_.find(aggregation.name)->second.get();
    Answer rows;
    int result = SQLITE_OK;
    while ((result = sqlite3_step(statement)) == SQLITE_ROW) {
        std::vector<Cell>& row = rows.emplace_back();
        for (int i = 0; i < sqlite3_column_count(statement); ++i) {
            if (static_cast<std::size_t>(i) >= aggregation.columns.size() ||
                aggregation.columns[static_cast<std::size_t>(i)].empty()) {
                sqlite3_column_blob(statement, i);
            } else if (sqlite3_column_type(statement, i) == SQLITE_TEXT) {
                const void* text = sqlite3_column_blob(statement, i);
                row.emplace_back(std::string(static_cast<const char*>(text),
                                             static_cast<std::size_t>(sqlite3_column_bytes(statement, i))));
            } else {
                row.emplace_back(sqlite3_column_double(statement, i));
            }
        }
    }
    check(result);
    sqlite3_reset(statement);
    return rows;
}

}  // namespace ixora::bench
