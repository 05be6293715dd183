// What replies of different servers come down to (explain.md sections 13 and 14).
#include "ixora/explain/normal_form.hpp"

#include "ixora/base/error.hpp"
#include "samples.hpp"

using namespace ixora;
using explain::ExecutionDetail;
using explain::normal_form;
using explain::NormalFormOptions;
using explain::printer_of;
using test::json;
using test::shell;
using test::with;

namespace {

// The normal form of `stage` as the winning plan of a reply.
std::string plan_form(std::string_view stage, const NormalFormOptions& options = {},
                      std::string_view version = "7.0.14") {
    const std::string reply = "{queryPlanner: {winningPlan: " + std::string(stage) +
                              "}, explainVersion: '1', serverInfo: {version: '" + std::string(version) + "'}}";
    return json(normal_form(shell(reply), options).view().find_dotted("queryPlanner.winningPlan"));
}

}  // namespace

TEST_CASE("a reply of 7.0: timing, host and hashes are gone, numbers are by value, the rest keeps its order") {
    CHECK(json(normal_form(shell(test::collection_scan_70))) ==
          R"({"explainVersion":"1","queryPlanner":{"namespace":"shop.orders","indexFilterSet":false,)"
          R"("parsedQuery":{"status":{"$eq":"paid"}},"maxIndexedOrSolutionsReached":false,)"
          R"("maxIndexedAndSolutionsReached":false,"maxScansToExplodeReached":false,)"
          R"("winningPlan":{"stage":"COLLSCAN","filter":{"status":{"$eq":"paid"}},"direction":"forward"},)"
          R"("rejectedPlans":[]},"executionStats":{"executionSuccess":true,"nReturned":2,"totalKeysExamined":0,)"
          R"("totalDocsExamined":6,"executionStages":{"stage":"COLLSCAN","filter":{"status":{"$eq":"paid"}},)"
          R"("nReturned":2,"works":7,"advanced":2,"needTime":4,"isEOF":1,"direction":"forward","docsExamined":6},)"
          R"("allPlansExecution":[]},"command":{"find":"orders","filter":{"status":"paid"},"$db":"shop"}})");
}

TEST_CASE("8.0 has the form of 7.0") {
    CHECK(json(normal_form(shell(test::collection_scan_80))) == json(normal_form(shell(test::collection_scan_70))));
}

TEST_CASE("the form of a form is the form") {
    for (const std::string& sample : {test::collection_scan_70, test::collection_scan_80, test::race_70}) {
        const bson::Document form = normal_form(shell(sample));
        CHECK(json(normal_form(form)) == json(form));
    }
}

TEST_CASE("what an older server does not print is left out on both sides") {
    NormalFormOptions against_44;
    against_44.other = printer_of(shell(test::collection_scan_44));
    CHECK(against_44.other.major == 4);
    NormalFormOptions against_70;
    against_70.other = printer_of(shell(test::collection_scan_70));
    CHECK(json(normal_form(shell(test::collection_scan_70), against_44)) ==
          json(normal_form(shell(test::collection_scan_44), against_70)));

    NormalFormOptions against_50;
    against_50.other.major = 5;
    const std::string_view sort = "{stage: 'SORT', usedDisk: false, spills: 0, spilledDataStorageSize: 0}";
    CHECK(plan_form(sort, against_50) == R"({"stage":"SORT","usedDisk":false})");
    CHECK(plan_form(sort) == R"({"stage":"SORT","usedDisk":false,"spills":"*","spilledDataStorageSize":"*"})");
}

TEST_CASE("up to 6.x the unit that opens a collection scan comes off every stage above it") {
    const std::string_view tree =
        "{stage: 'LIMIT', works: 9, needTime: 6, inputStage: {stage: 'OR', works: 9, needTime: 5, inputStages: ["
        "{stage: 'COLLSCAN', works: 8, needTime: 5}, {stage: 'IXSCAN', works: 3, needTime: 1}]}}";
    CHECK(plan_form(tree, {}, "5.0.8") ==
          R"({"stage":"LIMIT","works":8,"needTime":5,"inputStage":{"stage":"OR","works":8,"needTime":4,"inputStages":)"
          R"([{"stage":"COLLSCAN","works":7,"needTime":4},{"stage":"IXSCAN","works":3,"needTime":1}]}})");
    CHECK(plan_form(tree) ==
          R"({"stage":"LIMIT","works":9,"needTime":6,"inputStage":{"stage":"OR","works":9,"needTime":5,"inputStages":)"
          R"([{"stage":"COLLSCAN","works":8,"needTime":5},{"stage":"IXSCAN","works":3,"needTime":1}]}})");
    CHECK(plan_form("{stage: 'COLLSCAN', works: 0, needTime: 0}", {}, "5.0.8") ==
          R"({"stage":"COLLSCAN","works":0,"needTime":0})");
    NormalFormOptions options;
    options.class_c = true;
    CHECK(plan_form("{stage: 'COLLSCAN', works: 2000, needTime: 5, saveState: 2, restoreState: 2}", options, "4.4.1") ==
          R"({"stage":"COLLSCAN","works":1999,"needTime":4,"saveState":1,"restoreState":1})");
}

TEST_CASE("names that newer servers add to stages are dropped, sizes are masked") {
    CHECK(plan_form("{isCached: true, stage: 'SORT', nss: 'a.b', totalDataSizeSorted: 5, spilledBytes: 1, "
                    "spilledRecords: 2, peakTrackedMemBytes: 3, memLimit: 104857600.0}") ==
          R"({"stage":"SORT","totalDataSizeSorted":"*","memLimit":104857600})");
    CHECK(plan_form("{stage: 'EOF', type: 'nonExistentNamespace'}") == R"({"stage":"EOF"})");
    CHECK(plan_form("{stage: 'SORT', type: 'simple'}") == R"({"stage":"SORT","type":"simple"})");
}

TEST_CASE("classes B and C on request") {
    NormalFormOptions options;
    options.class_b = options.class_c = true;
    const bson::Document form = normal_form(shell(test::collection_scan_70), options);
    CHECK(form["queryPlanner"].object()["queryHash"].string() == "6D3FD8F1");
    CHECK(form["executionStats"].object()["executionTimeMillis"].to_int64() == 3);
    CHECK(form.view().find_dotted("executionStats.executionStages.saveState").is_number());
    CHECK(plan_form("{stage: 'SKIP', skipAmount: 2}", options) == R"({"stage":"SKIP","skipAmount":2})");
    CHECK(plan_form("{stage: 'SKIP', skipAmount: 2}") == R"({"stage":"SKIP"})");
}

TEST_CASE("bounds: newer spellings of infinities and NaN, collation keys masked, strings untouched") {
    CHECK(plan_form(R"x({stage: 'IXSCAN', indexBounds: {a: ['[-inf, 3)', '(5, inf]', '[nan, nan]',
        '["inf, nan", "b\\" inf"]', '["x", {})', '[new Date(5), inf.0]',
        '[CollationKey(0x2a), CollationKey(0x2e))']}})x") ==
          R"x({"stage":"IXSCAN","indexBounds":{"a":["[-inf.0, 3)","(5, inf.0]","[nan.0, nan.0]",)x"
          R"x("[\"inf, nan\", \"b\\\" inf\"]","[\"x\", {})","[new Date(5), inf.0]",)x"
          R"x("[CollationKey(*), CollationKey(*))"]}})x");
    NormalFormOptions options;
    options.class_b = true;
    CHECK(plan_form("{stage: 'IXSCAN', indexBounds: {a: ['[CollationKey(0x2a2c), inf)']}}", options) ==
          R"x({"stage":"IXSCAN","indexBounds":{"a":["[CollationKey(0x2a2c), inf.0)"]}})x");
    // COUNT_SCAN prints values, and a value may be the string "inf".
    CHECK(plan_form("{stage: 'COUNT_SCAN', indexBounds: {startKey: {a: 'inf'}, startKeyInclusive: true}}") ==
          R"x({"stage":"COUNT_SCAN","indexBounds":{"startKey":{"a":"inf"},"startKeyInclusive":true}})x");
}

TEST_CASE("geometry is compared by presence") {
    CHECK(plan_form(
              "{stage: 'GEO_NEAR_2DSPHERE', searchIntervals: [{minDistance: 0}], inputStages: [{stage: 'FETCH'}]}") ==
          R"({"stage":"GEO_NEAR_2DSPHERE","searchIntervals":"*","inputStages":"*"})");
    CHECK(plan_form("{stage: 'IXSCAN', keyPattern: {loc: '2dsphere', a: 1}, indexBounds: {loc: ['[1, 2]'], a: "
                    "['[1, 1]']}}") ==
          R"({"stage":"IXSCAN","keyPattern":{"loc":"2dsphere","a":1},"indexBounds":{"loc":"*","a":["[1, 1]"]}})");
}

TEST_CASE("order-free: fields sorted, except where their order is meaning") {
    NormalFormOptions options;
    options.order_free = true;
    CHECK(plan_form("{stage: 'SORT', sortPattern: {b: 1, a: 1}, inputStage: {stage: 'FETCH', filter: {z: 1, y: 2}}}",
                    options) ==
          R"({"inputStage":{"filter":{"z":1,"y":2},"stage":"FETCH"},"sortPattern":{"b":1,"a":1},"stage":"SORT"})");
}

TEST_CASE("slot-based: the classic plan, and of the run what both engines count") {
    const explain::Printer printer = printer_of(shell(test::collection_scan_slot_based));
    CHECK(printer.slot_based);
    CHECK(printer.detail == ExecutionDetail::totals);
    NormalFormOptions against_slot_based, against_classic;
    against_slot_based.other = printer;
    against_classic.other = printer_of(shell(test::collection_scan_70));
    CHECK(json(normal_form(shell(test::collection_scan_slot_based), against_classic)) ==
          json(normal_form(shell(test::collection_scan_70), against_slot_based)));

    const auto detail = [](std::string_view from, std::string_view to) {
        return printer_of(shell(with(test::collection_scan_slot_based, from, to))).detail;
    };
    CHECK(detail("rejectedPlans: []", "rejectedPlans: [{queryPlan: {stage: 'COLLSCAN'}}]") == ExecutionDetail::rows);
    CHECK(detail("stage: 'COLLSCAN'", "stage: 'LIMIT'") == ExecutionDetail::rows);
    const auto bounds = [&](std::string_view text) {
        return detail("stage: 'COLLSCAN'", "stage: 'IXSCAN', indexBounds: " + std::string(text));
    };
    CHECK(bounds("{a: ['[1, 1]'], b: ['(5, inf.0]'], c: ['[MinKey, MaxKey]']}") == ExecutionDetail::totals);
    CHECK(bounds("{a: ['(5, inf.0]'], b: ['[1, 1]']}") == ExecutionDetail::rows);
    CHECK(bounds("{a: ['[1, 1]', '[2, 2]']}") == ExecutionDetail::rows);
    CHECK(detail("stage: 'COLLSCAN'", "stage: 'GROUP'") == ExecutionDetail::outcome);
}

TEST_CASE("slot-based: an absorbed $group is a stage of the pipeline again") {
    const bson::Document reply = shell(R"({explainVersion: '2',
        queryPlanner: {namespace: 'a.b', rejectedPlans: [], winningPlan: {queryPlan: {stage: 'GROUP', planNodeId: 2,
            inputStage: {stage: 'COLLSCAN', planNodeId: 1, direction: 'forward'}}, slotBasedPlan: {}}},
        executionStats: {executionSuccess: true, nReturned: 1},
        command: {aggregate: 'b', pipeline: [{$group: {_id: '$x'}}], cursor: {}, $db: 'a'}, ok: 1})");
    CHECK(json(normal_form(reply)["stages"]) ==
          R"([{"$cursor":{"queryPlanner":{"namespace":"a.b","winningPlan":{"stage":"COLLSCAN","direction":"forward"},)"
          R"("rejectedPlans":[]},"executionStats":{"executionSuccess":true}}},{"$group":"?"}])");
}

TEST_CASE("the 8.0 shortcut for an _id is IDHACK") {
    const bson::Document reply = shell(R"({explainVersion: '1', queryPlanner: {winningPlan: {isCached: false,
        stage: 'EXPRESS_IXSCAN', keyPattern: '{ _id: 1 }', indexName: '_id_'}, rejectedPlans: []}, ok: 1})");
    CHECK(json(normal_form(reply)["queryPlanner"].object()["winningPlan"]) == R"({"stage":"IDHACK"})");
    CHECK(printer_of(reply).detail == ExecutionDetail::totals);
}

TEST_CASE("what is no explain reply of one server is refused") {
    const auto message = [](std::string_view text) -> std::string {
        try {
            normal_form(shell(text));
        } catch (const Error& error) {
            return error.what();
        }
        return {};
    };
    CHECK(message("{ok: 0, errmsg: 'no such command'}").find("no such command") != std::string::npos);
    CHECK(message("{a: 1}").find("neither queryPlanner") != std::string::npos);
    CHECK(message("{queryPlanner: {winningPlan: 5}}").find("neither queryPlanner") != std::string::npos);
    CHECK(message("{queryPlanner: {winningPlan: {stage: 'SINGLE_SHARD', shards: []}}}").find("sharded") !=
          std::string::npos);
    CHECK(message("{queryPlanner: {mongosPlannerVersion: 1}, shards: {}}").find("sharded") != std::string::npos);
    CHECK_NOTHROW(normal_form(shell("{stages: [5, {}], queryPlanner: 7}")));
}
