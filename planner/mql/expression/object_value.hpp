// Objects that are made of others.
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <string_view>
#include <vector>

#include "ixora/mql/computed_value.hpp"

namespace ixora::mql {

// Fields in the order in which their names came first, each with its latest value. Names and values are views.
class FieldSet {
public:
    void put(std::string_view name, bson::Element value) {
        const auto [place, is_new] = positions_.emplace(name, fields_.size());
        if (is_new)
            fields_.emplace_back(name, value);
        else
            fields_[place->second].second = value;
    }
    void put_all(bson::View object) {
        for (const bson::Element& field : object) put(field.name(), field);
    }
    ComputedValue object() const {
        bson::Builder out;
        out.open_object("");
        for (const auto& [name, value] : fields_) out.append(name, value);
        out.close();
        return ComputedValue::built(out);
    }

private:
    std::vector<std::pair<std::string_view, bson::Element>> fields_;
    boost::unordered_flat_map<std::string_view, std::size_t> positions_;
};

}  // namespace ixora::mql
