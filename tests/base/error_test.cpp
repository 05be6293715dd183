#include "ixora/base/error.hpp"

#include "catch.hpp"

using ixora::code_name;
using ixora::Error;
using ixora::ErrorCode;

TEST_CASE("code names, known and unknown") {
    CHECK(code_name(0) == "OK");
    CHECK(code_name(2) == "BadValue");
    CHECK(code_name(22) == "InvalidBSON");
    CHECK(code_name(11000) == "DuplicateKey");
    CHECK(code_name(11601) == "Interrupted");
    CHECK(code_name(14031) == "OutOfDiskSpace");
    CHECK(code_name(3) == "Location3");
    CHECK(code_name(51024) == "Location51024");
    CHECK(code_name(99999999) == "Location99999999");
    CHECK(code_name(-1) == "Location-1");
}

TEST_CASE("every code that is raised by name has a name") {
    using enum ErrorCode;
    for (const ErrorCode code : {internal_error,
                                 bad_value,
                                 graph_contains_cycle,
                                 failed_to_parse,
                                 unauthorized,
                                 type_mismatch,
                                 overflow,
                                 invalid_length,
                                 illegal_operation,
                                 invalid_bson,
                                 namespace_not_found,
                                 index_not_found,
                                 path_not_viable,
                                 cursor_not_found,
                                 namespace_exists,
                                 max_time_ms_expired,
                                 dollar_prefixed_field_name,
                                 invalid_id_field,
                                 command_not_found,
                                 immutable_field,
                                 cannot_create_index,
                                 index_already_exists,
                                 invalid_options,
                                 invalid_namespace,
                                 index_options_conflict,
                                 index_key_specs_conflict,
                                 operation_failed,
                                 write_conflict,
                                 command_not_supported,
                                 document_validation_failure,
                                 not_a_replica_set,
                                 capped_position_lost,
                                 cursor_in_use,
                                 exceeded_memory_limit,
                                 command_not_supported_on_view,
                                 cannot_index_parallel_arrays,
                                 query_plan_killed,
                                 ambiguous_index_key_pattern,
                                 invalid_index_specification_option,
                                 cannot_build_index_keys,
                                 key_not_found,
                                 query_feature_not_allowed,
                                 cursor_killed,
                                 query_trial_run_completed,
                                 no_query_execution_plans,
                                 query_exceeded_memory_limit_no_disk_use_allowed,
                                 bson_object_too_large,
                                 duplicate_key,
                                 interrupted_at_shutdown,
                                 interrupted})
        CHECK(code_name(static_cast<int>(code)).rfind("Location", 0) != 0);
}

TEST_CASE("an error keeps code, message and extra through added context") {
    struct Extra final : ixora::ErrorExtra {};
    const auto extra = std::make_shared<Extra>();
    const Error inner(ErrorCode::bad_value, "inner");
    CHECK(inner.code() == 2);
    CHECK(inner.is(ErrorCode::bad_value));
    CHECK_FALSE(inner.is(ErrorCode::type_mismatch));
    CHECK(inner.extra() == nullptr);
    const Error outer = Error(11000, "dup", extra).with_context("outer");
    CHECK(std::string(outer.what()) == "outer :: caused by :: dup");
    CHECK(outer.code_name() == "DuplicateKey");
    CHECK(outer.extra() == extra);
}
