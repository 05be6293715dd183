// $pull (spec: update.md 3.5).
#include <algorithm>
#include <array>
#include <optional>

#include "ixora/base/error.hpp"
#include "ixora/bson/compare.hpp"
#include "ixora/mql/match_parser.hpp"
#include "ixora/mql/match_rewrite.hpp"
#include "ixora/mql/matcher.hpp"
#include "update_operator.hpp"

namespace ixora::mql {

namespace {

// Operators that, in front, make a condition one about the member itself. $not is not among them.
constexpr std::array<std::string_view, 24> path_operators = {
    "$eq",   "$lt",        "$lte",        "$gt",        "$gte",        "$ne",           "$in",         "$nin",
    "$all",  "$elemMatch", "$exists",     "$mod",       "$regex",      "$options",      "$size",       "$type",
    "$near", "$geoNear",   "$nearSphere", "$geoWithin", "$bitsAllSet", "$bitsAllClear", "$bitsAnySet", "$bitsAnyClear"};

bool concerns_member(bson::Element condition) {
    if (condition.type() == bson::Type::regex) return true;
    if (!condition.is_object() || condition.object().empty()) return false;
    return std::find(path_operators.begin(), path_operators.end(), condition.object().front().name()) !=
           path_operators.end();
}

class Pull final : public UpdateOperator {
public:
    Pull(bson::Element condition, const bson::CollatorPtr& collator) : condition_(condition), collator_(collator) {
        MatchParseOptions options;
        options.collator = collator;
        options.special_features = SpecialFeatures::none;
        if (concerns_member(condition)) {
            form_ = Form::member;
            bson::Builder filter;
            filter.append("", condition);
            matcher_.emplace(*parse_match(filter.finish_view(), options));
        } else if (condition.is_object()) {
            form_ = Form::object;
            matcher_.emplace(*parse_match(condition_.element().object(), options));
        }
    }
    Missing on_missing(const UpdateContext&) const override { return Missing::refuse; }

    UpdateChange apply(const UpdateTarget& target) const override {
        bson::Builder wrapped;
        return remove_members(target, [&](bson::Element member) {
            switch (form_) {
                case Form::equality: return bson::equal(member, condition_, collator_.get());
                case Form::object: return member.is_object() && matcher_->matches(member.object());
                case Form::member: break;
            }
            wrapped.reset();
            wrapped.append("", member);
            return matcher_->matches(wrapped.finish_view());
        });
    }

private:
    enum class Form { equality, object, member };

    Form form_ = Form::equality;
    bson::Value condition_;
    bson::CollatorPtr collator_;
    std::optional<Matcher> matcher_;
};

}  // namespace

UpdateOperatorPtr make_pull(bson::Element argument, const bson::CollatorPtr& collator) {
    return std::make_unique<Pull>(argument, collator);
}

}  // namespace ixora::mql
