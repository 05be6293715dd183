#include "ixora/pipeline/involved_collections.hpp"

namespace ixora::pipeline {

namespace {

void add_name(bson::Element name, std::set<std::string>& out) {
    if (name.is_string()) out.emplace(name.string());
}

void add_pipeline(bson::Element pipeline, std::set<std::string>& out) {
    if (pipeline.is_array()) add_involved_collections(pipeline.object(), out);
}

void add_stage(bson::Element stage, std::set<std::string>& out) {
    if (stage.name() == "$unionWith") add_name(stage, out);
    if (!stage.is_object()) return;
    const bson::View spec = stage.object();
    if (stage.name() == "$lookup" || stage.name() == "$graphLookup") {
        add_name(spec["from"], out);
        add_pipeline(spec["pipeline"], out);
    } else if (stage.name() == "$unionWith") {
        add_name(spec["coll"], out);
        add_pipeline(spec["pipeline"], out);
    } else if (stage.name() == "$facet") {
        for (const bson::Element& facet : spec) add_pipeline(facet, out);
    }
}

}  // namespace

void add_involved_collections(bson::View stages, std::set<std::string>& out) {
    for (const bson::Element& stage : stages)
        if (stage.is_object()) add_stage(stage.object().front(), out);
}

}  // namespace ixora::pipeline
