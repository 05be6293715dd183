#include "ixora/command/commands.hpp"

namespace ixora::command {

// Explains never use a plan cache and this engine keeps none, so there is nothing to clear; the request is checked all
// the same.
void run_plan_cache_clear(Operation& operation, bson::Builder&) {
    operation.target();
    bool query = false, shape_part = false;
    for (const bson::Element& field : operation.command) {
        if (field.name() == "planCacheClear" || is_generic_argument(field.name())) continue;
        const FieldName name{"planCacheClear", field.name()};
        if (field.name() == "query") {
            expect_object(field, name);
            query = true;
        } else if (field.name() == "sort" || field.name() == "projection" || field.name() == "collation") {
            expect_object(field, name);
            shape_part = true;
        } else {
            throw unknown_field("planCacheClear", field.name());
        }
    }
    if (shape_part && !query)
        throw Error(ErrorCode::bad_value, "sort, projection, or collation provided without query");
}

}  // namespace ixora::command
