// A query with parameters that is parsed once and made again for each set of values.
#pragma once

#include <memory>
#include <vector>

#include "ixora/mql/match_parameters.hpp"
#include "ixora/plan/canonical_query.hpp"

namespace ixora::plan {

// What the planner sees of a constant: 0 for values that it looks at itself (null, arrays, objects, NaN, regexes ...),
// else a number for the type. int, long and double are one class.
int constant_class(bson::Element value) noexcept;

// Not thread-safe. The query is always that of the filter with the values in place of their parameters; how it is made
// (a copy of the parsed tree with other constants, or by parsing) shows only in the time it takes.
class PreparedQuery {
public:
    // `request.filter` may hold {$param: "name"} in place of values. Throws FailedToParse (9) for a bad one; the rest
    // of the filter is looked at when the first query is made.
    explicit PreparedQuery(FindRequest request);

    const FindRequest& request() const noexcept { return request_; }
    mql::MatchParameters& parameters() noexcept { return parameters_; }
    const mql::MatchParameters& parameters() const noexcept { return parameters_; }

    // For the values that are bound. Throws what CanonicalQuery::make() throws, and BadValue (2) without a value.
    std::unique_ptr<CanonicalQuery> make(const bson::CollatorPtr& collator);

private:
    // A parsed query whose tree differs from that of other values in constants only.
    struct Form {
        std::unique_ptr<CanonicalQuery> query;
        std::vector<int> classes;               // of the values it was parsed with, by parameter
        std::vector<std::ptrdiff_t> constants;  // by comparison, in the order of the tree: the parameter, or -1
    };
    bool fits_form() const noexcept;
    void parse_form();
    std::unique_ptr<CanonicalQuery> copy_form() const;

    FindRequest request_;
    mql::MatchParameters parameters_;
    Form form_;
    bool has_form_ = true;  // false once a parameter was found to stand where trees depend on its value
};

}  // namespace ixora::plan
