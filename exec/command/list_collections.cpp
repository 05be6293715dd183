#include "ixora/command/listing.hpp"
#include "ixora/mql/match_parser.hpp"
#include "ixora/mql/match_rewrite.hpp"
#include "ixora/mql/matcher.hpp"

namespace ixora::command {

namespace {

bson::Document describe(const Collection& collection, bool name_only) {
    bson::Builder out;
    out.append("name", collection.ns.collection);
    out.append("type", "collection");
    if (name_only) return out.finish();
    out.append("options", collection.options);
    out.open_object("info");
    out.append("readOnly", false);
    out.append_bin_data("uuid", 4, collection.identity->uuid);
    out.close();
    if (!collection.indexes.empty() && collection.indexes.front()->is_id_index())
        out.append("idIndex", collection.indexes.front()->spec());
    return out.finish();
}

bson::Document describe(const ViewDefinition& view, bool name_only) {
    bson::Builder out;
    out.append("name", view.ns.collection);
    out.append("type", "view");
    if (name_only) return out.finish();
    out.append("options", view.options());
    out.open_object("info");
    out.append("readOnly", true);
    out.close();
    return out.finish();
}

}  // namespace

void run_list_collections(Operation& operation, bson::Builder& reply) {
    bool name_only = false;
    bson::View filter;
    for (const bson::Element& field : operation.command) {
        if (field.name() == "listCollections" || is_generic_argument(field.name())) continue;
        const FieldName name{"listCollections", field.name()};
        if (field.name() == "nameOnly")
            name_only = expect_bool_or_number(field, name);
        else if (field.name() == "filter")
            filter = expect_object(field, name);
        else if (field.name() == "authorizedCollections")
            expect_bool_or_number(field, name);
        else if (field.name() != "cursor")
            throw unknown_field("listCollections", field.name());
    }
    const auto batch_size = parse_listing_cursor(operation.command["cursor"], "listCollections");
    const mql::Matcher matcher(*mql::normalize(mql::parse_match(filter)));
    std::vector<bson::Document> documents;
    const auto list = [&](const auto& entry) {
        bson::Document full = describe(entry, false);
        if (matcher.matches(full)) documents.push_back(name_only ? describe(entry, true) : std::move(full));
    };
    const Catalog& catalog = operation.service.catalog();
    for (const CollectionPtr& collection : catalog.collections(operation.database)) list(*collection);
    for (const ViewPtr& view : catalog.views(operation.database)) list(*view);
    append_listing(operation, reply, {operation.database, "$cmd.listCollections"}, std::move(documents), batch_size);
}

}  // namespace ixora::command
