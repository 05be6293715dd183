#include "ixora/pipeline/find_layer.hpp"

#include <algorithm>
#include <limits>

#include "ixora/pipeline/group.hpp"
#include "ixora/pipeline/group_by_distinct_scan.hpp"
#include "ixora/pipeline/limit_skip.hpp"
#include "ixora/pipeline/match.hpp"
#include "ixora/pipeline/optimizer.hpp"
#include "ixora/pipeline/project.hpp"
#include "ixora/pipeline/sort.hpp"

namespace ixora::pipeline {

namespace {

constexpr std::int64_t row_count_max = std::numeric_limits<std::int64_t>::max();

std::int64_t extract_skip(StageList& stages) {
    std::int64_t sum = 0;
    for (std::size_t at = 0; at < stages.size();) {
        if (stages[at]->kind() == StageKind::skip) {
            const std::int64_t skip = static_cast<SkipStage&>(*stages[at]).skip;
            if (sum > row_count_max - skip) break;
            sum += skip;
            stages.erase(stages.begin() + static_cast<std::ptrdiff_t>(at));
        } else if (stages[at]->is_one_to_one()) {
            ++at;
        } else {
            break;
        }
    }
    return sum;
}

StagePtr pop_front(StageList& stages) {
    StagePtr front = std::move(stages.front());
    stages.erase(stages.begin());
    return front;
}

bool starts_with(const StageList& stages, StageKind kind) { return !stages.empty() && stages.front()->kind() == kind; }

// Builds the request of the find step by step, in the server's order.
class FindBuilder {
public:
    FindBuilder(StageList& stages, const ContextPtr& context) : stages_(stages), context_(context) {
        options_.ns = context->ns;
        options_.collation = context->collation;
        options_.names_collation = context->names_collation;
        options_.request.hint = context->hint;
        options_.request.variables = context->scope;
        options_.request.allow_disk_use = context->operation->allow_disk_use;
        options_.request.is_explain = context->operation->is_explain;
    }

    FindPart open() {
        if (context_->operation->knobs.disablePipelineOptimization) return {plan(), false};
        if (starts_with(stages_, StageKind::match)) {
            options_.request.filter = static_cast<MatchStage&>(*stages_.front()).predicate();
            pop_front(stages_);
        }
        if (std::optional<OpenedFind> find = open_distinct_scan()) return {std::move(*find), false};
        take_sort_skip_and_limit();
        if (!is_bare()) optimize(stages_);
        if (!take_projection()) project_needs();
        const bool counts_only = options_.request.is_count;
        return {plan(), counts_only};
    }

private:
    OpenedFind plan() {
        return context_->operation->environment->open(std::move(options_), *context_->operation->interrupt);
    }

    void take_sort_skip_and_limit() {
        std::optional<std::int64_t> limit;
        if (starts_with(stages_, StageKind::sort)) {
            const StagePtr front = pop_front(stages_);
            const auto& sort = static_cast<const SortStage&>(*front);
            options_.request.sort = sort.pattern.print();
            sorted_ = true;
            if (sort.limit != 0) limit = sort.limit;
        }
        if (const std::optional<std::int64_t> more = sorted_ ? std::nullopt : extract_limit(stages_, 0)) limit = more;
        const std::int64_t skip = extract_skip(stages_);
        options_.request.skip = limit ? std::min(skip, *limit) : skip;
        if (!limit) return;
        options_.request.limit = *limit - options_.request.skip;
        options_.request.gives_nothing = options_.request.limit == 0;
    }

    bool is_bare() const noexcept { return options_.request.skip == 0 && options_.request.limit == 0; }

    // A $project at the front. One that computes stays where the find sorts, skips or limits; an exclusion where the
    // rest needs some fields only.
    bool take_projection() {
        if (!starts_with(stages_, StageKind::project)) return false;
        const auto& project = static_cast<const ProjectStage&>(*stages_.front());
        if (project.has_only_metadata()) return false;
        if (project.has_computed_fields() && (sorted_ || !is_bare())) return false;
        if (!project.is_inclusion() && !needs_of(stages_).whole_document) return false;
        options_.request.projection = project.find_projection();
        pop_front(stages_);
        return true;
    }

    // Rows whose fields nobody looks at may come from an index, unless the find has to count them off.
    void project_needs() {
        const Needs needs = needs_of(stages_);
        if (needs.whole_document) return;
        if (!needs.fields.empty())
            options_.request.projection = projection_of(needs.fields);
        else
            options_.request.is_count = is_bare();
    }

    // A $group by one path that takes the first row of each group needs one index key per group.
    std::optional<OpenedFind> open_distinct_scan() {
        const std::size_t at = starts_with(stages_, StageKind::sort) ? 1 : 0;
        if (stages_.size() <= at || stages_[at]->kind() != StageKind::group) return std::nullopt;
        const auto& group = static_cast<const GroupStage&>(*stages_[at]);
        const std::optional<std::string> key = distinct_key(group);
        if (!key) return std::nullopt;
        FindOptions options = options_;
        if (at == 1) {
            const auto& sort = static_cast<const SortStage&>(*stages_.front());
            if (sort.limit != 0) return std::nullopt;
            options.request.sort = sort.pattern.print();
        }
        const Needs needs = needs_of(stages_, at);
        if (!needs.whole_document) options.request.projection = projection_of(needs.fields);
        options.distinct = plan::DistinctRequest{*key, true};
        OpenedFind find = context_->operation->environment->open(std::move(options), *context_->operation->interrupt);
        if (!find.executor) return std::nullopt;
        stages_[at] = group_by_distinct_scan(group);
        stages_.erase(stages_.begin(), stages_.begin() + static_cast<std::ptrdiff_t>(at));
        return find;
    }

    StageList& stages_;
    const ContextPtr& context_;
    FindOptions options_;
    bool sorted_ = false;
};

}  // namespace

std::optional<std::int64_t> extract_limit(StageList& stages, std::size_t from) {
    std::optional<std::int64_t> smallest;
    std::int64_t skipped = 0;
    for (std::size_t at = from; at < stages.size();) {
        const StageKind kind = stages[at]->kind();
        const std::int64_t rows = kind == StageKind::skip    ? static_cast<SkipStage&>(*stages[at]).skip
                                  : kind == StageKind::limit ? static_cast<LimitStage&>(*stages[at]).limit
                                                             : 0;
        const bool fits = skipped <= row_count_max - rows;
        if (kind == StageKind::skip && fits) {
            skipped += rows;
            ++at;
        } else if (kind == StageKind::limit && fits) {
            smallest = std::min(smallest.value_or(row_count_max), skipped + rows);
            stages.erase(stages.begin() + static_cast<std::ptrdiff_t>(at));
        } else if (stages[at]->is_one_to_one()) {
            ++at;
        } else {
            break;
        }
    }
    return smallest;
}

FindPart open_find(StageList& stages, const ContextPtr& context) { return FindBuilder(stages, context).open(); }

}  // namespace ixora::pipeline
