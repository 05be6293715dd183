// Command lines, as `ixora run` takes them, against a small database with indexes: nothing may crash, and each reply is
// valid BSON.
#include <cstdlib>
#include <string>
#include <string_view>

#include "ixora/ixora.hpp"

using namespace ixora;
using namespace ixora::literals;

namespace {

void prepare(Database& database) {
    CollectionHandle collection = database.collection("c");
    collection.create_index("{a: 1}"_bson);
    collection.create_index("{a: 1, 'b.c': -1}"_bson);
    collection.create_index("{h: 'hashed'}"_bson);
    collection.create_index("{c: 1}"_bson, "{partialFilterExpression: {c: {$gt: 1}}}"_bson);
    collection.insert("{_id: 1, a: 1, b: {c: 2}, c: 5, h: 1}"_bson);
    collection.insert("{_id: 2, a: [1, {x: 'y'}], b: {c: 'text'}, h: 'x'}"_bson);
    collection.insert("{_id: 3, a: null, b: [], c: 0.5}"_bson);
}

bson::Document parse(std::string_view line) {
    bson::JsonOptions options;
    options.depth_max = 5 * bson::command_depth_max;
    bson::Document command = bson::from_json(line, options);
    bson::validate({command.view().data(), command.size()});
    bson::Builder out;
    out.append_all(command);
    if (!command.view().contains("$db")) out.append("$db", "test");
    return out.finish();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Database database;
    prepare(database);
    std::string_view rest(reinterpret_cast<const char*>(data), size);
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        const std::string_view line = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        bson::Document command;
        try {
            command = parse(line);
        } catch (const Error&) {
            continue;
        }
        const bson::Document reply = database.run_command(command);
        bson::validate({reply.view().data(), reply.size()});
        if (!reply.view().contains("ok")) std::abort();
    }
    return 0;
}
