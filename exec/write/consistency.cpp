#include "ixora/write/consistency.hpp"

#include <algorithm>
#include <functional>
#include <iterator>

#include "ixora/bson/validate.hpp"

namespace ixora::write {

void EntryTally::settle() {
    std::ranges::sort(expected_);
    std::ranges::sort(found_);
    std::vector<std::size_t> missing;
    std::vector<std::size_t> extra;
    std::ranges::set_difference(expected_, found_, std::back_inserter(missing));
    std::ranges::set_difference(found_, expected_, std::back_inserter(extra));
    expected_ = std::move(missing);
    found_ = std::move(extra);
}

bool EntryTally::is_missing(key::Bytes key, key::Bytes type_bits, const key::RecordId& id) {
    return std::ranges::binary_search(expected_, hash(key, type_bits, id));
}

bool EntryTally::is_extra(key::Bytes key, key::Bytes type_bits, const key::RecordId& id) {
    return std::ranges::binary_search(found_, hash(key, type_bits, id));
}

std::size_t EntryTally::hash(key::Bytes key, key::Bytes type_bits, const key::RecordId& id) {
    scratch_.assign(reinterpret_cast<const char*>(key.data()), key.size());
    scratch_.append(reinterpret_cast<const char*>(type_bits.data()), type_bits.size());
    key::append_record_id(scratch_, id);
    return std::hash<std::string_view>{}(scratch_);
}

bool is_document(bson::View document) {
    try {
        bson::validate({document.data(), document.size()});
        return true;
    } catch (const Error&) {
        return false;
    }
}

}  // namespace ixora::write
