// The request of an aggregate command, shared with its explain (spec: commands.md 4.1, aggregation.md 1).
#pragma once

#include <chrono>
#include <optional>

#include "ixora/command/commands.hpp"

namespace ixora::command {

struct AggregateRequest {
    Namespace ns;
    Namespace source;             // what is read: `ns`, or the collection below a view
    bson::Document resolved;      // of a view: the command over `source`, which the other members view
    bool collectionless = false;  // {aggregate: 1}
    bson::Element pipeline;       // as given; a view into the command
    bool has_cursor = false;
    std::optional<std::int64_t> batch_size;
    bool explain = false;
    std::optional<bool> allow_disk_use;
    bson::Document hint;
    bson::Document collation;
    bson::Document let;
    std::chrono::milliseconds max_time{0};
};

// A request for a view is resolved. Throws OptionNotSupportedOnView (167) for another collation than the view's.
AggregateRequest parse_aggregate(const Operation& operation);

// Plans the pipeline and, above queryPlanner, runs it to the end.
bson::Document explain_aggregate(const Operation& operation, const AggregateRequest& request, Verbosity verbosity,
                                 bson::View command);

}  // namespace ixora::command
