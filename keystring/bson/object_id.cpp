#include "ixora/bson/object_id.hpp"

#include <atomic>
#include <chrono>
#include <random>

#include "ixora/base/hex.hpp"

namespace ixora::bson {

namespace {

// What stays the same for the life of the process, and the counter (three bytes of it are used).
struct Generator {
    std::array<std::uint8_t, 5> process{};
    std::atomic<std::uint32_t> counter{0};

    Generator() {
        std::random_device random;
        const std::uint32_t low = random();
        const std::uint32_t high = random();
        for (std::size_t i = 0; i < 4; ++i) process[i] = static_cast<std::uint8_t>(low >> (8 * i));
        process[4] = static_cast<std::uint8_t>(high);
        counter = high >> 8;
    }
};

}  // namespace

ObjectId new_object_id() {
    static Generator generator;  // uniqueness within the process is what an ObjectId promises
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    const auto seconds = static_cast<std::uint32_t>(std::chrono::duration_cast<std::chrono::seconds>(now).count());
    const std::uint32_t count = generator.counter.fetch_add(1, std::memory_order_relaxed);

    ObjectId id{};
    for (std::size_t i = 0; i < 4; ++i) id[i] = static_cast<std::uint8_t>(seconds >> (24 - 8 * i));
    for (std::size_t i = 0; i < 5; ++i) id[4 + i] = generator.process[i];
    for (std::size_t i = 0; i < 3; ++i) id[9 + i] = static_cast<std::uint8_t>(count >> (16 - 8 * i));
    return id;
}

std::string to_hex(const std::uint8_t* id) {
    std::string text;
    text.reserve(24);
    for (std::size_t i = 0; i < 12; ++i) append_hex(text, id[i]);
    return text;
}

std::optional<ObjectId> parse_object_id(std::string_view hex) {
    if (hex.size() != 24) return std::nullopt;
    ObjectId id{};
    for (std::size_t i = 0; i < 12; ++i) {
        const int high = hex_digit_value(hex[2 * i]);
        const int low = hex_digit_value(hex[2 * i + 1]);
        if (high < 0 || low < 0) return std::nullopt;
        id[i] = static_cast<std::uint8_t>(high * 16 + low);
    }
    return id;
}

}  // namespace ixora::bson
