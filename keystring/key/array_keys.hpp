// Index keys of a document with arrays on its indexed paths (spec: keystring.md 2.1).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ixora/bson/field_path.hpp"
#include "ixora/key/key_generator.hpp"

namespace ixora::key {

// Encodes finished keys into a set.
struct KeyWriter {
    KeySet& keys;
    KeyBuilder& builder;
    Ordering ordering;
    const bson::Collator* collator;

    // Missing values are null.
    void write(const bson::Element* values, std::size_t count) {
        builder.reset(ordering);
        for (std::size_t i = 0; i < count; ++i) builder.append(values[i], collator);
        builder.append_end();
        keys.add(builder);
    }
};

// Walks all paths of one index at once; whenever some of them stop at an array, repeats for each element of it.
class ArrayKeys {
public:
    ArrayKeys(const std::vector<bson::FieldPath>& paths, bool sparse, KeyWriter writer, MultikeyPaths* multikey)
        : paths_(paths), sparse_(sparse), writer_(writer), multikey_(multikey), values_(paths.size()) {}

    // Throws 171 for parallel arrays, 16746 for an ambiguous field name.
    void generate(bson::View document);

private:
    // Where one path stands in one level of the recursion.
    struct Slot {
        bson::Element value;
        std::size_t next = 0;  // first path component still to follow; all of them behind it: finished
        // Set when the next component is an index into the array whose elements are being visited.
        bson::Element positional;
        bson::Element positional_value;
        std::size_t positional_next = 0;
    };
    // The array at which paths stopped in one level.
    struct Stop {
        bson::Element array;
        std::uint32_t hit = 0;  // positions that stopped there
        bool expand = true;     // false when a positional component selected it: then it counts as one value
    };

    void level(std::size_t base, bson::View object, bson::Element parent, std::size_t missing);
    Stop advance_paths(std::size_t base, bson::View object, bson::Element parent, std::size_t& missing);
    bson::Element descend(bson::View object, std::size_t position, std::size_t& next) const noexcept;
    bool find_positional(std::size_t base, const Stop& stop);
    void visit_elements(std::size_t base, const Stop& stop, std::size_t missing, bool finished);
    void visit_element(std::size_t base, const Stop& stop, bson::Element element, std::size_t missing, bool finished);
    void emit(std::size_t base);
    void note(std::size_t position, std::size_t component);
    bool finished(const Slot& slot, std::size_t position) const noexcept {
        return slot.next == paths_[position].part_count();
    }

    const std::vector<bson::FieldPath>& paths_;
    bool sparse_;
    KeyWriter writer_;
    MultikeyPaths* multikey_;
    std::vector<Slot> slots_;  // one frame of paths_.size() per level
    std::vector<bson::Element> values_;
};

}  // namespace ixora::key
