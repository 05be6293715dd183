#include "ixora/command/parameter.hpp"

namespace ixora::command {

namespace {

struct Assignment {
    const KnobInfo* knob;
    bson::Element value;
};

// All names are looked up before the first value is set.
std::vector<Assignment> parse_assignments(bson::View command) {
    std::vector<Assignment> assignments;
    for (const bson::Element& field : command) {
        if (field.name() == "setParameter" || is_generic_argument(field.name())) continue;
        if (field.name() == "featureCompatibilityVersion")
            throw Error(ErrorCode::illegal_operation,
                        "not allowed to change [" + std::string(field.name()) + "] at runtime");
        const KnobInfo* knob = find_knob(field.name());
        if (knob == nullptr)
            throw Error(ErrorCode::invalid_options, "attempted to set unrecognized parameter [" +
                                                        std::string(field.name()) + "], use help:true to see options ");
        assignments.push_back({knob, field});
    }
    if (assignments.empty())
        throw Error(ErrorCode::invalid_options, "no option found to set, use help:true to see options ");
    return assignments;
}

}  // namespace

// Parameters before one that fails keep their new values, as on the server.
void run_set_parameter(Operation& operation, bson::Builder& reply) {
    require_admin(operation, "setParameter");
    const std::vector<Assignment> assignments = parse_assignments(operation.command);
    for (const Assignment& assignment : assignments) {
        operation.service.update_knobs([&](Knobs& knobs) {
            if (&assignment == &assignments.front()) append_parameter(reply, "was", knobs, *assignment.knob);
            assign_parameter(knobs, *assignment.knob, assignment.value);
        });
    }
}

}  // namespace ixora::command
