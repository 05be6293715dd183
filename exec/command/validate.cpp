#include <algorithm>

#include "ixora/command/commands.hpp"
#include "ixora/write/consistency.hpp"

namespace ixora::command {

namespace {

struct ValidateOptions {
    bool full = false;
    bool metadata = false;
    bool background = false;
    bool repair = false;
};

ValidateOptions parse_options(bson::View command) {
    ValidateOptions out;
    bool other = false;
    for (const bson::Element& field : command) {
        const bool set = field.truthy();
        if (field.name() == "full")
            out.full = set;
        else if (field.name() == "background")
            out.background = set;
        else if (field.name() == "metadata")
            out.metadata = set;
        else if (field.name() == "repair")
            out.repair = set;
        else
            continue;
        other = other || (set && field.name() != "metadata");
    }
    if (out.background && out.full)
        throw Error(ErrorCode::invalid_options,
                    "Running the validate command with both { background: true } and { full: true } is not supported.");
    if (out.metadata && other)
        throw Error(ErrorCode::invalid_options,
                    "Running the validate command with { metadata: true } is not supported with any other options");
    if (out.repair)
        throw Error(ErrorCode::command_not_supported, "validate option 'repair' is not supported by this engine");
    return out;
}

void append_entries(bson::Builder& reply, std::string_view name, const write::CollectionConsistency& found,
                    std::vector<write::StrayEntry> write::IndexConsistency::*entries) {
    reply.open_array(name);
    for (const write::IndexConsistency& index : found.indexes) {
        for (const write::StrayEntry& entry : index.*entries) {
            reply.open_object();
            reply.append("indexName", index.name);
            if (entry.id.is_number())
                reply.append("recordId", entry.id.number());
            else
                reply.append("recordId", entry.id.to_string());
            reply.append("idKey", entry.document_id);
            reply.append("indexKey", entry.key);
            reply.close();
        }
    }
    reply.close();
}

std::size_t count(const write::CollectionConsistency& found,
                  std::vector<write::StrayEntry> write::IndexConsistency::*entries) {
    std::size_t out = 0;
    for (const write::IndexConsistency& index : found.indexes) out += (index.*entries).size();
    return out;
}

void append_warnings(bson::Builder& reply, const write::CollectionConsistency& found) {
    reply.open_array("warnings");
    if (const std::size_t missing = count(found, &write::IndexConsistency::missing); missing > 0)
        reply.append("Detected " + std::to_string(missing) + " missing index entries.");
    if (const std::size_t extra = count(found, &write::IndexConsistency::extra); extra > 0)
        reply.append("Detected " + std::to_string(extra) + " extra index entries.");
    if (found.refused > 0) reply.append("Detected one or more documents not compliant with the collection's schema.");
    reply.close();
}

void append_errors(bson::Builder& reply, const write::CollectionConsistency& found) {
    reply.open_array("errors");
    if (!found.invalid_records.empty())
        reply.append("Detected " + std::to_string(found.invalid_records.size()) + " corrupt records.");
    for (const write::IndexConsistency& index : found.indexes) {
        if (index.multikey_unknown)
            reply.append("Index " + index.name + " is not multikey but a document has several keys in it");
        if (!index.duplicates.empty()) reply.append("Unique index '" + index.name + "' has duplicate keys");
    }
    reply.close();
}

void append_indexes(bson::Builder& reply, const write::CollectionConsistency& found) {
    reply.open_object("keysPerIndex");
    for (const write::IndexConsistency& index : found.indexes) reply.append_counter(index.name, index.keys);
    reply.close();
    reply.open_object("indexDetails");
    for (const write::IndexConsistency& index : found.indexes) {
        reply.open_object(index.name);
        reply.append("valid", index.valid());
        reply.close();
    }
    reply.close();
}

void append_findings(bson::Builder& reply, const write::CollectionConsistency& found) {
    const bool valid = found.invalid_records.empty() &&
                       std::ranges::all_of(found.indexes, [](const auto& index) { return index.valid(); });
    reply.append("valid", valid);
    reply.append("repaired", false);
    append_warnings(reply, found);
    append_errors(reply, found);
    append_entries(reply, "extraIndexEntries", found, &write::IndexConsistency::extra);
    append_entries(reply, "missingIndexEntries", found, &write::IndexConsistency::missing);
    reply.open_array("corruptRecords");
    for (const key::RecordId& id : found.invalid_records) reply.append(id.to_string());
    reply.close();
    if (!valid)
        reply.append("advice",
                     "A corrupt namespace has been detected. See http://dochub.mongodb.org/core/data-recovery for "
                     "recovery steps.");
}

}  // namespace

void run_validate(Operation& operation, bson::Builder& reply) {
    const Namespace ns = operation.target();
    const ValidateOptions options = parse_options(operation.command);
    const CollectionPtr collection = operation.service.find_collection(ns);
    if (!collection)
        throw Error(ErrorCode::namespace_not_found, "Collection '" + ns.full() + "' does not exist to validate.");
    write::CollectionConsistency found;
    if (options.metadata) {
        for (const write::IndexStatePtr& index : collection->indexes) found.indexes.emplace_back().name = index->name();
    } else {
        found = operation.service.storage().check_consistency(
            collection->target(),
            [&](bson::View document) { return !collection->validator || collection->validator->accepts(document); },
            operation.interrupt);
    }
    reply.append("ns", ns.full());
    reply.append_bin_data("uuid", 4, collection->identity->uuid);
    if (!options.metadata) {
        reply.append_counter("nInvalidDocuments", static_cast<std::int64_t>(found.invalid_records.size()));
        reply.append_counter("nNonCompliantDocuments", found.refused);
        reply.append_counter("nrecords", found.records);
    }
    reply.append("nIndexes", static_cast<std::int32_t>(collection->indexes.size()));
    append_indexes(reply, found);
    append_findings(reply, found);
}

}  // namespace ixora::command
