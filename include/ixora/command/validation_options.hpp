// validator, validationLevel and validationAction, as create and collMod take them (spec: update.md section 8).
#pragma once

#include "ixora/command/catalog.hpp"

namespace ixora::command {

// Checks the type and the range of the option's value. False: `option` is none of the three.
bool check_validation_option(const bson::Element& option, std::string_view command);
// Throws what is wrong with the filter, and InvalidOptions (72) for a collection that cannot have a validator.
void check_validator(bson::View filter, const Namespace& ns, const bson::CollatorPtr& collator);
// Those of the three that `source` has, in the order of listCollections; an empty validator is none.
void append_validation_options(bson::View source, bson::Builder& options);
// The options of a collection with those of the three in `change` in the place of its own.
bson::Document with_validation_options(bson::View options, bson::View change);

}  // namespace ixora::command
