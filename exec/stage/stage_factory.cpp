#include "ixora/stage/stage_factory.hpp"

#include "ixora/base/invariant.hpp"
#include "ixora/stage/and_hash.hpp"
#include "ixora/stage/and_sorted.hpp"
#include "ixora/stage/count.hpp"
#include "ixora/stage/eof.hpp"
#include "ixora/stage/limit.hpp"
#include "ixora/stage/or.hpp"
#include "ixora/stage/projection.hpp"
#include "ixora/stage/return_key.hpp"
#include "ixora/stage/skip.hpp"
#include "ixora/stage/sort.hpp"
#include "ixora/stage/sort_key_generator.hpp"
#include "ixora/stage/sort_merge.hpp"

namespace ixora::stage {

StagePtr StageFactory::build(const plan::PlanNode& node, const plan::CanonicalQuery& query) {
    using plan::StageType;
    std::vector<StagePtr> inputs;
    inputs.reserve(node.children.size());
    for (const plan::PlanNodePtr& child : node.children) inputs.push_back(build(*child, query));
    const auto input = [&inputs] {
        IXORA_INVARIANT(inputs.size() == 1);
        return std::move(inputs.front());
    };
    const bool allow_disk_use = query.request().allow_disk_use.value_or(context().knobs->allowDiskUseByDefault);
    switch (node.type) {
        case StageType::eof: return std::make_unique<EofStage>(node);
        case StageType::collection_scan:
        case StageType::index_scan:
        case StageType::count_scan:
        case StageType::distinct_scan:
        case StageType::id_hack:
        case StageType::record_store_fast_count: return build_leaf(node);
        case StageType::fetch: return build_fetch(node, input());
        case StageType::or_: return std::make_unique<OrStage>(node, std::move(inputs));
        case StageType::and_hash: return std::make_unique<AndHashStage>(node, std::move(inputs));
        case StageType::and_sorted: return std::make_unique<AndSortedStage>(node, std::move(inputs));
        case StageType::sort_merge: return std::make_unique<SortMergeStage>(node, std::move(inputs), query.collator());
        case StageType::sort_simple:
            return std::make_unique<SimpleSortStage>(node, input(), query.collator(), context(), allow_disk_use);
        case StageType::sort_default:
            return std::make_unique<DefaultSortStage>(node, input(), query.collator(), context(), allow_disk_use);
        case StageType::sort_key_generator:
            return std::make_unique<SortKeyGeneratorStage>(node, input(), query.sort_document(), query.collator());
        case StageType::limit: return std::make_unique<LimitStage>(node, input());
        case StageType::skip: return std::make_unique<SkipStage>(node, input());
        case StageType::projection_simple: return std::make_unique<SimpleProjectionStage>(node, input());
        case StageType::projection_covered: return std::make_unique<CoveredProjectionStage>(node, input());
        case StageType::projection_default: return std::make_unique<DefaultProjectionStage>(node, input());
        case StageType::return_key: return std::make_unique<ReturnKeyStage>(node, input(), query.projection());
        case StageType::count: return std::make_unique<CountStage>(node, input());
        case StageType::subplan:
        case StageType::multi_plan:
        case StageType::cached_plan:
        case StageType::update:
        case StageType::delete_:
        case StageType::batched_delete: break;
    }
    IXORA_INVARIANT(false && "a stage that the executor puts together itself");
    return nullptr;
}

}  // namespace ixora::stage
