// Differences are found, named by their path and nothing else is (explain.md section 13).
#include "ixora/explain/diff.hpp"

#include "ixora/base/error.hpp"
#include "samples.hpp"

using namespace ixora;
using explain::Diff;
using explain::DifferenceKind;
using explain::NormalFormOptions;
using test::json;
using test::shell;
using test::with;

namespace {

// "kind path ours -> theirs", one line each.
std::string text_of(const Diff& diff) {
    std::string out;
    for (const explain::Difference& difference : diff.differences) {
        out += std::string(difference_kind_name(difference.kind)) + " " + difference.path;
        if (difference.path_in_theirs != difference.path) out += "|" + difference.path_in_theirs;
        out += " " + json(difference.ours) + " -> " + json(difference.theirs) + "\n";
    }
    return out;
}

std::string diff_text(const std::string& ours, const std::string& theirs, const NormalFormOptions& options = {}) {
    return text_of(explain::diff(shell(ours), shell(theirs), options));
}

const std::string first_loser = R"(      { stage: 'FETCH', filter: { tenant: { '$eq': 3 } },
        inputStage: { stage: 'IXSCAN', keyPattern: { total: 1 }, indexName: 'total_1', isMultiKey: false,
                      multiKeyPaths: { total: [] }, isUnique: false, isSparse: false, isPartial: false,
                      indexVersion: 2, direction: 'forward', indexBounds: { total: [ '(5, inf.0]' ] } } },
)";

}  // namespace

TEST_CASE("the same plan of any server and engine is equal") {
    const std::vector<std::string> samples{test::collection_scan_70, test::collection_scan_44, test::collection_scan_80,
                                           test::collection_scan_slot_based};
    for (const std::string& ours : samples)
        for (const std::string& theirs : samples) CHECK(diff_text(ours, theirs).empty());
    CHECK(diff_text(test::race_70, test::race_70).empty());
}

TEST_CASE("one change anywhere is found and named") {
    struct Change {
        std::string_view from, to, difference;
    };
    const std::vector<Change> changes{
        {"namespace: 'shop.orders'", "namespace: 'shop.order'",
         "changed queryPlanner.namespace \"shop.orders\" -> \"shop.order\"\n"},
        {"indexBounds: { tenant: [ '[3, 3]' ]", "indexBounds: { tenant: [ '[3, 4]' ]",
         "changed queryPlanner.winningPlan.inputStage.indexBounds.tenant.0 \"[3, 3]\" -> \"[3, 4]\"\n"},
        {"keysExamined: 5, seeks", "keysExamined: 6, seeks",
         "changed executionStats.executionStages.inputStage.keysExamined 5 -> 6\n"},
        {"needTime: 1, needYield", "needTime: 2, needYield",
         "changed executionStats.executionStages.needTime 1 -> 2\n"},
        {"isMultiKey: false", "isMultiKey: true",
         "changed queryPlanner.winningPlan.inputStage.isMultiKey false -> true\n"},
        {"alreadyHasObj: 0,", "", "onlyOurs executionStats.executionStages.alreadyHasObj 0 -> missing\n"},
        {"rejectedPlans: [", "rejectedPlans: [ { stage: 'COLLSCAN' },",
         "onlyTheirs queryPlanner.rejectedPlans.0 missing -> {\"stage\":\"COLLSCAN\"}\n"},
        {"score: 1.3335333333", "score: 1.3336",
         "changed executionStats.allPlansExecution.1.score 1.3335333333 -> 1.3336\n"},
        {"direction: 'forward', indexBounds: { total", "direction: 'backward', indexBounds: { total",
         "changed queryPlanner.rejectedPlans.0.inputStage.direction \"forward\" -> \"backward\"\n"},
        {"{ tenant: { '$eq': 3 } }, { total", "{ tenant: { '$eq': '3' } }, { total",
         "changed queryPlanner.parsedQuery.$and.0.tenant.$eq 3 -> \"3\"\n"},
    };
    for (const Change& change : changes) {
        INFO(change.from);
        const std::string changed = with(test::race_70, change.from, change.to);
        CHECK(diff_text(test::race_70, changed) == change.difference);
        CHECK_FALSE(diff_text(changed, test::race_70).empty());
    }
}

TEST_CASE("noise is no difference") {
    const std::vector<std::pair<std::string_view, std::string_view>> changes{
        {"executionTimeMillis: 0", "executionTimeMillis: 12"},
        {"saveState: 0", "saveState: 3"},
        {"queryHash: '11112222'", "queryHash: '99999999'"},
        {"score: 2.6668333333", "score: 2.66683333335"},
        {"works: 6", "works: 6.0"},
        {"nReturned: 4", "nReturned: Long('4')"},
        {"ok: 1", "ok: 1, serverInfo: {version: '7.0.2'}"},
        {"'(5, inf.0]'", "'(5, inf]'"}};
    for (const auto& [from, to] : changes) {
        INFO(from);
        CHECK(diff_text(test::race_70, with(test::race_70, from, to)).empty());
    }
    NormalFormOptions options;
    options.class_b = options.class_c = true;
    CHECK(diff_text(test::race_70, with(test::race_70, "queryHash: '11112222'", "queryHash: '99999999'"), options) ==
          "changed queryPlanner.queryHash \"11112222\" -> \"99999999\"\n");
    CHECK(diff_text(test::race_70, with(test::race_70, "saveState: 0", "saveState: 3"), options) ==
          "changed executionStats.executionStages.saveState 0 -> 3\n");
}

TEST_CASE("another stage is one difference") {
    const std::string other =
        with(test::collection_scan_70, "winningPlan: { stage: 'COLLSCAN'", "winningPlan: { stage: 'CLUSTERED_IXSCAN'");
    const Diff diff = explain::diff(shell(test::collection_scan_70), shell(other));
    REQUIRE(diff.differences.size() == 1);
    CHECK(diff.differences[0].path == "queryPlanner.winningPlan");
    const std::string scan =
        "{explainVersion: '1', queryPlanner: {winningPlan: {stage: 'IXSCAN', indexName: 'a_1', x: 1}}}";
    CHECK(diff_text(scan, with(scan, "'a_1', x: 1", "'b_1', x: 2")) ==
          "changed queryPlanner.winningPlan {\"stage\":\"IXSCAN\",\"indexName\":\"a_1\",\"x\":1} -> "
          "{\"stage\":\"IXSCAN\",\"indexName\":\"b_1\",\"x\":2}\n");
}

TEST_CASE("a stage more or less is one difference, and what is below is still compared") {
    const std::string wrapped = with(
        test::collection_scan_70,
        "winningPlan: { stage: 'COLLSCAN', filter: { status: { '$eq': 'paid' } }, direction: 'forward' }",
        "winningPlan: { stage: 'LIMIT', limitAmount: 5, inputStage: { stage: 'COLLSCAN', filter: { status: { '$eq': "
        "'paid' } }, direction: 'backward' } }");
    CHECK(diff_text(test::collection_scan_70, wrapped) ==
          "onlyTheirs queryPlanner.winningPlan missing -> {\"stage\":\"LIMIT\",\"limitAmount\":5}\n"
          "changed queryPlanner.winningPlan.direction|queryPlanner.winningPlan.inputStage.direction \"forward\" -> "
          "\"backward\"\n");
    CHECK(diff_text(wrapped, test::collection_scan_70) ==
          "onlyOurs queryPlanner.winningPlan {\"stage\":\"LIMIT\",\"limitAmount\":5} -> missing\n"
          "changed queryPlanner.winningPlan.inputStage.direction|queryPlanner.winningPlan.direction \"backward\" -> "
          "\"forward\"\n");
}

TEST_CASE("rejected plans: missing, moved, or a set") {
    const std::string without = with(test::race_70, first_loser, "");
    const Diff missing = explain::diff(shell(test::race_70), shell(without));
    REQUIRE(missing.differences.size() == 1);
    CHECK(missing.differences[0].kind == DifferenceKind::only_ours);
    CHECK(missing.differences[0].path == "queryPlanner.rejectedPlans.0");

    std::string last_first = with(test::race_70, first_loser, "");
    const std::string anchor = "indexBounds: { status: [ '[MinKey, MaxKey]' ] } } }";
    last_first = with(last_first, anchor, anchor + ",\n" + first_loser);
    const Diff moved = explain::diff(shell(test::race_70), shell(last_first));
    REQUIRE(moved.differences.size() == 1);
    CHECK(moved.differences[0].kind == DifferenceKind::moved);
    CHECK(moved.differences[0].path.starts_with("queryPlanner.rejectedPlans."));
    CHECK(moved.differences[0].path_in_theirs != moved.differences[0].path);
    NormalFormOptions as_set;
    as_set.rejected_as_set = true;
    CHECK(diff_text(test::race_70, last_first, as_set).empty());
    CHECK_FALSE(diff_text(test::race_70, without, as_set).empty());
}

TEST_CASE("the order of fields counts unless it means nothing and nobody wants it") {
    const std::string turned =
        with(test::race_70, "isUnique: false, isSparse: false", "isSparse: false, isUnique: false");
    const Diff diff = explain::diff(shell(test::race_70), shell(turned));
    REQUIRE(diff.differences.size() == 1);
    CHECK(diff.differences[0].kind == DifferenceKind::reordered);
    CHECK(diff.differences[0].path == "queryPlanner.winningPlan.inputStage");
    NormalFormOptions order_free;
    order_free.order_free = true;
    CHECK(diff_text(test::race_70, turned, order_free).empty());

    const std::string sort =
        "{queryPlanner: {winningPlan: {stage: 'SORT', sortPattern: {a: 1, b: 1}}}, explainVersion: '1'}";
    CHECK_FALSE(diff_text(sort, with(sort, "a: 1, b: 1", "b: 1, a: 1"), order_free).empty());
}

TEST_CASE("notes: what was not compared, and a trial that went the other way") {
    const Diff engines = explain::diff(shell(test::collection_scan_70), shell(test::collection_scan_slot_based));
    REQUIRE(engines.notes.size() == 1);
    CHECK(engines.notes[0] ==
          "ours: 7.0, classic engine; theirs: 6.0, slot-based engine; of the run only nReturned and the totals are "
          "compared");

    const std::string ours =
        "{explainVersion: '1', queryPlanner: {winningPlan: {stage: 'A'}, rejectedPlans: [{stage: 'B'}]}}";
    const std::string theirs =
        "{explainVersion: '1', queryPlanner: {winningPlan: {stage: 'B'}, rejectedPlans: [{stage: 'A'}]}}";
    const Diff winners = explain::diff(shell(ours), shell(theirs));
    REQUIRE(winners.notes.size() == 2);
    CHECK(winners.notes[0] == "the winning plan of ours is rejected plan 0 of theirs: the trials chose differently");
}

TEST_CASE("as a document") {
    const std::string ours = "{explainVersion: '1', queryPlanner: {winningPlan: {stage: 'A', x: 1}}}";
    const std::string theirs = "{explainVersion: '1', queryPlanner: {winningPlan: {stage: 'A', x: 2}}}";
    CHECK(
        json(to_document(explain::diff(shell(ours), shell(theirs)))) ==
        R"({"equal":false,"differences":[{"path":"queryPlanner.winningPlan.x","kind":"changed","ours":1,"theirs":2}],)"
        R"("notes":[]})");
    CHECK(json(to_document(explain::diff(shell(ours), shell(ours)))) ==
          R"({"equal":true,"differences":[],"notes":[]})");
}

TEST_CASE("an unreadable side is named") {
    const std::string fine = "{explainVersion: '1', queryPlanner: {winningPlan: {stage: 'A'}}}";
    CHECK_THROWS_WITH(explain::diff(shell(fine), shell("{a: 1}")), Catch::Contains("theirs"));
    CHECK_THROWS_WITH(explain::diff(shell("{a: 1}"), shell(fine)), Catch::Contains("ours"));
}
