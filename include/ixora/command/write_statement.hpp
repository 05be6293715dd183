// Statements that change documents: parsed by the commands update, delete and findAndModify, run and explained here
// (spec: update.md 12 to 14, execution.md section 11).
#pragma once

#include <optional>

#include "ixora/bson/builder.hpp"
#include "ixora/command/service.hpp"
#include "ixora/write/delete_stage.hpp"
#include "ixora/write/update_stage.hpp"

namespace ixora::command {

// What finds the documents.
struct WriteTarget {
    Namespace ns;
    bson::Document filter;
    bson::Document sort;  // findAndModify
    bson::Document hint;
    std::optional<bson::Document> collation;
    bson::Document let;
    bson::Document fields;          // findAndModify: projection of the returned document
    bool returns_document = false;  // findAndModify
    bool bypass_validation = false;
};

struct UpdateRequest {
    WriteTarget target;
    bson::Value update;
    std::optional<bson::View> array_filters;
    bool multi = false;
    bool upsert = false;
    std::optional<bson::View> constants;  // of a pipeline
    std::optional<bson::View> upserted;   // what an upsert inserts, in place of what the update would make
    bool return_after = false;            // findAndModify with new: true
};

struct DeleteRequest {
    WriteTarget target;
    bool multi = false;
};

struct UpdateOutcome {
    std::int64_t matched = 0;
    std::int64_t modified = 0;
    bson::Value upserted_id;                 // missing: nothing was inserted
    std::optional<bson::Document> returned;  // findAndModify
};

struct DeleteOutcome {
    std::int64_t deleted = 0;
    std::optional<bson::Document> returned;
};

// An update document, or a pipeline. Throws FailedToParse (9), and what a first look at a pipeline throws.
bson::Value parse_update_argument(bson::Element argument);

// Both write document by document; what was written before an error stays. They throw what parsing, planning, running
// and writing throw; write conflicts are tried again.
UpdateOutcome run_update_statement(Service& service, const UpdateRequest& request, Interrupt& interrupt);
DeleteOutcome run_delete_statement(Service& service, const DeleteRequest& request, Interrupt& interrupt);

bson::Document explain_update_statement(Service& service, const UpdateRequest& request, Verbosity verbosity,
                                        bson::View command, Interrupt& interrupt);
bson::Document explain_delete_statement(Service& service, const DeleteRequest& request, Verbosity verbosity,
                                        bson::View command, Interrupt& interrupt);

// The writeErrors of a reply; nothing where there are none.
void append_write_errors(bson::Builder& reply, const std::vector<WriteFailure>& failures);
// Throws InvalidLength (16) outside of 1 to 100,000.
void check_batch_size(std::size_t statements);

}  // namespace ixora::command
