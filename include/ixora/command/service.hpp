// The engine below its template: catalog, cursors, knobs and the operations that commands and the typed API share.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ixora/base/interrupt.hpp"
#include "ixora/base/knobs.hpp"
#include "ixora/command/catalog.hpp"
#include "ixora/command/cursor_manager.hpp"
#include "ixora/command/operation_registry.hpp"
#include "ixora/command/storage.hpp"
#include "ixora/explain/verbosity.hpp"
#include "ixora/plan/prepared_query.hpp"

namespace ixora::command {

// A find, a count or a distinct with its options parsed.
struct QueryParameters {
    Namespace ns;
    plan::FindRequest request;
    std::optional<bson::Document> collation;  // of the request
    bson::Document let;
    std::optional<plan::CountNode> count;
    std::optional<plan::DistinctRequest> distinct;
    std::vector<stage::UpperStage> upper;  // of commands that write
    std::chrono::milliseconds max_time{0};
    // Takes down what came of every index; null: not wanted. Not owned, outlives the query.
    plan::Trace* trace = nullptr;
};

// A query that has been planned and is ready to run.
struct RunningQuery {
    std::unique_ptr<stage::PlanExecutor> executor;  // null: a strict distinct without a plan of its kind
    CollectionPtr collection;                       // null: it does not exist
    std::string query_hash;                         // only for explains
    std::string plan_cache_key;
    bool index_filter_set = false;
};

// The request, which is moved from, in the form that is planned: with the collation of `collection` (null: there is
// none) unless it brings its own. Throws what is wrong with it.
std::unique_ptr<plan::CanonicalQuery> make_query(QueryParameters& parameters, const Collection* collection);

struct WriteFailure {
    std::size_t index = 0;  // of the document in the request
    Error error;
};

struct InsertOutcome {
    std::int64_t inserted = 0;
    std::vector<WriteFailure> failures;
};

struct CreateIndexesOutcome {
    std::size_t indexes_before = 0;
    std::size_t indexes_after = 0;
    bool created_collection = false;
};

// Thread-safe.
class Service {
public:
    explicit Service(std::unique_ptr<Storage> storage) : storage_(std::move(storage)) {}

    // One command document with `$db`; never throws: errors become replies.
    bson::Document run_command(bson::View command, Interrupt& interrupt);

    Catalog& catalog() noexcept { return catalog_; }
    Storage& storage() noexcept { return *storage_; }
    CursorManager& cursors() noexcept { return cursors_; }
    OperationRegistry& operations() noexcept { return operations_; }
    Knobs knobs() const { return *shared_knobs(); }
    std::shared_ptr<const Knobs> shared_knobs() const;
    // Throws BadValue for a value out of its range; then nothing changes.
    void set_knobs(const Knobs& knobs);
    // Changes them under a lock: `change` is called once.
    void update_knobs(const std::function<void(Knobs&)>& change);

    // Null if the collection does not exist.
    CollectionPtr find_collection(const Namespace& ns) const { return catalog_.find(ns); }
    // Creates it with its `_id` index. Throws NamespaceExists (48) unless the options are the same.
    CollectionPtr create_collection(const Namespace& ns, const bson::Document& options);
    CollectionPtr collection_or_create(const Namespace& ns, bool* created = nullptr);
    // An empty collection with the options and indexes of the one of that name, in no catalog yet: for $out.
    CollectionPtr make_replacement(const Namespace& target);
    // Puts it in the place of that collection, in one step. Throws CommandFailed (125) if the indexes changed since.
    void publish_replacement(const Namespace& target, const CollectionPtr& replacement);
    void discard_replacement(const Collection& replacement);
    // Gives a collection another name, in one step; queries on the old name end with QueryPlanKilled (175). Throws 20,
    // 26, 48, 73 and 166 as renameCollection does.
    void rename_collection(const Namespace& from, const Namespace& to, bool drop_target);
    // False if there was none. With the collection that lists the views its views go.
    bool drop_collection(const Namespace& ns);
    // Adds the view. Throws NamespaceExists (48) unless the same view is there, and what check_view_graph() throws.
    void create_view(const ViewPtr& view);
    void change_view(const ViewPtr& view);
    // False if there was none.
    bool drop_view(const Namespace& ns);
    ViewPtr find_view(const Namespace& ns) const { return catalog_.find_view(ns); }
    // Throws 166 for a view, InvalidNamespace (73) for the collection that lists them.
    void check_writable(const Namespace& ns) const;
    void drop_database(std::string_view database);

    // Inserts in order; creates the collection if need be. `ordered` stops at the first failure. `validates`: the
    // collection's validator counts.
    InsertOutcome insert(const Namespace& ns, std::span<const bson::View> documents, bool ordered,
                         bool validates = true);
    // Builds all of them or none.
    CreateIndexesOutcome create_indexes(const Namespace& ns, std::span<const bson::View> specs, Interrupt& interrupt);
    void drop_indexes(const Namespace& ns, const std::vector<write::IndexStatePtr>& doomed);
    // Replaces the metadata of an index, which keeps its entries and becomes the planner's last one, as on the server
    // (recorded replies after a collMod). Throws IndexNotFound (27) if it is gone.
    void change_index(const Namespace& ns, const write::IndexStatePtr& index, bson::Document spec);

    // Replaces the options of a collection by what `change` makes of them. Throws NamespaceNotFound (26), and what the
    // validator in them throws.
    void change_options(const Namespace& ns, const std::function<bson::Document(bson::View options)>& change);

    // Plans (and races) a query. `interrupt` must outlive the executor or be replaced by restore().
    RunningQuery open(QueryParameters&& parameters, Interrupt& interrupt);
    // The same with the query made by `prepared` for the values bound there; the filter of `parameters` is not looked
    // at.
    RunningQuery open(plan::PreparedQuery& prepared, QueryParameters& parameters, Interrupt& interrupt);
    // The reply of an explain of that query; `command` is echoed. Completes the trace if one is wanted.
    bson::Document explain(QueryParameters parameters, Verbosity verbosity, bson::View command, Interrupt& interrupt);

private:
    RunningQuery start(CollectionPtr collection, std::unique_ptr<plan::CanonicalQuery> query,
                       QueryParameters& parameters, Interrupt& interrupt);
    std::shared_ptr<Collection> make_collection(const Namespace& ns, const bson::Document& options);
    void check_rename(const Namespace& from, const Namespace& to) const;
    void bury(const Collection& collection);
    void list_view(const ViewDefinition& view);
    void unlist_view(const ViewDefinition& view);
    CollectionPtr build_collection(const Namespace& ns, const bson::Document& options);
    void build_one_index(const CollectionPtr& collection, const write::IndexStatePtr& index, Interrupt& interrupt);

    std::unique_ptr<Storage> storage_;
    Catalog catalog_;
    CursorManager cursors_;
    OperationRegistry operations_;
    std::shared_ptr<plan::PlanCacheTotal> plan_cache_total_ = std::make_shared<plan::PlanCacheTotal>(0);
    std::mutex ddl_mutex_;  // one change of the catalog at a time
    std::atomic<std::uint64_t> replacements_{0};
    mutable std::mutex knobs_mutex_;
    std::shared_ptr<const Knobs> knobs_ = std::make_shared<const Knobs>();  // replaced as a whole
};

// Seconds since 1970 << 32 | 1, as stored documents take it.
std::uint64_t now_as_timestamp();

}  // namespace ixora::command
