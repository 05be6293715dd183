#include "ixora/command/write_statement.hpp"

#include <chrono>
#include <mutex>
#include <shared_mutex>

#include "ixora/command/pipeline_environment.hpp"
#include "ixora/key/icu_collator.hpp"
#include "ixora/mql/match_parser.hpp"
#include "ixora/mql/match_rewrite.hpp"
#include "ixora/pipeline/stage_list.hpp"
#include "ixora/pipeline/update_pipeline.hpp"
#include "ixora/stage/projection.hpp"
#include "ixora/store/write_conflict.hpp"
#include "ixora/write/reply_fields.hpp"

namespace ixora::command {

namespace {

constexpr std::size_t write_batch_max = 100'000;

// Writes to the newest version of a collection; an index build keeps it waiting.
class CollectionWriter final : public write::RecordWriter {
public:
    CollectionWriter(Service& service, const WriteTarget& target)
        : service_(service), ns_(target.ns), validates_(!target.bypass_validation) {}

    void use(CollectionPtr collection) { collection_ = std::move(collection); }

    bool update(const key::RecordId& id, const Change& change) override {
        const std::shared_lock writers(collection_->identity->write_latch);
        const Collection& collection = newest();
        if (!validates_ || !collection.validator) return service_.storage().update(collection.target(), id, change);
        return service_.storage().update(collection.target(), id, [&](bson::View before) {
            std::optional<bson::Document> after = change(before);
            if (after) collection.validator->check_update(before, *after);
            return after;
        });
    }
    bool remove(const key::RecordId& id, const Condition& doomed) override {
        const std::shared_lock writers(collection_->identity->write_latch);
        return service_.storage().remove(newest().target(), id, doomed);
    }
    void insert(bson::View document) override {
        const std::shared_lock writers(collection_->identity->write_latch);
        const Collection& collection = newest();
        if (validates_ && collection.validator) collection.validator->check_insert(document);
        service_.storage().insert(collection.target(), {&document, 1});
    }

private:
    const Collection& newest() {
        if (collection_->identity->dropped.load())
            throw Error(ErrorCode::query_plan_killed, "collection dropped. Namespace: " + ns_.full());
        if (CollectionPtr found = service_.catalog().find(ns_)) collection_ = std::move(found);
        return *collection_;
    }

    Service& service_;
    Namespace ns_;
    bool validates_;
    CollectionPtr collection_;
};

bson::CollatorPtr collator_of(Service& service, const WriteTarget& target) {
    if (target.collation && !target.collation->empty()) return key::make_collator(*target.collation);
    const CollectionPtr collection = service.find_collection(target.ns);
    return collection ? collection->collator : nullptr;
}

mql::UpdateContext context_of_now() {
    using namespace std::chrono;
    const auto now = duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
    mql::UpdateContext context;
    context.now_millis = now;
    context.now_timestamp = static_cast<std::uint64_t>(now / 1000) << 32 | 1U;
    return context;
}

std::shared_ptr<mql::VariableScope> scope_of(const WriteTarget& target, std::int64_t now,
                                             const bson::CollatorPtr& collator) {
    auto scope = std::make_shared<mql::VariableScope>(now);
    mql::define_let(target.let, *scope, collator);
    return scope;
}

// An update by a pipeline; `constants` hide variables of `scope`.
mql::Update parse_pipeline_update(Service& service, const UpdateRequest& request, const mql::VariableScope& scope,
                                  const bson::CollatorPtr& collator, Interrupt& interrupt) {
    if (request.array_filters)
        throw Error(ErrorCode::failed_to_parse, "arrayFilters may not be specified for pipeline-syle updates");
    auto context = std::make_shared<pipeline::PipelineContext>();
    context->operation = make_operation_context(service, interrupt);
    context->ns = {request.target.ns.database, request.target.ns.collection};
    context->collator = collator;
    context->scope = std::make_shared<mql::VariableScope>(scope);
    if (request.constants)
        for (const bson::Element& constant : *request.constants)
            context->scope->define_constant(constant.name(), bson::Value(constant));
    auto stages = std::make_shared<pipeline::UpdatePipeline>(request.update.element(), context);
    return mql::Update::of_transform([stages](bson::View document) { return stages->apply(document); });
}

mql::Update parse_update(Service& service, const UpdateRequest& request, const mql::VariableScope& scope,
                         const bson::CollatorPtr& collator, Interrupt& interrupt) {
    if (request.update.element().is_array()) return parse_pipeline_update(service, request, scope, collator, interrupt);
    mql::UpdateOptions options;
    options.collator = collator;
    options.array_filters = request.array_filters;
    mql::Update update = mql::Update::parse(request.update, options);
    if (request.constants) throw Error(51198, "Constant values may only be specified for pipeline updates");
    if (request.multi && update.is_replacement())
        throw Error(ErrorCode::failed_to_parse, "multi update is not supported for replacement-style update");
    return update;
}

QueryParameters find_parameters(const WriteTarget& target) {
    QueryParameters parameters;
    parameters.ns = target.ns;
    parameters.collation = target.collation;
    parameters.request.filter = target.filter;
    parameters.request.sort = target.sort;
    parameters.request.hint = target.hint;
    parameters.request.preserve_record_id = true;
    return parameters;
}

// The projection of a returned document, on top of everything.
class FieldsProjection {
public:
    FieldsProjection(const WriteTarget& target, const bson::CollatorPtr& collator, mql::VariableScope& scope,
                     bool returns_new) {
        if (target.fields.empty()) return;
        mql::MatchParseOptions match_options;
        match_options.collator = collator;
        match_options.scope = &scope;
        filter_ = mql::normalize(mql::parse_match(target.filter, match_options));
        mql::ProjectionParseOptions options;
        options.collator = collator;
        options.filter = filter_.get();
        options.scope = &scope;
        projection_.emplace(mql::Projection::parse(target.fields, options));
        if (projection_->requires_match_details() && returns_new)
            throw Error(ErrorCode::bad_value, "cannot use a positional projection and return the new document");
    }

    void add_to(std::vector<stage::UpperStage>& upper) const {
        if (!projection_) return;
        plan::ProjectionNode node{&*projection_, projection_->spec()};
        upper.push_back({plan::make_plan_node(plan::StageType::projection_default, std::move(node)),
                         [](const plan::PlanNode& made, const plan::CanonicalQuery&, stage::StagePtr input) {
                             return std::make_unique<stage::DefaultProjectionStage>(made, std::move(input));
                         }});
    }

private:
    mql::MatchNodePtr filter_;
    std::optional<mql::Projection> projection_;
};

// One update or delete with all that its stages refer to.
class Statement {
public:
    Statement(Service& service, const UpdateRequest& request, Interrupt& interrupt)
        : service_(service),
          target_(request.target),
          interrupt_(interrupt),
          upserts_(request.upsert),
          writer_(service, request.target) {
        service.check_writable(target_.ns);
        const bson::CollatorPtr collator = collator_of(service, target_);
        update_.context = context_of_now();
        scope_ = scope_of(target_, update_.context.now_millis, collator);
        parsed_.emplace(parse_update(service, request, *scope_, collator, interrupt));
        update_.update = &*parsed_;
        update_.multi = request.multi;
        update_.upsert = request.upsert;
        update_.upserted = request.upserted;
        update_.sorted = !target_.sort.empty();
        if (target_.returns_document)
            update_.returned = request.return_after ? write::ReturnedDocument::after : write::ReturnedDocument::before;
        fields_.emplace(target_, collator, *scope_, request.return_after);
        type_ = plan::StageType::update;
    }
    Statement(Service& service, const DeleteRequest& request, Interrupt& interrupt)
        : service_(service), target_(request.target), interrupt_(interrupt), writer_(service, request.target) {
        service.check_writable(target_.ns);
        const bson::CollatorPtr collator = collator_of(service, target_);
        scope_ = scope_of(target_, context_of_now().now_millis, collator);
        delete_.multi = request.multi;
        delete_.returns_document = target_.returns_document;
        delete_.sorted = !target_.sort.empty();
        fields_.emplace(target_, collator, *scope_, false);
        type_ = request.multi ? plan::StageType::batched_delete : plan::StageType::delete_;
    }

    // Runs to the end; the document that came out, for a findAndModify.
    std::optional<bson::Document> run() {
        update_.writer = delete_.writer = &writer_;
        std::optional<bson::Document> returned;
        retry_write_conflicts([&] {
            if (upserts_) service_.collection_or_create(target_.ns);
            RunningQuery running = service_.open(parameters(), interrupt_);
            if (!running.collection) return;
            writer_.use(running.collection);
            stage::Member row;
            while (running.executor->next(row)) {
                returned = bson::Document(row.document);
                if (target_.returns_document) break;
            }
        });
        return returned;
    }
    bson::Document explain(Verbosity verbosity, bson::View command) {
        return service_.explain(parameters(), verbosity, command, interrupt_);
    }

    const write::UpdateStatement::Outcome& updated() const noexcept { return update_.outcome; }
    std::int64_t deleted() const noexcept { return delete_.deleted; }

private:
    QueryParameters parameters() {
        QueryParameters out = find_parameters(target_);
        out.request.variables = scope_;
        if (!target_.sort.empty()) out.request.limit = 1;
        // A delete of many by `_id` has nothing to batch.
        const bool by_id = type_ == plan::StageType::batched_delete && is_by_id();
        auto node = plan::make_plan_node(by_id ? plan::StageType::delete_ : type_);
        out.upper.push_back(
            {std::move(node),
             [this](const plan::PlanNode& made, const plan::CanonicalQuery& query,
                    stage::StagePtr input) -> stage::StagePtr {
                 if (made.type == plan::StageType::update)
                     return std::make_unique<write::UpdateStage>(made, query.root(), std::move(input), update_);
                 return std::make_unique<write::DeleteStage>(made, query.root(), std::move(input), delete_);
             }});
        fields_->add_to(out.upper);
        return out;
    }
    bool is_by_id() const {
        const bson::Element id = target_.filter["_id"];
        return target_.filter.view().field_count() == 1 && !id.missing() && !id.is_array() &&
               id.type() != bson::Type::regex && id.type() != bson::Type::undefined &&
               !(id.is_object() && !id.object().empty() && id.object().front().name().substr(0, 1) == "$") &&
               target_.hint.empty();
    }

    Service& service_;
    const WriteTarget& target_;
    Interrupt& interrupt_;
    std::shared_ptr<mql::VariableScope> scope_;
    bool upserts_ = false;
    CollectionWriter writer_;
    plan::StageType type_ = plan::StageType::update;
    std::optional<mql::Update> parsed_;
    write::UpdateStatement update_;
    write::DeleteStatement delete_;
    std::optional<FieldsProjection> fields_;
};

}  // namespace

bson::Value parse_update_argument(bson::Element argument) {
    if (argument.is_array())
        pipeline::check_stage_names(argument);
    else if (!argument.is_object())
        throw Error(ErrorCode::failed_to_parse, "Update argument must be either an object or an array");
    return bson::Value(argument);
}

UpdateOutcome run_update_statement(Service& service, const UpdateRequest& request, Interrupt& interrupt) {
    Statement statement(service, request, interrupt);
    UpdateOutcome outcome;
    outcome.returned = statement.run();
    outcome.matched = statement.updated().matched;
    outcome.modified = statement.updated().modified;
    outcome.upserted_id = statement.updated().upserted_id;
    return outcome;
}

DeleteOutcome run_delete_statement(Service& service, const DeleteRequest& request, Interrupt& interrupt) {
    Statement statement(service, request, interrupt);
    DeleteOutcome outcome;
    outcome.returned = statement.run();
    outcome.deleted = statement.deleted();
    return outcome;
}

bson::Document explain_update_statement(Service& service, const UpdateRequest& request, Verbosity verbosity,
                                        bson::View command, Interrupt& interrupt) {
    return Statement(service, request, interrupt).explain(verbosity, command);
}

bson::Document explain_delete_statement(Service& service, const DeleteRequest& request, Verbosity verbosity,
                                        bson::View command, Interrupt& interrupt) {
    return Statement(service, request, interrupt).explain(verbosity, command);
}

void append_write_errors(bson::Builder& reply, const std::vector<WriteFailure>& failures) {
    if (failures.empty()) return;
    reply.open_array("writeErrors");
    for (const WriteFailure& failure : failures) {
        reply.open_object();
        reply.append("index", static_cast<std::int32_t>(failure.index));
        reply.append("code", static_cast<std::int32_t>(failure.error.code()));
        reply.append_all(write::ReplyFields::of(failure.error));
        reply.append("errmsg", failure.error.what());
        reply.close();
    }
    reply.close();
}

void check_batch_size(std::size_t statements) {
    if (statements == 0 || statements > write_batch_max)
        throw Error(ErrorCode::invalid_length, "Write batch sizes must be between 1 and 100000. Got " +
                                                   std::to_string(statements) + " operations.");
}

}  // namespace ixora::command
