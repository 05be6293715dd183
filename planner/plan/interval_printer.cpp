#include <string>

#include "ixora/base/hex.hpp"
#include "ixora/bson/debug_string.hpp"
#include "ixora/plan/interval.hpp"

namespace ixora::plan {

namespace {

using bson::Element;

// What lies below prints as "...", as in debug strings.
constexpr int printed_depth_max = 100;

// Like a debug string, but every string is the bytes of a collation key.
void append_collated(std::string& out, Element value, int depth) {
    if (value.is_string()) {
        out += "CollationKey(0x";
        append_hex(out, value.string());
        out += ')';
        return;
    }
    if (!value.is_object() && !value.is_array()) {
        bson::append_debug_string(out, value);
        return;
    }
    const bool is_array = value.is_array();
    if (value.object().empty()) {
        out += is_array ? "[]" : "{}";
        return;
    }
    out += is_array ? "[ " : "{ ";
    bool first = true;
    for (const Element& member : value.object()) {
        if (!first) out += ", ";
        first = false;
        if (depth >= printed_depth_max) {
            out += "...";
            continue;
        }
        if (!is_array) out.append(member.name()).append(": ");
        append_collated(out, member, depth + 1);
    }
    out += is_array ? " ]" : " }";
}

}  // namespace

std::string print_interval(const Interval& interval, bool collated) {
    std::string out(1, interval.start_inclusive ? '[' : '(');
    for (const bson::Value* end : {&interval.start, &interval.end}) {
        if (collated)
            append_collated(out, end->element(), 0);
        else
            bson::append_debug_string(out, end->element());
        if (end == &interval.start) out += ", ";
    }
    out += interval.end_inclusive ? ']' : ')';
    return out;
}

}  // namespace ixora::plan
