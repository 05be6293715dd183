// The operators of an update document as leaves of its path tree (spec: update.md section 3).
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "ixora/bson/builder.hpp"
#include "ixora/bson/collator.hpp"
#include "ixora/bson/document.hpp"
#include "ixora/mql/update.hpp"

namespace ixora::mql {

// What an operator sees of the place it is applied to.
struct UpdateTarget {
    bson::Element value;    // missing: the path does not exist
    std::string_view path;  // with positional parts resolved, for messages
    bson::View document;    // the whole document as it was
    const UpdateContext& context;

    // `{_id: 1}` or `_id: 1`, as messages name the document.
    std::string braced_id() const;
    std::string plain_id() const;
};

struct UpdateChange {
    enum class Kind : std::uint8_t { none, set, remove };
    Kind kind = Kind::none;
    bson::Value value;  // for set

    static UpdateChange set(bson::Value value) { return {Kind::set, std::move(value)}; }
    static UpdateChange remove() { return {Kind::remove, {}}; }
};

// A sealed family: the classes are in the update_*.cpp files, made by make_update_operator().
class UpdateOperator {
public:
    // What happens where the path breaks off before its last part.
    enum class Missing : std::uint8_t {
        create,  // objects are made for the missing parts; a part that cannot be made is an error
        refuse,  // nothing is made; a part that cannot be walked is an error
        ignore,  // nothing is made, nothing is an error
    };

    virtual ~UpdateOperator() = default;
    virtual Missing on_missing(const UpdateContext& context) const {
        (void)context;
        return Missing::create;
    }
    virtual UpdateChange apply(const UpdateTarget& target) const = 0;
};

using UpdateOperatorPtr = std::unique_ptr<const UpdateOperator>;

// `name` with its `$`; `argument` is the field of the operator's object, its name the path. Null: no such operator.
// Throws what the operator's argument is refused with. `argument` must outlive the result. $rename is made by the
// parser.
UpdateOperatorPtr make_update_operator(std::string_view name, bson::Element argument,
                                       const bson::CollatorPtr& collator);
bool is_update_operator(std::string_view name) noexcept;

// The two halves of $rename: the field that moves away, and the place it moves to.
UpdateOperatorPtr make_rename_source();
UpdateOperatorPtr make_rename_target(std::string source);

// The families; null: not one of theirs.
UpdateOperatorPtr make_array_operator(std::string_view name, bson::Element argument, const bson::CollatorPtr& collator);
UpdateOperatorPtr make_arithmetic_operator(std::string_view name, bson::Element argument);
UpdateOperatorPtr make_push(bson::Element argument, const bson::CollatorPtr& collator);
UpdateOperatorPtr make_pull(bson::Element argument, const bson::CollatorPtr& collator);

// $pull and $pullAll: the array without its doomed members. Throws BadValue (2) unless it is an array.
UpdateChange remove_members(const UpdateTarget& target, const std::function<bool(bson::Element)>& doomed);

// `{a: 1}`: an element in braces, as messages print it.
std::string braced(bson::Element element);

}  // namespace ixora::mql
