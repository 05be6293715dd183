// A projection of a pipeline as explain prints it (spec: explain.md 8.3).
#include "projection_tree.hpp"

namespace ixora::mql {

namespace {

using Kind = ProjectionField::Kind;

void serialize_computed(const ProjectionField& field, bson::Builder& out);

// Kept or dropped fields first, then what is computed and what has more below, each in order of the specification.
void serialize_fields(const ProjectionNode& node, bool is_root, bson::Builder& out) {
    if (is_root)
        if (const ProjectionField* id = node.find("_id"); id != nullptr && id->kind == Kind::include)
            out.append("_id", true);
    for (const ProjectionField& field : node.fields()) {
        if (is_root && field.name == "_id" && field.kind == Kind::include) continue;
        if (field.kind == Kind::include || field.kind == Kind::exclude)
            out.append(field.name, field.kind == Kind::include);
    }
    for (const ProjectionField& field : node.fields())
        if (field.kind != Kind::include && field.kind != Kind::exclude) serialize_computed(field, out);
}

void serialize_computed(const ProjectionField& field, bson::Builder& out) {
    if (field.kind == Kind::path) {
        out.open_object(field.name);
        serialize_fields(*field.node, false, out);
        out.close();
    } else if (field.kind == Kind::meta) {
        out.open_object(field.name);
        out.append("$meta", field.meta->name);
        out.close();
    } else if (field.kind == Kind::expression) {
        field.expression->serialize(out, field.name);
    }
}

}  // namespace

void serialize_projection(const ProjectionTree& tree, ProjectionPurpose purpose, bson::Builder& out) {
    serialize_fields(tree.root, true, out);
    if (purpose == ProjectionPurpose::add_fields) return;
    const bool inclusion = tree.type == Projection::Type::inclusion;
    const bool names_id = tree.root.find("_id") != nullptr;
    if (!names_id) out.append("_id", !inclusion);
}

}  // namespace ixora::mql
