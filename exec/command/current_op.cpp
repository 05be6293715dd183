#include "ixora/bson/iso_date.hpp"
#include "ixora/command/commands.hpp"
#include "ixora/command/parameter.hpp"
#include "ixora/command/statistics.hpp"
#include "ixora/mql/match_parser.hpp"
#include "ixora/mql/match_rewrite.hpp"
#include "ixora/mql/matcher.hpp"

namespace ixora::command {

namespace {

constexpr std::int64_t microseconds_per_second = 1'000'000;

std::string namespace_of(bson::View command) {
    std::string ns(command["$db"].string());
    const bson::Element target = command.front();
    return ns + "." + (target.is_string() ? std::string(target.string()) : "$cmd");
}

std::string_view kind_of(std::string_view command) {
    if (command == "find") return "query";
    if (command == "getMore") return "getmore";
    if (command == "insert" || command == "update") return command;
    return command == "delete" ? "remove" : "command";
}

bson::Document describe(const OperationRegistry::Listed& listed) {
    const std::int64_t micros = listed.running.count();
    bson::Builder out;
    out.append("type", "op");
    out.append("host", "localhost:0");
    out.append("desc", "command");
    out.append("active", true);
    std::string now;
    bson::append_iso_date(now, now_millis());
    out.append("currentOpTime", now);
    out.append("opid", listed.id);
    out.append("secs_running", micros / microseconds_per_second);
    out.append("microsecs_running", micros);
    out.append("op", kind_of(listed.command.view().front().name()));
    out.append("ns", namespace_of(listed.command));
    out.append("command", listed.command);
    return out.finish();
}

}  // namespace

std::vector<bson::Document> list_operations(Service& service) {
    std::vector<bson::Document> out;
    for (const OperationRegistry::Listed& listed : service.operations().list()) out.push_back(describe(listed));
    return out;
}

// Every field but the options is a part of a filter on what is listed.
void run_current_op(Operation& operation, bson::Builder& reply) {
    require_admin(operation, "currentOp");
    bson::Builder filter;
    for (const bson::Element& field : operation.command) {
        if (field.name() == "currentOp" || is_generic_argument(field.name())) continue;
        if (field.name() == "$ownOps" || field.name() == "$all" || field.name() == "$truncateOps") continue;
        filter.append_element(field);
    }
    const bson::Document wanted = filter.finish();
    const mql::Matcher matcher(*mql::normalize(mql::parse_match(wanted)));
    reply.open_array("inprog");
    for (const bson::Document& listed : list_operations(operation.service))
        if (matcher.matches(listed)) reply.append(listed);
    reply.close();
}

}  // namespace ixora::command
