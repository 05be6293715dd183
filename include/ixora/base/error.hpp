// The one error type of the library: MongoDB's code, code name and message (spec: commands.md section 9).
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

namespace ixora {

// Codes that ixora raises by name. Any other number N is valid too and has the code name "LocationN".
enum class ErrorCode : int {
    ok = 0,
    internal_error = 1,
    bad_value = 2,
    graph_contains_cycle = 5,
    failed_to_parse = 9,
    unauthorized = 13,
    type_mismatch = 14,
    overflow = 15,
    invalid_length = 16,
    illegal_operation = 20,
    invalid_bson = 22,
    namespace_not_found = 26,
    index_not_found = 27,
    path_not_viable = 28,
    cursor_not_found = 43,
    namespace_exists = 48,
    max_time_ms_expired = 50,
    dollar_prefixed_field_name = 52,
    invalid_id_field = 53,
    command_not_found = 59,
    immutable_field = 66,
    cannot_create_index = 67,
    index_already_exists = 68,
    invalid_options = 72,
    invalid_namespace = 73,
    index_options_conflict = 85,
    index_key_specs_conflict = 86,
    operation_failed = 96,
    write_conflict = 112,
    command_not_supported = 115,
    document_validation_failure = 121,
    not_a_replica_set = 123,
    capped_position_lost = 136,
    cursor_in_use = 143,
    exceeded_memory_limit = 146,
    view_depth_limit_exceeded = 165,
    command_not_supported_on_view = 166,
    option_not_supported_on_view = 167,
    invalid_pipeline_operator = 168,
    cannot_index_parallel_arrays = 171,
    query_plan_killed = 175,
    ambiguous_index_key_pattern = 181,
    invalid_index_specification_option = 197,
    cannot_build_index_keys = 201,
    key_not_found = 211,
    query_feature_not_allowed = 224,
    cursor_killed = 237,
    query_trial_run_completed = 287,
    no_query_execution_plans = 291,
    query_exceeded_memory_limit_no_disk_use_allowed = 292,
    bson_object_too_large = 10334,
    duplicate_key = 11000,
    interrupted_at_shutdown = 11600,
    interrupted = 11601,
    merge_stage_no_matching_document = 13113,
    out_of_disk_space = 14031,
};

// Code name of any code: "BadValue" for 2, "Location51024" for a number without a name.
std::string code_name(int code);

// Reply fields beside code and message, such as keyPattern and keyValue of a DuplicateKey error. The layer that
// raises the error derives from this; the command layer knows how to print each kind.
class ErrorExtra {
public:
    virtual ~ErrorExtra() = default;
};

// A user error. what() is the message without the code.
class Error : public std::runtime_error {
public:
    Error(ErrorCode code, const std::string& message) : Error(static_cast<int>(code), message) {}
    Error(int code, const std::string& message, std::shared_ptr<const ErrorExtra> extra = nullptr)
        : std::runtime_error(message), code_(code), extra_(std::move(extra)) {}

    int code() const noexcept { return code_; }
    bool is(ErrorCode code) const noexcept { return code_ == static_cast<int>(code); }
    std::string code_name() const { return ixora::code_name(code_); }
    const std::shared_ptr<const ErrorExtra>& extra() const noexcept { return extra_; }

    // The same error with "context :: caused by :: " in front of its message, as the server words nested failures.
    Error with_context(std::string_view context) const;

private:
    int code_;
    std::shared_ptr<const ErrorExtra> extra_;
};

}  // namespace ixora
