// What pipelines ask of the engine, answered by its catalog and its finds (pipeline/environment.hpp).
#pragma once

#include "ixora/command/service.hpp"
#include "ixora/pipeline/context.hpp"

namespace ixora::command {

class PipelineEnvironment final : public pipeline::Environment {
public:
    explicit PipelineEnvironment(Service& service) noexcept : service_(service) {}

    pipeline::OpenedFind open(pipeline::FindOptions options, Interrupt& interrupt) override;
    bson::CollatorPtr default_collator(const pipeline::CollectionName& ns) override;
    std::optional<pipeline::ViewSource> find_view(const pipeline::CollectionName& ns) override;
    std::unique_ptr<pipeline::OutputCollection> replace_collection(const pipeline::CollectionName& ns) override;
    void check_merge_target(const pipeline::CollectionName& ns, const std::optional<std::set<std::string>>& on,
                            const bson::Collator* collator) override;
    std::int64_t merge(const pipeline::CollectionName& ns, const pipeline::MergeWrite& write,
                       Interrupt& interrupt) override;
    std::vector<bson::Document> index_statistics(const pipeline::CollectionName& ns) override;
    bson::Document collection_statistics(const pipeline::CollectionName& ns, bson::View options) override;
    std::vector<bson::Document> plan_cache_statistics(const pipeline::CollectionName& ns) override;

private:
    CollectionPtr find_collection(const pipeline::CollectionName& ns) const;

    Service& service_;
};

// What the pipelines of one operation share. `interrupt` must outlive it or be replaced.
std::shared_ptr<pipeline::OperationContext> make_operation_context(Service& service, Interrupt& interrupt);

}  // namespace ixora::command
