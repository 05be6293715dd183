#include "ixora/stage/return_key.hpp"

#include "ixora/bson/builder.hpp"

namespace ixora::stage {

ReturnKeyStage::ReturnKeyStage(const plan::PlanNode& node, StagePtr input, const mql::Projection* projection)
    : RowTransformStage(node, std::move(input)) {
    if (projection == nullptr || !node.as<plan::ReturnKeyNode>().sort_key_field) return;
    for (const bson::Element& field : projection->spec()) {
        if (!field.is_object()) continue;
        const bson::Element meta = field.object().find("$meta");
        if (meta.is_string() && meta.string() == "sortKey") sort_key_fields_.emplace_back(field.name());
    }
}

void ReturnKeyStage::transform(Member& row) {
    bson::Builder out;
    if (row.has_index_key) out.append_all(row.index_key);
    if (row.has_sort_key)
        for (const std::string& name : sort_key_fields_) out.append(name, row.sort_key.view().front());
    row.become_owned(out.finish());
}

}  // namespace ixora::stage
