// What $out and $merge ask of the engine.
#include <algorithm>

#include "ixora/bson/builder.hpp"
#include "ixora/command/pipeline_environment.hpp"
#include "ixora/command/write_statement.hpp"
#include "ixora/write/insert_rules.hpp"

namespace ixora::command {

namespace {

// A collection that stands in no catalog until it is published.
class ReplacementCollection final : public pipeline::OutputCollection {
public:
    ReplacementCollection(Service& service, Namespace target)
        : service_(service), target_(std::move(target)), collection_(service.make_replacement(target_)) {}
    ~ReplacementCollection() override {
        if (!published_) service_.discard_replacement(*collection_);
    }

    void insert(std::span<const bson::View> documents) override {
        std::vector<bson::Document> prepared;
        prepared.reserve(documents.size());
        for (const bson::View& document : documents)
            prepared.push_back(write::prepare_insert(document, now_as_timestamp()));
        const std::vector<bson::View> views(prepared.begin(), prepared.end());
        if (!views.empty()) service_.storage().insert(collection_->target(), views);
    }
    void publish() override {
        service_.publish_replacement(target_, collection_);
        published_ = true;
    }

private:
    Service& service_;
    Namespace target_;
    CollectionPtr collection_;
    bool published_ = false;
};

bool has_exactly_the_fields(const write::IndexState& index, const std::set<std::string>& fields) {
    std::set<std::string> of_index;
    for (const bson::Element& field : index.key_pattern()) of_index.emplace(field.name());
    return of_index == fields;
}

bool finds_one(const write::IndexState& index, const std::set<std::string>& on, const bson::Collator* collator) {
    return (index.unique() || index.is_id_index()) && !index.spec().view().contains("partialFilterExpression") &&
           bson::same_collation(index.collator().get(), collator) && has_exactly_the_fields(index, on);
}

Namespace output_namespace(const pipeline::CollectionName& ns) {
    try {
        return make_namespace(ns.database, ns.collection);
    } catch (const Error& error) {
        throw Error(ErrorCode::illegal_operation, "error with target namespace: " + std::string(error.what()));
    }
}

}  // namespace

std::unique_ptr<pipeline::OutputCollection> PipelineEnvironment::replace_collection(
    const pipeline::CollectionName& ns) {
    Namespace target = output_namespace(ns);
    service_.check_writable(target);
    return std::make_unique<ReplacementCollection>(service_, std::move(target));
}

void PipelineEnvironment::check_merge_target(const pipeline::CollectionName& ns,
                                             const std::optional<std::set<std::string>>& on,
                                             const bson::Collator* collator) {
    service_.check_writable({ns.database, ns.collection});
    if (!on) return;
    const CollectionPtr collection = find_collection(ns);
    const bool by_id = *on == std::set<std::string>{"_id"};
    const bool found =
        collection
            ? (by_id && collection->clustered) ||
                  std::any_of(collection->indexes.begin(), collection->indexes.end(),
                              [&](const write::IndexStatePtr& index) { return finds_one(*index, *on, collator); })
            : by_id;
    if (!found) throw Error(51183, "Cannot find index to verify that join fields will be unique");
}

std::int64_t PipelineEnvironment::merge(const pipeline::CollectionName& ns, const pipeline::MergeWrite& write,
                                        Interrupt& interrupt) {
    const Namespace target = make_namespace(ns.database, ns.collection);
    if (write.update.missing()) {
        const InsertOutcome outcome = service_.insert(target, {&write.document, 1}, true);
        if (!outcome.failures.empty()) throw outcome.failures.front().error;
        return 0;
    }
    UpdateRequest request;
    request.target.ns = target;
    request.target.filter = write.query;
    if (!write.collation.empty()) request.target.collation = write.collation;
    request.update = write.update;
    request.upsert = write.upsert;
    if (!write.constants.empty()) request.constants = write.constants.view();
    if (write.inserts_document) request.upserted = write.document;
    return run_update_statement(service_, request, interrupt).matched;
}

}  // namespace ixora::command
