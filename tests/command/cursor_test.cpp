// Batches, getMore, killCursors, and what kills a cursor from outside (commands.md 4.1, match.md section 7).
#include "commands.hpp"

using namespace ixora;
using ixora::test::Commands;

namespace {

std::int64_t cursor_id(bson::View reply) { return reply["cursor"].object()["id"].to_int64(); }

std::string get_more(std::int64_t id, std::string_view rest = "") {
    return "{getMore: NumberLong(\"" + std::to_string(id) + "\"), collection: \"c\"" + std::string(rest) + "}";
}

void fill(Commands& run, int count) {
    for (int i = 0; i < count; ++i) run.ok("{insert: \"c\", documents: [{_id: " + std::to_string(i) + "}]}");
}

}  // namespace

TEST_CASE("a cursor hands out its rows batch by batch and is gone after the last") {
    Commands run;
    fill(run, 5);
    const bson::Document first = run.ok("{find: \"c\", batchSize: 2}");
    CHECK(Commands::batch(first, "firstBatch") == R"({"_id":0}{"_id":1})");
    const std::int64_t id = cursor_id(first);
    REQUIRE(id != 0);
    CHECK(Commands::batch(run.ok(get_more(id, ", batchSize: 2")), "nextBatch") == R"({"_id":2}{"_id":3})");
    const bson::Document last = run.ok(get_more(id, ", batchSize: 2"));
    CHECK(Commands::batch(last, "nextBatch") == R"({"_id":4})");
    CHECK(cursor_id(last) == 0);
    CHECK(run.code(get_more(id)) == 43);
}

TEST_CASE("the first batch: 101 rows by default, none for batchSize 0, one batch for singleBatch, all within a limit") {
    Commands run;
    fill(run, 120);
    CHECK(run.ok("{find: \"c\"}")["cursor"].object()["firstBatch"].object().field_count() == 101);
    const bson::Document empty = run.ok("{find: \"c\", batchSize: 0}");
    CHECK(Commands::batch(empty, "firstBatch").empty());
    CHECK(cursor_id(empty) != 0);
    CHECK(cursor_id(run.ok("{find: \"c\", batchSize: 2, singleBatch: true}")) == 0);
    CHECK(cursor_id(run.ok("{find: \"c\", batchSize: 5, limit: 5}")) == 0);
    // A collection scan cannot know that the row it returned was the last one.
    CHECK(cursor_id(run.ok("{find: \"c\", batchSize: 120}")) != 0);
}

TEST_CASE("a later batch sees what was committed in between") {
    Commands run;
    fill(run, 3);
    const std::int64_t id = cursor_id(run.ok("{find: \"c\", batchSize: 1}"));
    run.ok("{insert: \"c\", documents: [{_id: 3}]}");
    CHECK(Commands::batch(run.ok(get_more(id)), "nextBatch") == R"({"_id":1}{"_id":2}{"_id":3})");
}

TEST_CASE("killCursors says what it killed, and a killed cursor is not found") {
    Commands run;
    fill(run, 3);
    const std::int64_t id = cursor_id(run.ok("{find: \"c\", batchSize: 1}"));
    const std::string kill =
        "{killCursors: \"c\", cursors: [NumberLong(\"" + std::to_string(id) + "\"), NumberLong(1)]}";
    const bson::Document reply = run.ok(kill);
    CHECK(reply["cursorsKilled"].object().field_count() == 1);
    CHECK(reply["cursorsNotFound"].object().field_count() == 1);
    CHECK(run.code(get_more(id)) == 43);
}

TEST_CASE("dropping a collection or the index in use kills the cursor, dropping another index does not") {
    Commands run;
    run.ok("{createIndexes: \"c\", indexes: [{key: {a: 1}, name: \"a_1\"}, {key: {b: 1}, name: \"b_1\"}]}");
    for (int i = 0; i < 10; ++i)
        run.ok("{insert: \"c\", documents: [{_id: " + std::to_string(i) + ", a: " + std::to_string(i) + "}]}");
    const auto open = [&] { return cursor_id(run.ok("{find: \"c\", filter: {a: {$gte: 0}}, batchSize: 1}")); };

    const std::int64_t other = open();
    run.ok("{dropIndexes: \"c\", index: \"b_1\"}");
    CHECK(run.code(get_more(other, ", batchSize: 1")) == 0);

    const std::int64_t used = open();
    run.ok("{dropIndexes: \"c\", index: \"a_1\"}");
    CHECK(run.code(get_more(used)) == 175);

    const std::int64_t scan = cursor_id(run.ok("{find: \"c\", batchSize: 1}"));
    run.ok("{drop: \"c\"}");
    CHECK(run.code(get_more(scan)) == 175);
}

TEST_CASE("a getMore on another collection is refused and leaves the cursor alone") {
    Commands run;
    fill(run, 3);
    const std::int64_t id = cursor_id(run.ok("{find: \"c\", batchSize: 1}"));
    CHECK(run.code("{getMore: NumberLong(\"" + std::to_string(id) + "\"), collection: \"d\"}") == 13);
    CHECK(run.code(get_more(id)) == 0);
}

TEST_CASE("a batch stops before 16 MiB and the row that did not fit comes next") {
    Commands run;
    const std::string text(6 << 20, 'x');
    for (int i = 0; i < 4; ++i) {
        bson::Builder document;
        document.append("_id", i);
        document.append("text", text);
        run.database.collection("c").insert(document.finish());
    }
    const bson::Document first = run.ok("{find: \"c\"}");
    CHECK(first["cursor"].object()["firstBatch"].object().field_count() == 2);
    const bson::Document second = run.ok(get_more(cursor_id(first)));
    CHECK(second["cursor"].object()["nextBatch"].object().field_count() == 2);
}

TEST_CASE("the number of open cursors is bounded") {
    Commands run;
    fill(run, 3);
    Knobs knobs = run.database.knobs();
    knobs.maxOpenCursors = 2;
    run.database.set_knobs(knobs);
    run.ok("{find: \"c\", batchSize: 1}");
    run.ok("{find: \"c\", batchSize: 1}");
    CHECK(run.code("{find: \"c\", batchSize: 1}") == 146);
}

TEST_CASE("listings come in batches, too") {
    Commands run;
    run.ok("{createIndexes: 'c', indexes: [{key: {a: 1}, name: 'a_1'}, {key: {b: 1}, name: 'b_1'}]}");
    const bson::Document first = run.ok("{listIndexes: 'c', cursor: {batchSize: 1}}");
    const std::int64_t id = first["cursor"].object()["id"].to_int64();
    REQUIRE(id != 0);
    CHECK(first["cursor"].object()["firstBatch"].object().field_count() == 1);
    const bson::Document rest = run.ok("{getMore: NumberLong('" + std::to_string(id) + "'), collection: 'c'}");
    CHECK(rest["cursor"].object()["nextBatch"].object().field_count() == 2);
    CHECK(rest["cursor"].object()["id"].to_int64() == 0);
    CHECK(run.ok("{listCollections: 1, cursor: {batchSize: 0}}")["cursor"].object()["id"].to_int64() != 0);
    CHECK(run.ok("{listCollections: 1}")["cursor"].object()["id"].to_int64() == 0);
    CHECK(run.code("{listCollections: 1, cursor: {zz: 1}}") == 40415);
    CHECK(run.code("{listIndexes: 'c', cursor: {batchSize: -1}}") == 51024);
}
