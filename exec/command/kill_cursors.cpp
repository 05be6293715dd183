#include "ixora/command/commands.hpp"

namespace ixora::command {

void run_kill_cursors(Operation& operation, bson::Builder& reply) {
    std::optional<bson::View> ids;
    for (const bson::Element& field : operation.command) {
        if (field.name() == "killCursors" || is_generic_argument(field.name())) continue;
        if (field.name() != "cursors") throw unknown_field("killCursors", field.name());
        ids = expect_array(field, {"killCursors", "cursors"});
        for (const bson::Element& id : *ids) expect_long(id, {"killCursors.cursors", id.name()});
    }
    if (!ids) throw missing_field("killCursors", "cursors");
    const Namespace ns = operation.target();

    std::vector<std::int64_t> killed, missing;
    for (const bson::Element& id : *ids)
        (operation.service.cursors().kill(id.number_long(), ns) ? killed : missing).push_back(id.number_long());
    const auto append_ids = [&](std::string_view name, const std::vector<std::int64_t>& values) {
        reply.open_array(name);
        for (const std::int64_t value : values) reply.append(value);
        reply.close();
    };
    append_ids("cursorsKilled", killed);
    append_ids("cursorsNotFound", missing);
    append_ids("cursorsAlive", {});
    append_ids("cursorsUnknown", {});
}

}  // namespace ixora::command
