#include "ixora/bson/view.hpp"

namespace ixora::bson {

Element View::find_dotted(std::string_view path) const noexcept {
    // Array members are stored under their decimal index, so one lookup serves objects and arrays.
    View inside = *this;
    for (;;) {
        const std::size_t dot = path.find('.');
        const Element found = inside.find(path.substr(0, dot));
        if (dot == std::string_view::npos) return found;
        if (!found.is_object() && !found.is_array()) return {};
        inside = found.object();
        path.remove_prefix(dot + 1);
    }
}

}  // namespace ixora::bson
