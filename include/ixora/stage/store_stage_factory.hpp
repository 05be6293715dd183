// The stage factory of a store (spec: execution.md 15.1).
#pragma once

#include "ixora/stage/collection_scan-inl.hpp"
#include "ixora/stage/count_scan-inl.hpp"
#include "ixora/stage/distinct_scan-inl.hpp"
#include "ixora/stage/fetch-inl.hpp"
#include "ixora/stage/id_hack-inl.hpp"
#include "ixora/stage/index_scan-inl.hpp"
#include "ixora/stage/record_store_fast_count.hpp"
#include "ixora/stage/stage_factory.hpp"

namespace ixora::stage {

template <store::Store S>
class StoreStageFactory final : public StageFactory {
public:
    // On a unit of work of its own (`own_unit`, or a new one), or, inside a transaction, on `shared_unit`.
    StoreStageFactory(S& store, store::TableId records, std::shared_ptr<const Knobs> knobs, Interrupt* interrupt,
                      typename S::Unit* shared_unit = nullptr, std::unique_ptr<typename S::Unit> own_unit = nullptr)
        : own_unit_(std::move(own_unit)) {
        context_.knobs = std::move(knobs);
        context_.interrupt = interrupt;
        context_.store = &store;
        context_.records = records;
        if (shared_unit == nullptr && own_unit_ == nullptr) own_unit_ = store.begin();
        context_.unit = shared_unit == nullptr ? own_unit_.get() : shared_unit;
    }

    ExecutionContext& context() noexcept override { return context_; }
    bool can_yield() const noexcept override { return own_unit_ != nullptr; }
    void new_snapshot() override {
        if (own_unit_ != nullptr) own_unit_->abandon_snapshot();
        ++context_.snapshot;
    }

    void rest() override {
        context_.interrupt = nullptr;
        context_.unit = nullptr;
        own_unit_.reset();
    }
    void take_over(StageFactory& fresh) override {
        auto& other = static_cast<StoreStageFactory&>(fresh);
        own_unit_ = std::move(other.own_unit_);
        context_ = std::move(other.context_);
    }

protected:
    StagePtr build_leaf(const plan::PlanNode& node) override {
        using plan::StageType;
        switch (node.type) {
            case StageType::collection_scan: return std::make_unique<CollectionScanStage<S>>(node, context_);
            case StageType::index_scan: return std::make_unique<IndexScanStage<S>>(node, context_);
            case StageType::count_scan: return std::make_unique<CountScanStage<S>>(node, context_);
            case StageType::distinct_scan: return std::make_unique<DistinctScanStage<S>>(node, context_);
            case StageType::id_hack: return std::make_unique<IdHackStage<S>>(node, context_);
            default: return std::make_unique<RecordStoreFastCountStage<S>>(node, context_);
        }
    }
    StagePtr build_fetch(const plan::PlanNode& node, StagePtr input) override {
        auto* scan = input->node().type == plan::StageType::index_scan ? static_cast<IndexScanStage<S>*>(input.get())
                                                                       : nullptr;
        return std::make_unique<FetchStage<S>>(node, std::move(input), context_, scan);
    }

private:
    StoreContext<S> context_;
    std::unique_ptr<typename S::Unit> own_unit_;
};

}  // namespace ixora::stage
