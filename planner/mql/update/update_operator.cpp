#include "update_operator.hpp"

#include <algorithm>
#include <array>

#include "ixora/base/error.hpp"
#include "ixora/bson/compare.hpp"
#include "ixora/bson/debug_string.hpp"

namespace ixora::mql {

namespace {

constexpr std::array<std::string_view, 15> operator_names = {
    "$set",  "$setOnInsert", "$unset", "$inc",  "$mul", "$min",     "$max",   "$currentDate",
    "$push", "$addToSet",    "$pop",   "$pull", "$bit", "$pullAll", "$rename"};

class Set final : public UpdateOperator {
public:
    explicit Set(bson::Element value) : value_(value) {}
    UpdateChange apply(const UpdateTarget& target) const override {
        if (target.value.same_bytes(value_)) return {};
        return UpdateChange::set(value_);
    }

private:
    bson::Value value_;
};

class SetOnInsert final : public UpdateOperator {
public:
    explicit SetOnInsert(bson::Element value) : set_(value) {}
    Missing on_missing(const UpdateContext& context) const override {
        return context.insert ? Missing::create : Missing::ignore;
    }
    UpdateChange apply(const UpdateTarget& target) const override {
        return target.context.insert ? set_.apply(target) : UpdateChange{};
    }

private:
    Set set_;
};

class Unset final : public UpdateOperator {
public:
    Missing on_missing(const UpdateContext&) const override { return Missing::ignore; }
    UpdateChange apply(const UpdateTarget& target) const override {
        return target.value.missing() ? UpdateChange{} : UpdateChange::remove();
    }
};

// $min and $max: `keep` is the sign of (present - given) at which the present value stays.
class MinMax final : public UpdateOperator {
public:
    MinMax(bson::Element value, int keep, bson::CollatorPtr collator)
        : value_(value), keep_(keep), collator_(std::move(collator)) {}
    UpdateChange apply(const UpdateTarget& target) const override {
        if (!target.value.missing()) {
            const int order = bson::compare(target.value, value_, bson::FieldNames::ignored, collator_.get());
            if (order == 0 || order == keep_) return {};
        }
        return UpdateChange::set(value_);
    }

private:
    bson::Value value_;
    int keep_;
    bson::CollatorPtr collator_;
};

class CurrentDate final : public UpdateOperator {
public:
    explicit CurrentDate(bson::Element argument) {
        if (argument.type() == bson::Type::boolean) return;
        if (!argument.is_object())
            throw Error(ErrorCode::bad_value,
                        std::string(bson::type_name(argument.type())) +
                            " is not valid type for $currentDate. Please use a boolean ('true') or a $type expression "
                            "({$type: 'timestamp/date'}).");
        bool found = false;
        for (const bson::Element& option : argument.object()) {
            if (option.name() != "$type")
                throw Error(ErrorCode::bad_value, "Unrecognized $currentDate option: " + std::string(option.name()));
            if (!option.is_string() || (option.string() != "date" && option.string() != "timestamp")) break;
            timestamp_ = option.string() == "timestamp";
            found = true;
        }
        if (!found)
            throw Error(ErrorCode::bad_value,
                        "The '$type' string field is required to be 'date' or 'timestamp': "
                        "{$currentDate: {field : {$type: 'date'}}}");
    }
    UpdateChange apply(const UpdateTarget& target) const override {
        if (!timestamp_) return UpdateChange::set(bson::Value::of_date(target.context.now_millis));
        bson::Builder value;
        value.append_timestamp("", target.context.now_timestamp);
        return UpdateChange::set(bson::Value(value.finish_view().front()));
    }

private:
    bool timestamp_ = false;
};

// A path on its way through the document: where it breaks off, or ends.
struct Walk {
    bson::Element end;      // missing: the path breaks off
    bson::Element through;  // the last value it passed
    bson::Element array;    // the first array it passed
    bool blocked = false;   // `through` cannot hold the next part
};

Walk walk(bson::View document, std::string_view path) {
    Walk out;
    bson::View level = document;
    for (std::size_t start = 0;;) {
        const std::size_t dot = std::min(path.find('.', start), path.size());
        const bson::Element found = level.find(path.substr(start, dot - start));
        if (dot == path.size() || found.missing()) {
            out.end = dot == path.size() ? found : bson::Element();
            return out;
        }
        out.through = found;
        start = dot + 1;
        if (found.is_array()) {
            if (out.array.missing()) out.array = found;
            const std::string_view next = path.substr(start, path.find('.', start) - start);
            out.blocked =
                next.empty() || !std::all_of(next.begin(), next.end(), [](char c) { return c >= '0' && c <= '9'; });
        } else {
            out.blocked = !found.is_object();
        }
        if (out.blocked) return out;
        level = found.object();
    }
}

void refuse_array(const Walk& walked, std::string_view role, std::string_view path, const UpdateTarget& target) {
    if (walked.array.missing()) return;
    throw Error(ErrorCode::bad_value, "The " + std::string(role) + " field cannot be an array element, '" +
                                          std::string(path) + "' in doc with " + target.plain_id() +
                                          " has an array field called '" + std::string(walked.array.name()) + "'");
}

class RenameTarget final : public UpdateOperator {
public:
    explicit RenameTarget(std::string source) : source_(std::move(source)) {}
    UpdateChange apply(const UpdateTarget& target) const override {
        const Walk source = walk(target.document, source_);
        if (source.blocked)
            throw Error(ErrorCode::path_not_viable, "cannot use the part (" + std::string(source.through.name()) +
                                                        " of " + source_ + ") to traverse the element (" +
                                                        braced(source.through) + ")");
        if (source.end.missing()) return {};
        refuse_array(source, "source", source_, target);
        refuse_array(walk(target.document, target.path), "destination", target.path, target);
        return UpdateChange::set(bson::Value(source.end));
    }

private:
    std::string source_;
};

}  // namespace

std::string UpdateTarget::plain_id() const {
    const bson::Element id = document["_id"];
    return id.missing() ? "no id" : bson::debug_element_string(id);
}

std::string UpdateTarget::braced_id() const { return braced(document["_id"]); }

std::string braced(bson::Element element) {
    return element.missing() ? "{}" : "{" + bson::debug_element_string(element) + "}";
}

bool is_update_operator(std::string_view name) noexcept {
    return std::find(operator_names.begin(), operator_names.end(), name) != operator_names.end();
}

UpdateOperatorPtr make_rename_source() { return std::make_unique<Unset>(); }
UpdateOperatorPtr make_rename_target(std::string source) { return std::make_unique<RenameTarget>(std::move(source)); }

UpdateOperatorPtr make_update_operator(std::string_view name, bson::Element argument,
                                       const bson::CollatorPtr& collator) {
    if (name == "$set") return std::make_unique<Set>(argument);
    if (name == "$setOnInsert") return std::make_unique<SetOnInsert>(argument);
    if (name == "$unset") return std::make_unique<Unset>();
    if (name == "$min") return std::make_unique<MinMax>(argument, -1, collator);
    if (name == "$max") return std::make_unique<MinMax>(argument, 1, collator);
    if (name == "$currentDate") return std::make_unique<CurrentDate>(argument);
    if (UpdateOperatorPtr arithmetic = make_arithmetic_operator(name, argument)) return arithmetic;
    return make_array_operator(name, argument, collator);
}

}  // namespace ixora::mql
