#include "ixora/command/batch.hpp"
#include "ixora/command/commands.hpp"

namespace ixora::command {

namespace {

struct GetMoreRequest {
    std::int64_t id = 0;
    Namespace ns;
    std::optional<std::int64_t> batch_size;
};

GetMoreRequest parse_get_more(const Operation& operation) {
    GetMoreRequest request;
    // The server looks for what is missing before it checks the cursor id.
    if (operation.command["collection"].missing()) throw missing_field("getMore", "collection");
    std::string_view collection;
    bool max_time = false;
    for (const bson::Element& field : operation.command) {
        const FieldName name{"getMore", field.name()};
        if (field.name() == "getMore")
            request.id = expect_long(field, name);
        else if (field.name() == "collection")
            collection = expect_string(field, name);
        else if (field.name() == "batchSize")
            request.batch_size = expect_non_negative(field, name);
        else if (field.name() == "maxTimeMS")
            max_time = true;
        else if (field.name() == "term" || field.name() == "lastKnownCommittedOpTime")
            continue;
        else if (!is_generic_argument(field.name()))
            throw unknown_field("getMore", field.name());
    }
    if (collection.empty()) throw Error(ErrorCode::invalid_namespace, "Collection names cannot be empty");
    request.ns = make_namespace(operation.database, collection);
    if (max_time)
        throw Error(ErrorCode::bad_value, "cannot set maxTimeMS on getMore command for a non-awaitData cursor");
    if (request.batch_size == 0) request.batch_size.reset();  // 0 is no limit
    return request;
}

}  // namespace

void run_get_more(Operation& operation, bson::Builder& reply) {
    const GetMoreRequest request = parse_get_more(operation);
    CursorManager& cursors = operation.service.cursors();
    std::unique_ptr<ClientCursor> cursor = cursors.check_out(request.id, operation.interrupt);
    if (cursor->ns.full() != request.ns.full()) {
        const std::string owner = cursor->ns.full();
        cursors.check_in(std::move(cursor));
        throw Error(ErrorCode::unauthorized, "Requested getMore on namespace '" + request.ns.full() +
                                                 "', but cursor belongs to a different namespace " + owner);
    }

    const auto started = Interrupt::Clock::now();
    bool exhausted = false;
    try {
        if (cursor->time_left.count() > 0) operation.interrupt.set_deadline(started + cursor->time_left);
        reply.open_object("cursor");
        reply.open_array("nextBatch");
        cursor->rows->restore(operation.interrupt);
        exhausted = fill_batch(*cursor, request.batch_size, reply);
    } catch (const Error& error) {
        cursors.forget(request.id);
        throw error.with_context("Executor error during getMore");
    }
    reply.close();
    if (exhausted) {
        cursors.forget(request.id);
    } else {
        if (cursor->time_left.count() > 0) {
            const auto used = std::chrono::duration_cast<std::chrono::milliseconds>(Interrupt::Clock::now() - started);
            cursor->time_left = std::max(std::chrono::milliseconds(1), cursor->time_left - used);
        }
        cursor->rows->save();
        cursors.check_in(std::move(cursor));
    }
    reply.append("id", exhausted ? std::int64_t{0} : request.id);
    reply.append("ns", request.ns.full());
    reply.close();
}

}  // namespace ixora::command
