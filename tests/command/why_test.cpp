// ixoraWhy: what explain adds to its reply when asked why.
#include "commands.hpp"

using namespace ixora;
using ixora::test::Commands;
using ixora::test::field_names;
using ixora::test::json;

namespace {

void fill(Commands& run) {
    run.ok(
        "{createIndexes: 'c', indexes: [{key: {a: 1}, name: 'a_1'}, {key: {b: 1}, name: 'b_1'}, "
        "{key: {h: 1}, name: 'h_1', hidden: true}]}");
    for (int i = 0; i < 30; ++i)
        run.ok("{insert: 'c', documents: [{_id: " + std::to_string(i) + ", a: " + std::to_string(i) +
               ", b: 1, h: 1}]}");
}

bson::Document why(Commands& run, const std::string& command, std::string_view verbosity = "queryPlanner") {
    const bson::Document reply =
        run.ok("{explain: " + command + ", verbosity: '" + std::string(verbosity) + "', ixoraWhy: true}");
    return bson::Document(reply["ixoraWhy"].object());
}

// "chosen: chosen" of one index.
std::string outcome(bson::View planning, std::string_view name) {
    for (const bson::Element& index : planning["indexes"].object()) {
        if (index.object()["name"].string() != name) continue;
        std::string out = std::string(index.object()["outcome"].string()) + ":";
        for (const bson::Element& reason : index.object()["reasons"].object())
            out += " " + std::string(reason.object()["reason"].string());
        return out;
    }
    return "absent";
}

}  // namespace

TEST_CASE("ixoraWhy stands behind the server's fields, and only where it was asked for") {
    Commands run;
    fill(run);
    const std::string find = "{find: 'c', filter: {a: 1, b: 1}}";
    const bson::Document with = run.ok("{explain: " + find + ", ixoraWhy: true}");
    CHECK(field_names(with) ==
          "explainVersion queryPlanner executionStats command serverInfo serverParameters ixoraWhy ok");
    const bson::Document without = run.ok("{explain: " + find + ", ixoraWhy: false}");
    CHECK(field_names(without) == "explainVersion queryPlanner executionStats command serverInfo serverParameters ok");
    CHECK(json(with["queryPlanner"]) == json(without["queryPlanner"]));
    CHECK(run.code("{explain: " + find + ", ixoraWhy: 'yes'}") == 14);
    CHECK(run.code("{find: 'c', ixoraWhy: true}") == 40415);
}

TEST_CASE("a trial's scores") {
    Commands run;
    fill(run);
    const bson::Document record = why(run, "{find: 'c', filter: {a: 1, b: 1}}");
    CHECK(record["route"].string() == "plan");
    CHECK(outcome(record, "a_1") == "chosen: chosen");
    CHECK(outcome(record, "b_1") == "lost: lostTrial");
    CHECK(outcome(record, "_id_") == "unused: noPredicate");
    CHECK(outcome(record, "h_1") == "unused: hidden");
    const bson::View lost = record["indexes"].object()["2"].object()["reasons"].object()["0"].object();
    CHECK(field_names(lost) == "reason score winnerScore text");
    CHECK(lost["score"].to_double() < lost["winnerScore"].to_double());
    CHECK(lost["text"].string() == "lost the trial with score 1.5002 against 2.5002");
    // The verbosity does not matter: the trial is always run.
    CHECK(json(why(run, "{find: 'c', filter: {a: 1, b: 1}}", "allPlansExecution")) == json(record));
}

TEST_CASE("plans that run out of memory") {
    Commands run;
    fill(run);
    run.ok("{createIndexes: 'c', indexes: [{key: {b: 1, a: 1}, name: 'b_1_a_1'}]}");
    run.database.run_command(mql::parse_shell_document(
        "{setParameter: 1, internalQueryMaxBlockingSortMemoryUsageBytes: 200, $db: 'admin'}"));
    const bson::Document record = why(run, "{find: 'c', filter: {b: 1}, sort: {a: 1}, allowDiskUse: false}");
    CHECK(outcome(record, "b_1") == "lost: failedTrial needsSort");
    CHECK(outcome(record, "b_1_a_1") == "chosen: chosen");
}

TEST_CASE("answers without a choice of plans") {
    Commands run;
    fill(run);
    const bson::Document count = why(run, "{count: 'c'}");
    CHECK(count["route"].string() == "recordStoreFastCount");
    CHECK(outcome(count, "a_1") == "unused: superseded");
    const bson::Document count_scan = why(run, "{count: 'c', query: {a: {$gt: 5}, }}");
    CHECK(count_scan["route"].string() == "countScan");
    CHECK(outcome(count_scan, "a_1") == "chosen: chosen");
    CHECK(outcome(count_scan, "b_1") == "unused: superseded");
    const bson::Document distinct = why(run, "{distinct: 'c', key: 'a'}");
    CHECK(distinct["route"].string() == "distinctScan");
    CHECK(outcome(distinct, "a_1") == "chosen: chosen");
    CHECK(why(run, "{find: 'c', filter: {_id: 1}}")["route"].string() == "idLookup");
    CHECK(why(run, "{find: 'none', filter: {a: 1}}")["route"].string() == "noCollection");
}

TEST_CASE("an index filter") {
    Commands run;
    fill(run);
    run.ok("{planCacheSetFilter: 'c', query: {a: 1, b: 1}, indexes: ['b_1']}");
    const bson::Document record = why(run, "{find: 'c', filter: {a: 1, b: 1}}");
    CHECK(outcome(record, "a_1") == "unused: excludedByFilter");
    CHECK(outcome(record, "b_1") == "chosen: chosen");
}

TEST_CASE("a rooted $or: a record for each branch, or one for the query if a branch has no index") {
    Commands run;
    fill(run);
    const bson::Document record = why(run, "{find: 'c', filter: {$or: [{a: 1}, {a: 5, b: 1}]}}", "executionStats");
    CHECK(record["route"].string() == "subplan");
    const bson::View branches = record["branches"].object();
    REQUIRE(branches.field_count() == 2);
    CHECK(field_names(branches["0"].object()) == "filter indexes");
    CHECK(outcome(branches["0"].object(), "a_1") == "chosen: chosen");
    CHECK(outcome(branches["0"].object(), "b_1") == "lost: lostTrial");
    CHECK(outcome(branches["1"].object(), "b_1") == "unused: noPredicate");

    const bson::Document whole = why(run, "{find: 'c', filter: {$or: [{a: 1}, {c: 5}]}}");
    CHECK(whole["branches"].missing());
    CHECK(outcome(whole, "a_1") == "unused: orBranch");
}
