// What the reply of an error has beside code and message.
#pragma once

#include "ixora/base/error.hpp"
#include "ixora/bson/document.hpp"

namespace ixora::write {

// Of a DuplicateKey error keyPattern and keyValue, for a collated index collation and hexEncoded, for a clustered
// record foundValue (empty: the server names it in its own tests only); of a DocumentValidationFailure errInfo.
class ReplyFields final : public ErrorExtra {
public:
    explicit ReplyFields(bson::Document reply_fields) : fields(std::move(reply_fields)) {}
    // Empty: the error has none.
    static bson::View of(const Error& error) noexcept {
        const auto* extra = dynamic_cast<const ReplyFields*>(error.extra().get());
        return extra == nullptr ? bson::View() : extra->fields.view();
    }
    bson::Document fields;
};

}  // namespace ixora::write
