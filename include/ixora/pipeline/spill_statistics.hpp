// What stages that spill tell explain of it (spec: explain.md 8.5).
#pragma once

#include "ixora/bson/builder.hpp"

namespace ixora::pipeline {

struct SpillStatistics {
    std::int64_t spills = 0;
    std::int64_t bytes = 0;
};

inline void append_spills(bson::Builder& out, const SpillStatistics& statistics) {
    out.append("usedDisk", statistics.spills > 0);
    out.append("spills", statistics.spills);
    out.append("spilledDataStorageSize", statistics.bytes);
}

}  // namespace ixora::pipeline
