#include "ixora/pipeline/sort.hpp"

#include "ixora/base/error.hpp"
#include "ixora/key/key_string.hpp"
#include "ixora/pipeline/stages.hpp"
#include "ixora/stage/row_sorter.hpp"

namespace ixora::pipeline {

namespace {

struct SortedRow {
    bson::Document document;
    std::int64_t memory() const noexcept { return static_cast<std::int64_t>(document.size()); }
    void make_owned() const noexcept {}
};

class SortOperator final : public Operator {
public:
    SortOperator(const SortStage& stage, OperatorPtr input)
        : Operator(std::move(input)),
          operation_(*stage.context()->operation),
          keys_(stage.pattern, stage.context()->collator),
          sorter_(stage.limit) {}

    void append_statistics(bson::Builder& out) const override {
        out.append("totalDataSizeSortedBytesEstimate", total_bytes_);
        out.append("usedDisk", false);
        out.append("spills", std::int64_t{0});
        out.append("spilledDataStorageSize", std::int64_t{0});
    }

private:
    Pulled pull(Row& out) override {
        while (!populated_) {
            const Pulled pulled = input()->next(out);
            if (pulled == Pulled::pause) return pulled;
            if (pulled == Pulled::row) {
                spool(out);
                continue;
            }
            stage::ExecutionContext context;
            context.interrupt = operation_.interrupt;
            sorter_.finish(context);
            populated_ = true;
        }
        SortedRow* row = sorter_.next();
        if (row == nullptr) return Pulled::end;
        out.set_owned(std::move(row->document));
        return Pulled::row;
    }

    void spool(Row& row) {
        key_.clear();
        keys_.append_key(row.document, key_);
        total_bytes_ += static_cast<std::int64_t>(row.document.size());
        const key::Bytes key = key::as_bytes(key_);
        if (!sorter_.accepts(key)) return;
        row.own();
        sorter_.add(key, SortedRow{std::move(row.owned)});
        const std::int64_t limit = operation_.knobs.internalQueryMaxBlockingSortMemoryUsageBytes;
        if (sorter_.memory() > limit)
            throw Error(ErrorCode::query_exceeded_memory_limit_no_disk_use_allowed,
                        "Sort exceeded memory limit of " + std::to_string(limit) +
                            " bytes, but did not opt in to external sorting.");
    }

    const OperationContext& operation_;
    mql::SortKeyGenerator keys_;
    stage::RowSorter<SortedRow> sorter_;
    std::string key_;
    std::int64_t total_bytes_ = 0;
    bool populated_ = false;
};

}  // namespace

void SortStage::print(bson::Builder& out) const {
    out.open_object("$sort");
    out.append("sortKey", pattern.print());
    if (limit != 0) out.append("limit", limit);
    out.close();
}

NeedsAnswer SortStage::add_needs(Needs& needs) const {
    for (const mql::SortPart& part : pattern.parts())
        if (!part.path.empty()) needs.fields.insert(part.path);
    return NeedsAnswer::see_next;
}

OperatorPtr SortStage::open(OperatorPtr input) const { return std::make_unique<SortOperator>(*this, std::move(input)); }

void parse_sort(bson::Element spec, const ContextPtr& context, StageList& out) {
    if (!spec.is_object()) throw Error(15973, "the $sort key specification must be an object");
    if (spec.object().empty()) throw Error(15976, "$sort stage must have at least one sort key");
    out.push_back(std::make_unique<SortStage>(mql::SortPattern::parse(spec.object()), context));
}

}  // namespace ixora::pipeline
