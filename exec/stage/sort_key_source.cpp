#include "ixora/stage/sort_key_source.hpp"

#include <algorithm>
#include <array>

#include "ixora/base/invariant.hpp"

namespace ixora::stage {

namespace {

// The directions of the parts that give bytes.
key::Ordering ordering_of(const mql::SortPattern& pattern) {
    key::Ordering ordering;
    std::size_t position = 0;
    for (const mql::SortPart& part : pattern.parts()) {
        if (part.meta != mql::SortPart::Meta::none) continue;
        if (part.descending) ordering.set_descending(position);
        ++position;
    }
    return ordering;
}

// Start of every element of `key`, and of what follows the last one.
using Offsets = std::array<std::size_t, key::key_fields_max + 1>;
void find_elements(key::Bytes key, key::Ordering ordering, std::size_t fields, Offsets& offsets) {
    offsets[0] = 0;
    for (std::size_t i = 0; i < fields; ++i)
        offsets[i + 1] =
            offsets[i] + key::element_size(key.data() + offsets[i], key.data() + key.size(), ordering.descending(i));
}

bool is_collated_type(const bson::Element& value) { return value.is_string() || value.is_object() || value.is_array(); }

bson::Document decoded(const IndexKey& entry) {
    return key::decode(entry.key, key::Ordering::of(entry.index->key_pattern), entry.type_bits,
                       entry.index->key_pattern);
}

}  // namespace

SortKeySource::SortKeySource(bson::View pattern, bson::CollatorPtr collator)
    : pattern_(mql::SortPattern::parse(pattern)),
      collator_(std::move(collator)),
      generator_(pattern_, collator_),
      builder_(ordering_of(pattern_)) {}

void SortKeySource::append_key(const Member& row, std::string& out) {
    if (row.has_document())
        generator_.append_key(row.document, out);
    else
        append_index_parts(row, out);
    out.push_back(static_cast<char>(key::end_byte));
}

void SortKeySource::append_plain_key(const Member& row, std::string& out) {
    if (row.has_document()) {
        static const bson::Value missing = bson::Value::undefined();
        builder_.reset();
        for (const mql::SortPart& part : pattern_.parts()) {
            if (part.meta != mql::SortPart::Meta::none) continue;
            const bson::Element value = row.document.find_dotted(part.path);
            builder_.append(value.missing() ? missing.element() : value, collator_.get());
        }
        out.append(reinterpret_cast<const char*>(builder_.bytes().data()), builder_.bytes().size());
    } else {
        append_index_parts(row, out);
    }
    out.push_back(static_cast<char>(key::end_byte));
}

void SortKeySource::append_index_parts(const Member& row, std::string& out) {
    for (std::size_t part = 0; part < pattern_.parts().size(); ++part) {
        const mql::SortPart& wanted = pattern_.parts()[part];
        if (wanted.meta != mql::SortPart::Meta::none) continue;
        bool found = false;
        for (const IndexKey& entry : row.keys) {
            const IndexPlan& plan = plan_for(*entry.index);
            const int position = plan.position_of_part[part];
            if (position < 0) continue;
            found = true;
            if (holds_raw_strings(*entry.index)) {
                out += key::encode_element(decoded(entry)[wanted.path], wanted.descending, collator_.get());
                break;
            }
            const auto field = static_cast<std::size_t>(position);
            Offsets offsets;
            find_elements(entry.key, plan.ordering, field + 1, offsets);
            const std::size_t start = out.size();
            out.append(reinterpret_cast<const char*>(entry.key.data()) + offsets[field],
                       offsets[field + 1] - offsets[field]);
            if (plan.ordering.descending(field) != wanted.descending)
                for (std::size_t i = start; i < out.size(); ++i) out[i] = static_cast<char>(~out[i]);
            break;
        }
        IXORA_INVARIANT(found);  // the planner sorts rows without document by covered fields only
    }
}

const SortKeySource::IndexPlan& SortKeySource::plan_for(const plan::IndexEntry& index) {
    const auto known =
        std::find_if(plans_.begin(), plans_.end(), [&index](const IndexPlan& plan) { return plan.index == &index; });
    if (known != plans_.end()) return *known;
    IndexPlan plan{&index, key::Ordering::of(index.key_pattern), {}};
    for (const mql::SortPart& part : pattern_.parts()) {
        int position = -1;
        int at = 0;
        for (const bson::Element& field : index.key_pattern) {
            if (field.name() == part.path) position = at;
            ++at;
        }
        plan.position_of_part.push_back(position);
    }
    plans_.push_back(std::move(plan));
    return plans_.back();
}

bson::Document SortKeySource::sort_key_metadata(const Member& row) {
    bson::Builder out;
    if (row.has_document()) {
        generator_.append_sort_key_value(row.document, "", out);
        return out.finish();
    }
    std::vector<bson::Document> keys;
    for (const IndexKey& entry : row.keys) keys.push_back(decoded(entry));
    const bool compound = pattern_.parts().size() > 1;
    if (compound) out.open_array("");
    for (const mql::SortPart& part : pattern_.parts()) {
        bson::Element value;
        bson::Document collated;
        for (std::size_t i = 0; i < keys.size() && value.missing(); ++i) {
            value = keys[i][part.path];
            if (!is_collated_type(value) || !holds_raw_strings(*row.keys[i].index)) continue;
            std::string encoded = key::encode_element(value, false, collator_.get());
            encoded.push_back(static_cast<char>(key::end_byte));
            collated = key::decode(key::as_bytes(encoded), key::Ordering(), {});
            value = collated.view().front();
        }
        const bson::Value null = bson::Value::null();
        if (value.missing()) value = null;
        if (compound)
            out.append_member(value);
        else
            out.append("", value);
    }
    if (compound) out.close();
    return out.finish();
}

}  // namespace ixora::stage
