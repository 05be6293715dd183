// A find projection: its tree, what it needs, and its application (spec: match.md section 9, planner.md 6.11).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "ixora/bson/builder.hpp"
#include "ixora/bson/document.hpp"
#include "ixora/mql/expression.hpp"
#include "ixora/mql/match_node.hpp"
#include "ixora/mql/matcher.hpp"

namespace ixora::mql {

// Where a projection stands: the find command, $project, or $addFields and $set (aggregation.md section 3).
enum class ProjectionPurpose { find, project, add_fields };

struct ProjectionParseOptions {
    bson::CollatorPtr collator;
    const MatchNode* filter = nullptr;  // the query's normalised tree, for positional `$`; null: matches everything
    ProjectionPurpose purpose = ProjectionPurpose::find;
    VariableScope* scope = nullptr;  // what computed fields may name; null: the server's own variables only
};

class Projection {
public:
    enum class Type { inclusion, exclusion };

    // Throws the codes of match.md 9.2-9.8, 224 for a filter that a positional projection cannot run again, and what
    // parsing a computed field throws (expression.hpp). The specification is copied.
    static Projection parse(bson::View spec, const ProjectionParseOptions& options = {});
    // Folds constants in computed fields, once and before it is shared. Throws what a constant part throws.
    void optimize();
    ~Projection();
    Projection(Projection&&) noexcept;
    Projection& operator=(Projection&&) noexcept;

    Type type() const noexcept;
    const bson::Document& spec() const noexcept;  // verbatim, as transformBy prints it
    // Full paths an inclusion needs, `_id` unless excluded, sorted bytewise; empty where the whole document is needed.
    const std::vector<std::string>& required_fields() const noexcept;
    bool requires_document() const noexcept;       // exclusion, positional, $slice, $elemMatch
    bool requires_match_details() const noexcept;  // positional
    bool has_expressions() const noexcept;         // computed fields, $meta, $slice and $elemMatch included
    bool wants_sort_key() const noexcept;          // {$meta: "sortKey"}
    bool wants_index_key() const noexcept;
    bool wants_record_id() const noexcept;
    // Inclusion of top-level fields only, no expression, no metadata, no match details (planner.md 6.11 step 2).
    bool is_simple() const noexcept;
    // What it reads: paths, whole document, variables, metadata.
    void add_dependencies(ExpressionDependencies& out) const;
    // Appends the fields as explain prints a $project or $addFields (explain.md 8.3).
    void serialize(bson::Builder& out) const;
    // Whether the value at `path` comes out exactly as it went in (planner.md 6.12).
    bool preserves(std::string_view path) const noexcept;

    // The general engine: appends the fields of the transformed row.root to `out`, in one pass and, computed fields
    // aside, without allocating once `out` has its size. `details` is needed for positional ones. Throws 51246, 51247
    // and the codes of computed fields.
    void apply(EvaluationContext& row, const MatchDetails* details, bson::Builder& out) const;
    // PROJECTION_SIMPLE: top-level fields in document order. Requires is_simple().
    void apply_simple(bson::View document, bson::Builder& out) const;
    // The top-level names a simple projection keeps, `_id` included where it is kept.
    bool keeps_top_level(std::string_view name) const noexcept;

    // The matcher of the query whose array offset a positional projection uses; null when not positional.
    const Matcher* positional_matcher() const noexcept;

private:
    struct State;
    explicit Projection(std::unique_ptr<State> state) noexcept;
    std::unique_ptr<State> state_;
};

}  // namespace ixora::mql
