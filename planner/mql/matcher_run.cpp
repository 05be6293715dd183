#include <array>
#include <random>

#include "ixora/base/invariant.hpp"
#include "matcher_program.hpp"

namespace ixora::mql {

namespace {

using bson::Element;
using bson::Type;
using bson::View;

// The index of the outermost array that was traversed implicitly on the way to a match; null when nobody asks.
using Offset = std::optional<std::uint32_t>;

bool elem_match(const Predicate& predicate, Element array, NodeState* states, Offset* offset) {
    if (!array.is_array()) return false;
    const bool objects = predicate.test == Test::elem_match_object;
    std::uint32_t index = 0;
    for (const Element& item : array.object()) {
        bool found = false;
        if (!objects) {
            found = run_on_value(*predicate.elements, item, states);
        } else if (item.is_object() || item.is_array()) {
            found = run_on_document(*predicate.elements, item.object(), states, nullptr);
        }
        if (found) {
            if (offset != nullptr) *offset = index;
            return true;
        }
        ++index;
    }
    return false;
}

// From the index on, every member or only the one there; an array that ends before passes.
bool members_hold(const Predicate& predicate, Element array, NodeState* states) {
    if (!array.is_array()) return false;
    std::int64_t index = 0;
    for (const Element& item : array.object()) {
        const bool tested =
            predicate.test == Test::schema_all_elements ? index >= predicate.integer : index == predicate.integer;
        if (tested && !run_on_value(*predicate.elements, item, states)) return false;
        ++index;
    }
    return true;
}

// The tests with a filter of what is inside the value.
bool holds_inside(const Predicate& predicate, Element value, NodeState* states, Offset* offset) {
    switch (predicate.test) {
        case Test::schema_object:
            return value.is_object() && run_on_document(*predicate.elements, value.object(), states, nullptr);
        case Test::schema_all_elements:
        case Test::schema_element_at: return members_hold(predicate, value, states);
        default: return elem_match(predicate, value, states, offset);
    }
}

const char* end_of(View document) { return reinterpret_cast<const char*>(document.data() + document.size()); }

// The first field of that name, or a missing element.
Element find_field(View object, const FieldName& wanted) {
    const char* const end = end_of(object);
    for (const std::uint8_t* at = object.data() + 4; *at != 0;) {
        const FieldName name = read_field_name(reinterpret_cast<const char*>(at + 1), end);
        if (name == wanted) return Element(at, name.size);
        const std::uint8_t* value = at + 2 + name.size;
        at = value + bson::value_size(static_cast<Type>(*at), value);
    }
    return {};
}

// Follows a path from an element on, element by element (match.md 2.1): what happens beyond the first array.
class PathWalk {
public:
    PathWalk(const CompiledFilter& filter, const Leaf& leaf, NodeState* nested_states)
        : parts_(filter.parts.data() + leaf.first_part), leaf_(leaf), nested_states_(nested_states) {}

    bool test(Element value, Offset* offset) const {
        if (leaf_.predicate.looks_inside()) return holds_inside(leaf_.predicate, value, nested_states_, offset);
        return holds(leaf_.predicate, value);
    }

    // The value at the end of the path.
    bool at_end(Element value, Offset* offset) const {
        if (!value.is_array() || !leaf_.unwinds_leaf) return test(value, offset);
        std::uint32_t index = 0;
        for (const Element& item : value.object()) {
            if (test(item, offset)) {
                if (offset != nullptr) *offset = index;
                return true;
            }
            ++index;
        }
        return test(value, offset);
    }

    // `array` was met with the parts from `part` on still to go.
    bool through_array(Element array, std::uint32_t part, Offset* offset) const {
        if (leaf_.stops_at_arrays) return test(array, offset);
        const std::int64_t wanted_index = parts_[part].index;
        const bool last = part + 1 == leaf_.part_count;
        std::uint32_t index = 0;
        for (const Element& item : array.object()) {
            if (item.is_object() && through_object(item.object(), part, offset)) {
                if (offset != nullptr) *offset = index;
                return true;
            }
            if (wanted_index == index) {
                if (last) {
                    if (test(item, offset)) return true;
                } else if (item.is_object()) {
                    if (through_object(item.object(), part + 1, offset)) return true;
                } else if (item.is_array()) {
                    if (through_array(item, part + 1, offset)) return true;
                }
            }
            ++index;
        }
        return false;
    }

    bool through_object(View object, std::uint32_t part, Offset* offset) const {
        for (;; ++part) {
            const Element field = find_field(object, parts_[part].name);
            if (part + 1 == leaf_.part_count) return at_end(field, offset);
            if (field.is_array()) return through_array(field, part + 1, offset);
            if (!field.is_object()) return test(Element(), offset);
            object = field.object();
        }
    }

private:
    const PathPart* parts_;
    const Leaf& leaf_;
    NodeState* nested_states_;
};

std::uint32_t find_child(const CompiledFilter& filter, const TrieNode& node, const FieldName& name) {
    if (node.children.size() <= linear_children_max) {
        for (const std::uint32_t child : node.children)
            if (filter.trie[child].name == name) return child;
        return 0;
    }
    const auto found = node.by_name.find(name.view());
    return found == node.by_name.end() ? 0 : found->second;
}

// Leaves read the document through the trie.
class DocumentSource {
public:
    DocumentSource(const CompiledFilter& filter, View document, NodeState* states)
        : filter_(filter), document_(document), end_(end_of(document)), states_(states) {
        if (filter.leaves.size() <= 1) return;
        states[0].cursor = document.data() + 4;
        for (std::size_t i = 1; i < filter.trie.size(); ++i) states[i].data = nullptr;
    }

    bool test(const ExpressionPayload& payload) const {
        EvaluationContext context(payload.slot_count);
        context.root = document_;
        return payload.expression.evaluate(context).truthy();
    }
    bool test(const DocumentTest& about) const { return about.holds(document_, states_ + filter_.trie.size()); }
    bool test(const Leaf& leaf, Offset* offset) {
        const PathWalk walk(filter_, leaf, states_ + filter_.trie.size());
        if (filter_.leaves.size() == 1) return walk.through_object(document_, 0, offset);  // nothing to share
        std::uint32_t parent = 0;
        for (std::uint32_t depth = 0; depth < leaf.node_count; ++depth) {
            const std::uint32_t node = filter_.chain[leaf.first_node + depth];
            if (states_[node].data == nullptr && !advance_to(parent, node)) return walk.test(Element(), offset);
            const Element value(states_[node].data, states_[node].name_size);
            if (depth + 1 == leaf.part_count) return walk.at_end(value, offset);
            if (value.is_array()) return walk.through_array(value, depth + 1, offset);
            if (!value.is_object()) return walk.test(Element(), offset);
            parent = node;
        }
        return walk.through_object(View(states_[parent].data + 2 + states_[parent].name_size), leaf.node_count, offset);
    }

private:
    // Walks the object at `parent` on until its child `wanted` is there, noting the other children that it passes.
    bool advance_to(std::uint32_t parent, std::uint32_t wanted) {
        const TrieNode& node = filter_.trie[parent];
        const std::uint8_t* at = states_[parent].cursor;
        while (*at != 0) {
            const FieldName name = read_field_name(reinterpret_cast<const char*>(at + 1), end_);
            const std::uint8_t* field = at;
            const std::uint8_t* value = at + 2 + name.size;
            const auto type = static_cast<Type>(*at);
            at = value + bson::value_size(type, value);
            const std::uint32_t child = find_child(filter_, node, name);
            if (child == 0 || states_[child].data != nullptr) continue;  // of equal names the first counts
            states_[child] = {field, value + 4, name.size};
            if (child == wanted) {
                states_[parent].cursor = at;
                return true;
            }
        }
        states_[parent].cursor = at;
        return false;
    }

    const CompiledFilter& filter_;
    View document_;
    const char* end_;
    NodeState* states_;
};

// Leaves test the value, or what their paths name in it.
class ValueSource {
public:
    ValueSource(const CompiledFilter& filter, Element value, NodeState* states)
        : filter_(filter), value_(value), nested_states_(states + filter.trie.size()) {}
    static bool test(const ExpressionPayload&) {
        IXORA_INVARIANT(false && "$expr stands at the top level only");
        return false;
    }
    bool test(const DocumentTest& about) const {
        return value_.is_object() && about.holds(value_.object(), nested_states_);
    }
    bool test(const Leaf& leaf, Offset* offset) const {
        const PathWalk walk(filter_, leaf, nested_states_);
        if (leaf.part_count == 0) return walk.test(value_, offset);
        if (value_.is_object()) return walk.through_object(value_.object(), 0, offset);
        return value_.is_array() ? walk.through_array(value_, 0, offset) : walk.test(Element(), offset);
    }

private:
    const CompiledFilter& filter_;
    Element value_;
    NodeState* nested_states_;
};

// Leaves test the fields of an index key.
class KeySource {
public:
    explicit KeySource(View values) {
        for (const Element& value : values) {
            if (count_ == values_.size()) break;
            values_[count_++] = value;
        }
    }
    static bool test(const ExpressionPayload&) {
        IXORA_INVARIANT(false && "a filter on index keys reads only fields of the key pattern");
        return false;
    }
    static bool test(const DocumentTest&) {
        IXORA_INVARIANT(false && "a filter on index keys reads only fields of the key pattern");
        return false;
    }
    bool test(const Leaf& leaf, Offset*) const {
        IXORA_INVARIANT(!leaf.predicate.looks_inside());
        return holds(leaf.predicate, leaf.key_position < count_ ? values_[leaf.key_position] : Element());
    }

private:
    std::array<Element, 64> values_;
    std::size_t count_ = 0;
};

bool sampled(double rate) {
    thread_local std::mt19937_64 generator{std::random_device{}()};
    return std::uniform_real_distribution<double>(0, 1)(generator) < rate;
}

// Recurses as deep as the filter nests, which BSON's depth limit bounds.
template <class Source>
bool run(const CompiledFilter& filter, std::uint32_t at, Source& source, Offset* offset) {
    const Step& step = filter.steps[at];
    switch (step.kind) {
        case StepKind::leaf: return source.test(filter.leaves[step.leaf], offset);
        case StepKind::all:
            for (std::uint32_t child = at + 1; child < step.end; child = filter.steps[child].end)
                if (!run(filter, child, source, offset)) return false;
            return true;
        case StepKind::any:
            for (std::uint32_t child = at + 1; child < step.end; child = filter.steps[child].end)
                if (run(filter, child, source, nullptr)) return true;
            return false;
        case StepKind::none:
            for (std::uint32_t child = at + 1; child < step.end; child = filter.steps[child].end)
                if (run(filter, child, source, nullptr)) return false;
            return true;
        case StepKind::exactly_one: {
            int passing = 0;
            for (std::uint32_t child = at + 1; child < step.end && passing < 2; child = filter.steps[child].end)
                passing += run(filter, child, source, nullptr) ? 1 : 0;
            return passing == 1;
        }
        case StepKind::condition: {
            const std::uint32_t consequence = filter.steps[at + 1].end;
            const bool holds_true = run(filter, at + 1, source, nullptr);
            return run(filter, holds_true ? consequence : filter.steps[consequence].end, source, nullptr);
        }
        case StepKind::always_true: return true;
        case StepKind::always_false: return false;
        case StepKind::sample: return sampled(step.rate);
        case StepKind::expression: return source.test(filter.expressions[step.leaf]);
        case StepKind::document_test: return source.test(filter.document_tests[step.leaf]);
    }
    return false;
}

}  // namespace

bool run_on_document(const CompiledFilter& filter, View document, NodeState* states, Offset* offset) {
    DocumentSource source(filter, document, states);
    return run(filter, 0, source, offset);
}

bool run_on_value(const CompiledFilter& filter, Element value, NodeState* states) {
    ValueSource source(filter, value, states);
    return run(filter, 0, source, nullptr);
}

bool run_on_key(const CompiledFilter& filter, View values) {
    KeySource source(values);
    return run(filter, 0, source, nullptr);
}

}  // namespace ixora::mql
