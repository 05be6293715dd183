// The rows behind a client's cursor, whatever makes them: a find's plan or a pipeline.
#pragma once

#include "ixora/base/interrupt.hpp"
#include "ixora/bson/view.hpp"

namespace ixora::command {

class RowStream {
public:
    virtual ~RowStream() = default;

    // False at the end. The row is valid until the next call or save().
    virtual bool next(bson::View& row) = 0;
    // Whether it is known, without asking for another row, that none is left.
    virtual bool is_exhausted() const = 0;
    // Between getMores: gives up the snapshot, later continues on a new one.
    virtual void save() = 0;
    virtual void restore(Interrupt& interrupt) = 0;
};

}  // namespace ixora::command
