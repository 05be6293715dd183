#include <sys/utsname.h>
#include <unistd.h>

#include <thread>

#include "ixora/command/commands.hpp"
#include "ixora/command/statistics.hpp"

namespace ixora::command {

void run_host_info(Operation&, bson::Builder& reply) {
    utsname system{};
    uname(&system);
    const auto megabytes =
        static_cast<std::int64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::int64_t>(sysconf(_SC_PAGESIZE)) >> 20;
    reply.open_object("system");
    reply.append_date("currentTime", now_millis());
    reply.append("hostname", static_cast<const char*>(system.nodename));
    reply.append("cpuAddrSize", 64);
    reply.append("memSizeMB", megabytes);
    reply.append("memLimitMB", megabytes);
    reply.append("numCores", static_cast<std::int32_t>(std::thread::hardware_concurrency()));
    reply.append("cpuArch", static_cast<const char*>(system.machine));
    reply.append("numaEnabled", false);
    reply.close();
    reply.open_object("os");
    reply.append("type", static_cast<const char*>(system.sysname));
    reply.append("name", static_cast<const char*>(system.sysname));
    reply.append("version", static_cast<const char*>(system.release));
    reply.close();
    reply.open_object("extra");
    reply.close();
}

}  // namespace ixora::command
