// Explain replies in the shapes that servers from 4.4 to 8.0 print, written in shell text.
#pragma once

#include <string>
#include <string_view>

#include "catch.hpp"
#include "ixora/bson/extended_json.hpp"
#include "ixora/mql/shell.hpp"

namespace ixora::test {

inline bson::Document shell(std::string_view text) { return mql::parse_shell_document(text); }
inline std::string json(bson::View document) { return bson::to_json(document, bson::JsonMode::relaxed); }
inline std::string json(bson::Element value) {
    return value.missing() ? "missing" : bson::to_json(value, bson::JsonMode::relaxed);
}

// `text` with the first `from` replaced; the sample must contain it.
inline std::string with(std::string text, std::string_view from, std::string_view to) {
    const std::size_t at = text.find(from);
    INFO(from);
    REQUIRE(at != std::string::npos);
    return text.replace(at, from.size(), to);
}

// A collection scan over six documents as a 7.0 server prints it in mongosh.
inline const std::string collection_scan_70 = R"({
  explainVersion: '1',
  queryPlanner: {
    namespace: 'shop.orders', indexFilterSet: false,
    parsedQuery: { status: { '$eq': 'paid' } }, queryHash: '6D3FD8F1', planCacheKey: '6D3FD8F1',
    optimizationTimeMillis: 0, maxIndexedOrSolutionsReached: false, maxIndexedAndSolutionsReached: false,
    maxScansToExplodeReached: false,
    winningPlan: { stage: 'COLLSCAN', filter: { status: { '$eq': 'paid' } }, direction: 'forward' },
    rejectedPlans: []
  },
  executionStats: {
    executionSuccess: true, nReturned: Long('2'), executionTimeMillis: 3, totalKeysExamined: 0, totalDocsExamined: 6,
    executionStages: {
      stage: 'COLLSCAN', filter: { status: { '$eq': 'paid' } }, nReturned: 2, executionTimeMillisEstimate: 1, works: 7,
      advanced: 2, needTime: 4, needYield: 0, saveState: 0, restoreState: 0, isEOF: 1, direction: 'forward',
      docsExamined: 6
    },
    allPlansExecution: []
  },
  command: { find: 'orders', filter: { status: 'paid' }, lsid: { id: UUID('00112233-4455-6677-8899-aabbccddeeff') },
             '$db': 'shop' },
  serverInfo: { host: 'db1', port: 27017, version: '7.0.14', gitVersion: 'abc' },
  serverParameters: { internalQueryFrameworkControl: 'trySbeRestricted' },
  ok: 1,
  '$clusterTime': { clusterTime: Timestamp({ t: 1700000000, i: 1 }),
                    signature: { hash: Binary.createFromBase64('AAAAAAAAAAAAAAAAAAAAAAAAAAA=', 0), keyId: Long('0') } },
  operationTime: Timestamp({ t: 1700000000, i: 1 })
})";

// The same from 4.4: plannerVersion, no explainVersion, one unit more, no command.
inline const std::string collection_scan_44 = R"({
  queryPlanner: {
    plannerVersion: 1, namespace: 'shop.orders', indexFilterSet: false, parsedQuery: { status: { '$eq': 'paid' } },
    winningPlan: { stage: 'COLLSCAN', filter: { status: { '$eq': 'paid' } }, direction: 'forward' },
    rejectedPlans: []
  },
  executionStats: {
    executionSuccess: true, nReturned: 2, executionTimeMillis: 0, totalKeysExamined: 0, totalDocsExamined: 6,
    executionStages: {
      stage: 'COLLSCAN', filter: { status: { '$eq': 'paid' } }, nReturned: 2, executionTimeMillisEstimate: 0, works: 8,
      advanced: 2, needTime: 5, needYield: 0, saveState: 0, restoreState: 0, isEOF: 1, direction: 'forward',
      docsExamined: 6
    },
    allPlansExecution: []
  },
  serverInfo: { host: 'db0', port: 27017, version: '4.4.29', gitVersion: 'def' },
  ok: 1
})";

// The same from 8.0: parsedQuery first, names added, canonical Extended JSON numbers.
inline const std::string collection_scan_80 = R"({
  "explainVersion": "1",
  "queryPlanner": {
    "namespace": "shop.orders", "parsedQuery": {"status": {"$eq": "paid"}}, "indexFilterSet": false,
    "queryHash": "6D3FD8F1", "planCacheShapeHash": "6D3FD8F1", "planCacheKey": "6D3FD8F1",
    "optimizationTimeMillis": {"$numberInt": "0"},
    "maxIndexedOrSolutionsReached": false, "maxIndexedAndSolutionsReached": false, "maxScansToExplodeReached": false,
    "prunedSimilarIndexes": false,
    "winningPlan": {"isCached": false, "stage": "COLLSCAN", "filter": {"status": {"$eq": "paid"}}, "nss": "shop.orders",
                    "direction": "forward"},
    "rejectedPlans": []
  },
  "executionStats": {
    "executionSuccess": true, "nReturned": {"$numberInt": "2"}, "executionTimeMillis": {"$numberInt": "0"},
    "totalKeysExamined": {"$numberInt": "0"}, "totalDocsExamined": {"$numberDouble": "6.0"},
    "executionStages": {
      "isCached": false, "stage": "COLLSCAN", "filter": {"status": {"$eq": "paid"}}, "nReturned": {"$numberInt": "2"},
      "executionTimeMillisEstimate": {"$numberInt": "0"}, "works": {"$numberLong": "7"}, "advanced": 2, "needTime": 4,
      "needYield": 0, "saveState": 1, "restoreState": 1, "isEOF": 1, "nss": "shop.orders", "direction": "forward",
      "docsExamined": 6
    },
    "allPlansExecution": []
  },
  "queryShapeHash": "F00D",
  "command": {"find": "orders", "filter": {"status": "paid"}, "$db": "shop"},
  "serverInfo": {"host": "db2", "port": 27017, "version": "8.0.4", "gitVersion": "ghi"},
  "ok": 1
})";

// The same from the slot-based engine.
inline const std::string collection_scan_slot_based = R"({
  explainVersion: '2',
  queryPlanner: {
    namespace: 'shop.orders', indexFilterSet: false, parsedQuery: { status: { '$eq': 'paid' } },
    queryHash: '6D3FD8F1', planCacheKey: 'AAAA0000', maxIndexedOrSolutionsReached: false,
    maxIndexedAndSolutionsReached: false, maxScansToExplodeReached: false,
    winningPlan: {
      queryPlan: { stage: 'COLLSCAN', planNodeId: 1, filter: { status: { '$eq': 'paid' } }, direction: 'forward' },
      slotBasedPlan: { slots: '$$RESULT=s4', stages: '[1] filter {traverseF(s3)} [1] scan s4 s5' }
    },
    rejectedPlans: []
  },
  executionStats: {
    executionSuccess: true, nReturned: 2, executionTimeMillis: 1, totalKeysExamined: 0, totalDocsExamined: 6,
    executionStages: { stage: 'filter', planNodeId: 1, nReturned: 2, opens: 1, closes: 1, numTested: 6,
                       inputStage: { stage: 'scan', planNodeId: 1, nReturned: 6, numReads: 6 } },
    allPlansExecution: []
  },
  command: { find: 'orders', filter: { status: 'paid' }, '$db': 'shop' },
  serverInfo: { host: 'db3', port: 27017, version: '6.0.4', gitVersion: 'jkl' },
  ok: 1
})";

// A race of two indexes with a sort on top.
inline const std::string race_70 = R"({
  explainVersion: '1',
  queryPlanner: {
    namespace: 'shop.orders', indexFilterSet: false,
    parsedQuery: { '$and': [ { tenant: { '$eq': 3 } }, { total: { '$gt': 5 } } ] },
    queryHash: '11112222', planCacheKey: '33334444', maxIndexedOrSolutionsReached: false,
    maxIndexedAndSolutionsReached: false, maxScansToExplodeReached: false,
    winningPlan: {
      stage: 'FETCH', filter: { total: { '$gt': 5 } },
      inputStage: { stage: 'IXSCAN', keyPattern: { tenant: 1 }, indexName: 'tenant_1', isMultiKey: false,
                    multiKeyPaths: { tenant: [] }, isUnique: false, isSparse: false, isPartial: false, indexVersion: 2,
                    direction: 'forward', indexBounds: { tenant: [ '[3, 3]' ] } }
    },
    rejectedPlans: [
      { stage: 'FETCH', filter: { tenant: { '$eq': 3 } },
        inputStage: { stage: 'IXSCAN', keyPattern: { total: 1 }, indexName: 'total_1', isMultiKey: false,
                      multiKeyPaths: { total: [] }, isUnique: false, isSparse: false, isPartial: false,
                      indexVersion: 2, direction: 'forward', indexBounds: { total: [ '(5, inf.0]' ] } } },
      { stage: 'FETCH', filter: { '$and': [ { tenant: { '$eq': 3 } }, { total: { '$gt': 5 } } ] },
        inputStage: { stage: 'IXSCAN', keyPattern: { status: 1 }, indexName: 'status_1', isMultiKey: false,
                      multiKeyPaths: { status: [] }, isUnique: false, isSparse: false, isPartial: false,
                      indexVersion: 2, direction: 'forward', indexBounds: { status: [ '[MinKey, MaxKey]' ] } } }
    ]
  },
  executionStats: {
    executionSuccess: true, nReturned: 4, executionTimeMillis: 0, totalKeysExamined: 5, totalDocsExamined: 5,
    executionStages: {
      stage: 'FETCH', filter: { total: { '$gt': 5 } }, nReturned: 4, executionTimeMillisEstimate: 0, works: 6,
      advanced: 4, needTime: 1, needYield: 0, saveState: 0, restoreState: 0, isEOF: 1, docsExamined: 5,
      alreadyHasObj: 0,
      inputStage: { stage: 'IXSCAN', nReturned: 5, executionTimeMillisEstimate: 0, works: 6, advanced: 5, needTime: 0,
                    needYield: 0, saveState: 0, restoreState: 0, isEOF: 1, keyPattern: { tenant: 1 },
                    indexName: 'tenant_1', isMultiKey: false, multiKeyPaths: { tenant: [] }, isUnique: false,
                    isSparse: false, isPartial: false, indexVersion: 2, direction: 'forward',
                    indexBounds: { tenant: [ '[3, 3]' ] }, keysExamined: 5, seeks: 1, dupsTested: 0, dupsDropped: 0 }
    },
    allPlansExecution: [
      { nReturned: 4, executionTimeMillisEstimate: 0, totalKeysExamined: 5, totalDocsExamined: 5, score: 2.6668333333,
        executionStages: { stage: 'FETCH', works: 6 } },
      { nReturned: 2, executionTimeMillisEstimate: 0, totalKeysExamined: 6, totalDocsExamined: 6, score: 1.3335333333,
        executionStages: { stage: 'FETCH', works: 6 } },
      { nReturned: 1, executionTimeMillisEstimate: 0, totalKeysExamined: 6, totalDocsExamined: 6, score: 1.1668666666,
        executionStages: { stage: 'FETCH', works: 6 } }
    ]
  },
  command: { find: 'orders', filter: { tenant: 3, total: { '$gt': 5 } }, '$db': 'shop' },
  ok: 1
})";

}  // namespace ixora::test
