// The error a store raises when a write loses against another unit of work (spec: keystring.md 4.1).
#pragma once

#include <string>
#include <string_view>

#include "ixora/base/error.hpp"

namespace ixora::store {

// Code 112. The unit that threw it is good for rollback only; single operations run again from the start.
class WriteConflict : public Error {
public:
    explicit WriteConflict(std::string_view context = {})
        : Error(ErrorCode::write_conflict, "Caused by :: " + std::string(context) +
                                               " :: Please retry your operation or multi-document transaction.") {}
};

}  // namespace ixora::store
