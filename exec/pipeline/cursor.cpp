#include "ixora/pipeline/cursor.hpp"

namespace ixora::pipeline {

Pulled Cursor::pull(Row& out) {
    member_.reset();
    if (!find_.executor->next(member_)) return Pulled::end;
    out.sort_key = bson::Value();
    if (counts_only_)
        out.set_view(bson::View());
    else
        out.set_view(member_.document);
    return Pulled::row;
}

void Cursor::do_save() { find_.executor->save(); }

void Cursor::do_restore(Interrupt& interrupt) { find_.executor->restore(interrupt); }

}  // namespace ixora::pipeline
