// Writes a document into one growing buffer.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ixora/bson/document.hpp"

namespace ixora::bson {

// Usage:
//   Builder b;
//   b.append("a", 1);
//   b.open_array("tags"); b.append("x"); b.append("y"); b.close();
//   Document d = b.finish();
// append(name, value) writes a field; append(value) writes the next array member and needs an open array. A lone
// Element could mean either "this field" or "the next member", so it has two names: append_element, append_member. The
// same Builder can be reused after finish() or reset() and keeps its capacity, so a hot loop does not allocate. Nothing
// checks sizes or depth; finish() requires every open_* to be closed.
class Builder {
public:
    Builder() { reset(); }

    void append(std::string_view name, Element value);  // value under a new name; a missing one adds nothing
    void append(std::string_view name, const Value& value) { append(name, value.element()); }
    void append(std::string_view name, View object);
    void append(std::string_view name, const Document& object) { append(name, object.view()); }
    void append(std::string_view name, std::string_view text);
    void append(std::string_view name, const std::string& text) { append(name, std::string_view(text)); }
    void append(std::string_view name, const char* text) { append(name, std::string_view(text)); }
    void append(std::string_view name, bool value);
    void append(std::string_view name, std::int32_t value);
    void append(std::string_view name, std::int64_t value);
    void append(std::string_view name, double value);
    void append(std::string_view name, const Decimal128& value);
    template <class T>
    void append(T&& value) {
        const IndexName name = next_index();
        append(name.view(), std::forward<T>(value));
    }

    void append_array(std::string_view name, View array);
    void append_null(std::string_view name);
    void append_undefined(std::string_view name);
    void append_min_key(std::string_view name);
    void append_max_key(std::string_view name);
    void append_date(std::string_view name, std::int64_t milliseconds);
    void append_timestamp(std::string_view name, std::uint64_t seconds_and_increment);
    void append_object_id(std::string_view name, const std::uint8_t* id);
    void append_bin_data(std::string_view name, std::uint8_t subtype, std::string_view bytes);
    void append_regex(std::string_view name, std::string_view pattern, std::string_view flags);
    void append_code(std::string_view name, std::string_view code);
    void append_symbol(std::string_view name, std::string_view text);
    void append_db_pointer(std::string_view name, std::string_view ns, const std::uint8_t* id);
    void append_code_with_scope(std::string_view name, std::string_view code, View scope);
    // Small counters of explain: int32 when |value| < 2^30, else int64 (explain.md 0.2).
    void append_counter(std::string_view name, std::int64_t value);
    // Every field of `fields`, in order, under its own name.
    void append_all(View fields);
    void append(Element) = delete;
    // The element as it is, name included; a missing one adds nothing.
    void append_element(const Element& element) {
        if (!element.missing()) append_raw(element.data(), element.size());
    }
    // The next array member; its name is dropped.
    void append_member(const Element& value) {
        const IndexName name = next_index();
        append(name.view(), value);
    }
    void append_raw(const std::uint8_t* element, std::size_t size);

    void open_object(std::string_view name) { open(name, Type::object); }
    void open_array(std::string_view name) { open(name, Type::array); }
    void open_object() {
        const IndexName name = next_index();
        open(name.view(), Type::object);
    }
    void open_array() {
        const IndexName name = next_index();
        open(name.view(), Type::array);
    }
    void close();

    std::size_t depth() const noexcept { return frames_.size(); }  // 1 at top level
    std::size_t size() const noexcept { return buffer_.size() + frames_.size(); }
    // Closes the document and returns an owned copy; the Builder is reset.
    Document finish();
    // Closes the document and returns a view into the Builder's own buffer: valid until the Builder changes. Only
    // reset() may follow.
    View finish_view();
    void reset();

    // The decimal text of an array index without allocating.
    class IndexName {
    public:
        explicit IndexName(std::uint32_t index) noexcept;
        std::string_view view() const noexcept { return {text_ + begin_, static_cast<std::size_t>(10 - begin_)}; }

    private:
        char text_[10];
        int begin_;
    };

private:
    struct Frame {
        std::size_t start;      // of the length word
        std::uint32_t members;  // of an array
    };
    void head(std::string_view name, Type type);
    void raw(const void* bytes, std::size_t size);
    void length_and_text(std::string_view text);
    void open(std::string_view name, Type type);
    IndexName next_index() { return IndexName(frames_.back().members++); }

    std::vector<std::uint8_t> buffer_;
    std::vector<Frame> frames_;
};

}  // namespace ixora::bson
