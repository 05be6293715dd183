// ixora explain: the plan of a query over data from files.
#include <memory>

#include <CLI/CLI.hpp>

#include "plan_tree.hpp"
#include "standard_output.hpp"
#include "subcommands.hpp"
#include "why_tree.hpp"
#include "workspace.hpp"

namespace ixora::tool {

namespace {

struct ExplainOptions {
    WorkspaceOptions workspace;
    std::string verbosity = "executionStats";
    bool json = false;
    bool why = false;
    bool verbosity_given = false;
};

int explain(const ExplainOptions& options) {
    const StatementCommand statement = parse_statement(options.workspace.statement, database_name);
    Database database;
    fill(database, options.workspace, std::string(statement.command.view().front().string()));

    Verbosity verbosity = *parse_verbosity(options.verbosity);
    if (statement.explain && !options.verbosity_given) verbosity = *statement.explain;
    bson::Builder command;
    command.append("explain", statement.command);
    command.append("verbosity", verbosity_name(verbosity));
    if (options.why) command.append("ixoraWhy", true);
    command.append("$db", database_name);
    const bson::Document reply = run_or_throw(database, command.finish(), options.workspace.statement);
    if (options.json) {
        write_output(bson::to_json(reply, bson::JsonMode::relaxed) + "\n");
    } else {
        TreeOptions tree;
        tree.colour = output_takes_colour();
        write_output(plan_tree(reply, tree) + why_tree(reply, tree));
    }
    flush_output();
    return 0;
}

}  // namespace

void add_explain(CLI::App& app, Action& action) {
    CLI::App* command = app.add_subcommand("explain", "Show the plan of a query, with what running it examined");
    const auto options = std::make_shared<ExplainOptions>();
    add_workspace_options(*command, options->workspace);
    CLI::Option* verbosity = command->add_option("--verbosity", options->verbosity,
                                                 "queryPlanner, executionStats (default) or allPlansExecution");
    verbosity->check(CLI::IsMember({"queryPlanner", "executionStats", "allPlansExecution"}));
    command->add_flag("--json", options->json, "Print the server's reply instead of a tree");
    command->add_flag("--why", options->why, "Say for every index why it was chosen, lost or could not be used");
    command->callback([options, verbosity, &action] {
        options->verbosity_given = verbosity->count() > 0;
        action = [options] { return explain(*options); };
    });
}

}  // namespace ixora::tool
