// Command envelopes: names, namespaces, generic arguments, field checks (commands.md 2.1, 2.2).
#include "commands.hpp"

using namespace ixora;
using ixora::test::Commands;

TEST_CASE("what is no command answers, and never throws") {
    Commands run;
    CHECK(run.code("{}") == 59);
    CHECK(run.code("{nope: 1}") == 59);
    CHECK(run.message("{nope: 1}") == "no such command: 'nope'");
    CHECK(run.code("{aggregate: \"c\", pipeline: [], cursor: {}}") == 0);
    CHECK(run.database.run_command(bson::View())["code"].to_int64() == 59);
    CHECK(run.database.run_command(mql::parse_shell_document("{ping: 1}"))["code"].to_int64() == 40571);
    CHECK(run("{ping: 1}", "a.b")["code"].to_int64() == 73);
}

TEST_CASE("collection names are checked") {
    Commands run;
    CHECK(run.code("{find: \"\"}") == 73);
    CHECK(run.code("{find: \".x\"}") == 73);
    CHECK(run.code("{find: \"a$b\"}") == 73);
    CHECK(run.code("{find: 5}") == 73);
    CHECK(run.code("{find: \"a..b\"}") == 0);
    CHECK(run.code("{insert: \"a\\0b\", documents: [{}]}") == 73);
}

TEST_CASE("fields of a command: unknown, twice, missing, of a wrong type, out of range") {
    Commands run;
    CHECK(run.code("{find: \"c\", zzz: 1}") == 40415);
    CHECK(run.code("{find: \"c\", limit: 1, limit: 2}") == 40413);
    CHECK(run.code("{insert: \"c\"}") == 40414);
    CHECK(run.code("{find: \"c\", filter: 5}") == 14);
    CHECK(run.code("{find: \"c\", skip: -1}") == 51024);
    CHECK(run.code("{find: \"c\", limit: \"x\"}") == 14);
    CHECK(run.code("{find: \"c\", maxTimeMS: -1}") == 2);
    CHECK(run.message("{find: \"c\", maxTimeMS: 1.5}") == "Expected an integer: maxTimeMS: 1.5");
    CHECK(run.code("{ping: 1, maxTimeMS: NaN}") == 9);
    CHECK(run.code("{find: \"c\", maxTimeMS: []}") == 2);
    CHECK(run.message("{aggregate: \"c\", pipeline: [], cursor: {}, maxTimeMS: []}") ==
          "BSON field 'aggregate.maxTimeMS' is the wrong type 'array', expected types '[long, int, decimal, double']");
    CHECK(run.code("{find: \"c\", maxTimeMS: Infinity}") == 2);
    CHECK(run.code("{find: \"c\", maxTimeMS: NumberLong(\"5000000000\")}") == 2);
    CHECK(run.code("{distinct: \"c\", key: null}") == 40414);
    CHECK(run.code("{distinct: 5}") == 40414);
    CHECK(run.code("{distinct: 5, key: \"a\"}") == 73);
    CHECK(run.code("{distinct: \"c\", key: \"a\", query: null, collation: null}") == 0);
    CHECK(run.message("{explain: 5}") ==
          "BSON field 'explain.explain' is the wrong type 'int', expected type 'object'");
    CHECK(run.code("{explain: null}") == 40414);
    CHECK(run.code("{find: \"c\", $readPreference: 1}") == 14);
    CHECK(run.code("{find: \"c\", lsid: {id: 1}, comment: 7, readConcern: {level: \"local\"}}") == 0);
    CHECK(run.message("{find: \"c\", limit: \"x\"}") ==
          "BSON field 'FindCommandRequest.limit' is the wrong type 'string', expected types '[long, int, decimal, "
          "double']");
}

TEST_CASE("the shape of a read concern is checked") {
    Commands run;
    const auto code = [&](const std::string& concern) {
        return run.code("{find: \"c\", readConcern: " + concern + "}");
    };
    for (const char* fine : {"{}", "null", "{level: \"local\"}", "{level: \"majority\"}", "{level: \"snapshot\"}",
                             "{level: \"linearizable\"}", "{level: \"available\", provenance: \"customDefault\"}"}) {
        INFO(fine);
        CHECK(code(fine) == 0);
    }
    CHECK(code("5") == 14);
    CHECK(code("{level: 5}") == 14);
    CHECK(code("{level: \"x\"}") == 2);
    CHECK(code("{a: 1}") == 40415);
    CHECK(run.message("{count: \"c\", readConcern: \"x\"}") ==
          "BSON field 'count.readConcern' is the wrong type 'string', expected type 'object'");
}
