#include <chrono>

#include "ixora/command/commands.hpp"
#include "ixora/command/statistics.hpp"

namespace ixora::command {

void run_data_size(Operation& operation, bson::Builder& reply) {
    const auto started = std::chrono::steady_clock::now();
    const std::string_view full = expect_string(operation.argument(), {"dataSize", "dataSize"});
    bool estimate = false;
    for (const bson::Element& field : operation.command) {
        if (field.name() == operation.name() || is_generic_argument(field.name())) continue;
        if (field.name() == "estimate")
            estimate = expect_bool_or_number(field, {"dataSize", field.name()});
        else if (field.name() == "keyPattern" || field.name() == "min" || field.name() == "max")
            throw Error(ErrorCode::command_not_supported,
                        "dataSize of a range of keys is not supported by this engine");
        else
            throw unknown_field("dataSize", field.name());
    }
    const std::size_t point = full.find('.');
    const Namespace ns = make_namespace(full.substr(0, point),
                                        point == std::string_view::npos ? std::string_view() : full.substr(point + 1));
    CollectionSizes sizes;
    if (const CollectionPtr collection = operation.service.find_collection(ns))
        sizes = sizes_of(operation.service.storage(), *collection);
    const auto used = std::chrono::steady_clock::now() - started;
    reply.append("size", sizes.data_bytes);
    reply.append("numObjects", sizes.records);
    reply.append("millis", std::chrono::duration_cast<std::chrono::milliseconds>(used).count());
    reply.append("estimate", estimate);
}

}  // namespace ixora::command
