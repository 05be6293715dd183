// One application of an update: the tree of paths is laid over the document, which gives a tree of edits, and the new
// document is written in one pass over the old one (spec: update.md sections 2 to 6).
#include <algorithm>
#include <charconv>
#include <optional>
#include <span>

#include "ixora/base/error.hpp"
#include "ixora/bson/compare.hpp"
#include "ixora/bson/debug_string.hpp"
#include "ixora/bson/field_path.hpp"
#include "update_tree.hpp"

namespace ixora::mql {

namespace {

constexpr std::uint64_t padding_max = 1'500'000;

struct Edit;

struct FieldEdit;

// What becomes of one value.
struct Edit {
    enum class Kind : std::uint8_t { keep, set, remove, fields };
    Kind kind = Kind::keep;
    bson::Value value;              // for set
    std::vector<FieldEdit> fields;  // in the order of application; of an object or array
};

struct FieldEdit {
    bson::Element target;  // missing: a new field
    std::string name;      // of a new field
    Edit edit;
};

// The nodes that meet in one value: several where positional parts and array filters point at the same one.
using Group = std::vector<const UpdateNode*>;

bool is_dollar_name(std::string_view name) noexcept {
    return !name.empty() && name.front() == '$' && name != "$ref" && name != "$id" && name != "$db";
}

Error dollar_name_error(std::string_view name) {
    return Error(
        ErrorCode::dollar_prefixed_field_name,
        "The dollar ($) prefixed field '" + std::string(name) + "' in '" + std::string(name) +
            "' is not allowed in the context of an update's replacement document. Consider using an aggregation "
            "pipeline with $replaceWith.");
}

class Application {
public:
    Application(const Update::Program& program, bson::View document, const UpdateContext& context)
        : program_(program), document_(document), context_(context) {
        if (context.array_offset) offset_name_ = std::to_string(*context.array_offset);
    }

    Edit run() {
        Edit root = edit_fields({&program_.root}, document_);
        if (!context_.insert)
            for (const FieldEdit& field : root.fields) {
                const std::string_view name =
                    field.target.missing() ? std::string_view(field.name) : field.target.name();
                if (field.edit.kind != Edit::Kind::remove && is_dollar_name(name)) throw dollar_name_error(name);
            }
        return root;
    }

private:
    // Appends a part to path_ while it lives.
    class PathPart {
    public:
        PathPart(std::string& path, std::string_view part) : path_(path), size_(path.size()) {
            if (!path.empty()) path += '.';
            path += part;
        }
        ~PathPart() { path_.resize(size_); }
        PathPart(const PathPart&) = delete;
        PathPart& operator=(const PathPart&) = delete;

    private:
        std::string& path_;
        std::size_t size_;
    };

    using MergedChildren = std::map<std::string_view, Group, UpdateNameLess>;

    // The children of all object nodes of a group by name, in the order of application.
    MergedChildren merged_children(const Group& group) const {
        MergedChildren merged;
        for (const UpdateNode* node : group) {
            for (const auto& [name, child] : node->children) merged[name].push_back(child.get());
            if (node->positional == nullptr) continue;
            if (offset_name_.empty())
                throw Error(ErrorCode::bad_value,
                            "The positional operator did not find the match needed from the query.");
            merged[offset_name_].push_back(node->positional.get());
        }
        return merged;
    }

    void check_mergeable(const Group& group) const {
        if (group.size() == 1) return;
        const UpdateNode::Kind kind = group.front()->kind;
        for (const UpdateNode* node : group)
            if (node->kind != kind || kind == UpdateNode::Kind::leaf)
                throw Error(40, "Update created a conflict at '" + path_ + "'");
    }

    Edit edit_value(const Group& group, bson::Element value) {
        check_mergeable(group);
        switch (group.front()->kind) {
            case UpdateNode::Kind::leaf: return edit_leaf(*group.front(), value);
            case UpdateNode::Kind::array: return edit_matching_members(group, value);
            case UpdateNode::Kind::object: break;
        }
        if (value.is_object()) return edit_fields(group, value.object());
        if (value.is_array()) return edit_members(group, value);
        for (const auto& [name, children] : merged_children(group)) refuse_walk(children, value, name, name);
        return {};
    }

    Edit edit_leaf(const UpdateNode& leaf, bson::Element value) {
        const UpdateChange change = leaf.operation->apply({value, path_, document_, context_});
        if (change.kind == UpdateChange::Kind::none) return {};
        check_id(change, value);
        Edit edit;
        edit.kind = change.kind == UpdateChange::Kind::set ? Edit::Kind::set : Edit::Kind::remove;
        edit.value = change.value;
        return edit;
    }

    // `_id` stays as it is, unless an upsert makes the first one.
    void check_id(const UpdateChange& change, bson::Element value) const {
        if (!bson::is_path_prefix_or_equal("_id", path_)) return;
        if (context_.insert && document_["_id"].missing()) return;
        if (change.kind == UpdateChange::Kind::set && !value.missing() && bson::equal(value, change.value)) return;
        throw Error(ErrorCode::immutable_field,
                    "Performing an update on the path '" + path_ + "' would modify the immutable field '_id'");
    }

    Edit edit_fields(const Group& group, bson::View object) {
        Edit edit;
        for (const auto& [name, children] : merged_children(group)) {
            const PathPart part(path_, name);
            add_edit(edit, children, object.find(name), name);
        }
        return edit;
    }

    void add_edit(Edit& edit, const Group& children, bson::Element target, std::string_view name) {
        Edit change;
        if (target.missing()) {
            std::optional<bson::Value> made = make_value(children);
            if (!made) return;
            change.kind = Edit::Kind::set;
            change.value = std::move(*made);
        } else {
            change = edit_value(children, target);
        }
        if (change.kind == Edit::Kind::keep) return;
        edit.kind = Edit::Kind::fields;
        edit.fields.push_back({target, target.missing() ? std::string(name) : std::string(), std::move(change)});
    }

    // Named members of an array: by index, those past the end are made.
    Edit edit_members(const Group& group, bson::Element array) {
        Edit edit;
        const bson::View members = array.object();
        const std::size_t size = members.field_count();
        for (const auto& [name, children] : merged_children(group)) {
            std::uint64_t index = 0;
            if (!bson::is_array_index(name) ||
                std::from_chars(name.data(), name.data() + name.size(), index).ec != std::errc()) {
                refuse_walk(children, array, name, name);
                continue;
            }
            const PathPart part(path_, name);
            if (index >= size && index - size > padding_max && creates(children))
                throw Error(34, "can't backfill more than 1500000 elements");
            add_edit(edit, children, members.find(name), name);
        }
        return edit;
    }

    // $[] and $[identifier].
    Edit edit_matching_members(const Group& group, bson::Element array) {
        if (!array.is_array())
            throw Error(ErrorCode::bad_value,
                        "Cannot apply array updates to non-array element " + bson::debug_element_string(array));
        Edit edit;
        for (const bson::Element& member : array.object()) {
            Group chosen;
            for (const UpdateNode* node : group)
                for (const auto& [identifier, child] : node->children)
                    if (identifier.empty() || passes(identifier, member)) chosen.push_back(child.get());
            if (chosen.empty()) continue;
            const PathPart part(path_, member.name());
            add_edit(edit, chosen, member, {});
        }
        return edit;
    }

    bool passes(std::string_view identifier, bson::Element member) {
        const auto filter = std::find_if(program_.filters.begin(), program_.filters.end(),
                                         [&](const ArrayFilter& known) { return known.identifier == identifier; });
        filter_subject_.reset();
        filter_subject_.append(identifier, member);
        return filter->matcher.matches(filter_subject_.finish_view());
    }

    // A value for a path that does not exist, objects all the way down; nothing where no operator makes one.
    std::optional<bson::Value> make_value(const Group& group) {
        check_mergeable(group);
        const UpdateNode& first = *group.front();
        if (first.kind == UpdateNode::Kind::leaf) {
            if (first.operation->on_missing(context_) != UpdateOperator::Missing::create) return std::nullopt;
            UpdateChange change = first.operation->apply({{}, path_, document_, context_});
            if (change.kind != UpdateChange::Kind::set) return std::nullopt;
            check_id(change, {});
            return std::move(change.value);
        }
        if (first.kind == UpdateNode::Kind::array)
            throw Error(ErrorCode::bad_value,
                        "The path '" + path_ + "' must exist in the document in order to apply array updates.");
        bson::Builder object;
        bool any = false;
        for (const auto& [name, children] : merged_children(group)) {
            const PathPart part(path_, name);
            if (const std::optional<bson::Value> value = make_value(children)) {
                object.append(name, *value);
                any = true;
            }
        }
        if (!any) return std::nullopt;
        return bson::Value::of_object(object.finish_view());
    }

    bool creates(const Group& group) const {
        return std::any_of(group.begin(), group.end(), [&](const UpdateNode* node) {
            if (node->kind == UpdateNode::Kind::leaf)
                return node->operation->on_missing(context_) == UpdateOperator::Missing::create;
            Group children;
            for (const auto& [name, child] : node->children) children.push_back(child.get());
            if (node->positional != nullptr) children.push_back(node->positional.get());
            return creates(children);
        });
    }

    // The path goes on below `value`, which cannot hold the part `name`: what the first operator there says about it.
    void refuse_walk(const Group& group, bson::Element value, std::string_view name, const std::string_view rest) {
        for (const UpdateNode* node : group) {
            if (node->kind == UpdateNode::Kind::leaf) {
                refuse_leaf(*node->operation, value, name, rest);
                continue;
            }
            for (const auto& [child_name, child] : node->children)
                refuse_walk({child.get()}, value, name, std::string(rest) + "." + child_name);
            if (node->positional != nullptr)
                refuse_walk({node->positional.get()}, value, name, std::string(rest) + "." + offset_name_);
        }
    }

    void refuse_leaf(const UpdateOperator& operation, bson::Element value, std::string_view name,
                     std::string_view rest) const {
        switch (operation.on_missing(context_)) {
            case UpdateOperator::Missing::ignore: return;
            case UpdateOperator::Missing::create:
                throw Error(ErrorCode::path_not_viable,
                            "Cannot create field '" + std::string(name) + "' in element " + braced(value));
            case UpdateOperator::Missing::refuse:
                throw Error(ErrorCode::path_not_viable, "cannot use the part (" + std::string(value.name()) + " of " +
                                                            path_ + "." + std::string(rest) +
                                                            ") to traverse the element (" + braced(value) + ")");
        }
    }

    const Update::Program& program_;
    bson::View document_;
    const UpdateContext& context_;
    std::string offset_name_;  // the index that `$` stands for; empty: none
    std::string path_;         // of the value at hand
    bson::Builder filter_subject_;
};

class Writer {
public:
    explicit Writer(bson::Builder& out) : out_(out) {}

    // Untouched neighbours go over in one piece.
    void write(bson::View source, const Edit& edit, bool is_array) {
        const std::uint8_t* copied = source.begin()->data();
        std::size_t size = 0;
        for (const bson::Element& element : source) {
            ++size;
            const FieldEdit* change = find(edit, element);
            if (change == nullptr) continue;
            out_.append_raw(copied, static_cast<std::size_t>(element.data() - copied));
            copied = element.data() + element.size();
            write_changed(element, change->edit, is_array);
        }
        out_.append_raw(copied, static_cast<std::size_t>(source.data() + source.size() - 1 - copied));
        for (const FieldEdit& field : edit.fields) {
            if (!field.target.missing()) continue;
            if (is_array) size = pad(size, field.name);
            out_.append(field.name, field.edit.value);
        }
    }

private:
    static const FieldEdit* find(const Edit& edit, bson::Element element) {
        for (const FieldEdit& field : edit.fields)
            if (field.target.data() == element.data()) return &field;
        return nullptr;
    }
    void write_changed(bson::Element element, const Edit& edit, bool in_array) {
        switch (edit.kind) {
            case Edit::Kind::keep: out_.append_element(element); break;
            case Edit::Kind::set: out_.append(element.name(), edit.value); break;
            case Edit::Kind::remove:
                if (in_array) out_.append_null(element.name());
                break;
            case Edit::Kind::fields:
                if (element.is_array())
                    out_.open_array(element.name());
                else
                    out_.open_object(element.name());
                write(element.object(), edit, element.is_array());
                out_.close();
                break;
        }
    }
    // Nulls up to the index; returns the size with the member that follows.
    std::size_t pad(std::size_t size, const std::string& name) {
        const std::size_t index = std::stoul(name);
        for (; size < index; ++size)
            out_.append_null(bson::Builder::IndexName(static_cast<std::uint32_t>(size)).view());
        return index + 1;
    }

    bson::Builder& out_;
};

// Timestamps of zero at the top level stand for the time of the write.
void append_stamped(bson::Builder& out, bson::Element field, std::uint64_t now) {
    if (field.type() == bson::Type::timestamp && field.timestamp() == 0 && field.name() != "_id")
        out.append_timestamp(field.name(), now);
    else
        out.append_element(field);
}

// What a user wrote must pass the rules for replacement documents; what a pipeline made goes in as it is.
enum class ReplacementBy { user, transform };

UpdateResult replace(bson::View replacement, bson::View document, const UpdateContext& context, ReplacementBy by) {
    if (same_bytes(replacement, document)) return {};
    const bson::Element old_id = document["_id"];
    const bson::Element new_id = replacement["_id"];
    bson::Builder out;
    out.append_element(new_id.missing() ? old_id : new_id);
    for (const bson::Element& field : replacement) {
        if (field.name() == "_id") continue;
        if (by == ReplacementBy::transform) {
            out.append_element(field);
            continue;
        }
        if (!context.insert && is_dollar_name(field.name())) throw dollar_name_error(field.name());
        append_stamped(out, field, context.now_timestamp);
    }
    if (!new_id.missing() && !old_id.missing() && !bson::equal(old_id, new_id))
        throw Error(ErrorCode::immutable_field,
                    "After applying the update, the (immutable) field '_id' was found to have "
                    "been altered to " +
                        bson::debug_element_string(new_id));
    return {true, out.finish()};
}

}  // namespace

UpdateResult Update::apply(bson::View document, const UpdateContext& context) const {
    if (program_->replacement) return replace(replacement(), document, context, ReplacementBy::user);
    if (program_->transform) return replace(program_->transform(document), document, context, ReplacementBy::transform);
    const Edit edit = Application(*program_, document, context).run();
    if (edit.kind == Edit::Kind::keep) return {};
    bson::Builder out;
    Writer(out).write(document, edit, false);
    return {true, out.finish()};
}

}  // namespace ixora::mql
