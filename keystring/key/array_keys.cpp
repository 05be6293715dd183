#include "array_keys.hpp"

#include <algorithm>

#include "ixora/base/error.hpp"
#include "ixora/bson/debug_string.hpp"

namespace ixora::key {

namespace {

constexpr std::uint8_t undefined_bytes[] = {static_cast<std::uint8_t>(bson::Type::undefined), 0};

[[noreturn]] void fail_parallel(bson::Element later, bson::Element first) {
    throw Error(ErrorCode::cannot_index_parallel_arrays,
                "cannot index parallel arrays [" + std::string(later.name()) + "] [" + std::string(first.name()) + "]");
}

// Long arrays print as their first and last third of 1024 characters.
std::string shortened(const std::string& text) {
    constexpr std::size_t size_max = 1024;
    if (text.size() < size_max) return text;
    return text.substr(0, size_max / 3) + " .......... " + text.substr(text.size() - size_max / 3);
}

[[noreturn]] void fail_ambiguous(std::string_view field, bson::Element array) {
    throw Error(16746,
                "Ambiguous field name found in array (do not use numeric field names in embedded elements in an "
                "array), field: '" +
                    std::string(field) + "' for array: " + shortened(bson::debug_string(array.object())));
}

bool contains(std::uint32_t positions, std::size_t position) noexcept { return (positions >> position & 1U) != 0; }

}  // namespace

void ArrayKeys::generate(bson::View document) {
    slots_.assign(paths_.size(), Slot{});
    level(0, document, {}, 0);
}

void ArrayKeys::note(std::size_t position, std::size_t component) {
    if (multikey_ != nullptr) add_component((*multikey_)[position], static_cast<std::uint16_t>(component));
}

void ArrayKeys::emit(std::size_t base) {
    for (std::size_t i = 0; i < paths_.size(); ++i) values_[i] = slots_[base + i].value;
    writer_.write(values_.data(), values_.size());
}

// Follows the path of `position` through objects; stops behind the first array, at the end, or with a missing element.
bson::Element ArrayKeys::descend(bson::View object, std::size_t position, std::size_t& next) const noexcept {
    const bson::FieldPath& path = paths_[position];
    for (;;) {
        const bson::Element element = object.find(path.part(next));
        ++next;
        if (next == path.part_count() || element.is_array()) return element;
        if (!element.is_object()) return {};
        object = element.object();
    }
}

ArrayKeys::Stop ArrayKeys::advance_paths(std::size_t base, bson::View object, bson::Element parent,
                                         std::size_t& missing) {
    Stop stop;
    for (std::size_t i = 0; i < paths_.size(); ++i) {
        Slot& slot = slots_[base + i];
        if (finished(slot, i)) continue;
        const bool positional = !slot.positional.missing();
        bson::Element value;
        bool selects_array = false;
        if (object.contains(paths_[i].part(slot.next))) {
            if (positional) fail_ambiguous(slot.positional.name(), parent);
            value = descend(object, i, slot.next);
        } else if (positional) {
            value = slot.positional_value;
            slot.next = slot.positional_next;
            selects_array = slot.positional.is_array();
        }
        slot.positional = {};
        if (value.is_array()) {
            stop.hit |= 1U << i;
            if (stop.array.missing())
                stop.array = value;
            else if (stop.array.data() != value.data())
                fail_parallel(value, stop.array);
            if (selects_array) stop.expand = false;
            continue;
        }
        slot.value = value;
        slot.next = paths_[i].part_count();
        if (value.missing()) ++missing;
    }
    return stop;
}

// Notes which components were arrays and resolves positional ones; true when every path has ended.
bool ArrayKeys::find_positional(std::size_t base, const Stop& stop) {
    bool all_finished = true;
    const bson::View members = stop.array.object();
    for (std::size_t i = 0; i < paths_.size(); ++i) {
        if (!contains(stop.hit, i)) continue;
        Slot& slot = slots_[base + i];
        if (finished(slot, i)) {
            if (stop.expand) note(i, slot.next - 1);
            continue;
        }
        if (members.empty()) {
            if (stop.expand) note(i, slot.next - 1);
        } else if (const bson::Element element = members.find(paths_[i].part(slot.next)); element.missing()) {
            note(i, slot.next - 1);
        } else {
            slot.positional = element;
            slot.positional_next = slot.next;
            slot.positional_value = descend(members, i, slot.positional_next);
            if (slot.positional_value.missing()) slot.positional_next = paths_[i].part_count();
        }
        all_finished = false;
    }
    return all_finished;
}

void ArrayKeys::visit_element(std::size_t base, const Stop& stop, bson::Element element, std::size_t missing,
                              bool all_finished) {
    std::size_t target = base;
    if (!all_finished) {
        target = base + paths_.size();
        slots_.resize(target + paths_.size());
        std::copy_n(slots_.begin() + static_cast<std::ptrdiff_t>(base), paths_.size(),
                    slots_.begin() + static_cast<std::ptrdiff_t>(target));
    }
    // An array that was selected by its index is indexed whole; an empty one is undefined in any case.
    const bson::Element value = stop.expand || stop.array.object().empty() ? element : stop.array;
    for (std::size_t i = 0; i < paths_.size(); ++i)
        if (contains(stop.hit, i) && finished(slots_[target + i], i)) slots_[target + i].value = value;
    if (all_finished) return emit(base);
    level(target, element.is_object() ? element.object() : bson::View(), stop.array, missing);
}

void ArrayKeys::level(std::size_t base, bson::View object, bson::Element parent, std::size_t missing) {
    const Stop stop = advance_paths(base, object, parent, missing);
    if (stop.array.missing()) {
        if (!sparse_ || missing < paths_.size()) emit(base);
        return;
    }
    const bool all_finished = find_positional(base, stop);
    if (stop.array.object().empty())
        return visit_element(base, stop, bson::Element(undefined_bytes, 0), missing, all_finished);
    if (!stop.expand && all_finished)
        return visit_element(base, stop, stop.array, missing, true);  // one key, not many equal ones
    for (const bson::Element& element : stop.array.object()) visit_element(base, stop, element, missing, all_finished);
}

}  // namespace ixora::key
