#include "ixora/command/index_filters.hpp"

namespace ixora::command {

std::shared_ptr<const plan::IndexFilter> IndexFilters::find(const std::string& shape) const {
    const std::lock_guard lock(mutex_);
    const auto found = settings_.find(shape);
    if (found == settings_.end()) return nullptr;
    return {found->second, &found->second->filter};
}

void IndexFilters::set(const std::string& shape, IndexFilterSetting setting) {
    const std::lock_guard lock(mutex_);
    settings_[shape] = std::make_shared<const IndexFilterSetting>(std::move(setting));
    count_.store(settings_.size(), std::memory_order_relaxed);
}

void IndexFilters::remove(const std::string& shape) {
    const std::lock_guard lock(mutex_);
    settings_.erase(shape);
    count_.store(settings_.size(), std::memory_order_relaxed);
}

std::vector<std::string> IndexFilters::clear() {
    const std::lock_guard lock(mutex_);
    std::vector<std::string> shapes;
    for (const auto& [shape, setting] : settings_) shapes.push_back(shape);
    settings_.clear();
    count_.store(0, std::memory_order_relaxed);
    return shapes;
}

std::vector<std::shared_ptr<const IndexFilterSetting>> IndexFilters::list() const {
    const std::lock_guard lock(mutex_);
    std::vector<std::shared_ptr<const IndexFilterSetting>> out;
    for (const auto& [shape, setting] : settings_) out.push_back(setting);
    return out;
}

}  // namespace ixora::command
