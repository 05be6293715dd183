#include "ixora/stage/spill_file.hpp"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "ixora/base/error.hpp"

namespace ixora::stage {

namespace {

constexpr int file_not_open = 38;
constexpr int file_stream_failed = 39;
constexpr std::size_t buffer_size = 256UL << 10;

std::string reason(int error) { return std::generic_category().message(error); }

std::string system_directory() {
    std::error_code error;
    const std::filesystem::path path = std::filesystem::temp_directory_path(error);
    return error ? "/tmp" : path.string();
}

}  // namespace

SpillFile::SpillFile(const std::string& directory) : directory_(directory.empty() ? system_directory() : directory) {
    std::string name = directory_ + "/ixora-spill-XXXXXX";
    descriptor_ = ::mkostemp(name.data(), O_CLOEXEC);
    if (descriptor_ < 0)
        throw Error(file_not_open, "cannot make a temporary file in '" + directory_ + "': " + reason(errno));
    ::unlink(name.c_str());
    buffer_.reserve(buffer_size);
}

SpillFile::~SpillFile() { ::close(descriptor_); }

void SpillFile::append(std::span<const std::uint8_t> bytes) {
    buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
    if (buffer_.size() >= buffer_size) flush();
}

void SpillFile::flush() {
    std::size_t done = 0;
    while (done < buffer_.size()) {
        const ::ssize_t count =
            ::pwrite(descriptor_, buffer_.data() + done, buffer_.size() - done, written_ + static_cast<off_t>(done));
        if (count >= 0) {
            done += static_cast<std::size_t>(count);
        } else if (errno == ENOSPC || errno == EDQUOT) {
            throw Error(ErrorCode::out_of_disk_space, "no space left for a temporary file in '" + directory_ + "'");
        } else if (errno != EINTR) {
            throw Error(file_stream_failed,
                        "cannot write to a temporary file in '" + directory_ + "': " + reason(errno));
        }
    }
    written_ += static_cast<std::int64_t>(done);
    buffer_.clear();
}

void SpillFile::read(std::int64_t offset, std::span<std::uint8_t> out) const {
    std::size_t done = 0;
    while (done < out.size()) {
        const ::ssize_t count =
            ::pread(descriptor_, out.data() + done, out.size() - done, offset + static_cast<off_t>(done));
        if (count > 0) {
            done += static_cast<std::size_t>(count);
        } else if (count == 0 || errno != EINTR) {
            throw Error(file_stream_failed, "cannot read a temporary file in '" + directory_ +
                                                "': " + (count == 0 ? "it is too short" : reason(errno)));
        }
    }
}

}  // namespace ixora::stage
