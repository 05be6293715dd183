// Owned BSON: a document, and a single value, in immutable reference-counted buffers.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

#include "ixora/bson/view.hpp"

namespace ixora::bson {

// Immutable bytes with an atomic reference count, one allocation. Copies share the bytes; thread-safe like
// shared_ptr<const>.
class SharedBytes {
public:
    SharedBytes() noexcept = default;
    static SharedBytes copy_of(const std::uint8_t* bytes, std::size_t size);
    // Uninitialised buffer; the caller fills writable() before sharing it.
    static SharedBytes allocate(std::size_t size);

    SharedBytes(const SharedBytes& other) noexcept : block_(other.block_) { retain(); }
    SharedBytes(SharedBytes&& other) noexcept : block_(std::exchange(other.block_, nullptr)) {}
    SharedBytes& operator=(SharedBytes other) noexcept {
        std::swap(block_, other.block_);
        return *this;
    }
    ~SharedBytes() {
        if (block_ != nullptr) release();
    }

    const std::uint8_t* data() const noexcept { return block_ == nullptr ? nullptr : block_->bytes(); }
    std::uint8_t* writable() noexcept { return block_->bytes(); }
    std::size_t size() const noexcept { return block_ == nullptr ? 0 : block_->size; }
    explicit operator bool() const noexcept { return block_ != nullptr; }

private:
    struct Block {
        std::atomic<std::uint32_t> references;
        std::uint32_t size;
        std::uint8_t* bytes() noexcept { return reinterpret_cast<std::uint8_t*>(this + 1); }
    };
    void retain() const noexcept {
        if (block_ != nullptr) block_->references.fetch_add(1, std::memory_order_relaxed);
    }
    void release() noexcept;

    Block* block_ = nullptr;
};

// An owned document. Converts to View; a View of it is valid while any copy of the Document lives.
class Document {
public:
    Document() noexcept = default;  // the empty document, no allocation
    // Copies valid bytes.
    explicit Document(View view) : bytes_(SharedBytes::copy_of(view.data(), view.size())) {}
    // Takes over bytes that hold exactly one valid document.
    explicit Document(SharedBytes bytes) noexcept : bytes_(std::move(bytes)) {}

    View view() const noexcept { return bytes_ ? View(bytes_.data()) : View(); }
    operator View() const noexcept {
        return view();
    }  // NOLINT(google-explicit-constructor): a Document is a View that owns
    Element operator[](std::string_view name) const noexcept { return view()[name]; }
    bool empty() const noexcept { return view().empty(); }
    std::size_t size() const noexcept { return view().size(); }
    View::Iterator begin() const noexcept { return view().begin(); }
    View::Iterator end() const noexcept { return view().end(); }

private:
    SharedBytes bytes_;
};

// An owned single value (an element with an empty name). Default-made: missing. Copies share the bytes.
class Value {
public:
    Value() noexcept = default;
    explicit Value(Element element);  // copies the value, drops the name

    static Value null();
    static Value undefined();
    static Value min_key();
    static Value max_key();
    static Value of_int(std::int32_t value);
    static Value of_long(std::int64_t value);
    static Value of_double(double value);
    static Value of_decimal(const Decimal128& value);
    static Value of_bool(bool value);
    static Value of_string(std::string_view value);
    static Value of_date(std::int64_t milliseconds);
    static Value of_object(View value);
    static Value of_array(View value);
    // A value of any type from its raw BSON value bytes.
    static Value of_bytes(Type type, const std::uint8_t* value, std::size_t size);

    Element element() const noexcept { return bytes_ ? Element(bytes_.data(), 0) : Element(); }
    operator Element() const noexcept {
        return element();
    }  // NOLINT(google-explicit-constructor): a Value is an Element that owns
    Type type() const noexcept { return element().type(); }
    bool missing() const noexcept { return !bytes_; }

private:
    SharedBytes bytes_;
};

}  // namespace ixora::bson
