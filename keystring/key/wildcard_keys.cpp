#include "wildcard_keys.hpp"

#include <algorithm>

#include "ixora/base/error.hpp"
#include "ixora/bson/builder.hpp"

namespace ixora::key {

namespace {

using Node = WildcardProjection::Node;
using Choice = WildcardProjection::Choice;

constexpr std::uint8_t undefined_bytes[] = {static_cast<std::uint8_t>(bson::Type::undefined), 0};

Ordering physical_ordering(bson::View key_pattern) {
    bson::Builder physical;
    for (const bson::Element& field : key_pattern) {
        if (is_wildcard_field(field.name())) physical.append("$_path", 1);
        physical.append_element(field);
    }
    return Ordering::of(physical.finish());
}

// Writes one key around a path and a value; the ordinary fields are the same for all keys of a document.
struct WildcardKeyWriter {
    KeySet& keys;
    KeyBuilder& builder;
    Ordering ordering;
    const bson::Collator* collator;
    const bson::Element* ordinary;
    std::size_t before;
    std::size_t count;

    void write(std::string_view path, bson::Element value) {
        begin();
        builder.append_string(path);
        builder.append(value, collator);
        end();
    }
    // A document that has ordinary fields only.
    void write_without_path() {
        const bson::Value lowest = bson::Value::min_key();
        begin();
        builder.append(lowest);
        builder.append(lowest);
        end();
    }

private:
    void begin() {
        builder.reset(ordering);
        for (std::size_t i = 0; i < before; ++i) builder.append(ordinary[i], collator);
    }
    void end() {
        for (std::size_t i = before; i < count; ++i) builder.append(ordinary[i], collator);
        builder.append_end();
        keys.add(builder);
    }
};

// Walks what the projection leaves of a document. A null node stands for a part that is kept as a whole.
class Walk {
public:
    Walk(const WildcardProjection& projection, WildcardKeyWriter writer, std::vector<std::string>& array_paths)
        : projection_(projection), writer_(writer), array_paths_(array_paths) {}

    // False if the projection leaves no field at all.
    bool object(bson::View object, const Node* node, bool top) {
        bool any = false;
        for (const bson::Element& field : object) {
            const Node* child = node == nullptr ? nullptr : node->find(field.name());
            Choice choice = Choice::keep;
            if (child != nullptr)
                choice = child->choice;
            else if (node != nullptr)
                choice = projection_.unnamed();
            if (choice == Choice::drop) continue;
            const Node* inside = choice == Choice::keep ? nullptr : child;
            if (inside != nullptr && projection_.is_inclusion() && !field.is_object() && !field.is_array()) continue;
            any = true;
            if (field.name().find('.') != std::string_view::npos) continue;
            const std::size_t length = path_.size();
            if (!top) path_.push_back('.');
            path_.append(field.name());
            value(field, inside);
            path_.resize(length);
        }
        return any;
    }

private:
    void value(bson::Element value, const Node* node) {
        if (value.is_array())
            array(value.object(), node);
        else
            member(value, node);
    }

    // A field or an array member that is no array itself.
    void member(bson::Element value, const Node* node) {
        if (!value.is_object())
            writer_.write(path_, value);
        else if (!object(value.object(), node, false))
            writer_.write(path_, bson::Value::of_object(bson::View()));
    }

    void array(bson::View members, const Node* node) {
        if (std::find(array_paths_.begin(), array_paths_.end(), path_) == array_paths_.end())
            array_paths_.push_back(path_);
        bool any = false;
        for (const bson::Element& each : members) {
            // The projection does not look into arrays of arrays, nor below values that have nothing below them.
            const bool opaque = node != nullptr && !each.is_object();
            if (opaque && projection_.is_inclusion()) continue;
            any = true;
            if (each.is_array())
                writer_.write(path_, each);
            else
                member(each, node);
        }
        if (!any) writer_.write(path_, bson::Element(undefined_bytes, 0));
    }

    const WildcardProjection& projection_;
    WildcardKeyWriter writer_;
    std::vector<std::string>& array_paths_;
    std::string path_;
};

}  // namespace

WildcardPattern::WildcardPattern(bson::View key_pattern, bson::View projection)
    : projection_(key_pattern, projection),
      ordering_(physical_ordering(key_pattern)),
      before_(wildcard_field_position(key_pattern)) {
    for (const bson::Element& field : key_pattern)
        if (!is_wildcard_field(field.name())) trie_.add(bson::FieldPath(std::string(field.name())), ordinary_++);
}

void WildcardPattern::generate(bson::View document, const bson::Collator* collator, std::vector<bson::Element>& values,
                               KeyBuilder& builder, KeySet& keys, std::vector<std::string>& array_paths) const {
    values.assign(ordinary_, bson::Element());
    if (ordinary_ > 0 && !trie_.resolve(document, values.data()))
        throw Error(7246301, "Regular fields of a compound wildcard index cannot be arrays or lie inside of arrays");
    WildcardKeyWriter writer{keys, builder, ordering_, collator, values.data(), before_, ordinary_};
    Walk(projection_, writer, array_paths).object(document, &projection_.root(), true);
    if (!keys.empty()) return;
    const bool has_ordinary =
        std::any_of(values.begin(), values.end(), [](const bson::Element& value) { return !value.missing(); });
    if (has_ordinary) writer.write_without_path();
}

std::string WildcardPattern::metadata_key(std::string_view path) const {
    const bson::Value lowest = bson::Value::min_key();
    const bson::Value mark = bson::Value::of_int(1);
    KeyBuilder builder(ordering_);
    for (std::size_t i = 0; i < before_; ++i) builder.append(lowest);
    builder.append(mark);
    builder.append_string(path);
    for (std::size_t i = before_; i < ordinary_; ++i) builder.append(lowest);
    builder.append_end();
    const Bytes bytes = builder.bytes();
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace ixora::key
