// The aggregations in SQLite 3, over JSON text in memory.
#pragma once

#include <sqlite3.h>

#include <map>
#include <memory>
#include <string>

#include "aggregation_workload.hpp"

namespace ixora::bench {

// One connection without locking, statements prepared. Throws std::runtime_error with SQLite's message.
class AggregationSqlite {
public:
    explicit AggregationSqlite(std::int32_t order_count);
    // The first columns of all rows; the others are read as well.
    Answer run(const Aggregation& aggregation);

private:
    struct Close {
        void operator()(sqlite3* database) const { sqlite3_close(database); }
        void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
    };
    using Statement = std::unique_ptr<sqlite3_stmt, Close>;

    void check(int result) const;
    void execute(const char* sql);
    Statement prepare(std::string_view sql);
    void insert(sqlite3_stmt* statement, bson::View document);
    void load(std::int32_t order_count);

    std::unique_ptr<sqlite3, Close> database_;
    std::map<std::string_view, Statement> statements_;
    std::string json_;
};

}  // namespace ixora::bench
