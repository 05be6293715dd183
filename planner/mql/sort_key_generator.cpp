#include <array>
#include <bit>
#include <memory>
#include <optional>

#include "ixora/base/error.hpp"
#include "ixora/key/key_generator.hpp"
#include "ixora/key/key_string.hpp"
#include "ixora/mql/sort_pattern.hpp"

namespace ixora::mql {

namespace {

// The paths of a pattern as a trie, so that one walk over a document meets the values of all of them.
struct PathNode {
    std::string name;
    int part = -1;  // index of the field part that ends here
    std::vector<PathNode> children;
};

void insert_path(PathNode& root, std::string_view path, int part) {
    PathNode* node = &root;
    for (std::size_t start = 0; start <= path.size();) {
        const std::size_t dot = std::min(path.find('.', start), path.size());
        const std::string_view name = path.substr(start, dot - start);
        auto child = std::find_if(node->children.begin(), node->children.end(),
                                  [name](const PathNode& existing) { return existing.name == name; });
        if (child == node->children.end()) {
            node->children.push_back({std::string(name), -1, {}});
            child = node->children.end() - 1;
        }
        node = &*child;
        start = dot + 1;
    }
    node->part = part;
}

using PartValues = std::array<bson::Element, key::key_fields_max>;

// Fills `values` for the paths below `node`. False when an array lies on any of them.
bool collect_values(const PathNode& node, bson::View object, PartValues& values) {
    std::uint32_t wanted = node.children.size() == 32 ? ~0U : (1U << node.children.size()) - 1;
    for (const bson::Element& element : object) {
        for (std::uint32_t rest = wanted; rest != 0; rest &= rest - 1) {
            const int at = std::countr_zero(rest);
            const PathNode& child = node.children[static_cast<std::size_t>(at)];
            if (child.name != element.name()) continue;
            if (element.is_array()) return false;
            if (child.part >= 0) values[static_cast<std::size_t>(child.part)] = element;
            if (!child.children.empty() && element.is_object() && !collect_values(child, element.object(), values))
                return false;
            wanted &= ~(1U << at);  // the first field of a name counts
            break;
        }
        if (wanted == 0) break;
    }
    return true;
}

bson::Document index_pattern(const SortPattern& pattern) {
    bson::Builder out;
    for (const SortPart& part : pattern.parts())
        if (part.meta == SortPart::Meta::none) out.append(part.path, part.descending ? -1 : 1);
    return out.finish();
}

}  // namespace

// A $meta part contributes no bytes: no stage provides such metadata, so it would be the same null in every key.
struct SortKeyGenerator::State {
    State(const SortPattern& sort_pattern, bson::CollatorPtr sort_collator)
        : pattern(sort_pattern),
          collator(std::move(sort_collator)),
          fields(index_pattern(pattern)),
          ordering(key::Ordering::of(fields)),
          key_builder(ordering) {
        for (const SortPart& part : pattern.parts())
            if (part.meta == SortPart::Meta::none) insert_path(root, part.path, field_count++);
        if (field_count == 0) return;
        key::KeyGeneratorOptions options;
        options.collator = collator;
        key_generator.emplace(fields, std::move(options));
    }

    // The encoded field parts of `document`, without an end byte, and their type bits in serialised form.
    key::Bytes encode(bson::View document, key::Bytes* type_bits = nullptr) {
        PartValues values{};
        if (collect_values(root, document, values)) {
            key_builder.reset();
            for (int i = 0; i < field_count; ++i)
                key_builder.append(values[static_cast<std::size_t>(i)], collator.get());
            if (type_bits != nullptr) {
                serialized_bits.clear();
                key_builder.type_bits().append_serialized(serialized_bits);
                *type_bits = key::as_bytes(serialized_bits);
            }
            return key_builder.bytes();
        }
        if (is_id_alone()) {  // keys of an index over _id hold it as it is, arrays too
            key_builder.reset();
            key_builder.append(document["_id"], collator.get());
            if (type_bits != nullptr) {
                serialized_bits.clear();
                key_builder.type_bits().append_serialized(serialized_bits);
                *type_bits = key::as_bytes(serialized_bits);
            }
            return key_builder.bytes();
        }
        return encode_with_arrays(document, type_bits);
    }

    bool is_id_alone() const noexcept {
        return field_count == 1 && root.children.front().name == "_id" && root.children.front().part == 0;
    }

    // The smallest key that an index over the fields would hold for `document`.
    key::Bytes encode_with_arrays(bson::View document, key::Bytes* type_bits) {
        try {
            key_generator->generate(document, keys);
        } catch (const Error& error) {
            if (!error.is(ErrorCode::cannot_index_parallel_arrays)) throw;
            throw Error(ErrorCode::bad_value, "cannot sort with keys that are parallel arrays");
        }
        const key::KeySet::Entry first = keys[0];
        if (type_bits != nullptr) *type_bits = first.type_bits;
        return first.key.first(first.key.size() - 1);
    }

    SortPattern pattern;
    bson::CollatorPtr collator;
    bson::Document fields;  // the field parts as a key pattern
    key::Ordering ordering;
    PathNode root;
    int field_count = 0;

    key::KeyBuilder key_builder;
    std::optional<key::KeyGenerator> key_generator;
    key::KeySet keys;
    std::string serialized_bits;
};

SortKeyGenerator::SortKeyGenerator(const SortPattern& pattern, bson::CollatorPtr collator)
    : state_(std::make_unique<State>(pattern, std::move(collator))) {}
SortKeyGenerator::~SortKeyGenerator() = default;
SortKeyGenerator::SortKeyGenerator(SortKeyGenerator&&) noexcept = default;

void SortKeyGenerator::append_key(bson::View document, std::string& out) {
    const key::Bytes bytes = state_->encode(document);
    out.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

void SortKeyGenerator::append_key_from_values(std::span<const bson::Element> values, bool collated, std::string& out) {
    key::KeyBuilder& builder = state_->key_builder;
    builder.reset();
    const std::vector<SortPart>& parts = state_->pattern.parts();
    for (std::size_t i = 0; i < parts.size(); ++i)
        if (parts[i].meta == SortPart::Meta::none)
            builder.append(values[i], collated ? nullptr : state_->collator.get());
    out.append(reinterpret_cast<const char*>(builder.bytes().data()), builder.bytes().size());
}

void SortKeyGenerator::append_sort_key_value(bson::View document, std::string_view name, bson::Builder& out) {
    key::Bytes type_bits;
    const key::Bytes encoded = state_->encode(document, &type_bits);
    std::string complete(reinterpret_cast<const char*>(encoded.data()), encoded.size());
    complete.push_back(static_cast<char>(key::end_byte));
    const bson::Document values = key::decode(key::as_bytes(complete), state_->ordering, type_bits);

    const std::vector<SortPart>& parts = state_->pattern.parts();
    const bool compound = parts.size() > 1;
    if (compound) out.open_array(name);
    auto value = values.begin();
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const bson::Builder::IndexName index(static_cast<std::uint32_t>(i));
        const std::string_view part_name = compound ? index.view() : name;
        if (parts[i].meta == SortPart::Meta::none)
            out.append(part_name, *value++);
        else
            out.append_null(part_name);
    }
    if (compound) out.close();
}

}  // namespace ixora::mql
