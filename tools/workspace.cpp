#include "workspace.hpp"

#include <cstdio>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "data_file.hpp"

namespace ixora::tool {

void add_workspace_options(CLI::App& command, WorkspaceOptions& options) {
    command
        .add_option("--data", options.data,
                    "Documents to load: FILE or COLLECTION=FILE; JSON Lines, JSON arrays, mongosh literals or .bson, "
                    "plain or .gz")
        ->type_name("FILE");
    command
        .add_option("--index", options.indexes,
                    "Index to build: a key pattern such as '{a: 1}' or a specification with key, unique, sparse ...")
        ->type_name("SPEC");
    command
        .add_option("statement", options.statement, "The query, e.g. 'db.orders.find({a: 1}).sort({b: -1}).limit(10)'")
        ->required();
}

namespace {

struct NamedFile {
    std::string collection, path;
};

NamedFile split_name(const std::string& argument, const std::string& default_collection) {
    const std::size_t equals = argument.find('=');
    if (equals == std::string::npos || argument.find('/') < equals) return {default_collection, argument};
    return {argument.substr(0, equals), argument.substr(equals + 1)};
}

void load(Database& database, const NamedFile& file) {
    CollectionHandle collection = database.collection(file.collection, database_name);
    std::vector<bson::Document> batch;
    std::vector<bson::View> views;
    const auto flush = [&] {
        views.assign(batch.begin(), batch.end());
        if (!views.empty()) collection.insert(views);
        batch.clear();
    };
    read_documents(file.path, [&](bson::View document) {
        batch.emplace_back(document);
        if (batch.size() == 512) flush();
    });
    flush();
}

// {key: {...}, ...} is a specification, anything else a key pattern: no key pattern has a document as a value.
void create_index(CollectionHandle collection, const std::string& text) {
    const bson::Document parsed = mql::parse_shell_document(text);
    if (!parsed["key"].is_object()) {
        collection.create_index(parsed);
        return;
    }
    bson::Builder options;
    for (const bson::Element& field : parsed)
        if (field.name() != "key") options.append_element(field);
    collection.create_index(parsed["key"].object(), options.finish());
}

}  // namespace

void fill(Database& database, const WorkspaceOptions& options, const std::string& collection) {
    for (const std::string& argument : options.data) load(database, split_name(argument, collection));
    for (const std::string& text : options.indexes) create_index(database.collection(collection, database_name), text);
}

void report_error(const Error& error) {
    std::string text = fmt::format("ixora: {} ({} {})\n", error.what(), error.code_name(), error.code());
    if (const auto* syntax = dynamic_cast<const mql::ShellSyntaxError*>(&error))
        text = fmt::format("ixora: {}\n{}\n", syntax->what(), syntax->excerpt());
    std::fputs(text.c_str(), stderr);
}

bson::Document run_or_throw(Database& database, bson::View command, std::string_view statement) {
    bson::Document reply = database.run_command(command);
    if (reply["ok"].truthy()) return reply;
    const Error error(static_cast<int>(reply["code"].to_int64()), std::string(reply["errmsg"].string()));
    if (const auto located = locate_operator(statement, error)) throw *located;
    throw error;
}

}  // namespace ixora::tool
