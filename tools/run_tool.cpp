// ixora run: one command per line in, one reply per line out, in lockstep until the end of input.
#include <iostream>
#include <memory>
#include <string>

#include <CLI/CLI.hpp>

#include "ixora/ixora.hpp"
#include "standard_output.hpp"
#include "subcommands.hpp"

namespace ixora::tool {

namespace {

bson::Document error_reply(const Error& error) {
    bson::Builder out;
    out.append("ok", 0.0);
    out.append("errmsg", error.what());
    out.append("code", static_cast<std::int32_t>(error.code()));
    out.append("codeName", error.code_name());
    return out.finish();
}

bson::Document answer(Database& database, const std::string& line) {
    bson::Document command;
    try {
        command = bson::from_json(line);
        if (command.size() > bson::command_size_max)
            throw Error(ErrorCode::bson_object_too_large, "BSONObj size: " + std::to_string(command.size()) +
                                                              " is invalid. Size must be between 0 and " +
                                                              std::to_string(bson::command_size_max));
    } catch (const Error& error) {
        return error_reply(error);
    }
    return database.run_command(command);
}

int run() {
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
    command->callback([&action] { action = run; });
}

}  // namespace ixora::tool
