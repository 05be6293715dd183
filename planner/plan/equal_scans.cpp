#include "ixora/plan/equal_scans.hpp"

#include "ixora/bson/compare.hpp"
#include "ixora/mql/match_rewrite.hpp"

namespace ixora::plan {

namespace {

// Rewriting after every merge is what the server does; past this many it would only cost time.
constexpr std::size_t stepwise_merges_max = 256;

const PlanNode* index_scan_of(const PlanNode& output) {
    const PlanNode& scan = output.type == StageType::fetch ? *output.children.front() : output;
    return scan.type == StageType::index_scan ? &scan : nullptr;
}

bool same_filter(const mql::MatchNode* left, const mql::MatchNode* right) {
    if (left == nullptr || right == nullptr) return left == right;
    return mql::equivalent(*left, *right);
}

// Every scan of a wildcard index has an entry of its own.
bool same_index(const IndexEntry& left, const IndexEntry& right) {
    if (&left == &right) return true;
    return left.type == key::IndexType::wildcard && left.table == right.table && left.name == right.name &&
           bson::equal(left.key_pattern.view(), right.key_pattern.view());
}

bool same_scan(const PlanNode& left, const PlanNode& right) {
    const PlanNode* left_scan = index_scan_of(left);
    const PlanNode* right_scan = index_scan_of(right);
    if (left_scan == nullptr || right_scan == nullptr) return false;
    const auto& one = left_scan->as<IndexScanNode>();
    const auto& other = right_scan->as<IndexScanNode>();
    return same_index(*one.index, *other.index) && one.direction == other.direction && one.bounds == other.bounds &&
           same_filter(left_scan->filter.get(), right_scan->filter.get());
}

// A run of equal scans: the one that stays and the filters that are waiting to join its own.
struct Run {
    PlanNodePtr kept;
    std::size_t merges = 0;
    std::vector<mql::MatchNodePtr> waiting;

    bool unfiltered() const { return kept->type != StageType::fetch || kept->filter == nullptr; }

    void merge(PlanNode& output) {
        if (unfiltered()) return;
        if (output.type != StageType::fetch || output.filter == nullptr) {
            kept->filter.reset();
            waiting.clear();
            return;
        }
        waiting.push_back(std::move(output.filter));
        if (++merges <= stepwise_merges_max) join_filters();
    }

    void join_filters() {
        if (waiting.empty()) return;
        mql::MatchNodePtr any = mql::make_node(mql::MatchKind::or_);
        any->children = std::move(waiting);
        any->children.push_back(std::move(kept->filter));
        kept->filter = mql::optimize(std::move(any));
        if (mql::is_trivially_true(*kept->filter)) kept->filter.reset();
        waiting.clear();
    }
};

}  // namespace

std::vector<PlanNodePtr> collapse_equal_scans(std::vector<PlanNodePtr> outputs) {
    std::vector<PlanNodePtr> collapsed;
    Run run;
    const auto end_run = [&] {
        if (run.kept == nullptr) return;
        run.join_filters();
        collapsed.push_back(std::move(run.kept));
    };
    for (PlanNodePtr& output : outputs) {
        if (run.kept != nullptr && same_scan(*run.kept, *output)) {
            run.merge(*output);
            continue;
        }
        end_run();
        run = Run{std::move(output), 0, {}};
    }
    end_run();
    return collapsed;
}

}  // namespace ixora::plan
