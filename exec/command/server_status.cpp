#include <sys/utsname.h>
#include <unistd.h>

#include <fstream>

#include "ixora/base/version.hpp"
#include "ixora/command/commands.hpp"
#include "ixora/command/statistics.hpp"

namespace ixora::command {

namespace {

constexpr std::int64_t megabyte = std::int64_t{1} << 20;

void append_process(bson::Builder& reply, const OperationRegistry& operations) {
    utsname system{};
    uname(&system);
    const auto uptime =
        std::chrono::duration_cast<std::chrono::milliseconds>(OperationRegistry::Clock::now() - operations.started());
    reply.append("host", static_cast<const char*>(system.nodename));
    reply.append("version", emulated_server_version);
    reply.append("process", "ixora");
    reply.append("pid", static_cast<std::int64_t>(getpid()));
    reply.append("uptime", static_cast<double>(uptime.count() / 1000));
    reply.append("uptimeMillis", static_cast<std::int64_t>(uptime.count()));
    reply.append("uptimeEstimate", static_cast<std::int64_t>(uptime.count() / 1000));
    reply.append_date("localTime", now_millis());
}

void append_asserts(bson::Builder& reply, const OperationRegistry& operations) {
    reply.open_object("asserts");
    for (const char* kind : {"regular", "warning", "msg"}) reply.append(kind, 0);
    reply.append_counter("user", operations.user_errors());
    for (const char* kind : {"tripwire", "rollovers"}) reply.append(kind, 0);
    reply.close();
}

void append_operation_counters(bson::Builder& reply, const OperationRegistry& operations) {
    reply.open_object("opcounters");
    reply.append("insert", operations.counted(OperationKind::insert));
    reply.append("query", operations.counted(OperationKind::query));
    reply.append("update", operations.counted(OperationKind::update));
    reply.append("delete", operations.counted(OperationKind::remove));
    reply.append("getmore", operations.counted(OperationKind::get_more));
    reply.append("command", operations.counted(OperationKind::command));
    reply.close();
}

// Of the whole process, from /proc; zeros where there is none.
void append_memory(bson::Builder& reply) {
    std::int64_t pages = 0;
    std::int64_t resident = 0;
    std::ifstream("/proc/self/statm") >> pages >> resident;
    const auto page = static_cast<std::int64_t>(sysconf(_SC_PAGESIZE));
    reply.open_object("mem");
    reply.append("bits", 64);
    reply.append_counter("resident", resident * page / megabyte);
    reply.append_counter("virtual", pages * page / megabyte);
    reply.append("supported", true);
    reply.close();
}

void append_metrics(bson::Builder& reply, Service& service) {
    reply.open_object("metrics");
    reply.open_object("cursor");
    reply.open_object("open");
    reply.append("total", static_cast<std::int64_t>(service.cursors().open_count()));
    reply.close();
    reply.close();
    reply.close();
}

}  // namespace

// {section: 0} leaves a section out.
void run_server_status(Operation& operation, bson::Builder& reply) {
    const OperationRegistry& operations = operation.service.operations();
    const auto is_wanted = [&operation](std::string_view section) {
        const bson::Element choice = operation.command[section];
        return choice.missing() || choice.truthy();
    };
    append_process(reply, operations);
    if (is_wanted("asserts")) append_asserts(reply, operations);
    if (is_wanted("connections")) {
        reply.open_object("connections");
        for (const char* field : {"current", "available", "totalCreated"}) reply.append(field, 0);
        reply.close();
    }
    if (is_wanted("network")) {
        reply.open_object("network");
        reply.append("numRequests", operations.commands());
        reply.close();
    }
    if (is_wanted("opcounters")) append_operation_counters(reply, operations);
    if (is_wanted("mem")) append_memory(reply);
    if (is_wanted("metrics")) append_metrics(reply, operation.service);
    if (!is_wanted("storageEngine")) return;
    reply.open_object("storageEngine");
    reply.append("name", "ixora");
    reply.append("supportsCommittedReads", true);
    reply.append("persistent", false);
    reply.append("readOnly", false);
    reply.close();
}

}  // namespace ixora::command
