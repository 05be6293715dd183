// Every command as a function from a request to a reply document (spec: commands.md sections 3-6). One source file per
// command.
#pragma once

#include <string>
#include <vector>

#include "ixora/bson/builder.hpp"
#include "ixora/command/request.hpp"
#include "ixora/command/service.hpp"

namespace ixora::command {

// One running command.
struct Operation {
    Service& service;
    bson::View command;
    std::string database;
    Interrupt& interrupt;

    bson::Element argument() const noexcept { return command.front(); }  // the value beside the command's name
    std::string_view name() const noexcept { return command.front().name(); }
    // The namespace that the first field names. Throws InvalidNamespace (73).
    Namespace target() const;
};

// Handlers write the reply's fields except ok, or throw.
void run_aggregate(Operation& operation, bson::Builder& reply);
void run_build_info(Operation& operation, bson::Builder& reply);
void run_coll_mod(Operation& operation, bson::Builder& reply);
void run_coll_stats(Operation& operation, bson::Builder& reply);
void run_connection_status(Operation& operation, bson::Builder& reply);
void run_count(Operation& operation, bson::Builder& reply);
void run_create(Operation& operation, bson::Builder& reply);
void run_create_indexes(Operation& operation, bson::Builder& reply);
void run_current_op(Operation& operation, bson::Builder& reply);
void run_data_size(Operation& operation, bson::Builder& reply);
void run_db_stats(Operation& operation, bson::Builder& reply);
void run_distinct(Operation& operation, bson::Builder& reply);
void run_delete(Operation& operation, bson::Builder& reply);
void run_drop(Operation& operation, bson::Builder& reply);
void run_drop_database(Operation& operation, bson::Builder& reply);
void run_drop_indexes(Operation& operation, bson::Builder& reply);
void run_explain(Operation& operation, bson::Builder& reply);
void run_find(Operation& operation, bson::Builder& reply);
void run_find_and_modify(Operation& operation, bson::Builder& reply);
void run_get_cmd_line_opts(Operation& operation, bson::Builder& reply);
void run_get_log(Operation& operation, bson::Builder& reply);
void run_get_more(Operation& operation, bson::Builder& reply);
void run_get_parameter(Operation& operation, bson::Builder& reply);
void run_hello(Operation& operation, bson::Builder& reply);
void run_host_info(Operation& operation, bson::Builder& reply);
void run_insert(Operation& operation, bson::Builder& reply);
void run_kill_cursors(Operation& operation, bson::Builder& reply);
void run_kill_op(Operation& operation, bson::Builder& reply);
void run_list_collections(Operation& operation, bson::Builder& reply);
void run_list_databases(Operation& operation, bson::Builder& reply);
void run_list_indexes(Operation& operation, bson::Builder& reply);
void run_ping(Operation& operation, bson::Builder& reply);
void run_plan_cache_clear(Operation& operation, bson::Builder& reply);
void run_plan_cache_clear_filters(Operation& operation, bson::Builder& reply);
void run_plan_cache_list_filters(Operation& operation, bson::Builder& reply);
void run_plan_cache_set_filter(Operation& operation, bson::Builder& reply);
void run_rename_collection(Operation& operation, bson::Builder& reply);
void run_server_status(Operation& operation, bson::Builder& reply);
void run_set_parameter(Operation& operation, bson::Builder& reply);
void run_update(Operation& operation, bson::Builder& reply);
void run_validate(Operation& operation, bson::Builder& reply);

// Parsing that a command shares with its explain.
QueryParameters parse_find(const Operation& operation, struct CursorOptions& cursor);
QueryParameters parse_count(const Operation& operation);
QueryParameters parse_distinct(const Operation& operation);

// What runs at the moment, as currentOp shows it.
std::vector<bson::Document> list_operations(Service& service);

// The explains of commands that write; `echo` is the command as the reply repeats it.
bson::Document explain_update(const Operation& operation, Verbosity verbosity, bson::View echo);
bson::Document explain_delete(const Operation& operation, Verbosity verbosity, bson::View echo);
bson::Document explain_find_and_modify(const Operation& operation, Verbosity verbosity, bson::View echo);

// batchSize and singleBatch of a find.
struct CursorOptions {
    std::optional<std::int64_t> batch_size;
    bool single_batch = false;
};

// The reply cursor of a query that nothing stands behind.
void append_empty_cursor(bson::Builder& reply, const std::string& ns);

}  // namespace ixora::command
