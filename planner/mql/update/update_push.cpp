// $push with its modifiers (spec: update.md 3.4).
#include <algorithm>
#include <limits>
#include <vector>

#include "ixora/base/error.hpp"
#include "ixora/bson/compare.hpp"
#include "ixora/bson/numbers.hpp"
#include "update_operator.hpp"

namespace ixora::mql {

namespace {

std::string type_of(bson::Element value) { return std::string(bson::type_name(value.type())); }

// $sort: the members as they are, or by paths of theirs. A missing path counts as null; arrays are not unwound.
class MemberOrder {
public:
    MemberOrder(bson::Element specification, bson::CollatorPtr collator) : collator_(std::move(collator)) {
        if (specification.is_number()) {
            whole_ = direction(specification);
            if (whole_ == 0) throw Error(ErrorCode::bad_value, "The $sort element value must be either 1 or -1");
            return;
        }
        if (!specification.is_object())
            throw Error(ErrorCode::bad_value,
                        "The $sort is invalid: use 1/-1 to sort the whole element, or {field:1/-1} "
                        "to sort embedded fields");
        if (specification.object().empty())
            throw Error(ErrorCode::bad_value, "The $sort pattern is empty when it should be a set of fields.");
        for (const bson::Element& field : specification.object()) add_path(field);
    }

    bool operator()(bson::Element left, bson::Element right) const {
        if (whole_ != 0) return compare(left, right) * whole_ < 0;
        for (const Path& path : paths_) {
            const int order = compare(at(left, path.text), at(right, path.text)) * path.direction;
            if (order != 0) return order < 0;
        }
        return false;
    }

private:
    struct Path {
        std::string text;
        int direction;
    };

    static int direction(bson::Element value) {
        const std::optional<std::int64_t> number = bson::whole_int64(value);
        return number == 1 ? 1 : number == -1 ? -1 : 0;
    }
    void add_path(bson::Element field) {
        const std::string path(field.name());
        if (direction(field) == 0) throw Error(ErrorCode::bad_value, "The $sort element value must be either 1 or -1");
        if (path.empty()) throw Error(ErrorCode::bad_value, "The $sort field cannot be empty");
        if (path.front() == '.' || path.back() == '.' || path.find("..") != std::string::npos)
            throw Error(ErrorCode::bad_value, "The $sort field is a dotted field but has an empty part: " + path);
        paths_.push_back({path, direction(field)});
    }
    static bson::Element at(bson::Element member, std::string_view path) {
        static const bson::Value null = bson::Value::null();
        const bson::Element found = member.is_object() ? member.object().find_dotted(path) : bson::Element();
        return found.missing() ? null.element() : found;
    }
    int compare(bson::Element left, bson::Element right) const {
        return bson::compare(left, right, bson::FieldNames::ignored, collator_.get());
    }

    int whole_ = 0;
    std::vector<Path> paths_;
    bson::CollatorPtr collator_;
};

class Push final : public UpdateOperator {
public:
    Push(bson::Element argument, const bson::CollatorPtr& collator) {
        if (argument.is_object() && argument.object().contains("$each"))
            read_modifiers(argument.object(), collator);
        else
            values_.emplace_back(argument);
    }

    UpdateChange apply(const UpdateTarget& target) const override {
        if (!target.value.missing() && !target.value.is_array())
            throw Error(ErrorCode::bad_value, "The field '" + std::string(target.path) +
                                                  "' must be an array but is of type " + type_of(target.value) +
                                                  " in document " + target.braced_id());
        std::vector<bson::Element> members;
        if (!target.value.missing())
            for (const bson::Element& member : target.value.object()) members.push_back(member);
        members.insert(members.begin() + insertion_point(members.size()), values_.begin(), values_.end());
        if (order_) std::stable_sort(members.begin(), members.end(), *order_);
        cut(members);
        bson::Builder out;
        out.open_array("");
        for (const bson::Element& member : members) out.append_member(member);
        out.close();
        bson::Value result(out.finish_view().front());
        if (target.value.same_bytes(result)) return {};
        return UpdateChange::set(std::move(result));
    }

private:
    void read_modifiers(bson::View modifiers, const bson::CollatorPtr& collator) {
        bool sliced = false;
        for (const bson::Element& modifier : modifiers) {
            if (modifier.name() == "$each") {
                if (!modifier.is_array())
                    throw Error(
                        ErrorCode::bad_value,
                        "The argument to $each in $push must be an array but it was of type: " + type_of(modifier));
                for (const bson::Element& value : modifier.object()) values_.emplace_back(value);
            } else if (modifier.name() == "$slice") {
                if (sliced) throw Error(ErrorCode::bad_value, "Only one $slice is supported.");
                sliced = true;
                slice_ = bson::whole_int64(modifier);
                if (!slice_)
                    throw Error(
                        ErrorCode::bad_value,
                        "The value for $slice must be an integer value but was given type: " + type_of(modifier));
            } else if (modifier.name() == "$position") {
                position_ = bson::whole_int64(modifier);
                if (!position_)
                    throw Error(ErrorCode::bad_value,
                                "The value for $position must be an integer value, not of type: " + type_of(modifier));
            } else if (modifier.name() == "$sort") {
                order_.emplace(modifier, collator);
            } else {
                throw Error(ErrorCode::bad_value, "Unrecognized clause in $push: " + std::string(modifier.name()));
            }
        }
    }
    std::ptrdiff_t insertion_point(std::size_t size) const noexcept {
        const auto end = static_cast<std::int64_t>(size);
        if (!position_ || *position_ >= end) return end;
        return *position_ >= 0 ? *position_ : std::max<std::int64_t>(0, end + std::max(*position_, -end));
    }
    void cut(std::vector<bson::Element>& members) const {
        if (!slice_) return;
        const auto size = static_cast<std::int64_t>(members.size());
        if (*slice_ >= 0) {
            if (*slice_ < size) members.resize(static_cast<std::size_t>(*slice_));
        } else if (*slice_ > -size) {
            members.erase(members.begin(), members.end() + *slice_);
        }
    }

    std::vector<bson::Value> values_;
    std::optional<std::int64_t> position_;
    std::optional<std::int64_t> slice_;
    std::optional<MemberOrder> order_;
};

}  // namespace

UpdateOperatorPtr make_push(bson::Element argument, const bson::CollatorPtr& collator) {
    return std::make_unique<Push>(argument, collator);
}

}  // namespace ixora::mql
