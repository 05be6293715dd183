#include "ixora/plan/canonical_query.hpp"

#include <string_view>
#include <utility>

#include "ixora/base/error.hpp"
#include "ixora/bson/builder.hpp"
#include "ixora/bson/debug_string.hpp"
#include "ixora/mql/match_printer.hpp"
#include "ixora/mql/match_rewrite.hpp"

namespace ixora::plan {

namespace {

constexpr std::string_view natural_field = "$natural";
constexpr std::string_view record_id_field = "$recordId";

// 1 or -1 of a {$natural: d} sort or hint, 0 if `spec` is something else. `what` is "sort" or "hint".
int natural_direction_of(bson::View spec, const std::string& what) {
    const bson::Element natural = spec[natural_field];
    if (natural.missing()) return 0;
    if (spec.field_count() > 1) {
        throw Error(ErrorCode::bad_value,
                    "Cannot include '$natural' in compound " + what + ": " + bson::debug_string(spec));
    }
    const double direction = natural.to_double();
    if (direction != 1 && direction != -1)
        throw Error(ErrorCode::bad_value, "$natural " + what + " cannot be set to a value other than -1 or 1.");
    return direction > 0 ? 1 : -1;
}

// Moves a {$natural: d} sort into the hint. Returns the direction of the collection scan, 0 if none is asked for.
int settle_natural(FindRequest& request) {
    const int hinted = natural_direction_of(request.hint, "hint");
    const int sorted = natural_direction_of(request.sort, "sort");
    if (sorted == 0) return hinted;
    if (!request.hint.empty() && hinted == 0)
        throw Error(ErrorCode::bad_value, "index hint not allowed with $natural sort order");
    if (hinted != 0 && hinted != sorted)
        throw Error(ErrorCode::bad_value, "$natural hint must be in the same direction as $natural sort order");
    request.hint = std::exchange(request.sort, bson::Document());
    return sorted;
}

void check_min_and_max(const FindRequest& request) {
    if (request.min.empty() || request.max.empty()) return;
    auto min = request.min.begin();
    auto max = request.max.begin();
    for (; !(min == request.min.end()) && !(max == request.max.end()); ++min, ++max)
        if (min->name() != max->name()) break;
    if (!(min == request.min.end()) || !(max == request.max.end()))
        throw Error(51176, "min and max must have the same field names");
}

// showRecordId is a projection of metadata, unless the caller projects that name himself.
bson::Document with_record_id(const bson::Document& projection) {
    if (!projection[record_id_field].missing()) return projection;
    bson::Builder out;
    out.append_all(projection);
    out.open_object(record_id_field);
    out.append("$meta", "recordId");
    out.close();
    return out.finish();
}

bson::Document normalized_sort(bson::View sort) {
    if (sort.empty()) return {};
    bson::Builder out;
    for (const bson::Element& part : sort) {
        if (part.is_number())
            out.append(part.name(), part.to_int64() < 0 ? -1 : 1);
        else
            out.append_element(part);  // {$meta: ...}
    }
    return out.finish();
}

mql::VariableScope scope_of(const FindRequest& request) {
    return request.variables != nullptr ? *request.variables : mql::VariableScope(mql::VariableScope::current_time());
}

bool has_projection(const FindRequest& request) {
    return !request.projection.empty() || !request.implied_projection.empty();
}

std::optional<mql::Projection> parse_projection(const FindRequest& request, const bson::CollatorPtr& collator,
                                                const mql::MatchNode& root, mql::VariableScope& scope) {
    const bson::Document& projection = request.projection.empty() ? request.implied_projection : request.projection;
    if (projection.empty()) return std::nullopt;
    mql::ProjectionParseOptions options;
    options.collator = collator;
    options.filter = &root;
    options.scope = &scope;
    mql::Projection parsed = mql::Projection::parse(projection, options);
    parsed.optimize();
    return parsed;
}

}  // namespace

std::unique_ptr<CanonicalQuery> CanonicalQuery::make(FindRequest request, bson::CollatorPtr collator,
                                                     mql::MatchParseOptions options) {
    std::unique_ptr<CanonicalQuery> query(new CanonicalQuery());
    query->natural_direction_ = settle_natural(request);
    check_min_and_max(request);
    if (request.show_record_id) request.projection = with_record_id(request.projection);

    options.collator = collator;
    mql::VariableScope scope = scope_of(request);
    options.scope = &scope;
    query->root_ = mql::normalize(mql::parse_match(request.filter, options));
    query->projection_ = parse_projection(request, collator, *query->root_, scope);
    query->sort_ = mql::SortPattern::parse(request.sort);
    query->sort_document_ = normalized_sort(request.sort);
    if (query->projection_ && query->projection_->wants_sort_key() && query->sort_.empty())
        throw Error(ErrorCode::bad_value, "cannot use sortKey $meta projection without a sort");
    query->collator_ = std::move(collator);
    query->request_ = std::move(request);
    return query;
}

std::unique_ptr<CanonicalQuery> CanonicalQuery::with_filter(bson::Document filter, mql::MatchNodePtr root) const {
    std::unique_ptr<CanonicalQuery> query(new CanonicalQuery());
    query->request_ = request_;
    query->request_.filter = std::move(filter);
    query->root_ = std::move(root);
    query->collator_ = collator_;
    if (has_projection(query->request_)) {
        mql::VariableScope scope = scope_of(query->request_);
        query->projection_ = parse_projection(query->request_, query->collator_, *query->root_, scope);
    }
    query->sort_ = sort_;
    query->sort_document_ = sort_document_;
    query->natural_direction_ = natural_direction_;
    return query;
}

std::unique_ptr<CanonicalQuery> CanonicalQuery::make_branch(const CanonicalQuery& whole, const mql::MatchNode& branch) {
    std::unique_ptr<CanonicalQuery> query = whole.with_filter(mql::print_match(branch), branch.clone());
    query->request_.skip = 0;
    query->request_.limit = 0;
    return query;
}

std::unique_ptr<CanonicalQuery> CanonicalQuery::without_projection() const {
    FindRequest request = request_;
    request.projection = {};
    request.implied_projection = {};
    return make(std::move(request), collator_);
}

}  // namespace ixora::plan
