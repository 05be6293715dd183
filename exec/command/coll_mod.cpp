#include <algorithm>
#include <array>
#include <limits>

#include "ixora/bson/compare.hpp"
#include "ixora/bson/debug_string.hpp"
#include "ixora/command/commands.hpp"
#include "ixora/command/validation_options.hpp"
#include "ixora/command/view_definition.hpp"

namespace ixora::command {

namespace {

// The `index` argument: which index, and what becomes of it.
struct IndexChange {
    bson::Element name;
    bson::Element key_pattern;
    bson::Element expire_after_seconds;
    bson::Element hidden;
};

Error invalid_options(const std::string& message) { return Error(ErrorCode::invalid_options, message); }

Error unsupported(std::string_view option) {
    return Error(ErrorCode::command_not_supported,
                 "collMod option '" + std::string(option) + "' is not supported by this engine");
}

IndexChange parse_index_change(bson::View argument) {
    IndexChange change;
    for (const bson::Element& field : argument) {
        const FieldName name{"collMod.index", field.name()};
        if (field.name() == "name") {
            expect_string(field, name);
            change.name = field;
        } else if (field.name() == "keyPattern") {
            expect_object(field, name);
            change.key_pattern = field;
        } else if (field.name() == "expireAfterSeconds") {
            if (expect_number(field, name)) change.expire_after_seconds = field;
        } else if (field.name() == "hidden") {
            expect_bool_or_number(field, name);
            change.hidden = field;
        } else if (field.name() == "unique" || field.name() == "prepareUnique") {
            throw unsupported(name.field);
        } else {
            throw unknown_field("collMod.index", field.name());
        }
    }
    return change;
}

void check_change(const IndexChange& change) {
    if (change.name && change.key_pattern) throw invalid_options("Cannot specify both key pattern and name.");
    if (!change.name && !change.key_pattern) throw invalid_options("Must specify either index name or key pattern.");
    if (!change.expire_after_seconds && !change.hidden)
        throw invalid_options("no expireAfterSeconds, hidden, unique, or prepareUnique field");
}

Error no_index(const std::string& what, const Namespace& ns) {
    return Error(ErrorCode::index_not_found, "cannot find index " + what + " for ns " + ns.full());
}

write::IndexStatePtr find_index(const Collection& collection, const IndexChange& change) {
    if (change.name) {
        write::IndexStatePtr index = collection.find_index(change.name.string());
        if (!index) throw no_index(std::string(change.name.string()), collection.ns);
        return index;
    }
    const bson::View key = change.key_pattern.object();
    std::vector<write::IndexStatePtr> found;
    for (const write::IndexStatePtr& index : collection.indexes)
        if (bson::equal(index->key_pattern(), key)) found.push_back(index);
    if (found.empty()) throw no_index(bson::debug_string(key), collection.ns);
    if (found.size() > 1)
        throw Error(
            ErrorCode::ambiguous_index_key_pattern,
            "index keyPattern " + bson::debug_string(key) + " matches " + std::to_string(found.size()) +
                " indexes, must use index name. Conflicting indexes:" + bson::debug_string(found[0]->spec().view()) +
                ", " + bson::debug_string(found[1]->spec().view()));
    return found.front();
}

// A changed field moves to the end of the stored specification.
template <class Append>
bson::Document with_changed_field(bson::View spec, std::string_view name, Append append) {
    bson::Builder out;
    for (const bson::Element& field : spec)
        if (field.name() != name) out.append_element(field);
    append(out);
    return out.finish();
}

bson::Document change_expiry(const bson::Document& spec, bson::Element seconds, bson::Builder& reply) {
    const bson::Element before = spec["expireAfterSeconds"];
    if (before.missing()) throw invalid_options("no expireAfterSeconds field to update");
    if (!before.is_number()) throw invalid_options("existing expireAfterSeconds field is not a number");
    if (seconds.to_int64() < 0) throw invalid_options("TTL index 'expireAfterSeconds' option cannot be less than 0");
    if (seconds.to_int64() > std::numeric_limits<std::int32_t>::max())
        throw invalid_options(
            "TTL index 'expireAfterSeconds' option must be within an acceptable range, try a different number than " +
            std::to_string(seconds.to_int64()));
    reply.append("expireAfterSeconds_old", before);
    reply.append("expireAfterSeconds_new", seconds);
    return with_changed_field(spec, "expireAfterSeconds",
                              [seconds](bson::Builder& out) { out.append("expireAfterSeconds", seconds.to_int64()); });
}

bson::Document change_hidden(const bson::Document& spec, bool hidden, bson::Builder& reply) {
    reply.append("hidden_old", !hidden);
    reply.append("hidden_new", hidden);
    return with_changed_field(spec, "hidden", [hidden](bson::Builder& out) {
        if (hidden) out.append("hidden", true);
    });
}

void change_index(Operation& operation, const Collection& collection, const IndexChange& change, bson::Builder& reply) {
    const write::IndexStatePtr index = find_index(collection, change);
    if (change.hidden && index->is_id_index()) throw Error(ErrorCode::bad_value, "can't hide _id index");
    const bool hides = change.hidden && change.hidden.truthy() != index->hidden();
    if (!change.expire_after_seconds && !hides) return;
    bson::Document spec = index->spec();
    if (change.expire_after_seconds) spec = change_expiry(spec, change.expire_after_seconds, reply);
    if (hides) spec = change_hidden(spec, change.hidden.truthy(), reply);
    operation.service.change_index(collection.ns, index, std::move(spec));
}

void check_other_field(const bson::Element& field) {
    static constexpr std::array known{
        std::string_view("clusteredIndex"), std::string_view("changeStreamPreAndPostImages"),
        std::string_view("timeseries"),     std::string_view("expireAfterSeconds"),
        std::string_view("cappedSize"),     std::string_view("cappedMax"),
        std::string_view("dryRun")};
    if (std::find(known.begin(), known.end(), field.name()) == known.end())
        throw unknown_field("collMod", field.name());
    throw unsupported(field.name());
}

void change_validation(Operation& operation, const Collection& collection) {
    if (const bson::Element validator = operation.command["validator"]) {
        try {
            check_validator(validator.object(), collection.ns, collection.collator);
        } catch (const Error& error) {
            throw error.is(ErrorCode::invalid_options) ? error
                                                       : error.with_context("Parsing of collection validator failed");
        }
    }
    operation.service.change_options(collection.ns, [&operation](bson::View options) {
        return with_validation_options(options, operation.command);
    });
}

// What the command does not name stays as it is.
void change_view(const Operation& operation, const ViewDefinition& view) {
    for (const bson::Element& field : operation.command)
        if (field.name() != "collMod" && field.name() != "viewOn" && field.name() != "pipeline" &&
            !is_generic_argument(field.name()))
            throw invalid_options("option not supported on a view: " + std::string(field.name()));
    const bson::Document before = view.options();
    const auto of_command_or_view = [&](std::string_view name) {
        const bson::Element given = operation.command[name];
        return given.missing() ? before[name] : given;
    };
    operation.service.change_view(define_view(operation, view.ns,
                                              of_command_or_view("viewOn").string(), of_command_or_view("pipeline"),
                                              view.collator));
}

}  // namespace

void run_coll_mod(Operation& operation, bson::Builder& reply) {
    const Namespace ns = operation.target();
    std::optional<IndexChange> change;
    bool changes_validation = false;
    for (const bson::Element& field : operation.command) {
        if (field.name() == "collMod" || is_generic_argument(field.name())) continue;
        if (field.name() == "index")
            change = parse_index_change(expect_object(field, {"collMod", "index"}));
        else if (check_validation_option(field, "collMod"))
            changes_validation = true;
        else if (field.name() == "viewOn")
            expect_string(field, {"collMod", "viewOn"});
        else if (field.name() == "pipeline")
            expect_array(field, {"collMod", "pipeline"});
        else
            check_other_field(field);
    }
    if (const ViewPtr view = operation.service.find_view(ns)) return change_view(operation, *view);
    const CollectionPtr collection = operation.service.find_collection(ns);
    if (!collection) throw Error(ErrorCode::namespace_not_found, "ns does not exist");
    for (const char* name : {"viewOn", "pipeline"})
        if (operation.command.contains(name))
            throw invalid_options("'" + std::string(name) + "' option only supported on a view");
    if (change) check_change(*change);
    if (changes_validation) change_validation(operation, *collection);
    if (change) change_index(operation, *collection, *change, reply);
}

}  // namespace ixora::command
