// The stories in SQLite 3: JSON text, expression indexes, prepared statements, and a side table where MongoDB has a
// multikey index.
#pragma once

#include <sqlite3.h>

#include <map>
#include <memory>
#include <string>

#include "workload.hpp"

namespace ixora::bench {

// In memory, one connection without locking. Throws std::runtime_error with SQLite's message.
class SqlitePeer final : public Contestant {
public:
    SqlitePeer(std::int32_t count, const std::vector<orders::Parameters>& parameters);

    std::string_view name() const override { return "sqlite"; }
    Tally run(Story story, std::size_t set) override;

    static std::string version() { return sqlite3_libversion(); }

private:
    struct Close {
        void operator()(sqlite3* database) const { sqlite3_close(database); }
        void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
    };
    using Statement = std::unique_ptr<sqlite3_stmt, Close>;

    void execute(const std::string& sql);
    Statement prepare(const std::string& sql);
    void check(int result) const;
    void load(std::int32_t count);
    void bind(sqlite3_stmt* statement, Story story, const orders::Parameters& p);

    const std::vector<orders::Parameters>& parameters_;
    std::unique_ptr<sqlite3, Close> database_;
    std::map<Story, Statement> statements_;
};

}  // namespace ixora::bench
