#include "considered_values.hpp"

#include <charconv>

#include "ixora/bson/field_path.hpp"

namespace ixora::mql {

namespace {

class Walk {
public:
    Walk(ConsideredValues& out, bool unwinds) : out_(out), unwinds_(unwinds) {}

    void object(bson::View object, std::string_view path) const {
        const std::size_t dot = path.find('.');
        const bson::Element field = object[path.substr(0, dot)];
        if (!field) return;
        if (dot == std::string_view::npos) return at_end(field);
        if (field.is_object()) this->object(field.object(), path.substr(dot + 1));
        if (field.is_array()) array(field.object(), path.substr(dot + 1));
    }

private:
    void array(bson::View array, std::string_view path) const {
        const std::size_t dot = path.find('.');
        const std::string_view part = path.substr(0, dot);
        for (const bson::Element& member : array) {
            if (member.is_object()) object(member.object(), path);
            if (!bson::is_array_index(part) || member.name() != part) continue;
            if (dot == std::string_view::npos) {
                add(member);
            } else if (member.is_object()) {
                object(member.object(), path.substr(dot + 1));
            } else if (member.is_array()) {
                this->array(member.object(), path.substr(dot + 1));
            }
        }
    }

    void at_end(bson::Element value) const {
        out_.exists = true;
        if (!value.is_array() || !unwinds_) return add(value);
        for (const bson::Element& member : value.object()) add(member);
    }

    void add(bson::Element value) const {
        out_.exists = true;
        out_.values.push_back(value);
    }

    ConsideredValues& out_;
    bool unwinds_;
};

}  // namespace

ConsideredValues considered_values(bson::View document, std::string_view path, bool unwinds) {
    ConsideredValues out;
    Walk(out, unwinds).object(document, path);
    return out;
}

}  // namespace ixora::mql
