#include "ixora/write/validator.hpp"

#include <algorithm>

#include "ixora/base/error.hpp"
#include "ixora/bson/builder.hpp"
#include "ixora/mql/match_rewrite.hpp"
#include "ixora/mql/mismatch.hpp"
#include "ixora/write/reply_fields.hpp"

namespace ixora::write {

namespace {

using bson::Element;
using bson::View;

constexpr std::size_t details_bytes_max = 12UL << 20;

mql::MatchParseOptions options_with(const bson::CollatorPtr& collator) {
    mql::MatchParseOptions options;
    options.collator = collator;
    options.special_features = mql::SpecialFeatures::validation;
    return options;
}

// Variables whose value is that of the operation.
bool reads_time(View object) {
    return std::any_of(object.begin(), object.end(), [](const Element& field) {
        if (field.is_object() || field.is_array()) return reads_time(field.object());
        return field.is_string() &&
               (field.string().starts_with("$$NOW") || field.string().starts_with("$$CLUSTER_TIME"));
    });
}

void refuse_random(const mql::MatchNode& node) {
    bool random = node.kind == mql::MatchKind::sample_rate;
    if (node.kind == mql::MatchKind::expression) {
        mql::ExpressionDependencies read;
        node.expression().expression.add_dependencies(read);
        random = read.random;
    }
    if (random) throw Error(3040500, "$rand not allowed inside collection validators");
    for (const mql::MatchNodePtr& child : node.children) refuse_random(*child);
}

bson::Document error_info(View filter, View document, const mql::MatchParseOptions& options) {
    bson::Builder out;
    const Element id = document["_id"];
    bson::Document details = mql::explain_mismatch(filter, document, options);
    const bool brief = details.size() > details_bytes_max;
    if (brief) details = mql::explain_mismatch(filter, document, options, true);
    out.open_object("errInfo");
    out.append("failingDocumentId", id);
    if (details.size() > details_bytes_max) {
        out.append("note", "detailed error was too large");
    } else {
        if (brief) out.append("truncated", true);
        out.append("details", details);
    }
    out.close();
    return out.finish();
}

}  // namespace

std::shared_ptr<const Validator> Validator::from_options(View options, const bson::CollatorPtr& collator) {
    const Element filter = options["validator"];
    const Element level = options["validationLevel"];
    const Element action = options["validationAction"];
    const bool never = (level && level.string() == "off") || (action && action.string() == "warn");
    if (!filter || filter.object().empty() || never) return nullptr;
    const bool moderate = level && level.string() == "moderate";
    return std::shared_ptr<const Validator>(new Validator(filter.object(), collator, moderate));
}

void Validator::check(View filter, const bson::CollatorPtr& collator) {
    refuse_random(*mql::parse_match(filter, options_with(collator)));
}

Validator::Validator(View filter, bson::CollatorPtr collator, bool moderate)
    : filter_(filter), collator_(std::move(collator)), moderate_(moderate) {
    if (!reads_time(filter)) matcher_.emplace(*mql::normalize(mql::parse_match(filter, parse_options())));
}

mql::MatchParseOptions Validator::parse_options() const { return options_with(collator_); }

bool Validator::accepts(View document) const {
    if (matcher_) return matcher_->matches(document);
    return mql::Matcher(*mql::normalize(mql::parse_match(filter_, parse_options()))).matches(document);
}

void Validator::check_insert(View document) const {
    if (accepts(document)) return;
    throw Error(static_cast<int>(ErrorCode::document_validation_failure), "Document failed validation",
                std::make_shared<ReplyFields>(error_info(filter_, document, parse_options())));
}

void Validator::check_update(View before, View after) const {
    if (moderate_ && !accepts(before)) return;
    check_insert(after);
}

}  // namespace ixora::write
