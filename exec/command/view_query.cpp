#include "ixora/command/view_query.hpp"

#include "ixora/bson/field_path.hpp"

namespace ixora::command {

namespace {

Error unsupported(const std::string& text) {
    return Error(ErrorCode::invalid_pipeline_operator, text + " not supported in aggregation.");
}

void check_options(bson::View command, const QueryParameters& find, const CursorOptions& cursor) {
    if (!find.request.min.empty()) throw unsupported("Option min");
    if (!find.request.max.empty()) throw unsupported("Option max");
    if (find.request.return_key) throw unsupported("Option returnKey");
    if (find.request.show_record_id) throw unsupported("Option showRecordId");
    if (command["tailable"].truthy()) throw unsupported("Tailable cursors are");
    for (const char* name : {"noCursorTimeout", "readOnce"})
        if (command[name].truthy()) throw unsupported("Option " + std::string(name));
    if (cursor.single_batch && find.request.limit != 1) throw unsupported("Option singleBatch");
}

// The errors of the query by itself come first.
void check_query(const QueryParameters& given) {
    QueryParameters parameters;
    parameters.ns = given.ns;
    parameters.request = given.request;
    parameters.collation = given.collation;
    parameters.let = given.let;
    make_query(parameters, nullptr);
}

// The command up to its open pipeline.
class AggregateBuilder {
public:
    explicit AggregateBuilder(const Namespace& ns) : database_(ns.database) {
        out_.append("aggregate", ns.collection);
        out_.open_array("pipeline");
    }
    void append_stage(std::string_view name, bson::View specification) {
        if (specification.empty()) return;
        out_.open_object();
        out_.append(name, specification);
        out_.close();
    }
    void append_stage(std::string_view name, std::int64_t rows) {
        if (rows == 0) return;
        out_.open_object();
        out_.append(name, rows);
        out_.close();
    }
    // Closes the pipeline; what follows are options.
    bson::Builder& end_pipeline(std::optional<std::int64_t> batch_size) {
        out_.close();
        out_.open_object("cursor");
        if (batch_size) out_.append("batchSize", *batch_size);
        out_.close();
        return out_;
    }
    bson::Builder& stages() noexcept { return out_; }
    bson::Document finish() {
        out_.append("$db", database_);
        return out_.finish();
    }

private:
    std::string database_;
    bson::Builder out_;
};

void append_shared_options(bson::View command, const QueryParameters& parameters, bson::Builder& out) {
    if (parameters.collation) out.append("collation", *parameters.collation);
    for (const char* name : {"maxTimeMS", "comment", "readConcern", "$readPreference"})
        out.append_element(command[name]);
}

// {path: "$a.b", preserveNullAndEmptyArrays: true} for each level of the key, and below the first no scalars.
void append_unwinding(const bson::FieldPath& key, bson::Builder& out) {
    std::string path;
    for (std::size_t i = 0; i < key.part_count(); ++i) {
        path += (i == 0 ? "" : ".") + std::string(key.part(i));
        out.open_object();
        out.open_object("$unwind");
        out.append("path", "$" + path);
        out.append("preserveNullAndEmptyArrays", true);
        out.close();
        out.close();
    }
}

void append_parents_are_objects(const bson::FieldPath& key, bson::Builder& out) {
    if (key.part_count() < 2) return;
    const std::string& path = key.dotted();
    out.open_object();
    out.open_object("$match");
    out.open_object("$expr");
    out.open_array("$eq");
    out.open_object();
    out.append("$type", "$" + path.substr(0, path.rfind('.')));
    out.close();
    out.append("object");
    out.close();
    out.close();
    out.close();
    out.close();
}

// The only row of an aggregate that gives at most one.
bson::Document run_for_one_row(Operation& operation, const bson::Document& command) {
    Operation inner{operation.service, command, operation.database, operation.interrupt};
    bson::Builder out;
    run_aggregate(inner, out);
    const bson::Document reply = out.finish();
    const bson::Element row = reply["cursor"].object()["firstBatch"].object().front();
    return row.missing() ? bson::Document() : bson::Document(row.object());
}

}  // namespace

bson::Document find_as_aggregate(const Operation& operation, const QueryParameters& find, const CursorOptions& cursor) {
    check_query(find);
    check_options(operation.command, find, cursor);
    const bson::Element natural = find.request.sort["$natural"];
    AggregateBuilder out(find.ns);
    out.append_stage("$match", find.request.filter);
    if (natural.missing()) out.append_stage("$sort", find.request.sort);
    out.append_stage("$skip", find.request.skip);
    out.append_stage("$limit", find.request.limit);
    out.append_stage("$project", find.request.projection);
    bson::Builder& options = out.end_pipeline(cursor.batch_size);
    append_shared_options(operation.command, find, options);
    if (!natural.missing()) {
        options.open_object("hint");
        options.append_element(natural);
        options.close();
    } else {
        options.append_element(operation.command["hint"]);
    }
    if (!find.let.empty()) options.append("let", find.let);
    options.append_element(operation.command["allowDiskUse"]);
    return out.finish();
}

bson::Document count_as_aggregate(const Operation& operation, const QueryParameters& count) {
    check_query(count);
    AggregateBuilder out(count.ns);
    out.append_stage("$match", count.request.filter);
    out.append_stage("$skip", count.count->skip);
    out.append_stage("$limit", count.count->limit);
    out.stages().open_object();
    out.stages().append("$count", "count");
    out.stages().close();
    bson::Builder& options = out.end_pipeline(std::nullopt);
    append_shared_options(operation.command, count, options);
    options.append_element(operation.command["hint"]);
    return out.finish();
}

bson::Document distinct_as_aggregate(const Operation& operation, const QueryParameters& distinct) {
    check_query(distinct);
    AggregateBuilder out(distinct.ns);
    const bson::FieldPath key(distinct.distinct->key);
    out.append_stage("$match", distinct.request.filter);
    bson::Builder& stages = out.stages();
    append_unwinding(key, stages);
    append_parents_are_objects(key, stages);
    stages.open_object();
    stages.open_object("$group");
    stages.append_null("_id");
    stages.open_object("distinct");
    stages.append("$addToSet", "$" + key.dotted());
    stages.close();
    stages.close();
    stages.close();
    append_shared_options(operation.command, distinct, out.end_pipeline(std::nullopt));
    return out.finish();
}

void run_find_on_view(Operation& operation, const QueryParameters& find, const CursorOptions& cursor,
                      bson::Builder& reply) {
    const bson::Document command = find_as_aggregate(operation, find, cursor);
    Operation inner{operation.service, command, operation.database, operation.interrupt};
    try {
        run_aggregate(inner, reply);
    } catch (const Error& error) {
        if (!error.is(ErrorCode::invalid_pipeline_operator)) throw;
        throw Error(error.code(), "Unsupported in view pipeline: " + std::string(error.what()), error.extra());
    }
}

void run_count_on_view(Operation& operation, const QueryParameters& count, bson::Builder& reply) {
    const bson::Document row = run_for_one_row(operation, count_as_aggregate(operation, count));
    if (row.empty())
        reply.append("n", 0);
    else
        reply.append("n", row["count"]);
}

void run_distinct_on_view(Operation& operation, const QueryParameters& distinct, bson::Builder& reply) {
    const bson::Document row = run_for_one_row(operation, distinct_as_aggregate(operation, distinct));
    reply.append_array("values", row.empty() ? bson::View() : row["distinct"].object());
}

}  // namespace ixora::command
