#include "workspace.hpp"

#include <cstdio>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "data_file.hpp"
#include "index_file.hpp"

namespace ixora::tool {

void add_workspace_options(CLI::App& command, WorkspaceOptions& options) {
    command
        .add_option("--data", options.data,
                    "Documents to load: FILE or COLLECTION=FILE; JSON Lines, JSON arrays, mongosh literals or .bson, "
                    "plain or .gz")
        ->type_name("FILE");
    command
        .add_option(
            "--indexes", options.index_files,
            "Indexes to build: FILE or COLLECTION=FILE with what a server's getIndexes() or listIndexes prints, "
            "or mongodump's .metadata.json")
        ->type_name("FILE");
    command
        .add_option("--index", options.indexes,
                    "Index to build: a key pattern such as '{a: 1}' or a specification with key, unique, sparse ...; "
                    "COLLECTION='{a: 1}' for another collection than the query's")
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

struct NamedSpec {
    std::string collection, spec;
};

// COLLECTION={...}: an equals sign behind the first brace belongs to the specification.
NamedSpec split_spec(const std::string& argument, const std::string& default_collection) {
    const std::size_t equals = argument.find('=');
    if (equals == std::string::npos || argument.find('{') < equals) return {default_collection, argument};
    return {argument.substr(0, equals), argument.substr(equals + 1)};
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

void warn(const std::string& text) { std::fputs(("ixora: " + text + "\n").c_str(), stderr); }

std::string place(const IndexFile& file, const ListedIndex& index) {
    return file.path + ": line " + std::to_string(index.line);
}

// The reason at the bottom of the error; what stands around it repeats the definition.
std::string_view innermost_reason(std::string_view message) {
    constexpr std::string_view link = " :: caused by :: ";
    if (const std::size_t last = message.rfind(link); last != std::string_view::npos)
        message.remove_prefix(last + link.size());
    return message.substr(0, message.find(". Index spec: "));
}

void report_skipped(const IndexFile& file, const ListedIndex& index, const Error& error) {
    warn(fmt::format("{}: index {} skipped: {}", place(file, index), index.spec["name"].string(),
                     innermost_reason(error.what())));
}

// The collection that the file's indexes are of, created with what its definition says.
std::string create_collection(Database& database, IndexFile& file, const std::string& argument,
                              const std::string& default_collection) {
    const bool named = split_name(argument, {}).collection != "";
    std::string collection =
        named || file.collection.empty() ? split_name(argument, default_collection).collection : file.collection;
    if (collection != default_collection)
        warn(
            fmt::format("{}: indexes of collection {}; the query is on {}", file.path, collection, default_collection));
    const auto create = [&](bool clustered) {
        bson::Builder command;
        command.append("create", collection);
        if (file.collation) command.append("collation", *file.collation);
        if (clustered) command.append("clusteredIndex", file.clustered_by->spec);
        command.append("$db", database_name);
        run_or_throw(database, command.finish());
    };
    if (file.clustered_by) {
        try {
            create(true);
            return collection;
        } catch (const Error& error) {
            report_skipped(file, *file.clustered_by, error);
        }
    }
    try {
        create(false);
    } catch (const Error& error) {
        // Another file made it, with a collation that this one does not tell.
        if (!error.is(ErrorCode::namespace_exists) || file.collation) throw error.with_context(file.path);
    }
    return collection;
}

void create_listed_indexes(CollectionHandle collection, const IndexFile& file) {
    const bson::Document simple_collation = mql::parse_shell_document("{locale: 'simple'}");
    for (const ListedIndex& index : file.indexes) {
        bson::Builder options;
        for (const bson::Element& field : index.spec)
            if (field.name() != "key") options.append_element(field);
        // What a server lists without a collation has none, whatever the collection's default is.
        if (file.collation && !index.spec.view().contains("collation")) options.append("collation", simple_collation);
        try {
            collection.create_index(index.spec["key"].object(), options.finish());
        } catch (const Error& error) {
            if (!error.is(ErrorCode::cannot_create_index)) throw error.with_context(place(file, index));
            report_skipped(file, index, error);
        }
    }
}

}  // namespace

void fill(Database& database, const WorkspaceOptions& options, const std::string& collection) {
    struct Listed {
        IndexFile file;
        std::string collection;
    };
    std::vector<Listed> listed;
    for (const std::string& argument : options.index_files) {
        IndexFile file = read_index_file(split_name(argument, collection).path);
        for (const std::string& note : file.notes) warn(file.path + ": " + note);
        std::string target = create_collection(database, file, argument, collection);
        listed.push_back({std::move(file), std::move(target)});
    }
    for (const std::string& argument : options.data) load(database, split_name(argument, collection));
    for (const Listed& each : listed)
        create_listed_indexes(database.collection(each.collection, database_name), each.file);
    for (const std::string& argument : options.indexes) {
        const NamedSpec index = split_spec(argument, collection);
        create_index(database.collection(index.collection, database_name), index.spec);
    }
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
