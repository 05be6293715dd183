// A small collection over MemoryStore for the tests of the stage layer: inserts keep its indexes and their multikey
// state up to date, plans are made by hand or by the planner, counters are read as text.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "ixora/bson/builder.hpp"
#include "ixora/key/key_generator.hpp"
#include "ixora/mql/match_parser.hpp"
#include "ixora/mql/match_rewrite.hpp"
#include "ixora/mql/shell.hpp"
#include "ixora/stage/plan_executor.hpp"
#include "ixora/store/memory_store.hpp"

namespace ixora::test {

using namespace ixora::literals;

// Knobs of these options alone, for a test to change.
inline Knobs& knobs_of(stage::ExecutorOptions& options) {
    auto own = std::make_shared<Knobs>(*options.knobs);
    Knobs& knobs = *own;
    options.knobs = std::move(own);
    return knobs;
}

class Collection {
public:
    // An `_id_` index comes first by itself.
    explicit Collection(const std::vector<std::string>& key_patterns = {}) {
        catalog_.record_table = store_.create_records({});
        add_index("{_id: 1}");
        for (const std::string& pattern : key_patterns) add_index(pattern);
    }

    void add_index(const std::string& pattern) {
        auto index = std::make_shared<plan::IndexEntry>();
        index->key_pattern = mql::parse_shell_document(pattern);
        index->name = key::default_index_name(index->key_pattern);
        index->unique = index->key_pattern.view().contains("_id");
        index->table = store_.create_index({});
        index->multikey_paths.resize(index->field_count());
        indexes_.push_back(index);
        catalog_.indexes.push_back(index);
    }

    void insert(bson::View document) {
        auto unit = store_.begin();
        const key::RecordId id = store_.insert(*unit, catalog_.record_table, document);
        key::KeySet keys;
        for (const auto& index : indexes_) {
            key::MultikeyPaths paths;
            key::KeyGenerator(index->key_pattern, {}).generate(document, keys, &paths);
            for (std::size_t i = 0; i < keys.size(); ++i)
                store_.insert_key(*unit, index->table, keys[i].key, id, keys[i].type_bits, true);
            key::merge_multikey_paths(index->multikey_paths, paths);
            index->multikey = index->multikey || key::any_multikey(paths);
        }
        unit->commit();
        ++catalog_.record_count;
    }
    void insert(const std::string& document) { insert(mql::parse_shell_document(document)); }
    // `fill` appends the fields behind _id, which counts from 0.
    void insert_many(int count, const std::function<void(int, bson::Builder&)>& fill) {
        for (int i = 0; i < count; ++i) {
            bson::Builder out;
            out.append("_id", i);
            fill(i, out);
            insert(out.finish());
        }
    }
    // Removes the record with that _id and its keys.
    void remove(int id) {
        auto unit = store_.begin();
        auto cursor = store_.record_cursor(*unit, catalog_.record_table, store::Direction::forward);
        for (const store::Record* record = cursor.next(); record != nullptr; record = cursor.next()) {
            if (record->document["_id"].to_int64() != id) continue;
            const key::RecordId record_id = record->id;
            key::KeySet keys;
            for (const auto& index : indexes_) {
                key::KeyGenerator(index->key_pattern, {}).generate(record->document, keys);
                for (std::size_t i = 0; i < keys.size(); ++i)
                    store_.remove_key(*unit, index->table, keys[i].key, record_id);
            }
            store_.remove(*unit, catalog_.record_table, record_id);
            break;
        }
        unit->commit();
        --catalog_.record_count;
    }

    store::MemoryStore& store() noexcept { return store_; }
    const plan::Catalog& catalog() const noexcept { return catalog_; }
    plan::Catalog& catalog() noexcept { return catalog_; }
    // 0 is _id_.
    plan::IndexEntryPtr index(std::size_t number) const { return indexes_[number]; }

    std::unique_ptr<stage::PlanExecutor> find(plan::FindRequest request, stage::ExecutorOptions options = {}) {
        request.ns = "test.c";
        return stage::make_executor(store_, catalog_, plan::CanonicalQuery::make(std::move(request), nullptr),
                                    std::move(options));
    }
    std::unique_ptr<stage::PlanExecutor> find(const std::string& filter, stage::ExecutorOptions options = {}) {
        plan::FindRequest request;
        request.filter = mql::parse_shell_document(filter);
        return find(std::move(request), std::move(options));
    }
    std::unique_ptr<stage::PlanExecutor> count(plan::FindRequest request, plan::CountNode count = {}) {
        request.is_count = true;
        stage::ExecutorOptions options;
        options.count = count;
        return find(std::move(request), std::move(options));
    }
    std::unique_ptr<stage::PlanExecutor> count(const std::string& filter, plan::CountNode node = {}) {
        plan::FindRequest request;
        request.filter = mql::parse_shell_document(filter);
        return count(std::move(request), node);
    }
    // Runs hand-made plans: one, or a race of several.
    std::unique_ptr<stage::PlanExecutor> run(std::vector<plan::PlanNodePtr> roots, plan::FindRequest request = {},
                                             stage::ExecutorOptions options = {}) {
        std::vector<plan::Solution> solutions;
        for (plan::PlanNodePtr& root : roots) {
            plan::Solution solution;
            solution.has_blocking_stage = plan::has_stage(*root, plan::StageType::sort_simple) ||
                                          plan::has_stage(*root, plan::StageType::sort_default) ||
                                          plan::has_stage(*root, plan::StageType::and_hash);
            solution.root = std::move(root);
            solutions.push_back(std::move(solution));
        }
        request.ns = "test.c";
        return stage::make_executor_for(store_, catalog_, plan::CanonicalQuery::make(std::move(request), nullptr),
                                        std::move(solutions), std::move(options));
    }
    std::unique_ptr<stage::PlanExecutor> run(plan::PlanNodePtr root, plan::FindRequest request = {},
                                             stage::ExecutorOptions options = {}) {
        std::vector<plan::PlanNodePtr> roots;
        roots.push_back(std::move(root));
        return run(std::move(roots), std::move(request), std::move(options));
    }

private:
    store::MemoryStore store_;
    plan::Catalog catalog_;
    std::vector<std::shared_ptr<plan::IndexEntry>> indexes_;
};

// ---- plan nodes ----

inline mql::MatchNodePtr filter_of(const std::string& filter) {
    return filter.empty() ? nullptr : mql::normalize(mql::parse_match(mql::parse_shell_document(filter)));
}

inline plan::Interval point(int value) { return plan::Interval::point(bson::Value::of_int(value)); }
// [low, high], or with open ends.
inline plan::Interval range(int low, int high, bool low_inclusive = true, bool high_inclusive = true) {
    return {bson::Value::of_int(low), bson::Value::of_int(high), low_inclusive, high_inclusive};
}
inline plan::Interval everything() { return plan::Interval::all(); }

using FieldIntervals = std::vector<std::vector<plan::Interval>>;

// Intervals are given in scan order already.
inline plan::IndexBounds bounds_of(const plan::IndexEntry& index, const FieldIntervals& intervals) {
    plan::IndexBounds bounds;
    std::size_t field = 0;
    for (const bson::Element& part : index.key_pattern) {
        bounds.fields.push_back({std::string(part.name()), intervals.at(field)});
        ++field;
    }
    return bounds;
}

inline plan::PlanNodePtr collscan(const std::string& filter = {}, int direction = 1) {
    plan::CollectionScanNode params;
    params.direction = direction;
    plan::PlanNodePtr node = plan::make_plan_node(plan::StageType::collection_scan, params);
    node->filter = filter_of(filter);
    return node;
}
inline plan::PlanNodePtr ixscan(const plan::IndexEntryPtr& index, const FieldIntervals& intervals, int direction = 1,
                                const std::string& filter = {}) {
    plan::IndexScanNode params;
    params.index = index;
    params.bounds = bounds_of(*index, intervals);
    params.direction = direction;
    params.should_dedup = index->multikey;
    plan::PlanNodePtr node = plan::make_plan_node(plan::StageType::index_scan, std::move(params));
    node->filter = filter_of(filter);
    return node;
}
inline plan::PlanNodePtr fetch(plan::PlanNodePtr input, const std::string& filter = {}) {
    return plan::make_fetch(filter_of(filter), std::move(input));
}
inline plan::PlanNodePtr limit(std::int64_t amount, plan::PlanNodePtr input) {
    return plan::make_plan_node(plan::StageType::limit, plan::LimitNode{amount}, std::move(input));
}
inline plan::PlanNodePtr skip(std::int64_t amount, plan::PlanNodePtr input) {
    return plan::make_plan_node(plan::StageType::skip, plan::SkipNode{amount}, std::move(input));
}
inline plan::PlanNodePtr sort(const std::string& pattern, std::int64_t amount, plan::PlanNodePtr input,
                              plan::StageType type = plan::StageType::sort_simple) {
    return plan::make_plan_node(type, plan::SortNode{mql::parse_shell_document(pattern), amount, false},
                                std::move(input));
}
template <class... Nodes>
plan::PlanNodePtr combine(plan::StageType type, plan::PlanNode::Params params, Nodes... inputs) {
    plan::PlanNodePtr node = plan::make_plan_node(type, std::move(params));
    (node->children.push_back(std::move(inputs)), ...);
    return node;
}

// ---- what came out ----

// The tree from the top: "FETCH(2/1/0,1) docs 1 | IXSCAN(2/1/0,1) keys 1 seeks 1": works/advanced/needTime, isEOF, then
// the stage's own counters as far as they aren't 0.
inline void describe(const stage::StatsTree& tree, std::string& out) {
    const stage::StageStats& stats = tree.stats;
    if (!out.empty()) out += " | ";
    out += std::string(plan::stage_name(tree.node->type)) + "(" + std::to_string(stats.works) + "/" +
           std::to_string(stats.advanced) + "/" + std::to_string(stats.need_time) + "," + (stats.is_eof ? "1" : "0") +
           ")";
    const auto counter = [&out](const char* name, std::int64_t value) {
        if (value != 0) out += " " + std::string(name) + " " + std::to_string(value);
    };
    counter("keys", stats.keys_examined);
    counter("docs", stats.docs_examined);
    counter("seeks", stats.seeks);
    counter("dupsTested", stats.dups_tested);
    counter("dupsDropped", stats.dups_dropped);
    counter("alreadyHasObj", stats.already_has_object);
    counter("counted", stats.counted);
    counter("skipped", stats.skipped);
    for (const stage::StatsTree& child : tree.children) describe(child, out);
}
inline std::string describe(const stage::StatsTree& tree) {
    std::string out;
    describe(tree, out);
    return out;
}

// Runs to the end: "0 4 8", the _ids.
inline std::string ids(stage::PlanExecutor& executor) {
    std::string out;
    stage::Member row;
    while (executor.next(row)) {
        if (!out.empty()) out += " ";
        out += std::to_string(row.document["_id"].to_int64());
    }
    return out;
}
inline std::string counters_after_run(stage::PlanExecutor& executor) {
    executor.run_to_end();
    return describe(executor.report().winner);
}

}  // namespace ixora::test
