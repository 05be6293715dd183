// $addToSet, $pop and $pullAll (spec: update.md section 3).
#include <algorithm>
#include <vector>

#include "../integer_argument.hpp"
#include "ixora/base/error.hpp"
#include "ixora/bson/compare.hpp"
#include "ixora/bson/debug_string.hpp"
#include "update_operator.hpp"

namespace ixora::mql {

namespace {

std::string type_of(bson::Element value) { return std::string(bson::type_name(value.type())); }

bool holds(const std::vector<bson::Element>& values, bson::Element value, const bson::Collator* collator) {
    return std::any_of(values.begin(), values.end(),
                       [&](bson::Element known) { return bson::equal(known, value, collator); });
}

class AddToSet final : public UpdateOperator {
public:
    AddToSet(bson::Element argument, bson::CollatorPtr collator) : collator_(std::move(collator)) {
        const bson::Element each = argument.is_object() ? argument.object().front() : bson::Element();
        if (each.name() != "$each") {
            values_.emplace_back(argument);
            return;
        }
        if (!each.is_array())
            throw Error(ErrorCode::type_mismatch,
                        "The argument to $each in $addToSet must be an array but it was of type " + type_of(each));
        if (argument.object().field_count() > 1)
            throw Error(ErrorCode::bad_value,
                        "Found unexpected fields after $each in $addToSet: " + bson::debug_string(argument));
        for (const bson::Element& value : each.object()) values_.emplace_back(value);
    }

    UpdateChange apply(const UpdateTarget& target) const override {
        if (!target.value.missing() && !target.value.is_array())
            throw Error(ErrorCode::bad_value, "Cannot apply $addToSet to non-array field. Field named '" +
                                                  std::string(target.value.name()) + "' has non-array type " +
                                                  type_of(target.value));
        std::vector<bson::Element> known;
        if (!target.value.missing())
            for (const bson::Element& value : target.value.object()) known.push_back(value);
        const std::size_t before = known.size();
        for (const bson::Value& value : values_)
            if (!holds(known, value, collator_.get())) known.push_back(value);
        if (known.size() == before && !target.value.missing()) return {};
        bson::Builder out;
        out.open_array("");
        for (const bson::Element& value : known) out.append_member(value);
        out.close();
        return UpdateChange::set(bson::Value(out.finish_view().front()));
    }

private:
    std::vector<bson::Value> values_;
    bson::CollatorPtr collator_;
};

class Pop final : public UpdateOperator {
public:
    explicit Pop(bson::Element argument) {
        const IntegerArgument end = read_integer(argument);
        if (!end.ok()) throw Error(ErrorCode::failed_to_parse, end.reason);
        if (end.value != 1 && end.value != -1)
            throw Error(ErrorCode::failed_to_parse, "$pop expects 1 or -1, found: " + bson::debug_string(argument));
        from_front_ = end.value == -1;
    }
    Missing on_missing(const UpdateContext&) const override { return Missing::refuse; }

    UpdateChange apply(const UpdateTarget& target) const override {
        if (!target.value.is_array())
            throw Error(ErrorCode::type_mismatch, "Path '" + std::string(target.path) +
                                                      "' contains an element of non-array type '" +
                                                      type_of(target.value) + "'");
        const std::size_t size = target.value.object().field_count();
        if (size == 0) return {};
        bson::Builder out;
        out.open_array("");
        std::size_t i = 0;
        for (const bson::Element& value : target.value.object()) {
            if (i != (from_front_ ? 0 : size - 1)) out.append_member(value);
            ++i;
        }
        out.close();
        return UpdateChange::set(bson::Value(out.finish_view().front()));
    }

private:
    bool from_front_ = false;
};

class PullAll final : public UpdateOperator {
public:
    PullAll(bson::Element argument, bson::CollatorPtr collator) : values_(argument), collator_(std::move(collator)) {
        if (!argument.is_array())
            throw Error(ErrorCode::bad_value,
                        "$pullAll requires an array argument but was given a " + type_of(argument));
        for (const bson::Element& value : values_.element().object()) listed_.push_back(value);
    }
    Missing on_missing(const UpdateContext&) const override { return Missing::refuse; }

    UpdateChange apply(const UpdateTarget& target) const override {
        return remove_members(target, [&](bson::Element value) { return holds(listed_, value, collator_.get()); });
    }

private:
    bson::Value values_;
    std::vector<bson::Element> listed_;  // views into values_
    bson::CollatorPtr collator_;
};

}  // namespace

UpdateChange remove_members(const UpdateTarget& target, const std::function<bool(bson::Element)>& doomed) {
    if (!target.value.is_array()) throw Error(ErrorCode::bad_value, "Cannot apply $pull to a non-array value");
    bson::Builder out;
    out.open_array("");
    bool removed = false;
    for (const bson::Element& value : target.value.object()) {
        if (doomed(value))
            removed = true;
        else
            out.append_member(value);
    }
    out.close();
    return removed ? UpdateChange::set(bson::Value(out.finish_view().front())) : UpdateChange{};
}

UpdateOperatorPtr make_array_operator(std::string_view name, bson::Element argument,
                                      const bson::CollatorPtr& collator) {
    if (name == "$push") return make_push(argument, collator);
    if (name == "$pull") return make_pull(argument, collator);
    if (name == "$addToSet") return std::make_unique<AddToSet>(argument, collator);
    if (name == "$pop") return std::make_unique<Pop>(argument);
    if (name == "$pullAll") return std::make_unique<PullAll>(argument, collator);
    return nullptr;
}

}  // namespace ixora::mql
