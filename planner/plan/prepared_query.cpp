#include "ixora/plan/prepared_query.hpp"

#include <algorithm>

#include "ixora/base/error.hpp"

namespace ixora::plan {

namespace {

using bson::Type;

// The parameter of every comparison in the order of the tree; false unless every place was found.
bool find_places(const mql::MatchNode& node, const std::vector<mql::ParameterPlace>& places, std::size_t& found,
                 std::vector<std::ptrdiff_t>& out) {
    if (mql::is_comparison(node.kind)) {
        const auto place = std::find_if(places.begin(), places.end(), [&node](const mql::ParameterPlace& candidate) {
            return candidate.bytes == node.value().element().data();
        });
        out.push_back(place == places.end() ? -1 : static_cast<std::ptrdiff_t>(place->parameter));
        found += place == places.end() ? 0 : 1;
    }
    for (const mql::MatchNodePtr& child : node.children) find_places(*child, places, found, out);
    return found == places.size();
}

// Its constants may have been folded from the time of parsing.
bool has_expression(const mql::MatchNode& node) {
    return node.kind == mql::MatchKind::expression || mql::is_internal_expr(node.kind) ||
           std::any_of(node.children.begin(), node.children.end(),
                       [](const mql::MatchNodePtr& child) { return has_expression(*child); });
}

void fill(mql::MatchNode& node, const mql::MatchParameters& parameters, const std::ptrdiff_t*& next) {
    if (mql::is_comparison(node.kind)) {
        const std::ptrdiff_t parameter = *next++;
        if (parameter >= 0) node.payload = bson::Value(parameters.value(static_cast<std::size_t>(parameter)));
    }
    for (const mql::MatchNodePtr& child : node.children) fill(*child, parameters, next);
}

}  // namespace

int constant_class(bson::Element value) noexcept {
    constexpr int number = 1;
    switch (value.type()) {
        case Type::number_int:
        case Type::number_long: return number;
        case Type::number_double: return value.is_nan() ? 0 : number;
        case Type::string:
        case Type::boolean:
        case Type::date:
        case Type::timestamp:
        case Type::object_id: return number + static_cast<int>(value.type());
        default: return 0;
    }
}

PreparedQuery::PreparedQuery(FindRequest request) : request_(std::move(request)), parameters_(request_.filter.view()) {}

std::unique_ptr<CanonicalQuery> PreparedQuery::make(const bson::CollatorPtr& collator) {
    parameters_.check_bound();
    if (collator == nullptr && has_form_) {
        if (!fits_form()) parse_form();
        if (form_.query != nullptr) return copy_form();
    }
    FindRequest request = request_;
    request.filter = parameters_.substitute(request_.filter);
    return CanonicalQuery::make(std::move(request), collator);
}

bool PreparedQuery::fits_form() const noexcept {
    if (form_.query == nullptr) return false;
    for (std::size_t i = 0; i < parameters_.size(); ++i)
        if (constant_class(parameters_.value(i)) != form_.classes[i]) return false;
    return true;
}

// Leaves no form behind where a value has no class, nor ever where a parameter stands elsewhere than in a comparison.
void PreparedQuery::parse_form() {
    form_ = {};
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
        form_.classes.push_back(constant_class(parameters_.value(i)));
        if (form_.classes.back() == 0) return;
    }
    std::vector<mql::ParameterPlace> places;
    mql::MatchParseOptions options;
    options.parameters = &parameters_;
    options.places = &places;
    std::unique_ptr<CanonicalQuery> query;
    try {
        query = CanonicalQuery::make(request_, nullptr, options);
    } catch (const Error&) {  // parsing the filter with its values tells better what is wrong
        has_form_ = false;
        return;
    }
    std::size_t found = 0;
    has_form_ = !has_expression(query->root()) && find_places(query->root(), places, found, form_.constants) &&
                places.size() == parameters_.occurrences();
    if (has_form_) form_.query = std::move(query);
}

std::unique_ptr<CanonicalQuery> PreparedQuery::copy_form() const {
    mql::MatchNodePtr root = form_.query->root().clone();
    const std::ptrdiff_t* next = form_.constants.data();
    fill(*root, parameters_, next);
    return form_.query->with_filter(parameters_.substitute(request_.filter), std::move(root));
}

}  // namespace ixora::plan
