// What the stages of a pipeline share while they are parsed and while they run.
#pragma once

#include <memory>

#include "ixora/base/knobs.hpp"
#include "ixora/bson/collator.hpp"
#include "ixora/mql/expression.hpp"
#include "ixora/pipeline/environment.hpp"
#include "ixora/stage/spilled_runs.hpp"

namespace ixora::pipeline {

// One operation, whatever sub-pipelines it has.
struct OperationContext {
    std::shared_ptr<Environment> environment;
    Knobs knobs;
    Interrupt* interrupt = nullptr;  // replaced at each getMore
    bool allow_disk_use = true;
    bool is_explain = false;
    bool runs = true;  // false: an explain that executes nothing

    stage::SpillPolicy spill_policy(std::int64_t memory_max) const {
        return {memory_max, allow_disk_use, knobs.spillDirectory};
    }
};

// One pipeline. A sub-pipeline has a context of its own, with the same operation.
struct PipelineContext {
    std::shared_ptr<OperationContext> operation;
    CollectionName ns;  // of the collection it reads
    bool collectionless = false;
    std::vector<bson::Document> view_stages;  // of the view that a sub-pipeline reads; they come before its own
    bson::CollatorPtr collator;
    bson::Document collation;      // what finds are asked for; empty: the collection's own
    bool names_collation = false;  // the collation is the user's, not the collection's
    bson::Document hint;
    // Names that expressions may use; stages that define variables of their own add to it while they are parsed.
    std::shared_ptr<mql::VariableScope> scope;
    int depth = 0;  // of sub-pipelines

    mql::ExpressionParseContext parsing() { return {*scope, collator}; }
    void check_interrupt() const {
        if (operation->interrupt != nullptr) operation->interrupt->check();
    }
};

using ContextPtr = std::shared_ptr<PipelineContext>;

// The context of a sub-pipeline over `collection` of the same database, or over what a view of that name stands for.
ContextPtr sub_context(const PipelineContext& parent, std::string collection);

}  // namespace ixora::pipeline
