#include "sqlite_peer.hpp"

#include <fmt/format.h>

#include <iterator>
#include <stdexcept>

namespace ixora::bench {

namespace {

void write_json(bson::View object, bool is_array, std::string& out);

// Dates become milliseconds: the smallest form that orders right.
void write_json(const bson::Element& value, std::string& out) {
    switch (value.type()) {
        case bson::Type::number_int: fmt::format_to(std::back_inserter(out), "{}", value.number_int()); return;
        case bson::Type::number_double: fmt::format_to(std::back_inserter(out), "{}", value.number_double()); return;
        case bson::Type::date: fmt::format_to(std::back_inserter(out), "{}", value.date()); return;
        case bson::Type::string:
            fmt::format_to(std::back_inserter(out), "\"{}\"", value.string());
            return;  // no quotes inside
        case bson::Type::array: write_json(value.object(), true, out); return;
        default: write_json(value.object(), false, out);
    }
}

void write_json(bson::View object, bool is_array, std::string& out) {
    char separator = is_array ? '[' : '{';
    if (object.empty()) out += separator;
    for (const bson::Element& field : object) {
        out += separator;
        separator = ',';
        if (!is_array) fmt::format_to(std::back_inserter(out), "\"{}\":", field.name());
        write_json(field, out);
    }
    out += is_array ? ']' : '}';
}

std::string field(std::string_view path) { return fmt::format("json_extract(doc,'$.{}')", path); }

std::string sql_of(Story story) {
    const std::string range = fmt::format("{0}=? and {1}>=? and {1}<?", field("tenant"), field("createdAt"));
    switch (story) {
        case Story::point_id: return "select doc from o where id=?";
        case Story::user_eq: return fmt::format("select doc from o where {}=?", field("userId"));
        case Story::user_status:
            return fmt::format("select doc from o where {}=? and {}='{}'", field("userId"), field("status"),
                               user_status);
        case Story::range_limit:
            return fmt::format("select doc from o where {} order by {} desc limit {}", range, field("createdAt"),
                               range_rows);
        case Story::multikey: return "select doc from o where id in (select id from item where sku=?)";
        case Story::elem_match:
            return fmt::format("select doc from o where id in (select id from item where sku=? and qty>={})",
                               elem_match_quantity);
        case Story::count_range: return fmt::format("select count(*) from o where {}", range);
        case Story::count_in:
            return fmt::format("select count(*) from o where {} in ('{}','{}')", field("status"), counted_statuses[0],
                               counted_statuses[1]);
        case Story::prefix: return fmt::format("select doc from o where {0}>=? and {0}<?", field("address.city"));
        case Story::scan: return fmt::format("select doc from o where {}>{}", field("total"), scan_total);
        case Story::top10: return fmt::format("select doc from o order by {} desc limit 10", field("total"));
    }
    return {};
}

bool is_count(Story story) { return story == Story::count_range || story == Story::count_in; }

}  // namespace

SqlitePeer::SqlitePeer(std::int32_t count, const std::vector<orders::Parameters>& parameters)
    : parameters_(parameters) {
    sqlite3* opened = nullptr;
    const int result =
        sqlite3_open_v2(":memory:", &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nullptr);
    database_.reset(opened);
    check(result);
    load(count);
    for (const Story story : stories) statements_[story] = prepare(sql_of(story));
}

void SqlitePeer::check(int result) const {
    if (result != SQLITE_OK && result != SQLITE_DONE && result != SQLITE_ROW)
        throw std::runtime_error(sqlite3_errmsg(database_.get()));
}

void SqlitePeer::execute(const std::string& sql) {
    check(sqlite3_exec(database_.get(), sql.c_str(), nullptr, nullptr, nullptr));
}

SqlitePeer::Statement SqlitePeer::prepare(const std::string& sql) {
    sqlite3_stmt* statement = nullptr;
    check(sqlite3_prepare_v2(database_.get(), sql.c_str(), -1, &statement, nullptr));
    return Statement(statement);
}

void SqlitePeer::load(std::int32_t count) {
    execute("create table o(id integer primary key, doc text not null)");
    execute("create table item(sku text, id int, qty int, primary key(sku,id,qty)) without rowid");
    execute("begin");
    const Statement order = prepare("insert into o values(?,?)");
    const Statement item = prepare("insert or ignore into item values(?,?,?)");
    orders::Generator generator(count);
    std::string json;
    for (std::int32_t i = 0; i < count; ++i) {
        const bson::View document = generator.next();
        json.clear();
        write_json(document, false, json);
        sqlite3_bind_int(order.get(), 1, i);
        sqlite3_bind_text(order.get(), 2, json.data(), static_cast<int>(json.size()), SQLITE_TRANSIENT);
        check(sqlite3_step(order.get()));
        sqlite3_reset(order.get());
        for (const bson::Element& bought : document["items"].object()) {
            const std::string_view sku = bought.object()["sku"].string();
            sqlite3_bind_text(item.get(), 1, sku.data(), static_cast<int>(sku.size()), SQLITE_TRANSIENT);
            sqlite3_bind_int(item.get(), 2, i);
            sqlite3_bind_int(item.get(), 3, bought.object()["qty"].number_int());
            check(sqlite3_step(item.get()));
            sqlite3_reset(item.get());
        }
    }
    execute("commit");
    execute(fmt::format("create index by_user on o({})", field("userId")));
    execute(fmt::format("create index by_time on o({}, {} desc)", field("tenant"), field("createdAt")));
    execute(fmt::format("create index by_status on o({})", field("status")));
    execute(fmt::format("create index by_city on o({})", field("address.city")));
    execute("analyze");
}

void SqlitePeer::bind(sqlite3_stmt* statement, Story story, const orders::Parameters& p) {
    const auto bind_text = [&](int at, const std::string& text) {
        sqlite3_bind_text(statement, at, text.data(), static_cast<int>(text.size()), SQLITE_TRANSIENT);
    };
    switch (story) {
        case Story::point_id: sqlite3_bind_int(statement, 1, p.id); break;
        case Story::user_eq:
        case Story::user_status: sqlite3_bind_int(statement, 1, p.user); break;
        case Story::range_limit:
        case Story::count_range:
            sqlite3_bind_int(statement, 1, p.tenant);
            sqlite3_bind_int64(statement, 2, p.from);
            sqlite3_bind_int64(statement, 3, p.to);
            break;
        case Story::multikey:
        case Story::elem_match: bind_text(1, p.sku); break;
        case Story::prefix:
            bind_text(1, p.city_prefix);
            bind_text(2, p.city_prefix + "\x7F");
            break;
        case Story::count_in:
        case Story::scan:
        case Story::top10: break;
    }
}

Tally SqlitePeer::run(Story story, std::size_t set) {
    sqlite3_stmt* const statement = statements_.find(story)->second.get();
    bind(statement, story, parameters_[set]);
    Tally tally;
    int result = SQLITE_OK;
    while ((result = sqlite3_step(statement)) == SQLITE_ROW) {
        if (is_count(story)) {
            tally.rows = static_cast<std::uint64_t>(sqlite3_column_int64(statement, 0));
        } else {
            ++tally.rows;
            sqlite3_column_blob(statement, 0);  // the bytes in place, where a text would be copied to terminate it
            tally.bytes += static_cast<std::uint64_t>(sqlite3_column_bytes(statement, 0));
        }
    }
    check(result);
    sqlite3_reset(statement);
    return tally;
}

}  // namespace ixora::bench
