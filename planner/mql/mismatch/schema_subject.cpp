#include "schema_subject.hpp"

#include "ixora/mql/matcher.hpp"

namespace ixora::mql {

SchemaPath SchemaSubject::path() const {
    if (is_document_) return std::nullopt;
    return std::string(value_placeholder);
}

bool SchemaSubject::passes(const MatchNodePtr& rule) const {
    if (rule == nullptr) return true;
    if (is_document_) return Matcher(*rule).matches(value().object());
    return Matcher::for_value(*rule, value_placeholder).matches_value(value());
}

}  // namespace ixora::mql
