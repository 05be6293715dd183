#include "document_comparer.hpp"

#include <algorithm>
#include <cmath>

#include "ixora/bson/builder.hpp"
#include "ixora/bson/compare.hpp"

namespace ixora::explain {

namespace {

using bson::Element;
using bson::View;

constexpr double score_tolerance = 1e-9;
// Longer pairs of lists are not aligned but compared member by member.
constexpr std::size_t alignment_cells_max = 1'000'000;

struct Place {
    std::string ours, theirs;

    Place field(std::string_view name) const { return {join(ours, name), join(theirs, name)}; }
    Place member(std::size_t our_number, std::size_t their_number) const {
        return {join(ours, std::to_string(our_number)), join(theirs, std::to_string(their_number))};
    }

private:
    static std::string join(const std::string& path, std::string_view name) {
        return path.empty() ? std::string(name) : path + "." + std::string(name);
    }
};

bool is_unknown(Element value) noexcept { return value.is_string() && value.string() == unknown_value; }

std::string_view text_of(Element value, std::string_view name) noexcept {
    const Element text = value.is_object() ? value.object()[name] : Element();
    return text.is_string() ? text.string() : std::string_view();
}

std::string_view stage_of(Element value) noexcept { return text_of(value, "stage"); }

// The same work on the same index, so that it makes sense to compare how.
bool are_comparable_stages(Element ours, Element theirs) noexcept {
    return stage_of(ours) == stage_of(theirs) && text_of(ours, "indexName") == text_of(theirs, "indexName");
}

std::vector<Element> members(View array) { return {array.begin(), array.end()}; }

bson::Document without_field(View object, std::string_view name) {
    bson::Builder out;
    for (const Element& field : object)
        if (field.name() != name) out.append_element(field);
    return out.finish();
}

bson::Value names_of(const std::vector<Element>& fields) {
    bson::Builder out;
    out.open_array("names");
    for (const Element& field : fields) out.append(field.name());
    out.close();
    return bson::Value(out.finish()["names"]);
}

class Comparer {
public:
    std::vector<Difference> differences;

    void compare(const Place& place, Element ours, Element theirs) {
        if (is_unknown(ours) || is_unknown(theirs)) return;
        if (ours.is_object() && theirs.is_object()) {
            const bool stages = !stage_of(ours).empty() && !stage_of(theirs).empty();
            if (stages && !are_comparable_stages(ours, theirs))
                compare_other_stages(place, ours, theirs);
            else
                compare_objects(place, ours.object(), theirs.object());
        } else if (ours.is_array() && theirs.is_array()) {
            compare_arrays(place, members(ours.object()), members(theirs.object()));
        } else if (!same_value(ours, theirs)) {
            add(DifferenceKind::changed, place, ours, theirs);
        }
    }

    void compare_objects(const Place& place, View ours, View theirs) {
        std::vector<Element> our_common, their_common;
        for (const Element& field : ours) {
            const Element other = theirs[field.name()];
            if (other.missing()) {
                add(DifferenceKind::only_ours, place.field(field.name()), field, {});
            } else {
                our_common.push_back(field);
                compare(place.field(field.name()), field, other);
            }
        }
        for (const Element& field : theirs) {
            if (ours[field.name()].missing())
                add(DifferenceKind::only_theirs, place.field(field.name()), {}, field);
            else
                their_common.push_back(field);
        }
        const bool same_order =
            std::equal(our_common.begin(), our_common.end(), their_common.begin(), their_common.end(),
                       [](const Element& left, const Element& right) { return left.name() == right.name(); });
        if (!same_order)
            differences.push_back(
                {DifferenceKind::reordered, place.ours, place.theirs, names_of(our_common), names_of(their_common)});
    }

private:
    static bool same_value(Element ours, Element theirs) {
        if (ours.missing() || theirs.missing()) return ours.missing() && theirs.missing();
        if (ours.name() == "score" && ours.is_number() && theirs.is_number())
            return std::abs(ours.to_double() - theirs.to_double()) <= score_tolerance;
        return ours.canonical_type() == theirs.canonical_type() && bson::equal(ours, theirs);
    }

    // One stage more on one side, or another stage (or index) altogether.
    void compare_other_stages(const Place& place, Element ours, Element theirs) {
        const Element our_input = ours.object()["inputStage"], their_input = theirs.object()["inputStage"];
        if (are_comparable_stages(ours, their_input)) {
            const bson::Document extra = without_field(theirs.object(), "inputStage");
            differences.push_back(
                {DifferenceKind::only_theirs, place.ours, place.theirs, {}, bson::Value::of_object(extra)});
            compare({place.ours, place.theirs + ".inputStage"}, ours, their_input);
        } else if (are_comparable_stages(our_input, theirs)) {
            const bson::Document extra = without_field(ours.object(), "inputStage");
            differences.push_back(
                {DifferenceKind::only_ours, place.ours, place.theirs, bson::Value::of_object(extra), {}});
            compare({place.ours + ".inputStage", place.theirs}, our_input, theirs);
        } else {
            add(DifferenceKind::changed, place, ours, theirs);
        }
    }

    // Equal members are paired in order; what lies between two pairs is compared one by one as far as it goes.
    void compare_arrays(const Place& place, const std::vector<Element>& ours, const std::vector<Element>& theirs) {
        const std::size_t first = differences.size();
        std::size_t our_at = 0, their_at = 0;
        const auto close_gap = [&](std::size_t our_end, std::size_t their_end) {
            for (; our_at < our_end && their_at < their_end; ++our_at, ++their_at)
                compare(place.member(our_at, their_at), ours[our_at], theirs[their_at]);
            for (; our_at < our_end; ++our_at)
                add(DifferenceKind::only_ours, place.member(our_at, our_at), ours[our_at], {});
            for (; their_at < their_end; ++their_at)
                add(DifferenceKind::only_theirs, place.member(their_at, their_at), {}, theirs[their_at]);
        };
        for (const auto& [our_number, their_number] : equal_pairs(ours, theirs)) {
            close_gap(our_number, their_number);
            ++our_at;
            ++their_at;
        }
        close_gap(ours.size(), theirs.size());
        join_moved(first, place);
    }

    using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;

    // A longest common subsequence.
    static Pairs equal_pairs(const std::vector<Element>& ours, const std::vector<Element>& theirs) {
        std::size_t head = 0;
        while (head < ours.size() && head < theirs.size() && same_in_normal_form(ours[head], theirs[head])) ++head;
        Pairs pairs;
        for (std::size_t i = 0; i < head; ++i) pairs.emplace_back(i, i);
        const std::size_t rows = ours.size() - head, columns = theirs.size() - head;
        if (rows == 0 || columns == 0 || rows * columns > alignment_cells_max) return pairs;

        std::vector<char> same(rows * columns);
        std::vector<std::uint32_t> length((rows + 1) * (columns + 1));
        const auto at = [columns](std::size_t row, std::size_t column) { return row * (columns + 1) + column; };
        for (std::size_t row = rows; row-- > 0;) {
            for (std::size_t column = columns; column-- > 0;) {
                const bool equal = same_in_normal_form(ours[head + row], theirs[head + column]);
                same[row * columns + column] = equal;
                length[at(row, column)] = equal ? length[at(row + 1, column + 1)] + 1
                                                : std::max(length[at(row + 1, column)], length[at(row, column + 1)]);
            }
        }
        for (std::size_t row = 0, column = 0; row < rows && column < columns;) {
            if (same[row * columns + column] != 0) {
                pairs.emplace_back(head + row++, head + column++);
            } else if (length[at(row + 1, column)] >= length[at(row, column + 1)]) {
                ++row;
            } else {
                ++column;
            }
        }
        return pairs;
    }

    // A member that one list lacks here and has there has moved.
    void join_moved(std::size_t first, const Place& list) {
        for (std::size_t i = first; i < differences.size(); ++i) {
            if (!is_member(differences[i], DifferenceKind::only_ours, list.ours)) continue;
            for (std::size_t j = first; j < differences.size(); ++j) {
                if (!is_member(differences[j], DifferenceKind::only_theirs, list.theirs) ||
                    !same_in_normal_form(differences[i].ours, differences[j].theirs))
                    continue;
                differences[i].kind = DifferenceKind::moved;
                differences[i].path_in_theirs = differences[j].path;
                differences[i].theirs = differences[j].theirs;
                differences.erase(differences.begin() + static_cast<std::ptrdiff_t>(j));
                if (j < i) --i;
                break;
            }
        }
    }

    // Of the list itself, not of something inside one of its members.
    static bool is_member(const Difference& difference, DifferenceKind kind, const std::string& list) {
        return difference.kind == kind && difference.path.find('.', list.size() + 1) == std::string::npos;
    }

    void add(DifferenceKind kind, const Place& place, Element ours, Element theirs) {
        const bool only_theirs = kind == DifferenceKind::only_theirs;
        differences.push_back({kind, only_theirs ? place.theirs : place.ours,
                               kind == DifferenceKind::only_ours ? place.ours : place.theirs,
                               ours.missing() ? bson::Value() : bson::Value(ours),
                               theirs.missing() ? bson::Value() : bson::Value(theirs)});
    }
};

}  // namespace

std::vector<Difference> compare_documents(View ours, View theirs) {
    Comparer comparer;
    comparer.compare_objects({}, ours, theirs);
    return std::move(comparer.differences);
}

bool same_in_normal_form(Element ours, Element theirs) {
    Comparer comparer;
    comparer.compare({}, ours, theirs);
    return comparer.differences.empty();
}

}  // namespace ixora::explain
