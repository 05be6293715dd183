// Every tunable with the server's name and default (spec: planner.md section 9). Copied into an operation at its start.
#pragma once

#include <cstdint>
#include <string>

namespace ixora {

struct Knobs {
    std::string internalQueryFrameworkControl = "forceClassicEngine";
    std::int64_t internalQueryPlanEvaluationWorks = 10000;
    double internalQueryPlanEvaluationCollFraction = 0.3;
    std::int64_t internalQueryPlanEvaluationMaxResults = 101;
    bool internalQueryForceIntersectionPlans = false;
    bool internalQueryPlannerEnableIndexIntersection = true;
    bool internalQueryPlannerEnableHashIntersection = false;
    std::int64_t internalQueryPlannerMaxIndexedSolutions = 64;
    std::int64_t internalQueryEnumerationMaxOrSolutions = 10;
    std::int64_t internalQueryEnumerationMaxIntersectPerAnd = 3;
    bool internalQueryEnumerationPreferLockstepOrEnumeration = false;
    bool internalQueryPlanOrChildrenIndependently = true;
    std::int64_t internalQueryMaxScansToExplode = 200;
    bool internalQueryPlannerGenerateCoveredWholeIndexScans = false;
    std::int64_t internalQueryCacheMaxEntriesPerCollection = 5000;
    std::int64_t internalQueryCacheMaxSizeBytesBeforeStripDebugInfo = 512LL << 20;
    double internalQueryCacheEvictionRatio = 10.0;
    double internalQueryCacheWorksGrowthCoefficient = 2.0;
    bool internalQueryCacheDisableInactiveEntries = false;
    bool internalQueryDisablePlanCache = false;
    // What all plan caches of a database may hold together (parse_memory_size()). On the server it bounds the cache of
    // the other engine only.
    std::string planCacheSize = "5%";
    std::int64_t internalQueryMaxBlockingSortMemoryUsageBytes = 104857600;
    std::int64_t internalDocumentSourceGroupMaxMemoryBytes = 104857600;
    std::int64_t internalDocumentSourceBucketAutoMaxMemoryBytes = 104857600;
    std::int64_t internalDocumentSourceSetWindowFieldsMaxMemoryBytes = 104857600;
    bool allowDiskUseByDefault = true;
    std::int64_t internalQueryExecYieldIterations = 1000;
    // 0 switches the timer off, so that yields (and saveState in explain) are deterministic.
    std::int64_t internalQueryExecYieldPeriodMS = 0;
    std::int64_t internalQueryExplainSizeThresholdBytes = 10LL << 20;
    bool notablescan = false;
    bool internalQueryIgnoreUnknownJSONSchemaKeywords = false;
    std::int64_t internalGeoPredicateQuery2DMaxCoveringCells = 16;
    std::int64_t internalGeoNearQuery2DMaxCoveringCells = 16;
    std::int64_t internalQueryS2GeoCoarsestLevel = 0;
    std::int64_t internalQueryS2GeoFinestLevel = 23;
    std::int64_t internalQueryS2GeoMaxCells = 20;

    // ixora's own: pipelines run as they were written, over a find that reads the whole collection.
    bool disablePipelineOptimization = false;
    // ixora's own: where operations that need more memory than they may have put their temporary files; empty: the
    // system's directory for them.
    std::string spillDirectory;
    // ixora's own: how many cursors a database keeps open at most.
    std::int64_t maxOpenCursors = 10000;
};

}  // namespace ixora
