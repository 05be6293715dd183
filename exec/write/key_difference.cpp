#include <algorithm>

#include "ixora/write/document_writer.hpp"

namespace ixora::write {

KeyDifference::KeyDifference(const key::KeySet& before, const key::KeySet& after) {
    const auto order = [](key::Bytes left, key::Bytes right) {
        return std::lexicographical_compare_three_way(left.begin(), left.end(), right.begin(), right.end());
    };
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < before.size() || j < after.size()) {
        const auto compared = i == before.size()  ? std::strong_ordering::greater
                              : j == after.size() ? std::strong_ordering::less
                                                  : order(before[i].key, after[j].key);
        if (compared < 0) {
            gone.push_back(i++);
        } else if (compared > 0) {
            added.push_back(j++);
        } else {
            if (order(before[i].type_bits, after[j].type_bits) != 0) {
                gone.push_back(i);
                added.push_back(j);
            }
            ++i;
            ++j;
        }
    }
}

}  // namespace ixora::write
