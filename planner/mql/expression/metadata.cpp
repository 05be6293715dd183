// $meta (spec: match.md 9.8).
#include <array>

#include "../metadata_name.hpp"
#include "operator.hpp"

namespace ixora::mql {

namespace {

struct Which final : PreparedOperator {
    const MetadataName* metadata = nullptr;
};

ExpressionNodePtr parse(const Operator& op, bson::Element argument, ExpressionParseContext& context) {
    auto which = std::make_shared<Which>();
    which->metadata = &parse_metadata_name(argument);
    if (which->metadata->kind == Metadata::unavailable && context.unavailable_metadata.empty())
        context.unavailable_metadata = which->metadata->description;
    auto node = make_operation(op, context);
    node->prepared = std::move(which);
    return node;
}

ComputedValue meta(const OperatorNode& node, EvaluationContext& context) {
    if (context.metadata == nullptr) return {};
    const RowMetadata& metadata = *context.metadata;
    switch (static_cast<const Which&>(*node.prepared).metadata->kind) {
        case Metadata::sort_key: return ComputedValue::view(metadata.sort_key);
        case Metadata::index_key:
            return metadata.has_index_key ? ComputedValue::document(metadata.index_key) : ComputedValue();
        case Metadata::record_id: return ComputedValue::view(metadata.record_id);
        case Metadata::random_value:
        case Metadata::unavailable: break;  // no stage gives rows these
    }
    return {};
}

void serialize(const OperatorNode& node, bson::Builder& out) {
    out.append("$meta", static_cast<const Which&>(*node.prepared).metadata->name);
}

}  // namespace

std::span<const Operator> metadata_operators() noexcept {
    static const std::array operators{
        Operator{.name = "$meta", .evaluate = meta, .parse = parse, .folds = false, .serialize = serialize},
    };
    return operators;
}

}  // namespace ixora::mql
