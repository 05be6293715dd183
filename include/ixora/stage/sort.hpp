// SORT: reads its child to the end, then gives the rows in order (spec: execution.md 7.1).
#pragma once

#include <string>

#include "ixora/stage/execution_context.hpp"
#include "ixora/stage/sort_key_source.hpp"
#include "ixora/stage/spilling_sorter.hpp"
#include "ixora/stage/stage.hpp"

namespace ixora::stage {

// A document alone: what the simple sort keeps.
class DocumentRow {
public:
    // Bytes as totalDataSizeSorted and the memory limit count them.
    static std::int64_t size_of(const Member& row) noexcept { return size_of(row.document); }

    DocumentRow() noexcept = default;
    explicit DocumentRow(Member& row) : document_(row.document) {
        if (row.owns_document()) owned_ = std::move(row.owned);
    }
    std::int64_t memory() const noexcept { return size_of(document_); }
    void make_owned();
    void move_to(Member& out) noexcept;
    void append_to(std::vector<std::uint8_t>& out) const;
    void read(std::span<const std::uint8_t> bytes);

private:
    static std::int64_t size_of(bson::View document) noexcept {
        return 16 + static_cast<std::int64_t>(document.size());
    }

    bson::View document_;
    bson::Document owned_;
};

// The whole row: what the default sort keeps.
class MemberRow {
public:
    static std::int64_t size_of(const Member& row) noexcept;

    MemberRow() noexcept = default;
    explicit MemberRow(Member& row);
    std::int64_t memory() const noexcept { return size_of(row_); }
    void make_owned() { row_.make_owned(); }
    void move_to(Member& out) noexcept {
        std::swap(out, row_);
        row_.reset();
    }
    void append_to(std::vector<std::uint8_t>& out) const;
    void read(std::span<const std::uint8_t> bytes);

private:
    Member row_;
};

// Rows stay views of the store until the snapshot goes; with a limit, rows that drop out are never copied. Keys and
// rows that need more than internalQueryMaxBlockingSortMemoryUsageBytes go to disk, or fail with 292 without
// `allow_disk_use`.
template <class Row>
class SortStage final : public Stage {
public:
    SortStage(const plan::PlanNode& node, StagePtr input, bson::CollatorPtr collator, const ExecutionContext& context,
              bool allow_disk_use);

    bool is_eof() const override { return eof_; }

protected:
    State do_work(Member& out) override;
    State do_run(Member& out, std::int64_t budget, std::int64_t& done) override;
    void do_save() override;

private:
    void spool(Member& row);
    void note_spills();
    State give_next(Member& out);

    const plan::SortNode& params_;
    const ExecutionContext& context_;
    SortKeySource keys_;
    std::string key_;  // of the row at hand
    SpillingSorter<Row> sorter_;
    bool populated_ = false;
    bool eof_ = false;
};

using SimpleSortStage = SortStage<DocumentRow>;
using DefaultSortStage = SortStage<MemberRow>;

extern template class SortStage<DocumentRow>;
extern template class SortStage<MemberRow>;

}  // namespace ixora::stage
