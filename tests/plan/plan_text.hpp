// Plans as one line of text, in the notation of planner.md: FETCH{b: {$eq: 2}}(IXSCAN a_1[a: [1, 1]]).
#pragma once

#include <string>
#include <string_view>

#include "ixora/bson/debug_string.hpp"
#include "ixora/mql/match_printer.hpp"
#include "ixora/plan/plan_node.hpp"

namespace ixora::test {

// Without the spaces inside of brackets.
inline std::string compact(std::string_view text) {
    std::string out;
    for (const char c : text) {
        const bool after_space = out.size() > 1 && out.back() == ' ';
        if ((c == '}' || c == ']') && after_space) out.pop_back();
        if (c == ' ' && !out.empty() && (out.back() == '{' || out.back() == '[')) continue;
        out += c;
    }
    return out;
}

inline std::string compact(bson::View document) { return compact(bson::debug_string(document)); }

inline std::string bounds_text(const plan::IndexBounds& bounds, bool collated) {
    if (bounds.is_simple_range)
        return "[" + compact(bounds.range.start_key) + " .. " + compact(bounds.range.end_key) + "]";
    std::string text = "[";
    for (const plan::IntervalList& field : bounds.fields) {
        if (text.size() > 1) text += "; ";
        text += field.name + ": ";
        if (field.intervals.empty()) text += "none";
        for (std::size_t i = 0; i < field.intervals.size(); ++i) {
            if (i > 0) text += ", ";
            text += field.intervals[i].is_all() ? "all" : compact(plan::print_interval(field.intervals[i], collated));
        }
    }
    return text + "]";
}

inline std::string key_range_text(const plan::KeyRange& range) {
    return std::string(range.start_inclusive ? "[" : "(") + compact(range.start_key) + ", " + compact(range.end_key) +
           (range.end_inclusive ? "]" : ")");
}

// " from 3 to 9", without the ends that are open.
inline std::string record_range_text(const plan::CollectionScanNode& scan) {
    std::string text;
    if (scan.min_record) text += " from " + bson::debug_string(scan.min_record->value.element());
    if (scan.max_record)
        text += (scan.max_inclusive ? " to " : " before ") + bson::debug_string(scan.max_record->value.element());
    return text;
}

inline std::string own_text(const plan::PlanNode& node) {
    using plan::StageType;
    switch (node.type) {
        case StageType::index_scan: {
            const auto& scan = node.as<plan::IndexScanNode>();
            return " " + scan.index->name + (scan.direction < 0 ? " backward " : "") +
                   bounds_text(scan.bounds, scan.index->collator != nullptr);
        }
        case StageType::distinct_scan: {
            const auto& scan = node.as<plan::DistinctScanNode>();
            return " " + scan.index->name + (scan.direction < 0 ? " backward " : "") +
                   bounds_text(scan.bounds, scan.index->collator != nullptr);
        }
        case StageType::count_scan: {
            const auto& scan = node.as<plan::CountScanNode>();
            return " " + scan.index->name + key_range_text(scan.range);
        }
        case StageType::collection_scan: {
            const auto& scan = node.as<plan::CollectionScanNode>();
            return (scan.direction < 0 ? " backward" : "") + record_range_text(scan);
        }
        case StageType::sort_simple:
        case StageType::sort_default: {
            const auto& sort = node.as<plan::SortNode>();
            const std::string limit = sort.limit > 0 ? " limitAmount " + std::to_string(sort.limit) : "";
            return (node.type == StageType::sort_simple ? " simple" : " default") + limit;
        }
        case StageType::sort_merge: return compact(node.as<plan::SortMergeNode>().pattern);
        case StageType::limit: return " " + std::to_string(node.as<plan::LimitNode>().limit);
        case StageType::skip: return " " + std::to_string(node.as<plan::SkipNode>().skip);
        case StageType::or_: return node.as<plan::OrNode>().dedup ? "" : " keeping duplicates";
        default: return "";
    }
}

inline std::string text_of(const plan::PlanNode& node) {
    std::string text(plan::stage_name(node.type));
    if (node.type == plan::StageType::index_scan && node.filter != nullptr) text += "!";
    if (node.filter != nullptr) text += compact(mql::print_match(*node.filter));
    text += own_text(node);
    if (node.children.empty()) return text;
    text += "(";
    for (std::size_t i = 0; i < node.children.size(); ++i) text += (i > 0 ? ", " : "") + text_of(*node.children[i]);
    return text + ")";
}

}  // namespace ixora::test
