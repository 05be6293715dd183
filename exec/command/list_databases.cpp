#include "ixora/command/commands.hpp"
#include "ixora/mql/match_parser.hpp"
#include "ixora/mql/match_rewrite.hpp"
#include "ixora/mql/matcher.hpp"

namespace ixora::command {

namespace {

std::int64_t database_size(Service& service, const std::string& database) {
    std::int64_t bytes = 0;
    for (const CollectionPtr& collection : service.catalog().collections(database)) {
        bytes += service.storage().sizes(collection->identity->records).data_bytes;
        for (const write::IndexStatePtr& index : collection->indexes)
            bytes += service.storage().index_bytes(index->table());
    }
    return bytes;
}

}  // namespace

void run_list_databases(Operation& operation, bson::Builder& reply) {
    if (operation.database != "admin")
        throw Error(ErrorCode::unauthorized, "listDatabases may only be run against the admin database.");
    bool name_only = false;
    bson::View filter;
    for (const bson::Element& field : operation.command) {
        if (field.name() == "listDatabases" || is_generic_argument(field.name())) continue;
        const FieldName name{"listDatabases", field.name()};
        if (field.name() == "nameOnly")
            name_only = expect_bool_or_number(field, name);
        else if (field.name() == "filter")
            filter = expect_object(field, name);
        else if (field.name() == "authorizedDatabases")
            expect_bool_or_number(field, name);
        else
            throw unknown_field("listDatabases", field.name());
    }
    const mql::Matcher matcher(*mql::normalize(mql::parse_match(filter)));
    std::int64_t total = 0;
    reply.open_array("databases");
    for (const std::string& database : operation.service.catalog().databases()) {
        const std::int64_t bytes = name_only ? 0 : database_size(operation.service, database);
        bson::Builder entry;
        entry.append("name", database);
        if (!name_only) {
            entry.append("sizeOnDisk", bytes);
            entry.append("empty", false);
        }
        const bson::Document described = entry.finish();
        if (!matcher.matches(described)) continue;
        total += bytes;
        reply.append(described);
    }
    reply.close();
    if (name_only) return;
    reply.append("totalSize", total);
    reply.append("totalSizeMb", total / (1 << 20));
}

}  // namespace ixora::command
