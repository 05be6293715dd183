// ixora demo: the main job on 10,000 orders.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "ixora/ixora.hpp"
#include "orders.hpp"
#include "plan_tree.hpp"
#include "standard_output.hpp"
#include "statement.hpp"
#include "subcommands.hpp"
#include "workspace.hpp"

namespace ixora::tool {

namespace {

using namespace ixora::literals;

constexpr std::int32_t order_count = 10'000;

void load_orders(CollectionHandle orders) {
    orders::Options options;
    options.even_tenants = true;
    options.payload_bytes = 100;
    orders::Generator generator(order_count, options);
    for (std::int32_t i = 0; i < order_count; ++i) orders.insert(generator.next());
}

bson::Document run(Database& database, std::string_view statement, bool explain) {
    const StatementCommand parsed = parse_statement(statement, database_name);
    if (!explain) return run_or_throw(database, parsed.command);
    bson::Builder command;
    command.append("explain", parsed.command);
    command.append("verbosity", verbosity_name(Verbosity::execution_stats));
    command.append("$db", database_name);
    return run_or_throw(database, command.finish());
}

void show(Database& database, std::string_view title, std::string_view statement) {
    TreeOptions tree;
    tree.colour = output_takes_colour();
    write_output(fmt::format("\n{}\n  {}\n\n{}", title, statement, plan_tree(run(database, statement, true), tree)));
}

std::int64_t count(Database& database, std::string_view filter) {
    return run(database, fmt::format("db.orders.count({})", filter), false)["n"].to_int64();
}

int demo() {
    Database database;
    CollectionHandle orders = database.collection("orders", database_name);
    load_orders(orders);
    orders.create_index("{tenant: 1, createdAt: -1, total: 1}"_bson);
    write_output(fmt::format("{} orders of 10 tenants, index {{tenant: 1, createdAt: -1, total: 1}}\n", order_count));

    show(database, "(a) Covered: the index holds everything the query returns.",
         "db.orders.find({tenant: 3}, {_id: 0, tenant: 1, createdAt: 1, total: 1})");
    show(database, "(b) One field more, and every order of the tenant is fetched.",
         "db.orders.find({tenant: 3}, {_id: 0, tenant: 1, createdAt: 1, total: 1, payload: 1})");

    orders.create_index("{\"items.sku\": 1, \"items.qty\": 1}"_bson);
    constexpr std::string_view same_item = "{items: {$elemMatch: {sku: \"SKU-00042\", qty: {$gte: 8}}}}";
    constexpr std::string_view any_items = "{\"items.sku\": \"SKU-00042\", \"items.qty\": {$gte: 8}}";
    write_output("\nIndex {\"items.sku\": 1, \"items.qty\": 1} added.\n");
    show(database, "(c) $elemMatch: one item meets both conditions, so the bounds of both fields hold together.",
         fmt::format("db.orders.find({})", same_item));
    show(database, "    The same conditions on dotted paths: different items may meet them.",
         fmt::format("db.orders.find({})", any_items));
    write_output(fmt::format("$elemMatch finds {} orders, dotted paths find {}.\n", count(database, same_item),
                             count(database, any_items)));

    orders.create_index("{tags: 1}"_bson);
    write_output("\nIndex {tags: 1} added.\n");
    show(database, "(d) Multikey: an order with several of the tags has several keys; it is returned once.",
         "db.orders.find({tags: {$in: [\"gift\", \"promo\", \"vip\"]}})");
    show(database, "(e) $in with a sort: one ordered scan for each value, merged.",
         "db.orders.find({tenant: {$in: [2, 5, 7]}}).sort({createdAt: -1}).limit(5)");
    flush_output();
    return 0;
}

}  // namespace

void add_demo(CLI::App& app, Action& action) {
    CLI::App* command = app.add_subcommand("demo", "Explain five queries over 10,000 generated orders");
    command->callback([&action] { action = demo; });
}

}  // namespace ixora::tool
