#include <algorithm>

#include "ixora/base/error.hpp"
#include "projection_tree.hpp"

namespace ixora::mql {

namespace {

using Kind = ProjectionField::Kind;

// Which of the find() operators still act at a place: a positional operator acts up to the first array on its path,
// $slice inside arrays but not inside arrays of arrays.
struct Reach {
    bool positional = true;
    bool slice = true;
    bool in_array = false;
};

bson::Element element_at(bson::View array, std::uint32_t position) noexcept {
    for (const bson::Element& element : array)
        if (position-- == 0) return element;
    return {};
}

// Applies one projection to one document. The output is written in one pass over the document.
class Run {
public:
    Run(const ProjectionTree& tree, EvaluationContext& row, const MatchDetails* details, bson::Builder& out)
        : inclusion_(tree.type == Projection::Type::inclusion), row_(row), details_(details), out_(out) {}

    // The projected fields of `object`, then the computed ones that it has no place for.
    void write_fields(const ProjectionNode& node, bson::View object, Reach reach) {
        if (inclusion_)
            write_included(node, object, reach);
        else
            write_all_but_excluded(node, object, reach);
        if (!node.holds_computed()) return;
        for (const ProjectionField& field : node.fields())
            if (field.holds_computed() && !has_place(field, object)) write_computed(field);
    }

private:
    // Whether a field that is or holds something computed was dealt with where the document has it.
    bool has_place(const ProjectionField& field, bson::View object) const noexcept {
        if (inclusion_ && field.computed()) return false;
        return object.contains(field.name);
    }

    void write_included(const ProjectionNode& node, bson::View object, Reach reach) {
        std::size_t missing = node.stored_count();
        if (missing == 0) return;
        for (const bson::Element& element : object) {
            const ProjectionField* field = node.find(element.name());
            if (field == nullptr || field->computed()) continue;
            write_field(*field, element, reach);
            if (--missing == 0) return;
        }
    }

    void write_all_but_excluded(const ProjectionNode& node, bson::View object, Reach reach) {
        const std::uint8_t* kept = object.data() + 4;  // start of a run of fields that stay as they are
        for (const bson::Element& element : object) {
            const ProjectionField* field = node.find(element.name());
            if (field == nullptr) continue;
            out_.append_raw(kept, static_cast<std::size_t>(element.data() - kept));
            kept = element.data() + element.size();
            write_field(*field, element, reach);
        }
        const std::uint8_t* end = object.data() + object.size() - 1;
        out_.append_raw(kept, static_cast<std::size_t>(end - kept));
    }

    void write_field(const ProjectionField& field, bson::Element element, Reach reach) {
        switch (field.kind) {
            case Kind::path: write_path(field, element.name(), element, reach); break;
            case Kind::include: out_.append_element(element); break;
            case Kind::exclude: break;
            case Kind::slice:
                if (reach.slice && element.is_array())
                    write_slice(field.slice, element);
                else
                    out_.append_element(element);
                break;
            case Kind::positional:
                if (reach.positional && element.is_array())
                    write_matched_element(element);
                else
                    out_.append_element(element);
                break;
            case Kind::elem_match:
            case Kind::meta:
            case Kind::expression: write_computed(field); break;
        }
    }

    // The value of an inner node, under `name`. False when nothing of it stays.
    bool write_path(const ProjectionField& field, std::string_view name, bson::Element value, Reach reach) {
        if (value.is_object()) {
            out_.open_object(name);
            reach.in_array = false;
            write_fields(*field.node, value.object(), reach);
            out_.close();
            return true;
        }
        if (value.is_array()) {
            out_.open_array(name);
            write_members(field, value.object(), reach);
            out_.close();
            return true;
        }
        if (field.node->holds_computed()) {
            out_.open_object(name);
            write_fields(*field.node, bson::View(), reach);
            out_.close();
            return true;
        }
        if (!inclusion_) out_.append(name, value);
        return !inclusion_;
    }

    void write_members(const ProjectionField& field, bson::View array, Reach reach) {
        Reach inside = reach;
        inside.slice = reach.slice && !reach.in_array;
        inside.in_array = true;
        inside.positional = false;
        if (reach.positional && field.leads_to_positional) {
            if (!write_path(field, "0", matched_element(array), inside)) element_mismatch();
            return;
        }
        std::uint32_t count = 0;
        for (const bson::Element& member : array)
            if (write_path(field, bson::Builder::IndexName(count).view(), member, inside)) ++count;
    }

    void write_slice(const ProjectionSlice& slice, bson::Element array) {
        std::int64_t skip = slice.skip;
        if (skip < 0) skip = std::max<std::int64_t>(0, skip + static_cast<std::int64_t>(array.object().field_count()));
        std::int64_t limit = slice.limit;
        out_.open_array(array.name());
        for (const bson::Element& member : array.object()) {
            if (skip > 0) {
                --skip;
                continue;
            }
            if (limit-- <= 0) break;
            out_.append_member(member);
        }
        out_.close();
    }

    void write_matched_element(bson::Element array) {
        const bson::Element member = matched_element(array.object());
        out_.open_array(array.name());
        out_.append_member(member);
        out_.close();
    }

    bson::Element matched_element(bson::View array) const {
        if (details_ == nullptr || !details_->array_offset)
            throw Error(51246, "positional operator '.$' couldn't find a matching element in the array");
        const bson::Element member = element_at(array, *details_->array_offset);
        if (member.missing()) element_mismatch();
        return member;
    }
    [[noreturn]] static void element_mismatch() { throw Error(51247, "positional operator '.$' element mismatch"); }

    // Appends a computed field, or an object with the computed fields below; nothing where the value is missing.
    void write_computed(const ProjectionField& field) {
        switch (field.kind) {
            case Kind::elem_match: write_elem_match(field); break;
            case Kind::meta: write_meta(field); break;
            case Kind::expression: field.expression->evaluate(row_).append_to(out_, field.name); break;
            default:
                out_.open_object(field.name);
                write_fields(*field.node, bson::View(), Reach());
                out_.close();
                break;
        }
    }

    void write_elem_match(const ProjectionField& field) {
        MatchDetails details;
        if (!field.matcher->matches(row_.root, details) || !details.array_offset) return;
        out_.open_array(field.name);
        out_.append_member(element_at(row_.root[field.name].object(), *details.array_offset));
        out_.close();
    }

    void write_meta(const ProjectionField& field) {
        if (row_.metadata == nullptr) return;
        const RowMetadata& metadata = *row_.metadata;
        switch (field.meta->kind) {
            case Metadata::sort_key: out_.append(field.name, metadata.sort_key); break;
            case Metadata::index_key:
                if (metadata.has_index_key) out_.append(field.name, metadata.index_key);
                break;
            case Metadata::record_id: out_.append(field.name, metadata.record_id); break;
            case Metadata::random_value:
            case Metadata::unavailable: break;  // no stage gives rows these
        }
    }

    const bool inclusion_;
    EvaluationContext& row_;
    const MatchDetails* const details_;
    bson::Builder& out_;
};

}  // namespace

void apply_projection(const ProjectionTree& tree, EvaluationContext& row, const MatchDetails* details,
                      bson::Builder& out) {
    if (row.variables.size() < tree.slot_count) row.variables.resize(tree.slot_count);
    Run(tree, row, details, out).write_fields(tree.root, row.root, Reach());
}

}  // namespace ixora::mql
