// What a pipeline asks of the engine around it: finds on collections and their statistics.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <span>
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

// What stands behind the name of a view.
struct ViewSource {
    CollectionName collection;             // below all views
    std::vector<bson::Document> pipeline;  // the stages in front of whatever reads the view
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

// The new contents of a collection: nobody sees them before publish(), and without it they vanish.
class OutputCollection {
public:
    virtual ~OutputCollection() = default;
    // Throws what inserting throws, DuplicateKey (11000) for instance.
    virtual void insert(std::span<const bson::View> documents) = 0;
    // Puts them in the place of the old contents, in one step.
    virtual void publish() = 0;
};

// What $merge does with one document.
struct MergeWrite {
    bson::View document;
    bson::Document query;           // the values of the `on` fields
    bson::Value update;             // of what the query finds; missing: the document is inserted
    bson::Document constants;       // of an update that is a pipeline
    bool upsert = false;            // where nothing is found
    bool inserts_document = false;  // an upsert inserts the document as it is
    bson::Document collation;
};

// Implemented by the command layer; thread-safe.
class Environment {
public:
    virtual ~Environment() = default;

    virtual OpenedFind open(FindOptions options, Interrupt& interrupt) = 0;
    // The collation that operations on the collection have by default; null: binary.
    virtual bson::CollatorPtr default_collator(const CollectionName& ns) = 0;

    // Nothing where the name is not a view's. Throws ViewDepthLimitExceeded (165).
    virtual std::optional<ViewSource> find_view(const CollectionName& ns) = 0;

    // For $out. The new collection takes over options and indexes. Throws 166 for a view, IllegalOperation (20) for a
    // name that no collection may have.
    virtual std::unique_ptr<OutputCollection> replace_collection(const CollectionName& ns) = 0;
    // Whether $merge may write there and find documents by `on` (nothing: by _id). Throws 166 for a view, 51183 without
    // a unique index on exactly these fields, under that collation.
    virtual void check_merge_target(const CollectionName& ns, const std::optional<std::set<std::string>>& on,
                                    const bson::Collator* collator) = 0;
    // How many documents the query found; 0 after an insert or an upsert.
    virtual std::int64_t merge(const CollectionName& ns, const MergeWrite& write, Interrupt& interrupt) = 0;

    // The documents of the stages that read no collection. Throw NamespaceNotFound (26) where the server does.
    virtual std::vector<bson::Document> index_statistics(const CollectionName& ns) = 0;
    virtual bson::Document collection_statistics(const CollectionName& ns, bson::View options) = 0;
    virtual std::vector<bson::Document> plan_cache_statistics(const CollectionName& ns) = 0;
};

}  // namespace ixora::pipeline
