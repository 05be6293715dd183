// ixora query: the documents, the count or the distinct values of a query over data from files.
#include <memory>

#include <CLI/CLI.hpp>

#include "result_table.hpp"
#include "standard_output.hpp"
#include "subcommands.hpp"
#include "workspace.hpp"

namespace ixora::tool {

namespace {

struct QueryOptions {
    WorkspaceOptions workspace;
    bool canonical = false;
    bool table = false;
};

void print_rows(bson::View batch, bson::JsonMode mode) {
    std::string text;
    for (const bson::Element& row : batch) {
        text.clear();
        bson::append_json(text, row.object(), mode);
        text.push_back('\n');
        write_output(text);
    }
}

// Calls `take` with every batch of the cursor that `reply` opened.
template <class Take>
void read_batches(Database& database, const std::string& collection, bson::Document reply, Take&& take) {
    take(reply["cursor"].object()["firstBatch"].object());
    for (std::int64_t id = reply["cursor"].object()["id"].to_int64(); id != 0;
         id = reply["cursor"].object()["id"].to_int64()) {
        bson::Builder command;
        command.append("getMore", id);
        command.append("collection", collection);
        command.append("$db", database_name);
        reply = run_or_throw(database, command.finish());
        take(reply["cursor"].object()["nextBatch"].object());
    }
}

// The values of a distinct, one a line.
void print_values(bson::View values, bson::JsonMode mode) {
    for (const bson::Element& value : values) write_output(bson::to_json(value, mode) + "\n");
}

int query(const QueryOptions& options) {
    const StatementCommand statement = parse_statement(options.workspace.statement, database_name);
    const std::string collection(statement.command.view().front().string());
    Database database;
    fill(database, options.workspace, collection);
    const bson::JsonMode mode = options.canonical ? bson::JsonMode::canonical : bson::JsonMode::relaxed;

    bson::Document reply = run_or_throw(database, statement.command, options.workspace.statement);
    if (const bson::Element count = reply["n"]; count.is_number()) {
        write_output(std::to_string(count.to_int64()) + "\n");
        flush_output();
        return 0;
    }
    if (const bson::Element values = reply["values"]; values.is_array()) {
        print_values(values.object(), mode);
        flush_output();
        return 0;
    }
    if (options.table) {
        ResultTable table;
        read_batches(database, collection, reply, [&](bson::View batch) {
            for (const bson::Element& row : batch) table.add(row.object());
        });
        write_output(table.text());
    } else {
        read_batches(database, collection, reply, [&](bson::View batch) { print_rows(batch, mode); });
    }
    flush_output();
    return 0;
}

}  // namespace

void add_query(CLI::App& app, Action& action) {
    CLI::App* command =
        app.add_subcommand("query", "Print the documents that a query returns, one line of Extended JSON each");
    const auto options = std::make_shared<QueryOptions>();
    add_workspace_options(*command, options->workspace);
    command->add_flag("--canonical", options->canonical,
                      "Canonical Extended JSON, which keeps every type (default: relaxed)");
    command->add_flag("--table", options->table, "A table of the first 1,000 documents")->excludes("--canonical");
    command->callback([options, &action] { action = [options] { return query(*options); }; });
}

}  // namespace ixora::tool
