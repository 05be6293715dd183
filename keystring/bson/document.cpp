#include "ixora/bson/document.hpp"

#include <new>

namespace ixora::bson {

SharedBytes SharedBytes::allocate(std::size_t size) {
    SharedBytes shared;
    void* memory = ::operator new(sizeof(Block) + size);
    shared.block_ = ::new (memory) Block{{1}, static_cast<std::uint32_t>(size)};
    return shared;
}

SharedBytes SharedBytes::copy_of(const std::uint8_t* bytes, std::size_t size) {
    SharedBytes shared = allocate(size);
    if (size != 0) std::memcpy(shared.writable(), bytes, size);
    return shared;
}

void SharedBytes::release() noexcept {
    // The only owner need not pay for an atomic subtraction: nobody else can share the block any more.
    if (block_->references.load(std::memory_order_acquire) != 1 &&
        block_->references.fetch_sub(1, std::memory_order_acq_rel) != 1)
        return;
    block_->~Block();
    ::operator delete(block_);
}

Value::Value(Element element) {
    if (element.missing()) return;
    *this = of_bytes(element.type(), element.value(), element.value_size());
}

Value Value::of_bytes(Type type, const std::uint8_t* value, std::size_t size) {
    Value made;
    made.bytes_ = SharedBytes::allocate(2 + size);
    std::uint8_t* bytes = made.bytes_.writable();
    bytes[0] = static_cast<std::uint8_t>(type);
    bytes[1] = 0;
    if (size != 0) std::memcpy(bytes + 2, value, size);
    return made;
}

namespace {

template <class T>
Value of_scalar(Type type, const T& scalar) {
    std::uint8_t bytes[sizeof(T)];
    std::memcpy(bytes, &scalar, sizeof(T));
    return Value::of_bytes(type, bytes, sizeof(T));
}

}  // namespace

Value Value::null() { return of_bytes(Type::null, nullptr, 0); }
Value Value::undefined() { return of_bytes(Type::undefined, nullptr, 0); }
Value Value::min_key() { return of_bytes(Type::min_key, nullptr, 0); }
Value Value::max_key() { return of_bytes(Type::max_key, nullptr, 0); }
Value Value::of_int(std::int32_t value) { return of_scalar(Type::number_int, value); }
Value Value::of_long(std::int64_t value) { return of_scalar(Type::number_long, value); }
Value Value::of_double(double value) { return of_scalar(Type::number_double, value); }
Value Value::of_decimal(const Decimal128& value) { return of_scalar(Type::number_decimal, value); }
Value Value::of_bool(bool value) { return of_scalar(Type::boolean, static_cast<std::uint8_t>(value ? 1 : 0)); }
Value Value::of_date(std::int64_t milliseconds) { return of_scalar(Type::date, milliseconds); }
Value Value::of_object(View value) { return of_bytes(Type::object, value.data(), value.size()); }
Value Value::of_array(View value) { return of_bytes(Type::array, value.data(), value.size()); }

Value Value::of_string(std::string_view value) {
    Value made;
    made.bytes_ = SharedBytes::allocate(2 + 4 + value.size() + 1);
    std::uint8_t* bytes = made.bytes_.writable();
    bytes[0] = static_cast<std::uint8_t>(Type::string);
    bytes[1] = 0;
    const auto length = static_cast<std::int32_t>(value.size() + 1);
    std::memcpy(bytes + 2, &length, 4);
    if (!value.empty()) std::memcpy(bytes + 6, value.data(), value.size());
    bytes[6 + value.size()] = 0;
    return made;
}

}  // namespace ixora::bson
