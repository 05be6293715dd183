// The subcommands of the ixora program. Each adds itself to the command line and says what to run.
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace ixora::tool {

// Set by the subcommand that was chosen; returns the exit status.
using Action = std::function<int()>;

void add_demo(CLI::App& app, Action& action);
void add_diff(CLI::App& app, Action& action);
void add_explain(CLI::App& app, Action& action);
void add_query(CLI::App& app, Action& action);
void add_run(CLI::App& app, Action& action);

}  // namespace ixora::tool
