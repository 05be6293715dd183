#include "reference_matcher.hpp"

#include <cmath>
#include <regex>

#include "catch.hpp"
#include "ixora/bson/compare.hpp"
#include "ixora/bson/field_path.hpp"
#include "quoted_json.hpp"

namespace ixora::tests {

namespace {

using bson::Element;
using bson::Type;
using mql::MatchKind;
using mql::MatchNode;

using Parts = std::vector<std::string>;

Parts rest_of(const Parts& parts) { return Parts(parts.begin() + 1, parts.end()); }

void iterate(bson::View document, const Parts& parts, LeafMode mode, std::vector<Yield>& out);

// The end of a path.
void yield_leaf(Element value, LeafMode mode, std::vector<Yield>& out) {
    if (value.is_array() && mode == LeafMode::traverse) {
        std::uint32_t index = 0;
        for (const auto& item : value.object()) out.push_back({item, index++});
    }
    out.push_back({value, std::nullopt});
}

void iterate_array(bson::View array, const Parts& rest, LeafMode mode, std::vector<Yield>& out) {
    std::uint32_t index = 0;
    for (const auto& item : array) {
        if (item.is_object()) {
            const std::size_t before = out.size();
            iterate(item.object(), rest, mode, out);
            for (std::size_t i = before; i < out.size(); ++i) out[i].offset = index;
        }
        if (rest.front() == std::to_string(index)) {
            if (rest.size() == 1) {
                out.push_back({item, std::nullopt});
            } else if (item.is_object()) {
                iterate(item.object(), rest_of(rest), mode, out);
            } else if (item.is_array()) {
                iterate_array(item.object(), rest_of(rest), mode, out);
            }
        }
        ++index;
    }
}

void iterate(bson::View document, const Parts& parts, LeafMode mode, std::vector<Yield>& out) {
    const Element value = document[parts.front()];
    if (parts.size() == 1) {
        yield_leaf(value, mode, out);
    } else if (value.is_object()) {
        iterate(value.object(), rest_of(parts), mode, out);
    } else if (value.is_array()) {
        iterate_array(value.object(), rest_of(parts), mode, out);
    } else {
        out.push_back({Element(), std::nullopt});
    }
}

bool compares(MatchKind kind, Element value, Element operand) {
    const bool or_equal = kind == MatchKind::eq || kind == MatchKind::lte || kind == MatchKind::gte;
    const bool less = kind == MatchKind::lt || kind == MatchKind::lte;
    const bool greater = kind == MatchKind::gt || kind == MatchKind::gte;
    const bool nothing = value.missing() || value.type() == Type::undefined;
    if (nothing && operand.is_null()) return or_equal;
    if (value.canonical_type() != operand.canonical_type()) {
        if (operand.type() == Type::max_key) return less;
        if (operand.type() == Type::min_key) return greater;
        return false;
    }
    if (value.is_nan() || operand.is_nan()) return value.is_nan() && operand.is_nan() && or_equal;
    const int order = bson::compare(value, operand);
    return order < 0 ? less : order > 0 ? greater : or_equal;
}

bool regex_holds(const mql::RegexPayload& regex, Element value) {
    if (value.type() == Type::regex)
        return value.regex_pattern() == regex.pattern && value.regex_flags() == regex.flags;
    if (!value.is_string() && value.type() != Type::symbol) return false;
    const auto flags = regex.flags.find('i') == std::string::npos ? std::regex::ECMAScript
                                                                  : std::regex::ECMAScript | std::regex::icase;
    return std::regex_search(std::string(value.string()), std::regex(regex.pattern, flags));
}

// The value as int64 when it is a whole number that fits; otherwise, with `truncate`, what is left of the point.
std::optional<std::int64_t> integer(Element value, bool truncate) {
    if (!value.is_number()) return std::nullopt;
    if (value.type() == Type::number_int || value.type() == Type::number_long) return value.to_int64();
    if (value.type() == Type::number_decimal) {
        const auto decimal = value.number_decimal();
        if (!truncate && !decimal.is_integral_int64()) return std::nullopt;
        return decimal.to_int64(bson::Decimal128::Rounding::toward_zero);
    }
    const double number = value.number_double();
    if (!std::isfinite(number) || std::abs(number) >= 9.2e18) return std::nullopt;
    if (!truncate && std::floor(number) != number) return std::nullopt;
    return static_cast<std::int64_t>(number);
}

bool bits_hold(MatchKind kind, const mql::BitsPayload& bits, Element value) {
    const auto number = integer(value, false);
    if (!number && value.type() != Type::bin_data) return false;
    std::size_t set = 0;
    for (const std::uint32_t position : bits.positions) {
        if (number) {
            set += static_cast<std::size_t>((*number >> std::min(position, 63U)) & 1);
        } else {
            const auto bytes = value.bin_data();
            if (position / 8 < bytes.size())
                set += (static_cast<unsigned char>(bytes[position / 8]) >> (position % 8)) & 1U;
        }
    }
    switch (kind) {
        case MatchKind::bits_all_set: return set == bits.positions.size();
        case MatchKind::bits_all_clear: return set == 0;
        case MatchKind::bits_any_set: return set > 0;
        default: return set < bits.positions.size();
    }
}

bool value_matches(const MatchNode& node, Element value);

bool elem_match_holds(const MatchNode& node, Element value, std::optional<std::uint32_t>* offset) {
    if (!value.is_array()) return false;
    std::uint32_t index = 0;
    for (const auto& item : value.object()) {
        bool found = false;
        if (node.kind == MatchKind::elem_match_object) {
            found = (item.is_object() || item.is_array()) && reference_matches(*node.children.front(), item.object());
        } else {
            found = true;
            for (const auto& child : node.children) found = found && value_matches(*child, item);
        }
        if (found) {
            if (offset != nullptr) *offset = index;
            return true;
        }
        ++index;
    }
    return false;
}

bool leaf_holds(const MatchNode& node, Element value, std::optional<std::uint32_t>* offset) {
    if (mql::is_comparison(node.kind)) return compares(node.kind, value, node.value());
    if (mql::is_bits_test(node.kind)) return bits_hold(node.kind, std::get<mql::BitsPayload>(node.payload), value);
    switch (node.kind) {
        case MatchKind::in:
            for (const auto& listed : node.in().equalities) {
                if (value.missing() && listed.type() == Type::null) return true;
                if (bson::compare(value, listed.element()) == 0 && !value.missing()) return true;
            }
            for (const auto& regex : node.in().regexes)
                if (regex_holds(regex, value)) return true;
            return false;
        case MatchKind::regex: return regex_holds(node.regex(), value);
        case MatchKind::exists: return !value.missing();
        case MatchKind::type: return !value.missing() && node.types().contains(value.type());
        case MatchKind::mod: {
            const auto& mod = std::get<mql::ModPayload>(node.payload);
            const auto number = integer(value, true);
            return number && *number - *number / mod.divisor * mod.divisor == mod.remainder;
        }
        case MatchKind::size:
            return value.is_array() &&
                   static_cast<std::int64_t>(value.object().field_count()) == std::get<std::int64_t>(node.payload);
        default: return elem_match_holds(node, value, offset);
    }
}

// Boolean structure; `leaf` decides the nodes with a path.
template <class Leaf>
bool structure(const MatchNode& node, bool records, Leaf leaf) {
    const auto any = [&](bool inner_records) {
        for (const auto& child : node.children)
            if (structure(*child, inner_records, leaf)) return true;
        return false;
    };
    switch (node.kind) {
        case MatchKind::and_:
            for (const auto& child : node.children)
                if (!structure(*child, records, leaf)) return false;
            return true;
        case MatchKind::or_: return any(records && node.children.size() == 1);
        case MatchKind::nor:
        case MatchKind::not_: return !any(false);
        case MatchKind::always_true: return true;
        case MatchKind::always_false: return false;
        default: return leaf(node, records);
    }
}

bool value_matches(const MatchNode& node, Element value) {
    return structure(node, false, [value](const MatchNode& leaf, bool) { return leaf_holds(leaf, value, nullptr); });
}

}  // namespace

std::vector<Yield> stream_of(bson::View document, const std::string& path, LeafMode mode) {
    const bson::FieldPath split(path);
    Parts parts;
    for (std::size_t i = 0; i < split.part_count(); ++i) parts.emplace_back(split.part(i));
    std::vector<Yield> out;
    iterate(document, parts, mode, out);
    return out;
}

bool reference_matches(const MatchNode& root, bson::View document, std::optional<std::uint32_t>* offset) {
    return structure(root, offset != nullptr, [&](const MatchNode& node, bool records) {
        const bool whole = node.kind == MatchKind::size || node.kind == MatchKind::elem_match_object ||
                           node.kind == MatchKind::elem_match_value;
        for (const auto& item : stream_of(document, node.path, whole ? LeafMode::no_traverse : LeafMode::traverse)) {
            std::optional<std::uint32_t> inner;
            if (!leaf_holds(node, item.element, &inner)) continue;
            if (records && item.offset) {
                *offset = item.offset;
            } else if (records && inner) {
                *offset = inner;
            }
            return true;
        }
        return false;
    });
}

TEST_CASE("the reference yields the streams of the specification", "[matcher]") {
    struct Case {
        const char* document;
        const char* path;
        const char* stream;  // "value@offset" ...
    };
    for (const auto& [document, path, expected] : std::initializer_list<Case>{
             {"{'a': {'b': 5}}", "a.b", "5"},
             {"{'a': 4}", "a.b", "MISSING"},
             {"{'a': [4]}", "a.b", ""},
             {"{'a': []}", "a.b", ""},
             {"{'a': []}", "a", "[]"},
             {"{'a': {'b': []}}", "a.b", "[]"},
             {"{'a': [5, {'b': 4}, 3]}", "a.b", "4@1"},
             {"{'a': [{'b': 1}, {}]}", "a.b", "1@0 MISSING@1"},
             {"{'a': [[{'b': 1}]]}", "a.b", ""},
             {"{'a': [[{'b': 1}]]}", "a.0.b", "1@0"},
             {"{'a': [5, 7, 3]}", "a.1", "7"},
             {"{'a': [5, [2, 4], 3]}", "a.1", "[2,4]"},
             {"{'a': [5, {'1': 4}, 3]}", "a.1", "4@1 {'1':4}"},
             {"{'a': [5, {'b': 4}, 3]}", "a.1.b", "MISSING@1 4"},
             {"{'a': [5, [{'b': 4}], 3]}", "a.1.b", "4@0"},
             {"{'a': [{'b': [2, 3]}, {'b': [4, 5]}]}", "a.b", "2@0 3@0 [2,3]@0 4@1 5@1 [4,5]@1"},
         }) {
        const auto owner = doc(document);
        std::string text;
        for (const auto& item : stream_of(owner, path, LeafMode::traverse)) {
            if (!text.empty()) text += ' ';
            text += item.element.missing() ? "MISSING" : bson::to_json(item.element, bson::JsonMode::relaxed);
            if (item.offset) text += "@" + std::to_string(*item.offset);
        }
        std::ranges::replace(text, '"', '\'');
        CAPTURE(document, path);
        CHECK(text == expected);
    }
}

}  // namespace ixora::tests
