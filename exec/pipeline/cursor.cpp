#include "ixora/pipeline/cursor.hpp"

namespace ixora::pipeline {

namespace {

constexpr std::size_t batch_bytes_max = 4 << 20;
constexpr std::size_t batch_growth = 2;

}  // namespace

Pulled Cursor::pull(Row& out) {
    member_.reset();
    if (!find_.executor->next(member_)) {
        ended_ = true;
        return Pulled::end;
    }
    count_batch();
    out.sort_key = bson::Value();
    if (counts_only_)
        out.set_view(bson::View());
    else
        out.set_view(member_.document);
    return Pulled::row;
}

void Cursor::count_batch() noexcept {
    batch_bytes_ += member_.document.size();
    ++batch_rows_;
    if (batch_bytes_ <= batch_bytes_max && batch_rows_ < batch_rows_max_) return;
    if (batch_rows_ == batch_rows_max_) batch_rows_max_ *= batch_growth;
    batch_bytes_ = 0;
    batch_rows_ = 0;
}

void Cursor::finish_batch() {
    while (!ended_ && batch_rows_ > 0) {
        member_.reset();
        if (find_.executor->next(member_))
            count_batch();
        else
            ended_ = true;
    }
}

void Cursor::do_save() { find_.executor->save(); }

void Cursor::do_restore(Interrupt& interrupt) { find_.executor->restore(interrupt); }

}  // namespace ixora::pipeline
