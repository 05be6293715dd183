// A parsed, normalised and validated query, ready for planning (spec: planner.md section 1, match.md section 7).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "ixora/bson/collator.hpp"
#include "ixora/bson/document.hpp"
#include "ixora/mql/match_node.hpp"
#include "ixora/mql/match_parser.hpp"
#include "ixora/mql/projection.hpp"
#include "ixora/mql/sort_pattern.hpp"

namespace ixora::plan {

// The options of a find that planning and execution look at. All documents are owned.
struct FindRequest {
    std::string ns;  // "db.collection"
    bson::Document filter;
    bson::Document projection;
    // Carried out when the request names no projection; explain does not show it (distinct, planner.md 6.15).
    bson::Document implied_projection;
    bson::Document sort;
    bson::Document min;
    bson::Document max;
    bson::Document hint;  // {$hint: "name"} for a hint by name, a key pattern, {$natural: 1}; empty: none
    std::int64_t skip = 0;
    std::int64_t limit = 0;                  // 0: none
    bool gives_nothing = false;              // a limit of no rows, which only a pipeline comes to
    std::optional<std::int64_t> batch_size;  // planning does not look at it; messages name it
    bool return_key = false;
    bool show_record_id = false;
    std::optional<bool> allow_disk_use;
    bool is_count = false;  // count-like: only the number of rows matters
    bool is_explain = false;
    // What expressions in filter and projection may name; null: the server's own variables only.
    std::shared_ptr<const mql::VariableScope> variables;
    bool preserve_record_id = false;  // the plan runs below a write stage
    bool api_strict = false;          // part of the shape, nothing else (planner.md 1.8)
};

class CanonicalQuery {
public:
    // Parses and normalises. `collator` is the request's own, or else the collection's default. Throws what parsing
    // throws, and the validation errors of planner.md 1.6. A {$natural: d} sort becomes a hint.
    static std::unique_ptr<CanonicalQuery> make(FindRequest request, bson::CollatorPtr collator) {
        return make(std::move(request), std::move(collator), {});
    }
    // The same with parameters in the filter; `options.collator` is set here.
    static std::unique_ptr<CanonicalQuery> make(FindRequest request, bson::CollatorPtr collator,
                                                mql::MatchParseOptions options);
    // One branch of a rooted $or with the same sort, projection and collation, no skip/limit (planner.md section 8).
    static std::unique_ptr<CanonicalQuery> make_branch(const CanonicalQuery& whole, const mql::MatchNode& branch);
    // The same options for another filter, whose normalised tree is `root`.
    std::unique_ptr<CanonicalQuery> with_filter(bson::Document filter, mql::MatchNodePtr root) const;
    // The same query for whole documents.
    std::unique_ptr<CanonicalQuery> without_projection() const;

    const FindRequest& request() const noexcept { return request_; }
    const mql::MatchNode& root() const noexcept { return *root_; }
    const mql::Projection* projection() const noexcept { return projection_ ? &*projection_ : nullptr; }
    const mql::SortPattern& sort() const noexcept { return sort_; }
    // The request's sort with values normalised to 1 / -1; empty if none.
    const bson::Document& sort_document() const noexcept { return sort_document_; }
    const bson::CollatorPtr& collator() const noexcept { return collator_; }
    bool has_hint() const noexcept { return !request_.hint.empty(); }
    // {$natural: d} hint or sort: 1, -1; 0 when none.
    int natural_direction() const noexcept { return natural_direction_; }
    bool is_empty_query() const noexcept { return root_->kind == mql::MatchKind::and_ && root_->children.empty(); }

private:
    CanonicalQuery() = default;

    FindRequest request_;
    mql::MatchNodePtr root_;
    std::optional<mql::Projection> projection_;
    mql::SortPattern sort_;
    bson::Document sort_document_;
    bson::CollatorPtr collator_;
    int natural_direction_ = 0;
};

}  // namespace ixora::plan
