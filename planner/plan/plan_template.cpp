#include "ixora/plan/plan_template.hpp"

#include <algorithm>
#include <functional>

#include "ixora/bson/compare.hpp"
#include "ixora/plan/index_selection.hpp"
#include "ixora/plan/min_max.hpp"
#include "ixora/plan/prepared_query.hpp"
#include "ixora/plan/query_shape.hpp"

namespace ixora::plan {

namespace {

using mql::MatchKind;
using mql::MatchNode;

constexpr std::size_t filter_size_max = 4096;  // longer ones are planned each time

bool is_constant(const MatchNode& node) noexcept {
    return mql::is_comparison(node.kind) && constant_class(node.value()) != 0;
}

// The values of all constants, in the order of a walk over the tree.
void collect_constants(const MatchNode& node, std::vector<const bson::Value*>& out) {
    if (is_constant(node)) out.push_back(&node.value());
    for (const mql::MatchNodePtr& child : node.children) collect_constants(*child, out);
}

// Values of one query have bytes of their own, which every copy of a value shares.
std::int32_t find_constant(const bson::Value& value, const std::vector<const bson::Value*>& constants) {
    const auto found = std::find_if(constants.begin(), constants.end(), [&value](const bson::Value* constant) {
        return constant->element().data() == value.element().data();
    });
    return found == constants.end() ? -1 : static_cast<std::int32_t>(found - constants.begin());
}

bool have_own_bytes(const std::vector<const bson::Value*>& constants) {
    for (std::size_t i = 0; i < constants.size(); ++i)
        if (find_constant(*constants[i], constants) != static_cast<std::int32_t>(i)) return false;
    return true;
}

struct SamePayload {
    template <class Payload>
    bool operator()(const Payload& left, const Payload& right) const {
        return same(left, right);
    }
    template <class Left, class Right>
    bool operator()(const Left&, const Right&) const {
        return false;
    }

    static bool same(std::monostate, std::monostate) { return true; }
    static bool same(const bson::Value& left, const bson::Value& right) {
        return left.element().same_bytes(right.element());
    }
    static bool same(const mql::RegexPayload& left, const mql::RegexPayload& right) {
        return left.pattern == right.pattern && left.flags == right.flags;
    }
    static bool same(const mql::InPayload& left, const mql::InPayload& right) {
        const auto same_value = [](const bson::Value& a, const bson::Value& b) { return same(a, b); };
        const auto same_regex = [](const mql::RegexPayload& a, const mql::RegexPayload& b) { return same(a, b); };
        return std::ranges::equal(left.equalities, right.equalities, same_value) &&
               std::ranges::equal(left.regexes, right.regexes, same_regex);
    }
    static bool same(const mql::ModPayload& left, const mql::ModPayload& right) {
        return left.divisor == right.divisor && left.remainder == right.remainder;
    }
    static bool same(const mql::TypeSetPayload& left, const mql::TypeSetPayload& right) {
        return left.all_numbers == right.all_numbers && left.codes == right.codes;
    }
    static bool same(const mql::BitsPayload& left, const mql::BitsPayload& right) {
        return left.positions == right.positions;
    }
    static bool same(const mql::FmodPayload& left, const mql::FmodPayload& right) {
        const auto same_bits = [](const bson::Decimal128& a, const bson::Decimal128& b) {
            return a.low == b.low && a.high == b.high;
        };
        return same_bits(left.divisor, right.divisor) && same_bits(left.remainder, right.remainder);
    }
    static bool same(const mql::ElementPayload& left, const mql::ElementPayload& right) {
        return left.index == right.index && left.placeholder == right.placeholder;
    }
    static bool same(const mql::AllowedPropertiesPayload& left, const mql::AllowedPropertiesPayload& right) {
        return left.properties == right.properties && left.placeholder == right.placeholder &&
               left.patterns == right.patterns;
    }
    // What an expression makes of a document may depend on variables and the time.
    static bool same(const mql::ExpressionPayload&, const mql::ExpressionPayload&) { return false; }
    static bool same(std::int64_t left, std::int64_t right) { return left == right; }
    static bool same(double left, double right) { return left == right; }
};

bool same_form(const MatchNode& left, const MatchNode& right) {
    if (left.kind != right.kind || left.children.size() != right.children.size() || left.path != right.path)
        return false;
    if (mql::is_comparison(left.kind)) {
        const int plain = constant_class(left.value());
        if (plain != constant_class(right.value())) return false;
        if (plain == 0 && !left.value().element().same_bytes(right.value().element())) return false;
    } else if (!std::visit(SamePayload{}, left.payload, right.payload)) {
        return false;
    }
    for (std::size_t i = 0; i < left.children.size(); ++i)
        if (!same_form(*left.children[i], *right.children[i])) return false;
    return true;
}

bool same_bytes(const bson::Document& left, const bson::Document& right) {
    const bson::View a = left;
    const bson::View b = right;
    return a.size() == b.size() && std::equal(a.data(), a.data() + a.size(), b.data());
}

// Everything of a request that plans depend on, but for its filter.
bool same_options(const FindRequest& left, const FindRequest& right) {
    return left.skip == right.skip && left.limit == right.limit && left.gives_nothing == right.gives_nothing &&
           left.return_key == right.return_key && left.show_record_id == right.show_record_id &&
           left.is_count == right.is_count && left.preserve_record_id == right.preserve_record_id &&
           left.api_strict == right.api_strict && left.allow_disk_use == right.allow_disk_use &&
           same_bytes(left.sort, right.sort) && same_bytes(left.projection, right.projection) &&
           same_bytes(left.implied_projection, right.implied_projection);
}

bool is_plain_request(const CanonicalQuery& query, const Catalog& catalog) {
    return query.collator() == nullptr && !query.has_hint() && query.natural_direction() == 0 &&
           !has_min_or_max(query.request()) && !query.request().is_explain && catalog.filter == nullptr &&
           !catalog.clustered;  // the stretch of a clustered collection comes from constants
}

// Which queries such an index may answer depends on their constants.
bool looks_at_values(const IndexEntry& index) {
    return index.partial_filter != nullptr || index.type == key::IndexType::wildcard || index.wildcard != nullptr;
}

bool values_matter(const CanonicalQuery& query, const Catalog& catalog) {
    if (std::none_of(catalog.indexes.begin(), catalog.indexes.end(),
                     [](const IndexEntryPtr& index) { return looks_at_values(*index); }))
        return false;
    if (!query.sort().empty()) return true;  // any index may be scanned for its order
    const std::map<std::string, QueryField> fields = query_fields(query.root());
    return std::any_of(catalog.indexes.begin(), catalog.indexes.end(), [&fields](const IndexEntryPtr& index) {
        return index->wildcard != nullptr ||
               (looks_at_values(*index) && fields.contains(std::string(index->key_pattern.view().front().name())));
    });
}

// The only leaf of the plan if it reads one ordinary index or the collection; null otherwise.
template <class Node>
Node* simple_leaf(Node& root) {
    Node* node = &root;
    while (node->children.size() == 1) node = node->children.front().get();
    if (!node->children.empty()) return nullptr;
    if (node->type == StageType::collection_scan) return node;
    if (node->type != StageType::index_scan) return nullptr;
    const auto& scan = node->template as<IndexScanNode>();
    const bool ordinary =
        scan.index->type == key::IndexType::btree && scan.index->collator == nullptr && !scan.bounds.is_simple_range;
    return ordinary ? node : nullptr;
}

// What was assigned to one field of the index that the plan scans.
struct Assigned {
    std::vector<std::int32_t> constants;
    std::size_t others = 0;  // predicates without a constant
};

// Gathers the assignments of a tree; false where a constant takes another way into the bounds than as the end of an
// interval.
class AssignmentReader {
public:
    AssignmentReader(const std::vector<const bson::Value*>& constants, std::vector<Assigned>& fields)
        : constants_(constants), fields_(fields) {}

    bool read(const MatchNode& node, const AssignmentTree& tree) {
        if (!tree.destinations.empty() || node.kind == MatchKind::or_ || node.kind == MatchKind::nor) return false;
        // A negation has its assignment on what it negates.
        const AssignmentTree& assigned = node.kind == MatchKind::not_ ? tree.children.front() : tree;
        if (assigned.own && is_bounds_generating(node)) return assign(node, assigned.own->position);
        for (std::size_t i = 0; i < node.children.size(); ++i)
            if (!read(*node.children[i], tree.children[i])) return false;
        return true;
    }

private:
    bool assign(const MatchNode& node, std::size_t position) {
        if (position >= fields_.size()) return false;
        if (is_constant(node)) {
            fields_[position].constants.push_back(find_constant(node.value(), constants_));
            return true;
        }
        std::vector<const bson::Value*> inside;
        collect_constants(node, inside);
        ++fields_[position].others;
        return inside.empty();
    }

    const std::vector<const bson::Value*>& constants_;
    std::vector<Assigned>& fields_;
};

int sign(int order) noexcept { return order < 0 ? -1 : order > 0 ? 1 : 0; }

int order_of_ends(const Interval& interval) {
    return sign(bson::compare(interval.start.element(), interval.end.element()));
}

std::uint64_t mix(std::uint64_t hash, std::uint64_t value) noexcept {
    return (hash ^ value) * 0x9e3779b97f4a7c15ULL + (hash >> 29);
}

std::uint64_t hash_tree(const MatchNode& node, std::uint64_t hash) noexcept {
    hash = mix(hash, static_cast<std::uint64_t>(node.kind));
    if (!node.path.empty()) hash = mix(hash, std::hash<std::string_view>{}(node.path));
    if (mql::is_comparison(node.kind)) hash = mix(hash, static_cast<std::uint64_t>(constant_class(node.value())));
    for (const mql::MatchNodePtr& child : node.children) hash = hash_tree(*child, hash);
    return mix(hash, node.children.size());
}

}  // namespace

std::uint64_t form_hash(const CanonicalQuery& query) noexcept {
    const FindRequest& request = query.request();
    std::uint64_t hash = hash_tree(query.root(), request.is_count ? 1 : 0);
    hash = mix(hash, static_cast<std::uint64_t>(request.limit));
    hash = mix(hash, static_cast<std::uint64_t>(request.skip));
    for (const mql::SortPart& part : query.sort().parts()) hash = mix(hash, std::hash<std::string_view>{}(part.path));
    return mix(hash, request.projection.size());
}

PlanTemplatePtr PlanTemplate::make(const CanonicalQuery& query, const Catalog& catalog,
                                   std::shared_ptr<const Knobs> knobs, const Solution& solution,
                                   PlanCacheEntryPtr entry) {
    if (!is_plain_request(query, catalog) || query.request().filter.size() > filter_size_max) return nullptr;
    if (simple_leaf(*solution.root) == nullptr || values_matter(query, catalog)) return nullptr;
    Constants constants;
    collect_constants(query.root(), constants);
    if (!have_own_bytes(constants)) return nullptr;

    std::shared_ptr<PlanTemplate> made(new PlanTemplate());
    if (!made->learn_bounds(query, solution, constants) || !made->learn_filters(*solution.root, constants))
        return nullptr;
    made->hash_ = form_hash(query);
    made->cache_key_ = query_shape(query, *knobs) + indexability(query, catalog);
    made->entry_ = std::move(entry);
    made->knobs_ = std::move(knobs);
    made->indexes_ = catalog.indexes;
    made->hidden_indexes_ = catalog.hidden_indexes;
    made->request_ = query.request();
    made->request_.filter = {};
    made->form_ = query.root().clone();
    made->root_ = solution.root->clone();
    made->has_blocking_stage_ = solution.has_blocking_stage;
    made->limits_ = solution.limits;
    made->kind_ = solution.origin.kind;
    return made;
}

bool PlanTemplate::learn_bounds(const CanonicalQuery& query, const Solution& solution, const Constants& constants) {
    const PlanNode& leaf = *simple_leaf(*solution.root);
    switch (solution.origin.kind) {
        case SolutionOrigin::Kind::none: return false;
        case SolutionOrigin::Kind::collection_scan:
        case SolutionOrigin::Kind::whole_index_scan: return true;
        case SolutionOrigin::Kind::index_tags: break;
    }
    if (leaf.type != StageType::index_scan) return false;
    const IndexBounds& bounds = leaf.as<IndexScanNode>().bounds;
    std::vector<Assigned> fields(bounds.fields.size());
    if (!AssignmentReader(constants, fields).read(query.root(), solution.origin.assignments)) return false;
    for (std::size_t i = 0; i < fields.size(); ++i) {
        const Assigned& assigned = fields[i];
        if (assigned.constants.empty()) continue;
        const std::vector<Interval>& intervals = bounds.fields[i].intervals;
        if (assigned.others != 0 || intervals.size() != 1) return false;
        const Interval& interval = intervals.front();
        const Range range{i, find_constant(interval.start, constants), find_constant(interval.end, constants),
                          order_of_ends(interval)};
        // Every constant must show, or else it depends on their values which of them do.
        for (const std::int32_t constant : assigned.constants)
            if (constant == fixed || (constant != range.start && constant != range.end)) return false;
        if ((range.order == 0) != (range.start == range.end)) return false;
        ranges_.push_back(range);
    }
    return true;
}

bool PlanTemplate::learn_filters(const PlanNode& node, const Constants& constants) {
    if (node.filter != nullptr && !learn_filter(*node.filter, constants)) return false;
    return std::all_of(node.children.begin(), node.children.end(),
                       [&](const PlanNodePtr& child) { return learn_filters(*child, constants); });
}

bool PlanTemplate::learn_filter(const MatchNode& node, const Constants& constants) {
    if (is_constant(node)) {
        filter_constants_.push_back(find_constant(node.value(), constants));
        if (filter_constants_.back() == fixed) return false;
    }
    return std::all_of(node.children.begin(), node.children.end(),
                       [&](const mql::MatchNodePtr& child) { return learn_filter(*child, constants); });
}

bool PlanTemplate::fits(const CanonicalQuery& query, const Catalog& catalog, const Knobs* knobs) const {
    return knobs == knobs_.get() && indexes_ == catalog.indexes && hidden_indexes_ == catalog.hidden_indexes &&
           is_plain_request(query, catalog) && same_options(request_, query.request()) &&
           same_form(*form_, query.root());
}

std::optional<Solution> PlanTemplate::instantiate(const CanonicalQuery& query) const {
    Solution solution;
    solution.root = root_->clone();
    if (!fill(*solution.root, query)) return std::nullopt;
    solution.has_blocking_stage = has_blocking_stage_;
    solution.limits = limits_;
    solution.origin.kind = kind_;
    return solution;
}

bool PlanTemplate::fill(PlanNode& root, const CanonicalQuery& query) const {
    thread_local Constants constants;  // keeps its room
    constants.clear();
    collect_constants(query.root(), constants);
    if (!fill_bounds(root, constants)) return false;
    std::size_t next = 0;
    fill_plan(root, query, constants, next);
    return true;
}

bool PlanTemplate::fill_bounds(PlanNode& root, const Constants& constants) const {
    if (ranges_.empty()) return true;
    IndexBounds& bounds = simple_leaf(root)->as<IndexScanNode>().bounds;
    for (const Range& range : ranges_) {
        Interval& interval = bounds.fields[range.field].intervals.front();
        if (range.start != fixed) interval.start = *constants[static_cast<std::size_t>(range.start)];
        if (range.end != fixed) interval.end = *constants[static_cast<std::size_t>(range.end)];
        if (range.order != 0 && order_of_ends(interval) != range.order) return false;
    }
    return true;
}

// The same walk as learn_filters().
void PlanTemplate::fill_plan(PlanNode& node, const CanonicalQuery& query, const Constants& constants,
                             std::size_t& next) const {
    if (node.filter != nullptr) fill_filter(*node.filter, constants, next);
    if (auto* projection = std::get_if<ProjectionNode>(&node.params)) projection->projection = query.projection();
    for (const PlanNodePtr& child : node.children) fill_plan(*child, query, constants, next);
}

void PlanTemplate::fill_filter(MatchNode& node, const Constants& constants, std::size_t& next) const {
    if (is_constant(node)) node.payload = *constants[static_cast<std::size_t>(filter_constants_[next++])];
    for (const mql::MatchNodePtr& child : node.children) fill_filter(*child, constants, next);
}

PlanTemplatePtr PlanTemplates::find(const CanonicalQuery& query, const Catalog& catalog, const Knobs* knobs) const {
    const std::uint64_t hash = form_hash(query);
    PlanTemplatePtr found;
    {
        const std::lock_guard lock(mutex_);
        found = slots_[hash % slot_count];
    }
    return found != nullptr && found->hash() == hash && found->fits(query, catalog, knobs) ? found : nullptr;
}

void PlanTemplates::put(PlanTemplatePtr made) {
    const std::size_t slot = made->hash() % slot_count;
    const std::lock_guard lock(mutex_);
    slots_[slot].swap(made);
}

}  // namespace ixora::plan
