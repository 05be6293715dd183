#include "ixora/stage/projection.hpp"

#include <algorithm>
#include <optional>

#include "ixora/stage/index_access.hpp"

namespace ixora::stage {

namespace {

bson::Value record_id_value(const key::RecordId& id) {
    if (id.is_number()) return bson::Value::of_long(id.number());
    bson::Builder out;
    out.append_bin_data("", 0, {reinterpret_cast<const char*>(id.bytes().data()), id.bytes().size()});
    return bson::Value(out.finish_view().front());
}

// Adds the value of a dotted key-pattern field; fields that share a parent share its object.
void append_nested(bson::Builder& out, std::vector<std::pair<std::string_view, bson::Element>> fields) {
    while (!fields.empty()) {
        const std::string_view path = fields.front().first;
        const std::size_t dot = path.find('.');
        const std::string_view head = path.substr(0, dot);
        if (dot == std::string_view::npos) {
            out.append(head, fields.front().second);
            fields.erase(fields.begin());
            continue;
        }
        std::vector<std::pair<std::string_view, bson::Element>> below;
        std::vector<std::pair<std::string_view, bson::Element>> others;
        for (const auto& field : fields) {
            if (field.first.size() > dot && field.first.substr(0, dot) == head && field.first[dot] == '.')
                below.emplace_back(field.first.substr(dot + 1), field.second);
            else
                others.push_back(field);
        }
        out.open_object(head);
        append_nested(out, std::move(below));
        out.close();
        fields = std::move(others);
    }
}

// The fields that a projection needs as a document made of the row's index keys. Other key fields are left out: one may
// lie below a field that is needed ({"a.b": 1, "a.b.c": 1}).
bson::Document document_from_keys(const Member& row, const std::vector<std::string>& needed) {
    std::vector<bson::Document> decoded;
    std::vector<std::pair<std::string_view, bson::Element>> fields;
    for (const IndexKey& entry : row.keys) {
        decoded.push_back(named_key(entry));
        for (const bson::Element& value : decoded.back()) {
            if (!std::binary_search(needed.begin(), needed.end(), value.name())) continue;
            bool known = false;
            for (const auto& field : fields) known = known || field.first == value.name();
            if (!known) fields.emplace_back(value.name(), value);
        }
    }
    bson::Builder out;
    append_nested(out, std::move(fields));
    return out.finish();
}

}  // namespace

void SimpleProjectionStage::transform(Member& row) {
    builder_.reset();
    projection_.apply_simple(row.document, builder_);
    row.become_owned(builder_.finish());
}

void CoveredProjectionStage::transform(Member& row) {
    const IndexKey& entry = row.keys.front();
    if (entry.index != index_) choose_fields(*entry.index);
    decoded_.reset();
    key::decode(entry.key, ordering_, entry.type_bits, entry.index->key_pattern, decoded_);
    builder_.reset();
    std::size_t field = 0;
    for (const bson::Element& value : decoded_.finish_view())
        if (keeps_[field++]) builder_.append_element(value);
    row.become_owned(builder_.finish());
}

void CoveredProjectionStage::choose_fields(const plan::IndexEntry& index) {
    index_ = &index;
    ordering_ = key::Ordering::of(index.key_pattern);
    keeps_.clear();
    for (const bson::Element& field : index.key_pattern)
        keeps_.push_back(field.name().find('.') == std::string_view::npos && projection_.keeps_top_level(field.name()));
}

void DefaultProjectionStage::transform(Member& row) {
    if (!row.has_document()) {
        row.owned = document_from_keys(row, projection_.required_fields());
        row.document = row.owned.view();
    }
    mql::RowMetadata metadata;
    if (row.has_sort_key) metadata.sort_key = row.sort_key.view().front();
    metadata.has_index_key = row.has_index_key;
    if (row.has_index_key) metadata.index_key = row.index_key;
    bson::Value record_id;
    if (projection_.wants_record_id() && !row.id.is_null()) {
        record_id = record_id_value(row.id);
        metadata.record_id = record_id;
    }
    std::optional<mql::MatchDetails> details;
    if (const mql::Matcher* matcher = projection_.positional_matcher()) {
        details.emplace();
        matcher->matches(row.document, *details);
    }
    builder_.reset();
    evaluation_.root = row.document;
    evaluation_.metadata = &metadata;
    projection_.apply(evaluation_, details ? &*details : nullptr, builder_);
    row.become_owned(builder_.finish());
}

}  // namespace ixora::stage
