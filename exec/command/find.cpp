#include "ixora/bson/debug_string.hpp"
#include "ixora/command/batch.hpp"
#include "ixora/command/commands.hpp"
#include "ixora/command/view_query.hpp"

namespace ixora::command {

namespace {

constexpr std::string_view command_name = "FindCommandRequest";

class FindStream final : public RowStream {
public:
    explicit FindStream(RunningQuery query) noexcept : query_(std::move(query)) {}

    bool next(bson::View& row) override {
        if (!query_.executor->next(member_)) return false;
        row = member_.document;
        return true;
    }
    bool is_exhausted() const override { return query_.executor->is_eof(); }
    void save() override { query_.executor->save(); }
    void restore(Interrupt& interrupt) override { query_.executor->restore(interrupt); }

private:
    RunningQuery query_;
    stage::Member member_;
};

// Options that belong to the query itself. False if `field` is none of them.
bool parse_query_field(const bson::Element& field, QueryParameters& out) {
    const FieldName name{command_name, field.name()};
    plan::FindRequest& request = out.request;
    if (field.name() == "filter")
        request.filter = bson::Document(expect_object(field, name));
    else if (field.name() == "projection")
        request.projection = bson::Document(expect_object(field, name));
    else if (field.name() == "sort")
        request.sort = bson::Document(expect_object(field, name));
    else if (field.name() == "min")
        request.min = bson::Document(expect_object(field, name));
    else if (field.name() == "max")
        request.max = bson::Document(expect_object(field, name));
    else if (field.name() == "hint")
        request.hint = parse_hint(field, "hint must be either a string or nested object");
    else if (field.name() == "collation")
        out.collation = bson::Document(expect_object(field, name));
    else if (field.name() == "skip")
        request.skip = expect_non_negative(field, name).value_or(0);
    else if (field.name() == "limit")
        request.limit = expect_non_negative(field, name).value_or(0);
    else if (field.name() == "returnKey")
        request.return_key = expect_optional_bool(field);
    else if (field.name() == "showRecordId")
        request.show_record_id = expect_optional_bool(field);
    else if (field.name() == "let")
        out.let = bson::Document(expect_object(field, name));
    else if (field.name() == "allowDiskUse")
        request.allow_disk_use = expect_bool(field, name);
    else
        return false;
    return true;
}

// Accepted and without effect on one node, or refused. False if `field` is unknown.
bool parse_other_field(const bson::Element& field, const Namespace& ns) {
    const FieldName name{command_name, field.name()};
    if (field.name() == "tailable") {
        if (expect_optional_bool(field))
            throw Error(ErrorCode::bad_value, "error processing query: ns=" + ns.full() +
                                                  " tailable cursor requested on non capped collection");
    } else if (field.name() == "awaitData" || field.name() == "noCursorTimeout" ||
               field.name() == "allowPartialResults" || field.name() == "oplogReplay" || field.name() == "mirrored" ||
               field.name() == "readOnce") {
        expect_optional_bool(field);
    } else if (field.name() == "term") {
        expect_number(field, name);
    } else {
        return false;
    }
    return true;
}

}  // namespace

QueryParameters parse_find(const Operation& operation, CursorOptions& cursor) {
    QueryParameters out;
    out.ns = operation.target();
    for (const bson::Element& field : operation.command) {
        if (field.name() == "apiStrict") out.request.api_strict = field.truthy();
        if (field.name() == "find" || is_generic_argument(field.name())) continue;
        const FieldName name{command_name, field.name()};
        if (field.name() == "batchSize")
            cursor.batch_size = expect_non_negative(field, name);
        else if (field.name() == "singleBatch")
            cursor.single_batch = expect_bool(field, name);
        else if (!parse_query_field(field, out) && !parse_other_field(field, out.ns))
            throw unknown_field(command_name, field.name());
    }
    out.request.batch_size = cursor.batch_size;
    out.max_time = std::chrono::milliseconds(parse_max_time_ms(operation.command));
    return out;
}

void run_find(Operation& operation, bson::Builder& reply) {
    CursorOptions options;
    QueryParameters parameters = parse_find(operation, options);
    if (operation.service.find_view(parameters.ns)) return run_find_on_view(operation, parameters, options, reply);
    const auto started = std::chrono::steady_clock::now();
    auto cursor = std::make_unique<ClientCursor>();
    cursor->ns = parameters.ns;
    const auto max_time = parameters.max_time;
    RunningQuery running = operation.service.open(std::move(parameters), operation.interrupt);
    if (!running.collection) {
        append_empty_cursor(reply, cursor->ns.full());
        return;
    }
    cursor->rows = std::make_unique<FindStream>(std::move(running));

    reply.open_object("cursor");
    reply.open_array("firstBatch");
    bool exhausted = false;
    try {
        exhausted = fill_batch(*cursor, options.batch_size.value_or(first_batch_default), reply);
    } catch (const Error& error) {
        throw error.with_context("Executor error during find command");
    }
    reply.close();

    std::int64_t id = 0;
    const std::string ns = cursor->ns.full();
    if (!exhausted && !options.single_batch) {
        if (max_time.count() > 0) {
            const auto used =
                std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - started);
            cursor->time_left = std::max(std::chrono::milliseconds(1), max_time - used);
        }
        cursor->rows->save();
        id = operation.service.cursors().add(std::move(cursor), operation.service.knobs().maxOpenCursors);
    }
    reply.append("id", id);
    reply.append("ns", ns);
    reply.close();
}

}  // namespace ixora::command
