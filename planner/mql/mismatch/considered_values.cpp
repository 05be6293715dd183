#include "considered_values.hpp"

#include "ixora/bson/field_path.hpp"

namespace ixora::mql {

namespace {

// Its steps say whether to go on.
class Walk {
public:
    Walk(ConsideredValues& out, bool unwinds) : out_(out), unwinds_(unwinds) {}

    bool object(bson::View object, std::string_view path) const {
        const std::size_t dot = path.find('.');
        const bson::Element field = object[path.substr(0, dot)];
        if (!field) return false;
        if (dot == std::string_view::npos) return at_end(field);
        const std::string_view rest = path.substr(dot + 1);
        if (field.is_array()) return array(field.object(), rest);
        return field.is_object() && this->object(field.object(), rest);
    }

private:
    bool array(bson::View array, std::string_view path) const {
        const std::size_t dot = path.find('.');
        const std::string_view part = path.substr(0, dot);
        for (const bson::Element& member : array) {
            if (member.is_object() && !object(member.object(), path)) return false;
            if (!bson::is_array_index(part) || member.name() != part) continue;
            if (dot == std::string_view::npos) {
                add(member);
            } else if (member.is_object()) {
                if (!object(member.object(), path.substr(dot + 1))) return false;
            } else if (member.is_array()) {
                if (!this->array(member.object(), path.substr(dot + 1))) return false;
            }
        }
        return true;
    }

    bool at_end(bson::Element value) const {
        out_.exists = true;
        if (value.is_array() && unwinds_)
            for (const bson::Element& member : value.object()) add(member);
        else
            add(value);
        return true;
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
