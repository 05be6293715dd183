// Dispatch: from a command document to the handler of its name, and from errors to replies.
#include <algorithm>
#include <array>
#include <exception>

#include "ixora/command/commands.hpp"
#include "ixora/write/reply_fields.hpp"

namespace ixora::command {

namespace {

struct CommandEntry {
    std::string_view name;
    void (*run)(Operation&, bson::Builder&);
};

constexpr std::array commands{
    CommandEntry{"aggregate", run_aggregate},
    CommandEntry{"buildInfo", run_build_info},
    CommandEntry{"buildinfo", run_build_info},
    CommandEntry{"collMod", run_coll_mod},
    CommandEntry{"count", run_count},
    CommandEntry{"create", run_create},
    CommandEntry{"createIndexes", run_create_indexes},
    CommandEntry{"delete", run_delete},
    CommandEntry{"deleteIndexes", run_drop_indexes},
    CommandEntry{"distinct", run_distinct},
    CommandEntry{"drop", run_drop},
    CommandEntry{"dropDatabase", run_drop_database},
    CommandEntry{"dropIndexes", run_drop_indexes},
    CommandEntry{"explain", run_explain},
    CommandEntry{"find", run_find},
    CommandEntry{"findAndModify", run_find_and_modify},
    CommandEntry{"findandmodify", run_find_and_modify},
    CommandEntry{"getMore", run_get_more},
    CommandEntry{"getParameter", run_get_parameter},
    CommandEntry{"hello", run_hello},
    CommandEntry{"insert", run_insert},
    CommandEntry{"isMaster", run_hello},
    CommandEntry{"ismaster", run_hello},
    CommandEntry{"killCursors", run_kill_cursors},
    CommandEntry{"listCollections", run_list_collections},
    CommandEntry{"listDatabases", run_list_databases},
    CommandEntry{"listIndexes", run_list_indexes},
    CommandEntry{"ping", run_ping},
    CommandEntry{"planCacheClear", run_plan_cache_clear},
    CommandEntry{"planCacheClearFilters", run_plan_cache_clear_filters},
    CommandEntry{"planCacheListFilters", run_plan_cache_list_filters},
    CommandEntry{"planCacheSetFilter", run_plan_cache_set_filter},
    CommandEntry{"setParameter", run_set_parameter},
    CommandEntry{"update", run_update},
    CommandEntry{"validate", run_validate},
};

// Commands that a MongoDB server has and this engine does not (yet): a user should not think he mistyped the name.
constexpr std::array unsupported_commands{
    std::string_view("collStats"),        std::string_view("dbStats"),
    std::string_view("renameCollection"), std::string_view("mapReduce"),
    std::string_view("startSession"),     std::string_view("endSessions"),
    std::string_view("serverStatus"),     std::string_view("commitTransaction"),
    std::string_view("abortTransaction"), std::string_view("currentOp"),
    std::string_view("killOp"),           std::string_view("getLog"),
    std::string_view("hostInfo"),         std::string_view("connectionStatus"),
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
        Operation operation{*this, command, std::string(database.string()), interrupt};
        bson::Builder reply;
        dispatch(operation, reply);
        reply.append("ok", 1.0);
        return reply.finish();
    } catch (const Error& error) {
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
