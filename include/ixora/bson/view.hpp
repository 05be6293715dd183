// A document or array as a view into validated bytes.
#pragma once

#include <cstddef>
#include <iterator>

#include "ixora/bson/element.hpp"

namespace ixora::bson {

// Trivially copyable, owns nothing; valid as long as the bytes. A default-made View is the empty document.
// Views over untrusted bytes come from validate() (validate.hpp) only; nothing here checks bounds.
class View {
public:
    class Iterator {
    public:
        using iterator_category = std::forward_iterator_tag;
        using value_type = Element;
        using difference_type = std::ptrdiff_t;
        using pointer = const Element*;
        using reference = const Element&;

        Iterator() noexcept = default;
        explicit Iterator(const std::uint8_t* at) noexcept : element_(at) {}
        reference operator*() const noexcept { return element_; }
        pointer operator->() const noexcept { return &element_; }
        Iterator& operator++() noexcept {
            element_ = Element(element_.data() + element_.size());
            return *this;
        }
        Iterator operator++(int) noexcept {
            Iterator before = *this;
            ++*this;
            return before;
        }
        friend bool operator==(const Iterator& left, const Iterator& right) noexcept {
            return left.element_.data() == right.element_.data();
        }

    private:
        Element element_;
    };

    constexpr View() noexcept : data_(empty_bytes) {}
    // `data` points at the length word of valid BSON.
    explicit View(const std::uint8_t* data) noexcept : data_(data) {}

    const std::uint8_t* data() const noexcept { return data_; }
    std::size_t size() const noexcept { return static_cast<std::size_t>(read_int32(data_)); }
    bool empty() const noexcept { return size() == 5; }

    Iterator begin() const noexcept { return Iterator(data_ + 4); }
    Iterator end() const noexcept { return Iterator(data_ + size() - 1); }

    // First field of that name, or a missing Element. Linear in the bytes before it.
    Element find(std::string_view name) const noexcept {
        for (const std::uint8_t* at = data_ + 4; *at != 0;) {
            const auto* text = reinterpret_cast<const char*>(at + 1);
            const auto name_size = static_cast<std::uint32_t>(std::strlen(text));
            if (name_size == name.size() && std::memcmp(text, name.data(), name_size) == 0)
                return Element(at, name_size);
            const std::uint8_t* value = at + 2 + name_size;
            at = value + value_size(static_cast<Type>(*at), value);
        }
        return {};
    }
    Element operator[](std::string_view name) const noexcept { return find(name); }
    bool contains(std::string_view name) const noexcept { return !find(name).missing(); }
    // Follows a dotted path through objects and, by index, arrays; no implicit traversal. Missing where it breaks off.
    Element find_dotted(std::string_view path) const noexcept;
    Element front() const noexcept { return *begin(); }  // missing when empty
    std::size_t field_count() const noexcept { return static_cast<std::size_t>(std::distance(begin(), end())); }

    // Identical bytes.
    friend bool same_bytes(const View& left, const View& right) noexcept {
        return left.size() == right.size() && std::memcmp(left.data_, right.data_, left.size()) == 0;
    }

private:
    static constexpr std::uint8_t empty_bytes[5] = {5, 0, 0, 0, 0};
    const std::uint8_t* data_;
};

inline View Element::object() const noexcept { return View(value()); }
inline View Element::scope() const noexcept { return View(value() + 8 + read_int32(value() + 4)); }

}  // namespace ixora::bson
