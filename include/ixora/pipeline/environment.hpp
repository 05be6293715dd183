// What a pipeline asks of the engine around it: finds on collections and their statistics.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ixora/base/interrupt.hpp"
#include "ixora/bson/document.hpp"
#include "ixora/plan/canonical_query.hpp"
#include "ixora/plan/distinct.hpp"
#include "ixora/stage/plan_executor.hpp"

namespace ixora::pipeline {

struct CollectionName {
    std::string database;
    std::string collection;
    std::string full() const { return database + "." + collection; }
};

struct FindOptions {
    CollectionName ns;
    plan::FindRequest request;
    bson::Document collation;      // a specification; empty: the collection's own
    bool names_collation = false;  // the user asked for it, so the query's shape tells of it
    // Nothing but a DISTINCT_SCAN will do; without one nothing is opened.
    std::optional<plan::DistinctRequest> distinct;
};

// A query that has been planned and raced.
struct OpenedFind {
    std::unique_ptr<stage::PlanExecutor> executor;  // null: no DISTINCT_SCAN
    std::shared_ptr<const void> collection;         // keeps what the executor looks at alive; null: it does not exist
    std::string ns;
    std::string query_hash;  // only for explains
    std::string plan_cache_key;
    bool index_filter_set = false;
};

// Implemented by the command layer; thread-safe.
class Environment {
public:
    virtual ~Environment() = default;

    virtual OpenedFind open(FindOptions options, Interrupt& interrupt) = 0;
    // The collation that operations on the collection have by default; null: binary.
    virtual bson::CollatorPtr default_collator(const CollectionName& ns) = 0;

    // The documents of the stages that read no collection. Throw NamespaceNotFound (26) where the server does.
    virtual std::vector<bson::Document> index_statistics(const CollectionName& ns) = 0;
    virtual bson::Document collection_statistics(const CollectionName& ns, bson::View options) = 0;
    virtual std::vector<bson::Document> plan_cache_statistics(const CollectionName& ns) = 0;
};

}  // namespace ixora::pipeline
