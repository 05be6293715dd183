// Dispatch: from a command document to the handler of its name, and from errors to replies.
#include <algorithm>
#include <array>
#include <exception>
#include <optional>

#include "ixora/command/commands.hpp"
#include "ixora/write/reply_fields.hpp"

namespace ixora::command {

namespace {

struct CommandEntry {
    std::string_view name;
    void (*run)(Operation&, bson::Builder&);
    // Nothing: the handler counts its statements.
    std::optional<OperationKind> kind = OperationKind::command;
};

constexpr std::array commands{
    CommandEntry{"aggregate", run_aggregate},
    CommandEntry{"buildInfo", run_build_info},
    CommandEntry{"buildinfo", run_build_info},
    CommandEntry{"collMod", run_coll_mod},
    CommandEntry{"collStats", run_coll_stats},
    CommandEntry{"collstats", run_coll_stats},
    CommandEntry{"connectionStatus", run_connection_status},
    CommandEntry{"count", run_count},
    CommandEntry{"create", run_create},
    CommandEntry{"createIndexes", run_create_indexes},
    CommandEntry{"currentOp", run_current_op},
    CommandEntry{"dataSize", run_data_size},
    CommandEntry{"datasize", run_data_size},
    CommandEntry{"dbStats", run_db_stats},
    CommandEntry{"dbstats", run_db_stats},
    CommandEntry{"delete", run_delete, std::nullopt},
    CommandEntry{"deleteIndexes", run_drop_indexes},
    CommandEntry{"distinct", run_distinct},
    CommandEntry{"drop", run_drop},
    CommandEntry{"dropDatabase", run_drop_database},
    CommandEntry{"dropIndexes", run_drop_indexes},
    CommandEntry{"explain", run_explain},
    CommandEntry{"find", run_find, OperationKind::query},
    CommandEntry{"findAndModify", run_find_and_modify},
    CommandEntry{"findandmodify", run_find_and_modify},
    CommandEntry{"getCmdLineOpts", run_get_cmd_line_opts},
    CommandEntry{"getLog", run_get_log},
    CommandEntry{"getMore", run_get_more, OperationKind::get_more},
    CommandEntry{"getParameter", run_get_parameter},
    CommandEntry{"hello", run_hello},
    CommandEntry{"hostInfo", run_host_info},
    CommandEntry{"insert", run_insert, std::nullopt},
    CommandEntry{"isMaster", run_hello},
    CommandEntry{"ismaster", run_hello},
    CommandEntry{"killCursors", run_kill_cursors},
    CommandEntry{"killOp", run_kill_op},
    CommandEntry{"listCollections", run_list_collections},
    CommandEntry{"listDatabases", run_list_databases},
    CommandEntry{"listIndexes", run_list_indexes},
    CommandEntry{"ping", run_ping},
    CommandEntry{"planCacheClear", run_plan_cache_clear},
    CommandEntry{"planCacheClearFilters", run_plan_cache_clear_filters},
    CommandEntry{"planCacheListFilters", run_plan_cache_list_filters},
    CommandEntry{"planCacheSetFilter", run_plan_cache_set_filter},
    CommandEntry{"renameCollection", run_rename_collection},
    CommandEntry{"serverStatus", run_server_status},
    CommandEntry{"setParameter", run_set_parameter},
    CommandEntry{"update", run_update, std::nullopt},
    CommandEntry{"validate", run_validate},
};

// Commands that a MongoDB server has and this engine does not (yet): a user should not think he mistyped the name.
constexpr std::array unsupported_commands{
    std::string_view("abortTransaction"), std::string_view("commitTransaction"), std::string_view("endSessions"),
    std::string_view("mapReduce"),        std::string_view("startSession"),
};

void dispatch(Operation& operation, bson::Builder& reply) {
    const std::string_view name = operation.name();
    const auto* found =
        std::find_if(commands.begin(), commands.end(), [&](const CommandEntry& entry) { return entry.name == name; });
    if (found != commands.end()) {
        reject_duplicate_fields(operation.command);
        check_read_preference(operation.command["$readPreference"]);
        check_read_concern(name, operation.command["readConcern"]);
        if (const bson::Element concern = operation.command["writeConcern"])
            expect_object(concern, {name, "writeConcern"});
        if (const std::int64_t millis = parse_max_time_ms(operation.command); millis > 0)
            operation.interrupt.set_deadline(Interrupt::Clock::now() + std::chrono::milliseconds(millis));
        if (found->kind) operation.service.operations().count(*found->kind);
        found->run(operation, reply);
        return;
    }
    if (std::find(unsupported_commands.begin(), unsupported_commands.end(), name) != unsupported_commands.end())
        throw Error(ErrorCode::command_not_supported,
                    "command '" + std::string(name) + "' is not supported by this engine");
    throw Error(ErrorCode::command_not_found, "no such command: '" + std::string(name) + "'");
}

}  // namespace

bson::Document error_reply(const Error& error) {
    bson::Builder out;
    out.append("ok", 0.0);
    out.append("errmsg", error.what());
    out.append("code", static_cast<std::int32_t>(error.code()));
    out.append("codeName", error.code_name());
    out.append_all(write::ReplyFields::of(error));
    return out.finish();
}

Namespace Operation::target() const {
    const bson::Element value = argument();
    if (!value.is_string())
        throw Error(ErrorCode::invalid_namespace,
                    "collection name has invalid type " + std::string(bson::type_name(value.type())));
    return make_namespace(database, value.string());
}

bson::Document Service::run_command(bson::View command, Interrupt& interrupt) {
    try {
        if (command.empty()) throw Error(ErrorCode::command_not_found, "no such command: ''");
        const bson::Element database = command["$db"];
        if (!database.is_string()) throw Error(40571, "OP_MSG requests require a $db argument");
        check_database_name(database.string());
        const OperationRegistry::Running running(operations_, command, interrupt);
        Operation operation{*this, command, std::string(database.string()), interrupt};
        bson::Builder reply;
        dispatch(operation, reply);
        reply.append("ok", 1.0);
        return reply.finish();
    } catch (const Error& error) {
        operations_.count_user_error();
        return error_reply(error);
    } catch (const std::bad_alloc&) {
        return error_reply(Error(ErrorCode::exceeded_memory_limit, "out of memory"));
    } catch (const std::exception& error) {
        return error_reply(Error(ErrorCode::internal_error, error.what()));
    }
}

void append_empty_cursor(bson::Builder& reply, const std::string& ns) {
    reply.open_object("cursor");
    reply.append("id", std::int64_t{0});
    reply.append("ns", ns);
    reply.open_array("firstBatch");
    reply.close();
    reply.close();
}

}  // namespace ixora::command
