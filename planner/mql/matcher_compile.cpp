#include <algorithm>
#include <charconv>
#include <map>

#include "ixora/base/invariant.hpp"
#include "ixora/bson/field_path.hpp"
#include "matcher_program.hpp"

namespace ixora::mql {

namespace {

// Deeper than any document can be; the rest of a longer path needs no trie.
constexpr std::size_t chain_length_max = 256;

// Every integer up to here has a double of its own.
constexpr std::int64_t exact_integer_max = std::int64_t{1} << 53;

std::int64_t array_position(std::string_view part) {
    std::int64_t index = -1;
    if (!bson::is_array_index(part) || part.size() > 9) return -1;
    std::from_chars(part.data(), part.data() + part.size(), index);
    return index;
}

std::uint8_t accepted_orders(MatchKind kind) {
    switch (kind) {
        case MatchKind::eq:
        case MatchKind::internal_expr_eq: return 2;
        case MatchKind::lt:
        case MatchKind::internal_expr_lt: return 1;
        case MatchKind::lte:
        case MatchKind::internal_expr_lte: return 3;
        case MatchKind::gt:
        case MatchKind::internal_expr_gt: return 4;
        default: return 6;
    }
}

void set_comparison(Predicate& predicate, const MatchNode& node) {
    predicate.accepted = accepted_orders(node.kind);
    predicate.operand = node.value();
    predicate.collator = node.collator;
    const bson::Element operand = predicate.operand.element();
    predicate.test = Test::compare_any;
    switch (operand.type()) {
        case bson::Type::number_int:
        case bson::Type::number_long:
            predicate.test = Test::compare_integer;
            predicate.integer = operand.to_int64();
            predicate.real = static_cast<double>(predicate.integer);
            predicate.exact_as_double =
                predicate.integer >= -exact_integer_max && predicate.integer <= exact_integer_max;
            break;
        case bson::Type::number_double:
            if (operand.is_nan()) break;
            predicate.test = Test::compare_double;
            predicate.real = operand.number_double();
            break;
        case bson::Type::string:
            if (node.collator != nullptr) break;
            predicate.test = Test::compare_text;
            predicate.text = operand.string();
            break;
        case bson::Type::object_id:
            predicate.test = Test::compare_object_id;
            predicate.text = {reinterpret_cast<const char*>(operand.object_id()), 12};
            break;
        default: break;
    }
}

Predicate make_predicate(const MatchNode& node) {
    Predicate predicate;
    if (is_comparison(node.kind)) {
        set_comparison(predicate, node);
    } else if (is_internal_expr(node.kind)) {
        set_comparison(predicate, node);
        predicate.test = Test::internal_expr;
    } else if (is_bits_test(node.kind)) {
        predicate.test = Test::bits;
        predicate.bits = std::make_unique<BitsTest>(node.kind, std::get<BitsPayload>(node.payload));
    } else if (node.kind == MatchKind::regex) {
        predicate.test = Test::regex;
        predicate.regex = std::make_unique<RegexTest>(node.regex());
    } else if (node.kind == MatchKind::in) {
        predicate.test = Test::in;
        predicate.in = std::make_unique<InTest>(node.in(), node.collator);
    } else if (node.kind == MatchKind::mod) {
        predicate.test = Test::mod;
        predicate.integer = std::get<ModPayload>(node.payload).divisor;
        predicate.remainder = std::get<ModPayload>(node.payload).remainder;
    } else if (node.kind == MatchKind::size) {
        predicate.test = Test::size;
        predicate.integer = std::get<std::int64_t>(node.payload);
    } else if (node.kind == MatchKind::type || node.kind == MatchKind::schema_type) {
        predicate.test = Test::type;
        for (int code = 1; code < 256; ++code)
            if (node.types().contains(static_cast<bson::Type>(code)))
                predicate.types.set(static_cast<std::size_t>(code));
    } else if (is_schema(node.kind)) {
        predicate.test = Test::schema_value;
        predicate.schema = std::make_unique<ValueTest>(node);
    } else {
        IXORA_INVARIANT(node.kind == MatchKind::exists);
        predicate.test = Test::exists;
    }
    return predicate;
}

class Compiler {
public:
    Compiler(CompiledFilter& out, const bson::View* key_pattern) : out_(out), key_pattern_(key_pattern) {}
    Compiler(CompiledFilter& out, std::string_view placeholder)
        : out_(out), key_pattern_(nullptr), of_values_(true), placeholder_(placeholder) {}

    void compile(const MatchNode& root) {
        out_.trie.emplace_back();
        add(root);
        for (auto& node : out_.trie) {
            if (node.children.size() <= linear_children_max) continue;
            for (const std::uint32_t child : node.children) node.by_name.emplace(out_.trie[child].name.view(), child);
        }
        out_.states_needed = out_.trie.size() + nested_states_;
    }

private:
    void add(const MatchNode& node) {
        const std::size_t at = out_.steps.size();
        out_.steps.emplace_back();
        Step step;
        switch (node.kind) {
            case MatchKind::and_: step.kind = StepKind::all; break;
            // One branch is that branch: it also records the array offset (match.md 2.2).
            case MatchKind::or_: step.kind = node.children.size() == 1 ? StepKind::all : StepKind::any; break;
            case MatchKind::nor:
            case MatchKind::not_: step.kind = StepKind::none; break;
            case MatchKind::schema_xor: step.kind = StepKind::exactly_one; break;
            case MatchKind::schema_condition: step.kind = StepKind::condition; break;
            case MatchKind::always_true: step.kind = StepKind::always_true; break;
            case MatchKind::always_false: step.kind = StepKind::always_false; break;
            case MatchKind::sample_rate:
                step.kind = StepKind::sample;
                step.rate = std::get<double>(node.payload);
                break;
            case MatchKind::expression:
                step.kind = StepKind::expression;
                step.leaf = static_cast<std::uint32_t>(out_.expressions.size());
                out_.expressions.push_back(node.expression());
                break;
            case MatchKind::schema_allowed_properties:
            case MatchKind::schema_max_properties:
            case MatchKind::schema_min_properties:
            case MatchKind::schema_root_document_eq:
                step.kind = StepKind::document_test;
                step.leaf = static_cast<std::uint32_t>(out_.document_tests.size());
                out_.document_tests.emplace_back(node);
                nested_states_ = std::max(nested_states_, out_.document_tests.back().states_needed());
                break;
            default:
                step.kind = StepKind::leaf;
                step.leaf = add_leaf(node);
                break;
        }
        if (step.kind != StepKind::leaf && step.kind != StepKind::document_test)
            for (const auto& child : node.children) add(*child);
        step.end = static_cast<std::uint32_t>(out_.steps.size());
        out_.steps[at] = step;
    }

    std::uint32_t add_leaf(const MatchNode& node) {
        Leaf leaf;
        if (has_inner_paths(node.kind)) {
            add_inner_filter(leaf.predicate, node);
        } else {
            leaf.predicate = make_predicate(node);
        }
        leaf.stops_at_arrays = is_internal_expr(node.kind);
        const bool of_whole_array = node.kind == MatchKind::size || has_inner_paths(node.kind) ||
                                    (is_schema(node.kind) && node.kind != MatchKind::schema_fmod);
        leaf.unwinds_leaf = !of_whole_array && !leaf.stops_at_arrays;
        if (key_pattern_ != nullptr) {
            leaf.key_position = position_in_key(node.path);
        } else {
            add_path(leaf, node.path);
        }
        out_.leaves.push_back(std::move(leaf));
        return static_cast<std::uint32_t>(out_.leaves.size() - 1);
    }

    void add_inner_filter(Predicate& predicate, const MatchNode& node) {
        if (node.kind == MatchKind::elem_match_object || node.kind == MatchKind::schema_object_match) {
            predicate.test = node.kind == MatchKind::elem_match_object ? Test::elem_match_object : Test::schema_object;
            predicate.elements = compile_filter(*node.children.front());
        } else if (is_schema(node.kind)) {
            const bool all = node.kind == MatchKind::schema_all_elements;
            predicate.test = all ? Test::schema_all_elements : Test::schema_element_at;
            predicate.integer = node.elements().index;
            predicate.elements = compile_value_filter(*node.children.front(), node.elements().placeholder);
        } else {
            predicate.test = Test::elem_match_value;
            predicate.elements = std::make_unique<CompiledFilter>();
            Compiler nested(*predicate.elements, std::string_view());
            nested.compile_all(node.children);
        }
        nested_states_ = std::max(nested_states_, predicate.elements->states_needed);
    }

    // The children of a value $elemMatch, as an AND.
    void compile_all(const std::vector<MatchNodePtr>& nodes) {
        out_.trie.emplace_back();
        out_.steps.push_back({StepKind::all, 0, 0, 0});
        for (const auto& node : nodes) add(*node);
        out_.steps.front().end = static_cast<std::uint32_t>(out_.steps.size());
        out_.states_needed = out_.trie.size() + nested_states_;
    }

    std::uint32_t position_in_key(std::string_view path) const {
        std::uint32_t position = 0;
        for (const auto& field : *key_pattern_) {
            if (field.name() == path) return position;
            ++position;
        }
        IXORA_INVARIANT(false && "a filter on index keys reads only fields of the key pattern");
        return 0;
    }

    void add_path(Leaf& leaf, const std::string& path) {
        if (of_values_ && path == placeholder_) return;
        const std::string& owned = out_.paths.emplace_back(of_values_ ? path.substr(placeholder_.size() + 1) : path);
        leaf.first_part = static_cast<std::uint32_t>(out_.parts.size());
        leaf.first_node = static_cast<std::uint32_t>(out_.chain.size());
        std::size_t begin = 0;
        std::uint32_t parent = 0;
        for (bool more = true; more;) {
            const std::size_t dot = owned.find('.', begin);
            more = dot != std::string::npos;
            const std::string_view name = std::string_view(owned).substr(begin, more ? dot - begin : std::string::npos);
            out_.parts.push_back({FieldName(name), array_position(name)});
            if (++leaf.part_count <= chain_length_max) {
                parent = child_of(parent, name);
                out_.chain.push_back(parent);
                ++leaf.node_count;
            }
            begin = dot + 1;
        }
    }

    std::uint32_t child_of(std::uint32_t parent, std::string_view name) {
        const auto [at, fresh] = known_.try_emplace({parent, name}, static_cast<std::uint32_t>(out_.trie.size()));
        if (fresh) {
            out_.trie.emplace_back().name = FieldName(name);
            out_.trie[parent].children.push_back(at->second);
        }
        return at->second;
    }

    CompiledFilter& out_;
    const bson::View* key_pattern_;
    bool of_values_ = false;
    std::string_view placeholder_;  // of a filter of values
    std::size_t nested_states_ = 0;
    std::map<std::pair<std::uint32_t, std::string_view>, std::uint32_t> known_;
};

}  // namespace

std::unique_ptr<CompiledFilter> compile_value_filter(const MatchNode& node, std::string_view placeholder) {
    auto filter = std::make_unique<CompiledFilter>();
    Compiler(*filter, placeholder).compile(node);
    return filter;
}

std::unique_ptr<CompiledFilter> compile_filter(const MatchNode& node, const bson::View* key_pattern) {
    auto filter = std::make_unique<CompiledFilter>();
    Compiler(*filter, key_pattern).compile(node);
    return filter;
}

}  // namespace ixora::mql
