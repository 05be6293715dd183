// A temporary file for what does not fit into memory (spec: aggregation.md section 15).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace ixora::stage {

// Bytes are appended and read back by place. The file loses its name as soon as it is open, so nothing of it remains
// when the object or the process ends, however that comes. Errors: FileNotOpen (38) where no file can be made,
// OutOfDiskSpace (14031), FileStreamFailed (39).
class SpillFile {
public:
    // `directory`: empty for the system's one.
    explicit SpillFile(const std::string& directory);
    ~SpillFile();
    SpillFile(const SpillFile&) = delete;
    SpillFile& operator=(const SpillFile&) = delete;

    void append(std::span<const std::uint8_t> bytes);
    // Appended so far.
    std::int64_t size() const noexcept { return written_ + static_cast<std::int64_t>(buffer_.size()); }
    // Makes what was appended readable.
    void flush();
    // Fills `out` with the bytes from `offset` on. They must have been flushed.
    void read(std::int64_t offset, std::span<std::uint8_t> out) const;

private:
    std::string directory_;
    int descriptor_ = -1;
    std::int64_t written_ = 0;
    std::vector<std::uint8_t> buffer_;
};

}  // namespace ixora::stage
