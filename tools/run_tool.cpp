// ixora run: one command per line in, one reply per line out, in lockstep until the end of input.
#include <iostream>
#include <memory>
#include <string>

#include <CLI/CLI.hpp>

#include "ixora/command/request.hpp"
#include "ixora/ixora.hpp"
#include "standard_output.hpp"
#include "subcommands.hpp"

namespace ixora::tool {

namespace {

bson::Document answer(Database& database, const std::string& line) {
    bson::Document command;
    try {
        // Deeper than a command may be, so that validation refuses it with the server's words.
        bson::JsonOptions options;
        options.depth_max = 5 * bson::command_depth_max;
        command = bson::from_json(line, options);
        bson::validate({command.view().data(), command.size()});
    } catch (const Error& error) {
        return command::error_reply(error);
    }
    return database.run_command(command);
}

int answer_lines() {
    std::ios::sync_with_stdio(false);
    Database database;
    std::string line, out;
    while (std::getline(std::cin, line)) {
        const bson::Document reply = answer(database, line);
        out.clear();
        bson::append_json(out, reply, bson::JsonMode::canonical);
        out.push_back('\n');
        write_output(out);
        flush_output();
    }
    return 0;
}

}  // namespace

void add_run(CLI::App& app, Action& action) {
    CLI::App* command = app.add_subcommand(
        "run", "Answer commands: one document per line in (canonical Extended JSON with $db), one reply per line out");
    command->callback([&action] { action = answer_lines; });
}

}  // namespace ixora::tool
