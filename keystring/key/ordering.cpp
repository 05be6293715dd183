#include "ixora/key/ordering.hpp"

#include "ixora/base/error.hpp"

namespace ixora::key {

Ordering Ordering::of(bson::View key_pattern) {
    Ordering ordering;
    std::size_t position = 0;
    for (const bson::Element& field : key_pattern) {
        if (position == key_fields_max) throw Error(13103, "too many compound keys");
        if (field.is_number() && field.to_double() < 0) ordering.set_descending(position);
        ++position;
    }
    return ordering;
}

}  // namespace ixora::key
