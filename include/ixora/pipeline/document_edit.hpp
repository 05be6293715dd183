// Writes a document anew with one dotted path set, removed or read (spec: aggregation.md 3, $unwind and $lookup).
#pragma once

#include "ixora/bson/builder.hpp"
#include "ixora/bson/field_path.hpp"

namespace ixora::pipeline {

// The value at `path`, through objects only: an array on the way makes it missing.
bson::Element value_at(bson::View document, const bson::FieldPath& path) noexcept;

// Appends the fields of `document` with `value` at `path`: in place of what is there, else at the end. What stands on
// the way and is no object is replaced by one. A missing value removes the field.
void append_with(bson::Builder& out, bson::View document, const bson::FieldPath& path, bson::Element value);
bson::Document with_field(bson::View document, const bson::FieldPath& path, bson::Element value);

// {a: 1, b: [1, 2]} as runtime errors of aggregations print documents.
std::string document_text(bson::View document);

// A path that a stage takes from its user. Throws the codes of check_user_path().
bson::FieldPath checked_path(std::string_view path);

}  // namespace ixora::pipeline
