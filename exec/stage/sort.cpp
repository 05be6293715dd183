#include "ixora/stage/sort.hpp"

#include "ixora/stage/member_bytes.hpp"

namespace ixora::stage {

void DocumentRow::make_owned() {
    if (document_.data() == owned_.view().data()) return;
    owned_ = bson::Document(document_);
    document_ = owned_.view();
}

void DocumentRow::move_to(Member& out) noexcept {
    out.kind = Member::Kind::owned_document;
    out.id = key::RecordId();
    out.document = document_;
    out.owned = std::move(owned_);
    out.has_sort_key = out.has_index_key = false;
    document_ = bson::View();
}

void DocumentRow::append_to(std::vector<std::uint8_t>& out) const {
    out.insert(out.end(), document_.data(), document_.data() + document_.size());
}

void DocumentRow::read(std::span<const std::uint8_t> bytes) {
    owned_ = bson::Document(bson::View(bytes.data()));
    document_ = owned_.view();
}

void MemberRow::append_to(std::vector<std::uint8_t>& out) const { append_member(row_, out); }

void MemberRow::read(std::span<const std::uint8_t> bytes) { read_member(bytes, row_); }

// Key views end with the next unit of the scan, so keys are copied at once; documents can wait.
MemberRow::MemberRow(Member& row) {
    if (!row.has_document()) row.make_owned();
    std::swap(row_, row);
}

std::int64_t MemberRow::size_of(const Member& row) noexcept {
    if (row.has_document()) return DocumentRow::size_of(row);
    std::size_t size = sizeof(std::int64_t);
    for (const IndexKey& entry : row.keys) size += entry.key.size() + entry.type_bits.size();
    return static_cast<std::int64_t>(size);
}

template <class Row>
SortStage<Row>::SortStage(const plan::PlanNode& node, StagePtr input, bson::CollatorPtr collator,
                          const ExecutionContext& context, bool allow_disk_use)
    : Stage(node),
      params_(node.as<plan::SortNode>()),
      context_(context),
      keys_(params_.pattern, std::move(collator)),
      sorter_(params_.limit, {context.knobs->internalQueryMaxBlockingSortMemoryUsageBytes, allow_disk_use,
                              context.knobs->spillDirectory}) {
    add_child(std::move(input));
}

template <class Row>
State SortStage<Row>::do_work(Member& out) {
    std::int64_t done = 0;
    return do_run(out, 1, done);
}

template <class Row>
State SortStage<Row>::do_run(Member& out, std::int64_t budget, std::int64_t& done) {
    while (!populated_) {
        const State state = child().work_run(out, budget - done, done);
        switch (state) {
            case State::advanced: spool(out); break;
            case State::need_time: break;
            case State::need_yield: return state;
            case State::eof:
                sorter_.finish(context_);
                note_spills();
                populated_ = true;
                break;
        }
        if (done == budget) return State::need_time;
    }
    ++done;
    return give_next(out);
}

template <class Row>
void SortStage<Row>::spool(Member& row) {
    key_.clear();
    keys_.append_key(row, key_);
    const key::Bytes key = key::as_bytes(key_);
    stats_.total_data_size_sorted += Row::size_of(row);
    if (!sorter_.accepts(key)) return;
    sorter_.add(key, Row(row), context_);
}

template <class Row>
void SortStage<Row>::note_spills() {
    stats_.spills = sorter_.spills();
    stats_.spilled_data_storage_size = sorter_.spilled_bytes();
    stats_.used_disk = stats_.spills > 0;
}

template <class Row>
State SortStage<Row>::give_next(Member& out) {
    if (eof_) return State::eof;
    Row* row = sorter_.next();
    if (row == nullptr) {
        eof_ = true;
        return State::eof;
    }
    row->move_to(out);
    if (params_.add_sort_key_metadata) {
        out.sort_key = keys_.sort_key_metadata(out);
        out.has_sort_key = true;
    }
    return State::advanced;
}

template <class Row>
void SortStage<Row>::do_save() {
    if (!eof_) sorter_.make_owned();
}

template class SortStage<DocumentRow>;
template class SortStage<MemberRow>;

}  // namespace ixora::stage
