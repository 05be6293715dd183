#include "ixora/command/collection.hpp"

#include "ixora/bson/builder.hpp"
#include "ixora/key/key_pattern.hpp"

namespace ixora {

Find::Find(command::Service& service, command::Namespace ns, bson::Document filter) : service_(&service) {
    parameters_.ns = std::move(ns);
    parameters_.request.filter = std::move(filter);
}

Find Find::sort(bson::Document pattern) && {
    parameters_.request.sort = std::move(pattern);
    return std::move(*this);
}

Find Find::project(bson::Document projection) && {
    parameters_.request.projection = std::move(projection);
    return std::move(*this);
}

Find Find::hint(bson::Document key_pattern) && {
    parameters_.request.hint = std::move(key_pattern);
    return std::move(*this);
}

Find Find::hint(std::string_view index_name) && {
    bson::Builder name;
    name.append("$hint", index_name);
    parameters_.request.hint = name.finish();
    return std::move(*this);
}

Find Find::min(bson::Document bound) && {
    parameters_.request.min = std::move(bound);
    return std::move(*this);
}

Find Find::max(bson::Document bound) && {
    parameters_.request.max = std::move(bound);
    return std::move(*this);
}

Find Find::collation(bson::Document specification) && {
    parameters_.collation = std::move(specification);
    return std::move(*this);
}

Find Find::skip(std::int64_t rows) && {
    if (rows < 0)
        throw Error(51024, "BSON field 'skip' value must be >= 0, actual value '" + std::to_string(rows) + "'");
    parameters_.request.skip = rows;
    return std::move(*this);
}

Find Find::limit(std::int64_t rows) && {
    if (rows < 0)
        throw Error(51024, "BSON field 'limit' value must be >= 0, actual value '" + std::to_string(rows) + "'");
    parameters_.request.limit = rows;
    return std::move(*this);
}

Find Find::max_time(std::chrono::milliseconds limit) && {
    parameters_.max_time = limit;
    return std::move(*this);
}

RowCursor Find::rows() & { return start(command::QueryParameters(parameters_)); }

RowCursor Find::rows() && { return start(std::move(parameters_)); }

RowCursor Find::start(command::QueryParameters&& parameters) const {
    auto interrupt = std::make_unique<Interrupt>();
    if (parameters.max_time.count() > 0) interrupt->set_deadline(Interrupt::Clock::now() + parameters.max_time);
    command::RunningQuery query = service_->open(std::move(parameters), *interrupt);
    return RowCursor(std::move(query), std::move(interrupt));
}

bson::Document Find::explain(Verbosity verbosity) {
    const plan::FindRequest& request = parameters_.request;
    bson::Builder command;
    command.append("find", parameters_.ns.collection);
    command.append("filter", request.filter);
    const auto append_object = [&](std::string_view name, const bson::Document& value) {
        if (!value.empty()) command.append(name, value);
    };
    append_object("projection", request.projection);
    append_object("sort", request.sort);
    append_object("hint", request.hint);
    append_object("min", request.min);
    append_object("max", request.max);
    if (parameters_.collation) command.append("collation", *parameters_.collation);
    if (request.skip > 0) command.append("skip", request.skip);
    if (request.limit > 0) command.append("limit", request.limit);
    command.append("$db", parameters_.ns.database);
    Interrupt interrupt;
    if (parameters_.max_time.count() > 0) interrupt.set_deadline(Interrupt::Clock::now() + parameters_.max_time);
    bson::Builder reply;
    reply.append_all(service_->explain(parameters_, verbosity, command.finish(), interrupt));
    reply.append("ok", 1.0);
    return reply.finish();
}

Find::Iterator& Find::Iterator::operator++() {
    if (const std::optional<bson::View> row = cursor_->next())
        row_ = *row;
    else
        cursor_.reset();
    return *this;
}

void CollectionHandle::insert(bson::View document) { insert(std::span(&document, 1)); }

void CollectionHandle::insert(std::span<const bson::View> documents) {
    const command::InsertOutcome outcome = service_->insert(ns_, documents, true);
    if (!outcome.failures.empty()) throw outcome.failures.front().error;
}

void CollectionHandle::create_index(bson::View key_pattern, bson::View options) {
    bson::Builder spec;
    spec.append("key", key_pattern);
    if (!options.contains("name")) spec.append("name", key::default_index_name(key_pattern));
    spec.append_all(options);
    const bson::Document document = spec.finish();
    const bson::View view = document;
    Interrupt interrupt;
    service_->create_indexes(ns_, std::span(&view, 1), interrupt);
}

std::int64_t CollectionHandle::count(bson::Document filter) const {
    command::QueryParameters parameters;
    parameters.ns = ns_;
    parameters.request.filter = std::move(filter);
    parameters.request.is_count = true;
    parameters.count.emplace();
    Interrupt interrupt;
    const command::RunningQuery query = service_->open(std::move(parameters), interrupt);
    query.executor->run_to_end();
    return query.executor->counted();
}

}  // namespace ixora
