// The validator of a collection: which documents may be written (spec: update.md section 8).
#pragma once

#include <memory>
#include <optional>

#include "ixora/mql/match_parser.hpp"
#include "ixora/mql/matcher.hpp"

namespace ixora::write {

// Immutable and thread-safe.
class Validator {
public:
    // `options` are those of the collection: validator, validationLevel, validationAction. Null where nothing is ever
    // refused. Throws what is wrong with the filter.
    static std::shared_ptr<const Validator> from_options(bson::View options, const bson::CollatorPtr& collator);
    // Throws what is wrong with the filter of a validator.
    static void check(bson::View filter, const bson::CollatorPtr& collator);

    bool accepts(bson::View document) const;
    // Both throw DocumentValidationFailure (121) with the details of what is wrong. A document that was wrong already
    // passes an update where the level is moderate.
    void check_insert(bson::View document) const;
    void check_update(bson::View before, bson::View after) const;

private:
    Validator(bson::View filter, bson::CollatorPtr collator, bool moderate);
    mql::MatchParseOptions parse_options() const;

    bson::Document filter_;
    bson::CollatorPtr collator_;
    bool moderate_;
    std::optional<mql::Matcher> matcher_;  // nothing: the filter reads the time and is compiled for every document
};

using ValidatorPtr = std::shared_ptr<const Validator>;

}  // namespace ixora::write
