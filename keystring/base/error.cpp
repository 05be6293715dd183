#include "ixora/base/error.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace ixora {

namespace {

struct NamedCode {
    int code;
    std::string_view name;
};

// Sorted by code. Source: commands.md section 9 and the codes of the 7.0 error_codes list that clients look at.
constexpr std::array names{
    NamedCode{0, "OK"},
    NamedCode{1, "InternalError"},
    NamedCode{2, "BadValue"},
    NamedCode{4, "NoSuchKey"},
    NamedCode{5, "GraphContainsCycle"},
    NamedCode{6, "HostUnreachable"},
    NamedCode{8, "UnknownError"},
    NamedCode{9, "FailedToParse"},
    NamedCode{10, "CannotMutateObject"},
    NamedCode{11, "UserNotFound"},
    NamedCode{12, "UnsupportedFormat"},
    NamedCode{13, "Unauthorized"},
    NamedCode{14, "TypeMismatch"},
    NamedCode{15, "Overflow"},
    NamedCode{16, "InvalidLength"},
    NamedCode{17, "ProtocolError"},
    NamedCode{18, "AuthenticationFailed"},
    NamedCode{20, "IllegalOperation"},
    NamedCode{22, "InvalidBSON"},
    NamedCode{26, "NamespaceNotFound"},
    NamedCode{27, "IndexNotFound"},
    NamedCode{28, "PathNotViable"},
    NamedCode{30, "RoleNotFound"},
    NamedCode{34, "CannotBackfillArray"},
    NamedCode{38, "FileNotOpen"},
    NamedCode{39, "FileStreamFailed"},
    NamedCode{40, "ConflictingUpdateOperators"},
    NamedCode{43, "CursorNotFound"},
    NamedCode{46, "LockTimeout"},
    NamedCode{48, "NamespaceExists"},
    NamedCode{50, "MaxTimeMSExpired"},
    NamedCode{51, "ManualInterventionRequired"},
    NamedCode{52, "DollarPrefixedFieldName"},
    NamedCode{53, "InvalidIdField"},
    NamedCode{54, "NotSingleValueField"},
    NamedCode{55, "InvalidDBRef"},
    NamedCode{56, "EmptyFieldName"},
    NamedCode{57, "DottedFieldName"},
    NamedCode{59, "CommandNotFound"},
    NamedCode{61, "ShardKeyNotFound"},
    NamedCode{66, "ImmutableField"},
    NamedCode{67, "CannotCreateIndex"},
    NamedCode{68, "IndexAlreadyExists"},
    NamedCode{72, "InvalidOptions"},
    NamedCode{73, "InvalidNamespace"},
    NamedCode{76, "NoReplicationEnabled"},
    NamedCode{79, "UnknownReplWriteConcern"},
    NamedCode{85, "IndexOptionsConflict"},
    NamedCode{86, "IndexKeySpecsConflict"},
    NamedCode{93, "InvalidReplicaSetConfig"},
    NamedCode{96, "OperationFailed"},
    NamedCode{100, "UnsatisfiableWriteConcern"},
    NamedCode{111, "NotExactValueField"},
    NamedCode{112, "WriteConflict"},
    NamedCode{115, "CommandNotSupported"},
    NamedCode{117, "ConflictingOperationInProgress"},
    NamedCode{119, "NamespaceNotSharded"},
    NamedCode{121, "DocumentValidationFailure"},
    NamedCode{123, "NotAReplicaSet"},
    NamedCode{125, "CommandFailed"},
    NamedCode{136, "CappedPositionLost"},
    NamedCode{143, "CursorInUse"},
    NamedCode{146, "ExceededMemoryLimit"},
    NamedCode{161, "IncompatibleCollationVersion"},
    NamedCode{165, "ViewDepthLimitExceeded"},
    NamedCode{166, "CommandNotSupportedOnView"},
    NamedCode{167, "OptionNotSupportedOnView"},
    NamedCode{168, "InvalidPipelineOperator"},
    NamedCode{169, "CommandOnShardedViewNotSupportedOnMongod"},
    NamedCode{171, "CannotIndexParallelArrays"},
    NamedCode{175, "QueryPlanKilled"},
    NamedCode{181, "AmbiguousIndexKeyPattern"},
    NamedCode{182, "InvalidViewDefinition"},
    NamedCode{186, "ClientMetadataCannotBeMutated"},
    NamedCode{197, "InvalidIndexSpecificationOption"},
    NamedCode{201, "CannotBuildIndexKeys"},
    NamedCode{211, "KeyNotFound"},
    NamedCode{223, "IllegalOpMsgFlag"},
    NamedCode{224, "QueryFeatureNotAllowed"},
    NamedCode{225, "TransactionTooOld"},
    NamedCode{232, "MaxSubPipelineDepthExceeded"},
    NamedCode{233, "TooManyDocumentSequences"},
    NamedCode{237, "CursorKilled"},
    NamedCode{241, "ConversionFailure"},
    NamedCode{251, "NoSuchTransaction"},
    NamedCode{256, "TransactionCommitted"},
    NamedCode{257, "TransactionTooLarge"},
    NamedCode{262, "ExceededTimeLimit"},
    NamedCode{263, "OperationNotSupportedInTransaction"},
    NamedCode{280, "ChangeStreamFatalError"},
    NamedCode{286, "ChangeStreamHistoryLost"},
    NamedCode{287, "QueryTrialRunCompleted"},
    NamedCode{288, "ChecksumMismatch"},
    NamedCode{290, "TransactionExceededLifetimeLimitSeconds"},
    NamedCode{291, "NoQueryExecutionPlans"},
    NamedCode{292, "QueryExceededMemoryLimitNoDiskUseAllowed"},
    NamedCode{322, "APIVersionError"},
    NamedCode{323, "APIStrictError"},
    NamedCode{334, "MechanismUnavailable"},
    NamedCode{352, "UnsupportedOpQueryCommand"},
    NamedCode{9001, "SocketException"},
    NamedCode{10003, "CannotGrowDocumentInCappedNamespace"},
    NamedCode{10107, "NotWritablePrimary"},
    NamedCode{10334, "BSONObjectTooLarge"},
    NamedCode{11000, "DuplicateKey"},
    NamedCode{11600, "InterruptedAtShutdown"},
    NamedCode{11601, "Interrupted"},
    NamedCode{13113, "MergeStageNoMatchingDocument"},
    NamedCode{14031, "OutOfDiskSpace"},
};

}  // namespace

std::string code_name(int code) {
    const auto* found = std::lower_bound(names.begin(), names.end(), code,
                                         [](const NamedCode& entry, int wanted) { return entry.code < wanted; });
    if (found != names.end() && found->code == code) return std::string(found->name);
    return "Location" + std::to_string(code);
}

Error Error::with_context(std::string_view context) const {
    return Error(code_, std::string(context) + " :: caused by :: " + what(), extra_);
}

}  // namespace ixora
