#include "ixora/command/service.hpp"

#include <algorithm>
#include <chrono>
#include <random>
#include <shared_mutex>

#include "ixora/base/knob_table.hpp"
#include "ixora/bson/builder.hpp"
#include "ixora/bson/compare.hpp"
#include "ixora/command/id_index_spec.hpp"
#include "ixora/command/index_spec.hpp"
#include "ixora/key/icu_collator.hpp"
#include "ixora/write/insert_rules.hpp"

namespace ixora::command {

namespace {

std::string random_uuid() {
    thread_local std::mt19937_64 generator{std::random_device{}()};
    std::string bytes(16, '\0');
    for (char& byte : bytes) byte = static_cast<char>(generator() & 0xFF);
    bytes[6] = static_cast<char>((bytes[6] & 0x0F) | 0x40);
    bytes[8] = static_cast<char>((bytes[8] & 0x3F) | 0x80);
    return bytes;
}

Error in_index_build(const Error& error, const Namespace& ns) {
    return error.with_context("Index build failed: 00000000-0000-0000-0000-000000000000: Collection " + ns.full() +
                              " ( 00000000-0000-0000-0000-000000000000 )");
}

// Step E among the indexes of one command: the build of the first has begun when the second is looked at.
void check_against_build(const bson::Document& spec, const Collection& grown) {
    try {
        if (index_exists_already(spec, grown.indexes, grown.ns))
            throw Error(ErrorCode::operation_failed,
                        "Cannot build two identical indexes. Try again without duplicate indexes.");
    } catch (const Error& error) {
        throw in_index_build(error, grown.ns);
    }
}

// With details for a document alone: of several, the bad ones are looked for one by one.
void check_inserts(const write::Validator& validator, std::span<const bson::View> documents) {
    if (documents.size() == 1) return validator.check_insert(documents.front());
    if (!std::ranges::all_of(documents, [&](const bson::View& document) { return validator.accepts(document); }))
        throw Error(ErrorCode::document_validation_failure, "Document failed validation");
}

constexpr std::size_t insert_batch_documents = 64;
constexpr std::size_t insert_batch_bytes = 256UL << 10;

}  // namespace

std::uint64_t now_as_timestamp() {
    const auto since_epoch = std::chrono::system_clock::now().time_since_epoch();
    return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::seconds>(since_epoch).count()) << 32 | 1U;
}

std::shared_ptr<const Knobs> Service::shared_knobs() const {
    const std::lock_guard lock(knobs_mutex_);
    return knobs_;
}

void Service::set_knobs(const Knobs& knobs) {
    check_knobs(knobs);
    const std::lock_guard lock(knobs_mutex_);
    knobs_ = std::make_shared<const Knobs>(knobs);
}

void Service::update_knobs(const std::function<void(Knobs&)>& change) {
    const std::lock_guard lock(knobs_mutex_);
    Knobs changed = *knobs_;
    change(changed);
    knobs_ = std::make_shared<const Knobs>(changed);
}

std::shared_ptr<Collection> Service::make_collection(const Namespace& ns, const bson::Document& options) {
    auto collection = std::make_shared<Collection>();
    collection->ns = ns;
    collection->options = options;
    if (const bson::Element collation = options["collation"]; collation.is_object())
        collection->collator = key::make_collator(collation.object());
    collection->validator = write::Validator::from_options(options, collection->collator);
    collection->identity = std::make_shared<CollectionIdentity>();
    collection->identity->uuid = random_uuid();
    collection->identity->plan_cache = std::make_shared<plan::PlanCache>(plan_cache_total_);
    if (const bson::Element clustered = options["clusteredIndex"]; clustered.is_object())
        collection->clustered = plan::ClusteredIndex{std::string(clustered.object()["name"].string()),
                                                     bson::Document(clustered.object()["key"].object())};
    collection->identity->records = storage_->create_records({collection->clustered.has_value()});
    if (!collection->clustered)
        collection->indexes.push_back(std::make_shared<write::IndexState>(id_index_spec(collection->collator.get()),
                                                                          storage_->create_index({true, false})));
    return collection;
}

CollectionPtr Service::build_collection(const Namespace& ns, const bson::Document& options) {
    CollectionPtr collection = make_collection(ns, options);
    catalog_.put(collection);
    return collection;
}

CollectionPtr Service::create_collection(const Namespace& ns, const bson::Document& options) {
    const std::lock_guard lock(ddl_mutex_);
    if (find_view(ns)) throw Error(ErrorCode::namespace_exists, "A view already exists. NS: " + ns.full());
    if (const CollectionPtr existing = catalog_.find(ns)) {
        if (bson::equal(existing->options.view(), options.view())) return existing;
        throw Error(ErrorCode::namespace_exists, "Collection already exists. NS: " + ns.full());
    }
    return build_collection(ns, options);
}

CollectionPtr Service::collection_or_create(const Namespace& ns, bool* created) {
    if (created != nullptr) *created = false;
    if (CollectionPtr existing = catalog_.find(ns)) return existing;
    const std::lock_guard lock(ddl_mutex_);
    if (CollectionPtr existing = catalog_.find(ns)) return existing;
    if (find_view(ns)) refuse_view(ns);
    check_system_namespace(ns);
    if (created != nullptr) *created = true;
    return build_collection(ns, {});
}

void Service::bury(const Collection& collection) {
    for (const write::IndexStatePtr& index : collection.indexes) {
        index->mark_dropped();
        storage_->drop_table(index->table());
    }
    storage_->drop_table(collection.identity->records);
}

bool Service::drop_collection(const Namespace& ns) {
    const std::lock_guard lock(ddl_mutex_);
    const CollectionPtr collection = catalog_.find(ns);
    if (!collection) return false;
    {
        const std::unique_lock writers(collection->identity->write_latch);
        collection->identity->dropped.store(true);
        catalog_.erase(ns);
    }
    bury(*collection);
    if (ns.collection == views_collection)
        for (const ViewPtr& view : catalog_.views(ns.database)) catalog_.erase_view(view->ns);
    return true;
}

void Service::drop_database(std::string_view database) {
    for (const CollectionPtr& collection : catalog_.collections(database)) drop_collection(collection->ns);
}

InsertOutcome Service::insert(const Namespace& ns, std::span<const bson::View> documents, bool ordered,
                              bool validates) {
    InsertOutcome outcome;
    try {
        check_writable(ns);
    } catch (const Error& error) {
        if (!error.is(ErrorCode::command_not_supported_on_view)) throw;
        for (std::size_t i = 0; i < (ordered ? 1 : documents.size()); ++i) outcome.failures.push_back({i, error});
        return outcome;
    }
    CollectionPtr collection = collection_or_create(ns);
    const std::uint64_t now = now_as_timestamp();

    // One unit of work for a run of documents; where that fails, one for each of them, so that exactly the bad ones are
    // reported.
    std::vector<bson::Document> prepared;
    std::vector<bson::View> views;
    std::vector<std::size_t> positions;
    bool stopped = false;
    const auto write = [&](std::span<const bson::View> run) {
        for (;;) {
            const std::shared_lock writers(collection->identity->write_latch);
            if (!collection->identity->dropped.load()) {
                const CollectionPtr found = catalog_.find(ns);
                const Collection& current = found ? *found : *collection;
                if (validates && current.validator) check_inserts(*current.validator, run);
                storage_->insert(current.target(), run);
                return;
            }
            collection = collection_or_create(ns);
        }
    };
    const auto write_alone = [&](std::size_t i) {
        try {
            write({&views[i], 1});
            ++outcome.inserted;
        } catch (const Error& error) {
            outcome.failures.push_back({positions[i], error});
            stopped = ordered;
        }
    };
    const auto write_all = [&] {
        try {
            write(views);
            outcome.inserted += static_cast<std::int64_t>(views.size());
        } catch (const Error&) {
            for (std::size_t i = 0; i < views.size() && !stopped; ++i) write_alone(i);
        }
    };
    const auto flush = [&] {
        if (views.empty()) return;
        if (views.size() == 1)
            write_alone(0);
        else
            write_all();
        prepared.clear();
        views.clear();
        positions.clear();
    };

    std::size_t bytes = 0;
    for (std::size_t i = 0; i < documents.size() && !stopped; ++i) {
        try {
            prepared.push_back(write::prepare_insert(documents[i], now));
        } catch (const Error& error) {
            flush();
            if (stopped) break;
            outcome.failures.push_back({i, error});
            stopped = ordered;
            continue;
        }
        views.push_back(prepared.back().view());
        positions.push_back(i);
        bytes += views.back().size();
        if (views.size() < insert_batch_documents && bytes < insert_batch_bytes) continue;
        flush();
        bytes = 0;
    }
    if (!stopped) flush();
    return outcome;
}

void Service::build_one_index(const CollectionPtr& collection, const write::IndexStatePtr& index,
                              Interrupt& interrupt) {
    try {
        storage_->build_index(collection->target(), *index, interrupt);
    } catch (const Error& error) {
        storage_->drop_table(index->table());
        throw in_index_build(error, collection->ns);
    }
}

CreateIndexesOutcome Service::create_indexes(const Namespace& ns, std::span<const bson::View> specs,
                                             Interrupt& interrupt) {
    CreateIndexesOutcome outcome;
    check_writable(ns);
    // Specifications are checked before anything is created.
    const CollectionPtr seen = catalog_.find(ns);
    std::vector<bson::Document> normalized;
    for (const bson::View& spec : specs)
        if (std::optional<bson::Document> stored = normalize_index_spec(spec, seen.get()))
            normalized.push_back(std::move(*stored));
    CollectionPtr collection = collection_or_create(ns, &outcome.created_collection);

    const std::lock_guard ddl(ddl_mutex_);
    collection = catalog_.find(ns);
    if (!collection) throw Error(ErrorCode::namespace_not_found, "ns does not exist: " + ns.full());
    outcome.indexes_before = collection->indexes.size();
    const std::unique_lock writers(collection->identity->write_latch);
    std::erase_if(normalized,
                  [&](const bson::Document& spec) { return index_exists_already(spec, collection->indexes, ns); });
    auto grown = std::make_shared<Collection>(*collection);
    std::vector<write::IndexStatePtr> built;
    try {
        for (const bson::Document& spec : normalized) {
            check_against_build(spec, *grown);
            const store::IndexTableOptions table{spec["unique"].truthy(), collection->clustered.has_value()};
            auto index = std::make_shared<write::IndexState>(spec, storage_->create_index(table));
            build_one_index(collection, index, interrupt);
            built.push_back(index);
            grown->indexes.push_back(std::move(index));
        }
    } catch (...) {
        for (const write::IndexStatePtr& index : built) storage_->drop_table(index->table());
        throw;
    }
    outcome.indexes_after = grown->indexes.size();
    if (!built.empty()) {
        catalog_.put(std::move(grown));
        collection->identity->plan_cache->clear();
    }
    return outcome;
}

void Service::drop_indexes(const Namespace& ns, const std::vector<write::IndexStatePtr>& doomed) {
    const std::lock_guard ddl(ddl_mutex_);
    const CollectionPtr collection = catalog_.find(ns);
    if (!collection) return;
    const std::unique_lock writers(collection->identity->write_latch);
    auto shrunk = std::make_shared<Collection>(*collection);
    for (const write::IndexStatePtr& index : doomed) {
        std::erase(shrunk->indexes, index);
        index->mark_dropped();
    }
    catalog_.put(std::move(shrunk));
    collection->identity->plan_cache->clear();
    for (const write::IndexStatePtr& index : doomed) storage_->drop_table(index->table());
}

void Service::change_index(const Namespace& ns, const write::IndexStatePtr& index, bson::Document spec) {
    const std::lock_guard ddl(ddl_mutex_);
    const CollectionPtr collection = catalog_.find(ns);
    auto changed = collection ? std::make_shared<Collection>(*collection) : std::make_shared<Collection>();
    const auto place = std::find(changed->indexes.begin(), changed->indexes.end(), index);
    if (place == changed->indexes.end())
        throw Error(ErrorCode::index_not_found, "cannot find index " + index->name() + " for ns " + ns.full());
    const std::unique_lock writers(collection->identity->write_latch);
    changed->indexes.erase(place);
    changed->indexes.push_back(std::make_shared<write::IndexState>(std::move(spec), *index));
    catalog_.put(std::move(changed));
}

void Service::change_options(const Namespace& ns, const std::function<bson::Document(bson::View)>& change) {
    const std::lock_guard ddl(ddl_mutex_);
    const CollectionPtr collection = catalog_.find(ns);
    if (!collection) throw Error(ErrorCode::namespace_not_found, "ns does not exist");
    auto changed = std::make_shared<Collection>(*collection);
    changed->options = change(collection->options);
    changed->validator = write::Validator::from_options(changed->options, changed->collator);
    const std::unique_lock writers(collection->identity->write_latch);
    catalog_.put(std::move(changed));
}

}  // namespace ixora::command
