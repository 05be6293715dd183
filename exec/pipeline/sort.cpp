#include "ixora/pipeline/sort.hpp"

#include "ixora/base/error.hpp"
#include "ixora/key/key_string.hpp"
#include "ixora/pipeline/spill_statistics.hpp"
#include "ixora/pipeline/stages.hpp"
#include "ixora/stage/spilling_sorter.hpp"

namespace ixora::pipeline {

namespace {

struct SortedRow {
    bson::Document document;
    std::int64_t memory() const noexcept { return static_cast<std::int64_t>(document.size()); }
    void make_owned() const noexcept {}
    void append_to(std::vector<std::uint8_t>& out) const {
        out.insert(out.end(), document.view().data(), document.view().data() + document.size());
    }
    void read(std::span<const std::uint8_t> bytes) { document = bson::Document(bson::View(bytes.data())); }
};

class SortOperator final : public Operator {
public:
    SortOperator(const SortStage& stage, OperatorPtr input)
        : Operator(std::move(input)),
          operation_(*stage.context()->operation),
          keys_(stage.pattern, stage.context()->collator),
          sorter_(stage.limit, operation_.spill_policy(operation_.knobs.internalQueryMaxBlockingSortMemoryUsageBytes)) {
    }

    void append_statistics(bson::Builder& out) const override {
        out.append("totalDataSizeSortedBytesEstimate", total_bytes_);
        append_spills(out, {sorter_.spills(), sorter_.spilled_bytes()});
    }

private:
    Pulled pull(Row& out) override {
        execution_.interrupt = operation_.interrupt;
        while (!populated_) {
            const Pulled pulled = input()->next(out);
            if (pulled == Pulled::pause) return pulled;
            if (pulled == Pulled::row) {
                spool(out);
                continue;
            }
            sorter_.finish(execution_);
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
        sorter_.add(key, SortedRow{std::move(row.owned)}, execution_);
    }

    const OperationContext& operation_;
    stage::ExecutionContext execution_;
    mql::SortKeyGenerator keys_;
    stage::SpillingSorter<SortedRow> sorter_;
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
