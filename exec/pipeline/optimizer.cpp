#include "ixora/pipeline/optimizer.hpp"

#include <algorithm>
#include <limits>

#include "ixora/base/error.hpp"
#include "ixora/bson/field_path.hpp"
#include "ixora/pipeline/find_layer.hpp"
#include "ixora/pipeline/graph_lookup.hpp"
#include "ixora/mql/match_printer.hpp"
#include "ixora/pipeline/group.hpp"
#include "ixora/pipeline/limit_skip.hpp"
#include "ixora/pipeline/lookup.hpp"
#include "ixora/pipeline/match.hpp"
#include "ixora/pipeline/match_split.hpp"
#include "ixora/pipeline/sort.hpp"
#include "ixora/pipeline/union_with.hpp"
#include "ixora/pipeline/unwind.hpp"

namespace ixora::pipeline {

namespace {

// Rewrites at one place of the list at a time. Each rule returns the position to go on from, or nothing if it does not
// apply.
class Optimizer {
public:
    explicit Optimizer(StageList& stages) noexcept : stages_(stages) {}

    void run() {
        for (std::size_t at = 0; at < stages_.size();) at = step(at);
        for (const StagePtr& stage : stages_) stage->optimize();
        std::erase_if(stages_, [](const StagePtr& stage) { return stage->is_no_op(); });
    }

private:
    using Position = std::optional<std::size_t>;

    std::size_t step(std::size_t at) {
        if (at + 1 == stages_.size()) return at + 1;
        if (const Position next = push_match_before(at)) return *next;
        if (const Position next = push_sample_before(at)) return *next;
        Position next;
        switch (stages_[at]->kind()) {
            case StageKind::match: next = join_matches(at); break;
            case StageKind::limit: next = join_limits(at); break;
            case StageKind::skip: next = join_skips(at); break;
            case StageKind::sort: next = join_sort(at); break;
            case StageKind::project:
            case StageKind::add_fields:
            case StageKind::replace_root: next = let_skip_pass(at); break;
            case StageKind::lookup:
                next = let_sort_pass(at, stage<LookupStage>(at).unwinding());
                if (!next) next = absorb_into_lookup(at);
                break;
            case StageKind::graph_lookup:
                next = let_sort_pass(at, stage<GraphLookupStage>(at).unwinding());
                if (!next) next = absorb_into_graph_lookup(at);
                break;
            case StageKind::redact: next = copy_safe_match(at); break;
            case StageKind::union_with: next = copy_into_union(at); break;
            default: break;
        }
        return next ? *next : at + 1;
    }

    static std::size_t before(std::size_t at) noexcept { return at == 0 ? 0 : at - 1; }
    template <class Stage>
    Stage& stage(std::size_t at) {
        return static_cast<Stage&>(*stages_[at]);
    }
    bool is(std::size_t at, StageKind kind) const { return at < stages_.size() && stages_[at]->kind() == kind; }
    void erase(std::size_t at) { stages_.erase(stages_.begin() + static_cast<std::ptrdiff_t>(at)); }
    void insert(std::size_t at, StagePtr stage) {
        stages_.insert(stages_.begin() + static_cast<std::ptrdiff_t>(at), std::move(stage));
    }

    Position push_match_before(std::size_t at) {
        if (!is(at + 1, StageKind::match) || !stages_[at]->swaps_with_match()) return {};
        const auto& match = stage<MatchStage>(at + 1);
        if (is(at, StageKind::group) && stage<GroupStage>(at).key_part_count() == 1 &&
            tests_existence(match.tree(), "_id"))
            return {};
        SplitMatch parts = split_match(match.tree(), stages_[at]->modified_paths());
        if (!parts.independent) return {};
        const ContextPtr context = match.context();
        const bool renames = !stages_[at]->modified_paths().renames.empty();
        const bool is_new = parts.rest || renames;
        if (is_new && !can_be_said(*parts.independent, context)) return {};
        if (parts.rest && !can_be_said(*parts.rest, context)) return {};
        if (!is_new) {  // keeps its own text
            std::swap(stages_[at], stages_[at + 1]);
            return before(at);
        }
        erase(at + 1);
        if (parts.rest) insert(at + 1, std::make_unique<MatchStage>(std::move(parts.rest), context));
        insert(at, std::make_unique<MatchStage>(std::move(parts.independent), context));
        return before(at);
    }

    // A few trees have no text that gives them again, such as $all inside $elemMatch; they cannot become a filter.
    static bool can_be_said(const mql::MatchNode& part, const ContextPtr& context) {
        try {
            const MatchStage said(mql::print_match(part), context);
            return true;
        } catch (const Error&) {
            return false;
        }
    }

    Position push_sample_before(std::size_t at) {
        if (!is(at + 1, StageKind::sample) || !stages_[at]->swaps_with_sample()) return {};
        std::swap(stages_[at], stages_[at + 1]);
        return before(at);
    }

    Position join_matches(std::size_t at) {
        if (!is(at + 1, StageKind::match)) return {};
        bson::Builder both;
        both.open_array("$and");
        both.append(stage<MatchStage>(at).predicate());
        both.append(stage<MatchStage>(at + 1).predicate());
        both.close();
        stages_[at] = std::make_unique<MatchStage>(both.finish(), stages_[at]->context());
        erase(at + 1);
        return at;
    }

    Position join_limits(std::size_t at) {
        if (!is(at + 1, StageKind::limit)) return {};
        stage<LimitStage>(at).limit = std::min(stage<LimitStage>(at).limit, stage<LimitStage>(at + 1).limit);
        erase(at + 1);
        return at;
    }

    Position join_skips(std::size_t at) {
        if (!is(at + 1, StageKind::skip)) return {};
        std::int64_t& skip = stage<SkipStage>(at).skip;
        const std::int64_t more = stage<SkipStage>(at + 1).skip;
        if (skip > std::numeric_limits<std::int64_t>::max() - more) return {};
        skip += more;
        erase(at + 1);
        return at;
    }

    Position join_sort(std::size_t at) {
        auto& sort = stage<SortStage>(at);
        if (const std::optional<std::int64_t> limit = extract_limit(stages_, at + 1)) sort.take_limit(*limit);
        if (!is(at + 1, StageKind::sort)) return {};
        auto& next = stage<SortStage>(at + 1);
        if (sort.limit != 0) {
            if (!same_bytes(sort.pattern.print().view(), next.pattern.print().view())) return {};
            next.take_limit(sort.limit);
        }
        erase(at);
        return before(at);
    }

    Position let_skip_pass(std::size_t at) {
        if (!is(at + 1, StageKind::skip)) return {};
        std::swap(stages_[at], stages_[at + 1]);
        return before(at);
    }

    // What is joined does not change the order of rows that are sorted by other fields.
    Position let_sort_pass(std::size_t at, const std::optional<UnwindOptions>& unwinding) {
        if (!is(at + 1, StageKind::sort) || unwinding) return {};
        const ModifiedPaths modified = stages_[at]->modified_paths();
        for (const mql::SortPart& part : stage<SortStage>(at + 1).pattern.parts())
            if (part.path.empty() || modified.touches(part.path)) return {};
        std::swap(stages_[at], stages_[at + 1]);
        return before(at);
    }

    Position absorb_into_lookup(std::size_t at) {
        auto& lookup = stage<LookupStage>(at);
        if (is(at + 1, StageKind::unwind) && !lookup.unwinding()) {
            const UnwindOptions& unwind = stage<UnwindStage>(at + 1).options;
            if (unwind.path.dotted() != lookup.options().as.dotted()) return {};
            lookup.absorb(unwind);
            erase(at + 1);
            return at;
        }
        const bool takes_filters =
            lookup.unwinding() && !lookup.unwinding()->preserve_null_and_empty && !lookup.unwinding()->index;
        if (!is(at + 1, StageKind::match) || !takes_filters) return {};
        mql::MatchNodePtr filter = descend(stage<MatchStage>(at + 1).tree(), lookup.options().as.dotted());
        if (!filter || !can_be_said(*filter, lookup.inner())) return {};
        if (lookup.filter()) {
            std::vector<mql::MatchNodePtr> both;
            both.push_back(MatchStage(*lookup.filter(), lookup.inner()).tree().clone());
            both.push_back(std::move(filter));
            filter = mql::make_logical(mql::MatchKind::and_, std::move(both));
        }
        lookup.absorb_filter(MatchStage(std::move(filter), lookup.inner()).predicate());
        erase(at + 1);
        return at;
    }

    Position absorb_into_graph_lookup(std::size_t at) {
        auto& lookup = stage<GraphLookupStage>(at);
        if (!is(at + 1, StageKind::unwind) || lookup.unwinding()) return {};
        const UnwindOptions& unwind = stage<UnwindStage>(at + 1).options;
        if (unwind.path.dotted() != lookup.options().as.dotted()) return {};
        lookup.absorb(unwind);
        erase(at + 1);
        return at;
    }

    // Goes on behind the $redact: the copy must not be made again in the same walk. It moves on in the next one.
    Position copy_safe_match(std::size_t at) {
        if (!is(at + 1, StageKind::match)) return {};
        mql::MatchNodePtr safe = redact_safe_part(stage<MatchStage>(at + 1).tree());
        if (!safe || !can_be_said(*safe, stages_[at]->context())) return {};
        insert(at, std::make_unique<MatchStage>(std::move(safe), stages_[at]->context()));
        return at + 2;
    }

    Position copy_into_union(std::size_t at) {
        const bool copies = is(at + 1, StageKind::match) || is(at + 1, StageKind::project) ||
                            is(at + 1, StageKind::add_fields) || is(at + 1, StageKind::replace_root);
        if (!copies) return {};
        bson::Builder copy;
        if (is(at + 1, StageKind::match))
            copy.append("$match", stage<MatchStage>(at + 1).predicate());
        else
            stages_[at + 1]->print(copy);
        stage<UnionWithStage>(at).append_stage(copy.finish());
        std::swap(stages_[at], stages_[at + 1]);
        return before(at);
    }

    StageList& stages_;
};

bool is_below(const std::set<std::string>& paths, std::string_view path) {
    return std::any_of(paths.begin(), paths.end(),
                       [path](const std::string& other) { return bson::is_path_prefix_or_equal(other, path); });
}

// A field below another one may depend on what stands there: an array is kept, its elements changed.
void add_generated(const ModifiedPaths& modified, std::set<std::string>& generated) {
    const auto add = [&](const std::string& path) {
        if (path.find('.') == std::string::npos) generated.insert(path);
    };
    if (modified.kind == ModifiedPaths::Kind::these)
        for (const std::string& path : modified.paths) add(path);
    for (const auto& rename : modified.renames) add(rename.first);
}

}  // namespace

void optimize(StageList& stages) {
    try {
        Optimizer(stages).run();
    } catch (const Error& error) {
        throw error.with_context("Failed to optimize pipeline");
    }
}

Needs needs_of(const StageList& stages, std::size_t first) {
    Needs needs;
    std::set<std::string> generated;  // by the stages before: not read from the rows that come in
    bool all_known = false;
    for (std::size_t i = first; i < stages.size(); ++i) {
        Needs own;
        const NeedsAnswer answer = stages[i]->add_needs(own);
        needs.variables.insert(own.variables.begin(), own.variables.end());
        needs.random = needs.random || own.random;
        if (all_known) continue;
        if (answer == NeedsAnswer::unknown) break;
        for (const std::string& field : own.fields)
            if (!is_below(generated, field)) needs.fields.insert(field);
        needs.whole_document = needs.whole_document || own.whole_document;
        all_known = answer == NeedsAnswer::exhaustive;
        const bool drops = stages[i]->kind() == StageKind::project;  // what it takes away, the server still reads
        if (!drops) add_generated(stages[i]->modified_paths(), generated);
    }
    if (!all_known) needs.whole_document = true;
    return needs;
}

}  // namespace ixora::pipeline
