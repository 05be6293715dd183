// Pipelines over documents written out in the test: no collection, no store.
#pragma once

#include <string>
#include <string_view>

#include "catch.hpp"
#include "ixora/base/error.hpp"
#include "ixora/bson/extended_json.hpp"
#include "ixora/mql/shell.hpp"
#include "ixora/pipeline/optimizer.hpp"
#include "ixora/pipeline/pipeline.hpp"
#include "ixora/pipeline/stage_list.hpp"

namespace ixora::test {

inline pipeline::ContextPtr make_context(Interrupt& interrupt, bool collectionless) {
    auto context = std::make_shared<pipeline::PipelineContext>();
    context->operation = std::make_shared<pipeline::OperationContext>();
    context->operation->interrupt = &interrupt;
    context->ns = {"test", "c"};
    context->collectionless = collectionless;
    context->scope = std::make_shared<mql::VariableScope>(0);
    return context;
}

// {"": [...]} so that the array has an element.
inline bson::Document wrap(std::string_view stages) {
    return mql::parse_shell_document("{p: " + std::string(stages) + "}");
}

// The rows that `stages` make of `documents` (both arrays as shell text), as relaxed JSON one after another.
inline std::string run_pipeline(std::string_view documents, std::string_view stages) {
    Interrupt interrupt;
    const pipeline::ContextPtr context = make_context(interrupt, true);
    bson::Builder all;
    all.open_array("p");
    all.open_object();
    all.append("$documents", wrap(documents).view().front());
    all.close();
    const bson::Document parsed = wrap(stages);
    for (const bson::Element& stage : parsed.view().front().object()) all.append_member(stage);
    all.close();
    const bson::Document specification = all.finish();
    const auto running =
        pipeline::RunningPipeline::open(pipeline::parse_pipeline(specification.view().front(), context), context);
    std::string out;
    pipeline::Row row;
    while (running->next(row)) {
        out += bson::to_json(row.document, bson::JsonMode::relaxed);
        running->save();  // rows and stages must not look into what a snapshot showed
        running->restore(interrupt);
    }
    return out;
}

// The stages as explain prints them, optimised.
inline std::string optimized(std::string_view stages) {
    Interrupt interrupt;
    const pipeline::ContextPtr context = make_context(interrupt, false);
    const bson::Document specification = wrap(stages);
    pipeline::StageList list = pipeline::parse_pipeline(specification.view().front(), context);
    pipeline::optimize(list);
    std::string out;
    for (const pipeline::StagePtr& stage : list) {
        bson::Builder printed;
        stage->print(printed);
        out += bson::to_json(printed.finish(), bson::JsonMode::relaxed);
    }
    return out;
}

// The code of the error that parsing or running raises; 0 if there is none.
inline int pipeline_error(std::string_view stages, std::string_view documents = "[{a: 1}]") {
    try {
        run_pipeline(documents, stages);
    } catch (const Error& error) {
        return error.code();
    }
    return 0;
}

}  // namespace ixora::test
