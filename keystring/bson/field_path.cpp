#include "ixora/bson/field_path.hpp"

namespace ixora::bson {

FieldPath::FieldPath(std::string path) : path_(std::move(path)) {
    starts_.push_back(0);
    for (std::size_t i = 0; i < path_.size(); ++i)
        if (path_[i] == '.') starts_.push_back(static_cast<std::uint32_t>(i + 1));
}

bool is_array_index(std::string_view part) noexcept {
    if (part.empty() || (part[0] == '0' && part.size() > 1)) return false;
    for (const char c : part)
        if (c < '0' || c > '9') return false;
    return true;
}

bool is_path_prefix_or_equal(std::string_view prefix, std::string_view path) noexcept {
    if (path.substr(0, prefix.size()) != prefix) return false;
    return path.size() == prefix.size() || path[prefix.size()] == '.';
}

}  // namespace ixora::bson
