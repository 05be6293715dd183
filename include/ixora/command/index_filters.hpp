// The index filters of one collection: which indexes queries of a shape may use (spec: commands.md section 6).
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "ixora/bson/document.hpp"
#include "ixora/plan/index_entry.hpp"

namespace ixora::command {

// One planCacheSetFilter, with the query it was given for.
struct IndexFilterSetting {
    bson::Document query;
    bson::Document sort;
    bson::Document projection;
    std::optional<bson::Document> collation;
    plan::IndexFilter filter;
};

// Thread-safe. Shapes are those of plan::command_shape().
class IndexFilters {
public:
    bool empty() const noexcept { return count_.load(std::memory_order_relaxed) == 0; }
    std::shared_ptr<const plan::IndexFilter> find(const std::string& shape) const;  // null if there is none
    void set(const std::string& shape, IndexFilterSetting setting);
    void remove(const std::string& shape);
    // Removes all; the shapes they were for.
    std::vector<std::string> clear();
    std::vector<std::shared_ptr<const IndexFilterSetting>> list() const;

private:
    mutable std::mutex mutex_;
    std::map<std::string, std::shared_ptr<const IndexFilterSetting>> settings_;
    std::atomic<std::size_t> count_{0};
};

}  // namespace ixora::command
