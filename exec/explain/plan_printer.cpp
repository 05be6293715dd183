#include "ixora/explain/plan_printer.hpp"

#include "ixora/bson/field_path.hpp"
#include "ixora/bson/validate.hpp"
#include "ixora/key/key_string.hpp"
#include "ixora/mql/match_printer.hpp"
#include "ixora/mql/sort_pattern.hpp"
#include "ixora/plan/collection_scan.hpp"

namespace ixora::explain {

namespace {

using bson::Builder;
using plan::StageType;
using stage::StageStats;
using stage::StatsTree;

// Sizes and limits: int32 while they fit, else 64-bit (explain.md 0.2).
void append_int_or_long(Builder& out, std::string_view name, std::int64_t value) {
    if (value < (1LL << 30) - 1)
        out.append(name, static_cast<std::int32_t>(value));
    else
        out.append(name, value);
}

void append_multikey_paths(Builder& out, const plan::IndexEntry& index) {
    if (!index.tracks_paths()) return;
    out.open_object("multiKeyPaths");
    std::size_t field = 0;
    for (const bson::Element& element : index.key_pattern) {
        out.open_array(element.name());
        const bson::FieldPath path{std::string(element.name())};
        for (const std::uint16_t component : index.multikey_paths[field]) out.append(path.prefix(component + 1U));
        out.close();
        ++field;
    }
    out.close();
}

void append_index_head(Builder& out, const plan::IndexEntry& index) {
    out.append("keyPattern", index.key_pattern);
    out.append("indexName", index.name);
    if (index.collator) out.append("collation", index.collator->spec());
    out.append("isMultiKey", index.multikey);
    append_multikey_paths(out, index);
    out.append("isUnique", index.unique);
    // A wildcard index leaves documents out without having been told to.
    out.append("isSparse", index.sparse && index.type != key::IndexType::wildcard);
    out.append("isPartial", index.partial_filter != nullptr);
    out.append("indexVersion", index.version);
}

void append_direction(Builder& out, int direction) { out.append("direction", direction < 0 ? "backward" : "forward"); }

// A list that outgrows a document is cut off, and bounds that would make the tree too large are left out (0.4).
void append_bounds(Builder& out, const plan::IndexBounds& bounds, const plan::IndexEntry& index,
                   const PrintOptions& options) {
    Builder lists;
    for (const plan::IntervalList& field : bounds.fields) {
        lists.open_array(field.name);
        for (const plan::Interval& interval : field.intervals) {
            if (lists.size() > bson::document_size_max) {
                lists.append("warning: bounds truncated due to BSON size limit");
                break;
            }
            lists.append(plan::print_interval(interval, index.collator != nullptr));
        }
        lists.close();
    }
    const bson::View printed = lists.finish_view();
    if (out.size() - options.tree_start + printed.size() > options.size_limit)
        out.append("warning", "index bounds omitted due to BSON size limit for explain");
    else
        out.append("indexBounds", printed);
}

void append_key_range(Builder& out, const plan::KeyRange& range, const plan::IndexEntry& index) {
    const auto append_key = [&](std::string_view name, bson::View key) {
        out.open_object(name);
        auto value = key.begin();
        for (const bson::Element& field : index.key_pattern) {
            if (value == key.end()) break;
            out.append(field.name(), *value);
            ++value;
        }
        out.close();
    };
    out.open_object("indexBounds");
    append_key("startKey", range.start_key);
    out.append("startKeyInclusive", range.start_inclusive);
    append_key("endKey", range.end_key);
    out.append("endKeyInclusive", range.end_inclusive);
    out.close();
}

void append_collection_scan(Builder& out, const StatsTree& tree, bool execution) {
    const auto& scan = tree.node->as<plan::CollectionScanNode>();
    append_direction(out, scan.direction);
    if (scan.min_record) out.append("minRecord", scan.min_record->value);
    if (scan.max_record) out.append("maxRecord", scan.max_record->value);
    if (execution) out.append_counter("docsExamined", tree.stats.docs_examined);
}

void append_index_scan(Builder& out, const StatsTree& tree, const PrintOptions& options) {
    const auto& scan = tree.node->as<plan::IndexScanNode>();
    append_index_head(out, *scan.index);
    append_direction(out, scan.direction);
    append_bounds(out, scan.bounds, *scan.index, options);
    if (options.level == Level::plan) return;
    out.append_counter("keysExamined", tree.stats.keys_examined);
    out.append_counter("seeks", tree.stats.seeks);
    out.append_counter("dupsTested", tree.stats.dups_tested);
    out.append_counter("dupsDropped", tree.stats.dups_dropped);
}

void append_sort(Builder& out, const StatsTree& tree, const PrintOptions& options) {
    const auto& sort = tree.node->as<plan::SortNode>();
    out.append("sortPattern", mql::SortPattern::parse(sort.pattern).print());
    append_int_or_long(out, "memLimit", options.sort_memory_limit);
    if (sort.limit > 0) append_int_or_long(out, "limitAmount", sort.limit);
    out.append("type", tree.node->type == StageType::sort_simple ? "simple" : "default");
    if (options.level == Level::plan) return;
    append_int_or_long(out, "totalDataSizeSorted", tree.stats.total_data_size_sorted);
    out.append("usedDisk", tree.stats.used_disk);
    out.append_counter("spills", tree.stats.spills);
    out.append_counter("spilledDataStorageSize", tree.stats.spilled_data_storage_size);
}

void append_numbered(Builder& out, std::string_view prefix, const std::vector<std::int64_t>& values) {
    for (std::size_t i = 0; i < values.size(); ++i)
        out.append_counter(std::string(prefix) + std::to_string(i), values[i]);
}

void append_dups(Builder& out, const StageStats& stats) {
    out.append_counter("dupsTested", stats.dups_tested);
    out.append_counter("dupsDropped", stats.dups_dropped);
}

void append_key_scan(Builder& out, const StatsTree& tree, const PrintOptions& options) {
    const bool execution = options.level == Level::execution;
    if (tree.node->type == StageType::count_scan) {
        const auto& scan = tree.node->as<plan::CountScanNode>();
        if (execution) out.append_counter("keysExamined", tree.stats.keys_examined);
        append_index_head(out, *scan.index);
        append_key_range(out, scan.range, *scan.index);
    } else {
        const auto& scan = tree.node->as<plan::DistinctScanNode>();
        append_index_head(out, *scan.index);
        append_direction(out, scan.direction);
        append_bounds(out, scan.bounds, *scan.index, options);
        if (execution) out.append_counter("keysExamined", tree.stats.keys_examined);
    }
}

// Counters of stages that print nothing else.
void append_plain_counters(Builder& out, const StatsTree& tree, const PrintOptions& options) {
    const StageStats& stats = tree.stats;
    switch (tree.node->type) {
        case StageType::id_hack:
            out.append_counter("keysExamined", stats.keys_examined);
            out.append_counter("docsExamined", stats.docs_examined);
            break;
        case StageType::fetch:
            out.append_counter("docsExamined", stats.docs_examined);
            out.append_counter("alreadyHasObj", stats.already_has_object);
            break;
        case StageType::or_: append_dups(out, stats); break;
        case StageType::and_hash:
            out.append_counter("memUsage", stats.memory_used);
            append_int_or_long(out, "memLimit", options.and_hash_memory_limit);
            append_numbered(out, "mapAfterChild_", stats.map_after_child);
            break;
        case StageType::and_sorted: append_numbered(out, "failedAnd_", stats.failed_and); break;
        case StageType::count:
        case StageType::record_store_fast_count:
            out.append_counter("nCounted", stats.counted);
            out.append_counter("nSkipped", stats.skipped);
            break;
        case StageType::update:
            out.append_counter("nMatched", stats.matched);
            out.append_counter("nWouldModify", stats.modified);
            out.append_counter("nWouldUpsert", stats.upserted);
            break;
        case StageType::delete_:
        case StageType::batched_delete: out.append_counter("nWouldDelete", stats.deleted); break;
        default: break;
    }
}

// Fields between isEOF and the inputs (explain.md 7.2-7.23).
void append_specific(Builder& out, const StatsTree& tree, const PrintOptions& options) {
    const bool execution = options.level == Level::execution;
    switch (tree.node->type) {
        case StageType::collection_scan: append_collection_scan(out, tree, execution); break;
        case StageType::index_scan: append_index_scan(out, tree, options); break;
        case StageType::count_scan:
        case StageType::distinct_scan: append_key_scan(out, tree, options); break;
        case StageType::sort_merge:
            out.append("sortPattern", tree.node->as<plan::SortMergeNode>().pattern);
            if (execution) append_dups(out, tree.stats);
            break;
        case StageType::sort_simple:
        case StageType::sort_default: append_sort(out, tree, options); break;
        case StageType::limit: out.append_counter("limitAmount", tree.node->as<plan::LimitNode>().limit); break;
        case StageType::skip: out.append_counter("skipAmount", tree.stats.skip_left); break;
        case StageType::projection_simple:
        case StageType::projection_covered:
        case StageType::projection_default:
            out.append("transformBy", options.names_projection
                                          ? tree.node->as<plan::ProjectionNode>().transform_by.view()
                                          : bson::View());
            break;
        default:
            if (execution) append_plain_counters(out, tree, options);
            break;
    }
}

void append_common_counters(Builder& out, const StageStats& stats) {
    out.append_counter("nReturned", stats.advanced);
    out.append_counter("executionTimeMillisEstimate", stats.time_nanos / 1'000'000);
    out.append_counter("works", stats.works);
    out.append_counter("advanced", stats.advanced);
    out.append_counter("needTime", stats.need_time);
    out.append_counter("needYield", stats.need_yield);
    out.append_counter("saveState", stats.saves);
    out.append_counter("restoreState", stats.restores);
    if (stats.failed) out.append("failed", true);
    out.append("isEOF", stats.is_eof ? 1 : 0);
}

bool is_clustered_scan(const plan::PlanNode& node) {
    if (node.type != StageType::collection_scan) return false;
    return plan::is_bounded(node.as<plan::CollectionScanNode>());
}

void append_stage_fields(Builder& out, const StatsTree& tree, const PrintOptions& options) {
    if (out.size() - options.tree_start > options.size_limit) {
        out.append("warning", "stats tree exceeded BSON size limit for explain");
        return;
    }
    out.append("stage", is_clustered_scan(*tree.node) ? std::string_view("CLUSTERED_IXSCAN")
                                                      : plan::stage_name(tree.node->type));
    if (tree.node->filter) mql::append_match(out, "filter", *tree.node->filter);
    if (options.level == Level::execution) append_common_counters(out, tree.stats);
    append_specific(out, tree, options);
    if (tree.children.size() == 1) {
        out.open_object("inputStage");
        append_stage_fields(out, tree.children.front(), options);
        out.close();
    } else if (tree.children.size() > 1) {
        out.open_array("inputStages");
        for (const StatsTree& child : tree.children) {
            out.open_object();
            append_stage_fields(out, child, options);
            out.close();
        }
        out.close();
    }
}

PrintOptions starting_at(std::size_t start, PrintOptions options) {
    options.tree_start = start;
    return options;
}

}  // namespace

void append_stage(bson::Builder& out, std::string_view name, const stage::StatsTree& tree,
                  const PrintOptions& options) {
    out.open_object(name);
    append_stage_fields(out, tree, starting_at(out.size(), options));
    out.close();
}

void append_stage(bson::Builder& out, const stage::StatsTree& tree, const PrintOptions& options) {
    out.open_object();
    append_stage_fields(out, tree, starting_at(out.size(), options));
    out.close();
}

Totals totals(const stage::StatsTree& tree) noexcept {
    Totals sum;
    switch (tree.node->type) {
        case StageType::index_scan:
        case StageType::count_scan:
        case StageType::distinct_scan: sum.keys_examined = tree.stats.keys_examined; break;
        case StageType::id_hack:
            sum.keys_examined = tree.stats.keys_examined;
            sum.docs_examined = tree.stats.docs_examined;
            break;
        case StageType::collection_scan:
        case StageType::fetch: sum.docs_examined = tree.stats.docs_examined; break;
        default: break;
    }
    for (const stage::StatsTree& child : tree.children) {
        const Totals below = totals(child);
        sum.keys_examined += below.keys_examined;
        sum.docs_examined += below.docs_examined;
    }
    return sum;
}

}  // namespace ixora::explain
