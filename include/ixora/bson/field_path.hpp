// A dotted path split once into its parts.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ixora::bson {

// "a.b.c" with offsets of its parts; empty parts are legal. Part count of "" is 1 (one empty part).
class FieldPath {
public:
    FieldPath() : FieldPath(std::string()) {}
    explicit FieldPath(std::string path);

    const std::string& dotted() const noexcept { return path_; }
    std::size_t part_count() const noexcept { return starts_.size(); }
    std::string_view part(std::size_t i) const noexcept {
        const std::size_t end = i + 1 < starts_.size() ? starts_[i + 1] - 1 : path_.size();
        return std::string_view(path_).substr(starts_[i], end - starts_[i]);
    }
    // The first `count` parts as dotted text.
    std::string_view prefix(std::size_t count) const noexcept {
        return count == part_count() ? std::string_view(path_)
                                     : std::string_view(path_).substr(0, count == 0 ? 0 : starts_[count] - 1);
    }
    std::string_view tail(std::size_t from) const noexcept {
        return from < starts_.size() ? std::string_view(path_).substr(starts_[from]) : std::string_view();
    }

private:
    std::string path_;
    std::vector<std::uint32_t> starts_;
};

// Digits only, no leading zero unless "0": usable as an array index.
bool is_array_index(std::string_view part) noexcept;
// True when `prefix` equals `path` or is followed by a dot in it.
bool is_path_prefix_or_equal(std::string_view prefix, std::string_view path) noexcept;

}  // namespace ixora::bson
