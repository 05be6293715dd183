#include "ixora/command/request.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

#include "ixora/bson/builder.hpp"
#include "ixora/bson/debug_string.hpp"

namespace ixora::command {

namespace {

constexpr std::array generic_arguments{
    std::string_view("$db"),
    std::string_view("lsid"),
    std::string_view("$clusterTime"),
    std::string_view("$readPreference"),
    std::string_view("$configTime"),
    std::string_view("$topologyTime"),
    std::string_view("readConcern"),
    std::string_view("writeConcern"),
    std::string_view("maxTimeMS"),
    std::string_view("maxTimeMSOpOnly"),
    std::string_view("comment"),
    std::string_view("txnNumber"),
    std::string_view("autocommit"),
    std::string_view("startTransaction"),
    std::string_view("stmtId"),
    std::string_view("stmtIds"),
    std::string_view("apiVersion"),
    std::string_view("apiStrict"),
    std::string_view("apiDeprecationErrors"),
    std::string_view("coordinator"),
    std::string_view("$audit"),
    std::string_view("$client"),
    std::string_view("databaseVersion"),
    std::string_view("shardVersion"),
    std::string_view("allowImplicitCollectionCreation"),
    std::string_view("mayBypassWriteBlocking"),
    std::string_view("$queryOptions"),
    std::string_view("$replData"),
    std::string_view("tracking_info"),
};

constexpr std::string_view number_types = "'[long, int, decimal, double']";  // the stray quote is the server's

}  // namespace

bool is_generic_argument(std::string_view name) noexcept {
    return std::find(generic_arguments.begin(), generic_arguments.end(), name) != generic_arguments.end();
}

void reject_duplicate_fields(bson::View command) {
    std::set<std::string_view> seen;
    for (const bson::Element& element : command)
        if (!seen.insert(element.name()).second)
            throw Error(40413, "BSON field '" + std::string(command.front().name()) + "." +
                                   std::string(element.name()) + "' is a duplicate field");
}

Error unknown_field(std::string_view command, std::string_view field) {
    return Error(40415, "BSON field '" + FieldName{command, field}.text() + "' is an unknown field.");
}

Error missing_field(std::string_view command, std::string_view field) {
    return Error(40414, "BSON field '" + FieldName{command, field}.text() + "' is missing but a required field");
}

Error wrong_type(const FieldName& name, bson::Type got, std::string_view expected) {
    const bool several = expected.front() == '\'';
    return Error(ErrorCode::type_mismatch, "BSON field '" + name.text() + "' is the wrong type '" +
                                               std::string(bson::type_name(got)) + "', expected type" +
                                               (several ? "s " : " '") + std::string(expected) + (several ? "" : "'"));
}

bson::View expect_object(bson::Element value, const FieldName& name) {
    if (!value.is_object()) throw wrong_type(name, value.type(), "object");
    return value.object();
}

bson::View expect_array(bson::Element value, const FieldName& name) {
    if (!value.is_array()) throw wrong_type(name, value.type(), "array");
    return value.object();
}

std::string_view expect_string(bson::Element value, const FieldName& name) {
    if (!value.is_string()) throw wrong_type(name, value.type(), "string");
    return value.string();
}

bool expect_bool(bson::Element value, const FieldName& name) {
    if (value.type() != bson::Type::boolean) throw wrong_type(name, value.type(), "bool");
    return value.boolean();
}

bool expect_bool_or_number(bson::Element value, const FieldName& name) {
    if (value.is_null() || value.type() == bson::Type::undefined) return false;
    if (value.type() != bson::Type::boolean && !value.is_number())
        throw wrong_type(name, value.type(), "'[bool, long, int, decimal, double']");
    return value.truthy();
}

bool expect_optional_bool(bson::Element value) {
    if (value.type() != bson::Type::boolean)
        throw Error(ErrorCode::type_mismatch,
                    "Field '" + std::string(value.name()) +
                        "' should be a boolean value, but found: " + std::string(bson::type_name(value.type())));
    return value.boolean();
}

std::optional<std::int64_t> expect_number(bson::Element value, const FieldName& name) {
    if (value.is_null() || value.type() == bson::Type::undefined) return std::nullopt;
    if (!value.is_number()) throw wrong_type(name, value.type(), number_types);
    // The server's parser turns a NaN into the smallest number, so that range checks refuse it.
    if (value.is_nan()) return std::numeric_limits<std::int64_t>::min();
    return value.to_int64();
}

std::int64_t expect_scale(bson::Element value, const FieldName& name) {
    const std::int64_t scale = expect_number(value, name).value_or(1);
    if (scale < 1)
        throw Error(51024, "BSON field '" + std::string(name.field) + "' value must be >= 1, actual value '" +
                               std::to_string(scale) + "'");
    return scale;
}

std::int64_t expect_long(bson::Element value, const FieldName& name) {
    if (value.type() != bson::Type::number_long) throw wrong_type(name, value.type(), "long");
    return value.number_long();
}

std::optional<std::int64_t> expect_non_negative(bson::Element value, const FieldName& name) {
    const std::optional<std::int64_t> number = expect_number(value, name);
    if (number && *number < 0)
        throw Error(51024, "BSON field '" + std::string(name.field) + "' value must be >= 0, actual value '" +
                               std::to_string(*number) + "'");
    return number;
}

bson::Document parse_hint(bson::Element value, const char* refusal) {
    if (value.is_object()) return bson::Document(value.object());
    if (!value.is_string()) throw Error(ErrorCode::failed_to_parse, refusal);
    bson::Builder out;
    out.append("$hint", value.string());
    return out.finish();
}

void check_read_preference(bson::Element value) {
    if (value.missing()) return;
    if (!value.is_object())
        throw Error(ErrorCode::type_mismatch, "$readPreference has incorrect type: expected object but got " +
                                                  std::string(bson::type_name(value.type())));
    const bson::Element mode = value.object()["mode"];
    if (mode.missing()) throw missing_field("readPreference", "mode");
    expect_string(mode, {"readPreference", "mode"});
}

void check_read_concern(std::string_view command, bson::Element value) {
    if (value.missing() || value.is_null() || value.type() == bson::Type::undefined) return;
    static constexpr std::array levels{std::string_view("local"), std::string_view("majority"),
                                       std::string_view("linearizable"), std::string_view("available"),
                                       std::string_view("snapshot")};
    static constexpr std::array others{
        std::string_view("afterClusterTime"), std::string_view("atClusterTime"),
        std::string_view("afterOpTime"),      std::string_view("provenance"),
        std::string_view("$configTime"),      std::string_view("allowTransactionTableSnapshot"),
    };
    for (const bson::Element& field : expect_object(value, {command, "readConcern"})) {
        if (std::find(others.begin(), others.end(), field.name()) != others.end()) continue;
        if (field.name() != "level") throw unknown_field("readConcern", field.name());
        if (field.is_null()) continue;
        const std::string_view level = expect_string(field, {"readConcern", "level"});
        if (std::find(levels.begin(), levels.end(), level) == levels.end())
            throw Error(ErrorCode::bad_value, "Enumeration value '" + std::string(level) +
                                                  "' for field 'readConcern.level' is not a valid value.");
    }
}

std::int64_t parse_max_time_ms(bson::View command) {
    const bson::Element value = command["maxTimeMS"];
    if (value.is_null() || value.missing()) return 0;
    // An aggregate reads all its fields by type before it looks at their values.
    const std::string_view name = command.front().name();
    if (name == "aggregate") expect_number(value, {name, value.name()});
    if (!value.is_number()) throw Error(ErrorCode::bad_value, "maxTimeMS must be a number");
    if (value.is_nan())
        throw Error(ErrorCode::failed_to_parse,
                    "Expected an integer, but found NaN in: " + bson::debug_element_string(value));
    const std::int64_t millis = value.to_int64();
    if (std::isfinite(value.to_double()) && static_cast<double>(millis) != value.to_double())
        throw Error(ErrorCode::failed_to_parse, "Expected an integer: " + bson::debug_element_string(value));
    if (millis < 0 || millis > std::numeric_limits<std::int32_t>::max())
        throw Error(ErrorCode::bad_value,
                    std::to_string(millis) + " value for maxTimeMS is out of range [0, 2147483647]");
    return millis;
}

}  // namespace ixora::command
