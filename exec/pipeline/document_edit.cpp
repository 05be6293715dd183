#include "ixora/pipeline/document_edit.hpp"

#include "ixora/bson/debug_string.hpp"
#include "ixora/mql/user_path.hpp"

namespace ixora::pipeline {

namespace {

void append_new(bson::Builder& out, const bson::FieldPath& path, std::size_t part, bson::Element value) {
    if (part + 1 == path.part_count()) {
        out.append(path.part(part), value);
        return;
    }
    out.open_object(path.part(part));
    append_new(out, path, part + 1, value);
    out.close();
}

void append_with_part(bson::Builder& out, bson::View document, const bson::FieldPath& path, std::size_t part,
                      bson::Element value) {
    bool found = false;
    for (const bson::Element& field : document) {
        if (found || field.name() != path.part(part)) {
            out.append_element(field);
            continue;
        }
        found = true;
        if (part + 1 == path.part_count()) {
            out.append(field.name(), value);
        } else {
            out.open_object(field.name());
            append_with_part(out, field.is_object() ? field.object() : bson::View(), path, part + 1, value);
            out.close();
        }
    }
    if (!found && !value.missing()) append_new(out, path, part, value);
}

void append_text(std::string& out, bson::Element value) {
    if (!value.is_object() && !value.is_array()) {
        bson::append_debug_string(out, value);
        return;
    }
    out += value.is_object() ? '{' : '[';
    bool first = true;
    for (const bson::Element& member : value.object()) {
        if (!std::exchange(first, false)) out += ", ";
        if (value.is_object()) out.append(member.name()).append(": ");
        append_text(out, member);
    }
    out += value.is_object() ? '}' : ']';
}

}  // namespace

bson::Element value_at(bson::View document, const bson::FieldPath& path) noexcept {
    bson::Element value = document[path.part(0)];
    for (std::size_t part = 1; part < path.part_count(); ++part) {
        if (!value.is_object()) return {};
        value = value.object()[path.part(part)];
    }
    return value;
}

void append_with(bson::Builder& out, bson::View document, const bson::FieldPath& path, bson::Element value) {
    append_with_part(out, document, path, 0, value);
}

bson::Document with_field(bson::View document, const bson::FieldPath& path, bson::Element value) {
    bson::Builder out;
    append_with(out, document, path, value);
    return out.finish();
}

std::string document_text(bson::View document) {
    std::string out;
    append_text(out, bson::Value::of_object(document));
    return out;
}

bson::FieldPath checked_path(std::string_view path) {
    mql::check_user_path(path);
    return bson::FieldPath(std::string(path));
}

}  // namespace ixora::pipeline
