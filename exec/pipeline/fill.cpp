// $fill: $setWindowFields and $addFields in one (spec: aggregation.md 12).
#include "ixora/base/error.hpp"
#include "ixora/mql/user_path.hpp"
#include "ixora/pipeline/stage_list.hpp"
#include "ixora/pipeline/stages.hpp"

namespace ixora::pipeline {

namespace {

Error wrong_type(std::string_view field, bson::Element value, std::string_view expected) {
    return Error(ErrorCode::type_mismatch, "BSON field '$fill." + std::string(field) + "' is the wrong type '" +
                                               std::string(bson::type_name(value.type())) + "', expected type '" +
                                               std::string(expected) + "'");
}

struct FillFields {
    bson::Element partition_by;
    bson::Element partition_by_fields;
    bson::Element sort_by;
    bson::Element output;
};

FillFields read_fields(bson::View spec) {
    FillFields fields;
    for (const bson::Element& field : spec) {
        if (field.name() == "partitionBy") {
            if (!field.is_object() && !field.is_string()) throw wrong_type(field.name(), field, "[string, object]");
            fields.partition_by = field;
        } else if (field.name() == "partitionByFields") {
            if (!field.is_array()) throw wrong_type(field.name(), field, "array");
            fields.partition_by_fields = field;
        } else if (field.name() == "sortBy") {
            if (!field.is_object()) throw wrong_type(field.name(), field, "object");
            fields.sort_by = field;
        } else if (field.name() == "output") {
            if (!field.is_object()) throw wrong_type(field.name(), field, "object");
            fields.output = field;
        } else {
            throw Error(40415, "BSON field '$fill." + std::string(field.name()) + "' is an unknown field.");
        }
    }
    if (fields.output.missing()) throw Error(40414, "BSON field '$fill.output' is missing but a required field");
    if (fields.output.object().empty())
        throw Error(6050203, "The output field in '$fill' must contain an object with at least one element");
    if (fields.partition_by && fields.partition_by_fields)
        throw Error(6050204, "Maximum one of 'partitionBy' and 'partitionByFields can be specified in '$fill'");
    return fields;
}

void append_partition(bson::Builder& out, const FillFields& fields) {
    if (fields.partition_by) {
        if (fields.partition_by.is_string() && !fields.partition_by.string().starts_with('$'))
            throw Error(16873, "FieldPath '" + std::string(fields.partition_by.string()) + "' doesn't start with $");
        out.append("partitionBy", fields.partition_by);
    }
    if (!fields.partition_by_fields || fields.partition_by_fields.object().empty()) return;
    out.open_object("partitionBy");
    for (const bson::Element& field : fields.partition_by_fields.object()) {
        if (!field.is_string()) throw wrong_type("partitionByFields." + std::string(field.name()), field, "string");
        mql::check_user_path(field.string());
        out.append(field.string(), "$" + std::string(field.string()));
    }
    out.close();
}

// Sorts the outputs into those of $setWindowFields and those of $addFields.
void append_output(bson::Element field, bson::Builder& windows, bson::Builder& values, bool& has_windows,
                   bool& has_values) {
    if (!field.is_object())
        throw Error(6050200, "Each fill output specification must be an object with exactly one field");
    if (field.object().empty()) return;  // says nothing of how, so nothing is filled
    const bson::Element method = field.object()["method"];
    const bson::Element value = field.object()["value"];
    if (field.object().field_count() != 1 || (method && value) || (!method && !value))
        throw Error(6050201,
                    "Each fill output specification must have exactly one of 'method' or 'value' fields, not both");
    const std::string path = "$" + std::string(field.name());
    if (value) {
        has_values = true;
        values.open_object(field.name());
        values.open_array("$ifNull");
        values.append(path);
        values.append_member(value);
        values.close();
        values.close();
        return;
    }
    const bool linear = method.is_string() && method.string() == "linear";
    if (!linear && !(method.is_string() && method.string() == "locf"))
        throw Error(6050202, "Method must be either 'linear' or 'locf'");
    has_windows = true;
    windows.open_object(field.name());
    windows.append(linear ? "$linearFill" : "$locf", path);
    windows.close();
}

}  // namespace

void parse_fill(bson::Element spec, const ContextPtr& context, StageList& out) {
    if (!spec.is_object())
        throw Error(ErrorCode::failed_to_parse, "The $fill stage specification must be an object, found " +
                                                    std::string(bson::type_name(spec.type())));
    const FillFields fields = read_fields(spec.object());
    bson::Builder windows;
    bson::Builder values;
    bool has_windows = false;
    bool has_values = false;
    windows.open_object("$setWindowFields");
    append_partition(windows, fields);
    if (fields.sort_by) windows.append("sortBy", fields.sort_by);
    windows.open_object("output");
    values.open_object("$addFields");
    for (const bson::Element& field : fields.output.object())
        append_output(field, windows, values, has_windows, has_values);
    windows.close();
    windows.close();
    values.close();
    const bson::Document window_stage = windows.finish();
    const bson::Document value_stage = values.finish();
    if (has_windows) parse_stage(window_stage.view().front(), context, out);
    if (has_values) parse_stage(value_stage.view().front(), context, out);
}

}  // namespace ixora::pipeline
