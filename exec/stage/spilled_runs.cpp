#include "ixora/stage/spilled_runs.hpp"

#include <algorithm>
#include <cstring>

namespace ixora::stage {

namespace {

// More runs than that are merged in several passes, so that their buffers stay within a few megabytes.
constexpr std::size_t fan_in = 64;
constexpr std::size_t read_size = 128UL << 10;
constexpr std::int64_t records_between_checks = 4096;

struct Head {
    std::uint32_t key_size;
    std::uint32_t size;
};

void append_record(SpillFile& file, key::Bytes key, std::span<const std::uint8_t> bytes) {
    const Head head{static_cast<std::uint32_t>(key.size()), static_cast<std::uint32_t>(bytes.size())};
    std::uint8_t raw[sizeof head];
    std::memcpy(raw, &head, sizeof head);
    file.append(raw);
    file.append(key);
    file.append(bytes);
}

}  // namespace

// One run, read through a buffer that holds at least the record at hand.
class SpilledRuns::Reader {
public:
    Reader(const SpillFile& file, const Run& run, std::size_t number)
        : number_(number), file_(file), at_(run.begin), end_(run.end) {}

    bool next() {
        position_ += record_size_;
        record_size_ = 0;
        if (at_ == end_ && position_ == filled_) return false;
        need(sizeof(Head));
        std::memcpy(&head_, buffer_.data() + position_, sizeof head_);
        record_size_ = sizeof head_ + head_.key_size + std::size_t{head_.size};
        need(record_size_);
        return true;
    }
    key::Bytes key() const noexcept { return {buffer_.data() + position_ + sizeof head_, head_.key_size}; }
    std::span<const std::uint8_t> bytes() const noexcept {
        return {buffer_.data() + position_ + sizeof head_ + head_.key_size, head_.size};
    }
    std::size_t number() const noexcept { return number_; }

private:
    // Reads on until the buffer holds `size` bytes from position_.
    void need(std::size_t size) {
        if (filled_ - position_ >= size) return;
        if (position_ > 0) {
            std::memmove(buffer_.data(), buffer_.data() + position_, filled_ - position_);
            filled_ -= position_;
            position_ = 0;
        }
        if (buffer_.size() < std::max(size, read_size)) buffer_.resize(std::max(size, read_size));
        const std::size_t count = std::min(buffer_.size() - filled_, static_cast<std::size_t>(end_ - at_));
        file_.read(at_, {buffer_.data() + filled_, count});
        at_ += static_cast<std::int64_t>(count);
        filled_ += count;
    }

    std::size_t number_;
    const SpillFile& file_;
    std::int64_t at_;
    std::int64_t end_;
    std::vector<std::uint8_t> buffer_;
    std::size_t position_ = 0;
    std::size_t filled_ = 0;
    Head head_{};
    std::size_t record_size_ = 0;
};

SpilledRuns::SpilledRuns(std::string directory) : directory_(std::move(directory)) {}
SpilledRuns::~SpilledRuns() = default;

void SpilledRuns::add(key::Bytes key, std::span<const std::uint8_t> bytes) {
    if (!file_) file_ = std::make_unique<SpillFile>(directory_);
    append_record(*file_, key, bytes);
    ++records_;
}

void SpilledRuns::end_run() {
    if (!file_ || file_->size() == run_begin_) return;
    runs_.push_back({run_begin_, file_->size()});
    spilled_bytes_ += file_->size() - run_begin_;
    run_begin_ = file_->size();
    ++spills_;
}

bool SpilledRuns::before(const Reader& left, const Reader& right) const noexcept {
    const int order = key::compare(left.key(), right.key());
    return order != 0 ? order < 0 : left.number() < right.number();
}

void SpilledRuns::open(std::size_t first, std::size_t count) {
    readers_.clear();
    started_ = false;
    for (std::size_t i = first; i < first + count; ++i) {
        auto reader = std::make_unique<Reader>(*file_, runs_[i], i);
        if (reader->next()) readers_.push_back(std::move(reader));
    }
    std::make_heap(readers_.begin(), readers_.end(),
                   [this](const auto& left, const auto& right) { return before(*right, *left); });
}

void SpilledRuns::start(const ExecutionContext& context) {
    if (!file_) return;
    file_->flush();
    while (runs_.size() > fan_in) {
        auto target = std::make_unique<SpillFile>(directory_);
        std::vector<Run> merged;
        for (std::size_t first = 0; first < runs_.size(); first += fan_in) {
            open(first, std::min(fan_in, runs_.size() - first));
            const std::int64_t begin = target->size();
            for (std::int64_t seen = 1; next(); ++seen) {
                if (seen % records_between_checks == 0) context.check_interrupt();
                append_record(*target, key(), bytes());
            }
            merged.push_back({begin, target->size()});
        }
        readers_.clear();
        target->flush();
        file_ = std::move(target);
        runs_ = std::move(merged);
    }
    open(0, runs_.size());
}

bool SpilledRuns::next() {
    const auto later = [this](const auto& left, const auto& right) { return before(*right, *left); };
    if (started_) {  // the reader at the front has given its record
        std::pop_heap(readers_.begin(), readers_.end(), later);
        if (readers_.back()->next())
            std::push_heap(readers_.begin(), readers_.end(), later);
        else
            readers_.pop_back();
    }
    started_ = !readers_.empty();
    return started_;
}

key::Bytes SpilledRuns::key() const noexcept { return readers_.front()->key(); }
std::span<const std::uint8_t> SpilledRuns::bytes() const noexcept { return readers_.front()->bytes(); }

}  // namespace ixora::stage
