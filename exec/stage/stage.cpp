#include "ixora/stage/stage.hpp"

#include <chrono>

namespace ixora::stage {

namespace {

using Clock = std::chrono::steady_clock;

// Adds the time it lives to a counter.
class Stopwatch {
public:
    explicit Stopwatch(std::int64_t& nanos) noexcept : nanos_(nanos), start_(Clock::now()) {}
    ~Stopwatch() { nanos_ += std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - start_).count(); }
    Stopwatch(const Stopwatch&) = delete;
    Stopwatch& operator=(const Stopwatch&) = delete;

private:
    std::int64_t& nanos_;
    Clock::time_point start_;
};

}  // namespace

State Stage::timed_work(Member& out) {
    const Stopwatch stopwatch(stats_.time_nanos);
    return do_work(out);
}

State Stage::timed_run(Member& out, std::int64_t budget, std::int64_t& done) {
    const Stopwatch stopwatch(stats_.time_nanos);
    return do_run(out, budget, done);
}

State Stage::do_run(Member& out, std::int64_t budget, std::int64_t& done) {
    for (;;) {
        ++done;
        const State state = do_work(out);
        if (state != State::need_time || done == budget || is_eof()) return state;
    }
}

void Stage::save() {
    ++stats_.saves;
    do_save();
    for (const StagePtr& stage : children_) stage->save();
}

void Stage::restore() {
    ++stats_.restores;
    for (const StagePtr& stage : children_) stage->restore();
    do_restore();
}

bool Stage::rest() {
    if (stats_.failed || !do_rest()) return false;
    for (const StagePtr& stage : children_)
        if (!stage->rest()) return false;
    stats_ = {};
    return true;
}

void Stage::begin() {
    for (const StagePtr& stage : children_) stage->begin();
    do_begin();
}

void Stage::enable_timing() noexcept {
    timing_ = true;
    for (const StagePtr& stage : children_) stage->enable_timing();
}

StageStats Stage::collect_own() const {
    StageStats stats = stats_;
    stats.is_eof = is_eof();
    complete(stats);
    return stats;
}

StatsTree Stage::collect() const {
    StatsTree tree{&node(), collect_own(), {}};
    tree.children.reserve(children_.size());
    for (const StagePtr& stage : children_) tree.children.push_back(stage->collect());
    return tree;
}

}  // namespace ixora::stage
