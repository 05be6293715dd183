#include "ixora/pipeline/lookup.hpp"

#include "ixora/pipeline/document_edit.hpp"
#include "lookup_operator.hpp"

namespace ixora::pipeline {

void LookupStage::print(bson::Builder& out) const {
    out.open_object("$lookup");
    if (!options_.from_documents) out.append("from", options_.from);
    out.append("as", options_.as.dotted());
    if (options_.local_field) {
        out.append("localField", options_.local_field->dotted());
        out.append("foreignField", options_.foreign_field);
    }
    if (options_.pipeline || filter_) {
        out.open_object("let");
        for (const LookupVariable& variable : options_.let) variable.value.serialize(out, variable.name);
        out.close();
        out.open_array("pipeline");
        if (options_.pipeline)
            for (const bson::Document& stage : *options_.pipeline) out.append(stage);
        if (filter_) {
            out.open_object();
            out.append("$match", *filter_);
            out.close();
        }
        out.close();
    }
    if (unwinding_) append_unwinding(out, *unwinding_);
    out.close();
}

NeedsAnswer LookupStage::add_needs(Needs& needs) const {
    if (options_.local_field) needs.fields.insert(options_.local_field->dotted());
    for (const LookupVariable& variable : options_.let) needs.add(variable.value);
    needs.variables.insert(inner_needs_.variables.begin(), inner_needs_.variables.end());
    for (const LookupVariable& variable : options_.let) needs.variables.erase(variable.name);
    needs.random = needs.random || inner_needs_.random;
    return NeedsAnswer::see_next;
}

ModifiedPaths LookupStage::modified_paths() const {
    ModifiedPaths modified{ModifiedPaths::Kind::these, {options_.as.dotted()}, {}};
    if (unwinding_ && unwinding_->index) modified.paths.insert(unwinding_->index->dotted());
    return modified;
}

void LookupStage::optimize() {
    for (LookupVariable& variable : options_.let) variable.value.optimize();
}

bool LookupStage::is_uncorrelated() const {
    return !options_.local_field && inner_needs_.variables.empty() && !inner_needs_.random;
}

OperatorPtr LookupStage::open(OperatorPtr input) const { return open_lookup(*this, std::move(input)); }

}  // namespace ixora::pipeline
