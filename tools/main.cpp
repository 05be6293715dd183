// The ixora command line.
#include <csignal>

#include <CLI/CLI.hpp>

#include "ixora/base/version.hpp"
#include "subcommands.hpp"
#include "workspace.hpp"

int main(int argc, char** argv) {
    std::signal(SIGPIPE, SIG_IGN);  // a closed pipe becomes an error of the write
    CLI::App app{"MongoDB's query planner and index execution engine, without a server"};
    app.set_version_flag("--version", std::string(ixora::version));
    app.require_subcommand(1);
    ixora::tool::Action action;
    ixora::tool::add_explain(app, action);
    ixora::tool::add_query(app, action);
    ixora::tool::add_run(app, action);
    ixora::tool::add_diff(app, action);
    ixora::tool::add_demo(app, action);
    CLI11_PARSE(app, argc, argv);
    try {
        return action();
    } catch (const ixora::Error& error) {
        ixora::tool::report_error(error);
        return 1;
    } catch (const std::bad_alloc&) {
        std::fputs("ixora: out of memory\n", stderr);
        return 1;
    }
}
