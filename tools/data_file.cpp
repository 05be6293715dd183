#include "data_file.hpp"

#include <sys/stat.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <vector>

#include "ixora/base/error.hpp"
#include "ixora/bson/extended_json.hpp"
#include "ixora/bson/validate.hpp"
#include "ixora/mql/shell.hpp"
#include "progress.hpp"

namespace ixora::tool {

namespace {

Error file_error(const std::string& path, const std::string& reason) {
    return Error(ErrorCode::failed_to_parse, path + ": " + reason);
}

// A plain or gzipped file as a stream of bytes; zlib reads both.
class InputFile {
public:
    explicit InputFile(const std::string& path) : path_(path), file_(gzopen(path.c_str(), "rb")) {
        if (!file_) throw Error(ErrorCode::operation_failed, path + ": cannot open: " + std::strerror(errno));
        gzbuffer(file_.get(), 1U << 18);
        struct stat info {};
        if (stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode))
            throw Error(ErrorCode::operation_failed, path + ": is a directory");
        size_ = static_cast<std::uint64_t>(info.st_size);
    }
    // Up to `size` bytes; fewer only at the end. Throws for damaged or truncated gzip data.
    std::size_t read(void* out, std::size_t size) {
        std::size_t done = 0;
        while (done < size) {
            const auto chunk = static_cast<unsigned>(std::min<std::size_t>(size - done, 1U << 30));
            const int got = gzread(file_.get(), static_cast<char*>(out) + done, chunk);
            int code = Z_OK;
            const char* message = gzerror(file_.get(), &code);
            if (got < 0 || (code != Z_OK && code != Z_STREAM_END))
                throw file_error(path_, std::string("damaged or truncated gzip data: ") + message);
            if (got == 0) break;
            done += static_cast<std::size_t>(got);
        }
        return done;
    }
    std::uint64_t size() const noexcept { return size_; }                                         // on disk
    std::uint64_t position() const { return static_cast<std::uint64_t>(gzoffset(file_.get())); }  // on disk

private:
    struct Close {
        void operator()(gzFile_s* file) const { gzclose(file); }
    };
    std::string path_;
    std::unique_ptr<gzFile_s, Close> file_;
    std::uint64_t size_ = 0;
};

void read_bson(const std::string& path, const std::function<void(bson::View)>& visit) {
    InputFile file(path);
    Progress progress("loading " + path, file.size());
    std::vector<std::uint8_t> buffer;
    bson::ValidateOptions options;
    options.size_max = bson::document_size_max;
    for (std::uint64_t number = 1;; ++number) {
        std::uint8_t head[4];
        const std::size_t got = file.read(head, 4);
        if (got == 0) return;
        const std::int32_t size = got == 4 ? bson::read_int32(head) : 0;
        if (size < 5 || static_cast<std::size_t>(size) > bson::document_size_max)
            throw file_error(path, "document " + std::to_string(number) + " has no valid length word");
        buffer.resize(static_cast<std::size_t>(size));
        std::memcpy(buffer.data(), head, 4);
        if (file.read(buffer.data() + 4, buffer.size() - 4) != buffer.size() - 4)
            throw file_error(path, "the file ends inside document " + std::to_string(number));
        try {
            visit(bson::validate(buffer, options));
        } catch (const Error& error) {
            throw error.with_context(path + ": document " + std::to_string(number));
        }
        if (number % 1024 == 0) progress.update(file.position());
    }
}

std::string read_text(const std::string& path) {
    InputFile file(path);
    Progress progress("reading " + path, file.size());
    std::string text;
    for (;;) {
        const std::size_t start = text.size();
        text.resize(start + (1U << 20));
        const std::size_t got = file.read(text.data() + start, 1U << 20);
        text.resize(start + got);
        progress.update(file.position());
        if (got == 0) return text;
    }
}

// A run of documents: one after another, or inside one array, separated by white space and commas.
class TextDocuments {
public:
    TextDocuments(const std::string& path, std::string_view text) : path_(path), text_(text) {
        if (text_.substr(0, 3) == "\xEF\xBB\xBF") at_ = 3;
    }

    void visit_all(const std::function<void(bson::View)>& visit) {
        Progress progress("loading " + path_, text_.size());
        for (std::uint64_t number = 1; skip_separators(); ++number) {
            visit(next());
            if (number % 1024 == 0) progress.update(at_);
        }
    }

    void visit_with_lines(const std::function<void(bson::View, std::size_t)>& visit) {
        while (skip_separators()) {
            const std::size_t line = line_number();
            visit(next(), line);
        }
    }

private:
    // White space, commas and brackets between documents, and comments. False at the end.
    bool skip_separators() {
        static constexpr std::string_view separators = " \t\n\r,[]";
        while (at_ < text_.size()) {
            if (separators.find(text_[at_]) != std::string_view::npos)
                ++at_;
            else if (text_.substr(at_, 2) == "//")
                at_ = std::min(text_.find('\n', at_), text_.size());
            else if (text_.substr(at_, 2) == "/*" && text_.find("*/", at_ + 2) != std::string_view::npos)
                at_ = text_.find("*/", at_ + 2) + 2;
            else
                return true;
        }
        return false;
    }

    // Nearly always a document is one line of strict JSON; everything else goes through the shell grammar.
    bson::Document next() {
        const std::size_t end = std::min(text_.find('\n', at_), text_.size());
        std::string_view line = text_.substr(at_, end - at_);
        while (!line.empty() && (line.back() == '\r' || line.back() == ' ' || line.back() == ','))
            line.remove_suffix(1);
        if (!line.empty() && line.front() == '{' && line.back() == '}') {
            try {
                bson::JsonOptions options;
                options.legacy_v1 = true;
                bson::Document document = bson::from_json(line, options);
                at_ = end;
                return document;
            } catch (const Error&) {
                // not strict JSON
            }
        }
        std::size_t consumed = 0;
        bson::Value value;
        try {
            value = mql::parse_shell_value_prefix(text_.substr(at_), consumed);
        } catch (const mql::ShellSyntaxError& error) {
            throw file_error(path_, "line " + std::to_string(line_number() + error.line() - 1) + ", column " +
                                        std::to_string(error.column()) + ": " + error.reason() + "\n" +
                                        error.excerpt());
        }
        if (value.type() != bson::Type::object)
            throw file_error(path_, "line " + std::to_string(line_number()) + ": expected a document");
        at_ += consumed;
        return bson::Document(value.element().object());
    }

    std::size_t line_number() const {
        return 1 + static_cast<std::size_t>(
                       std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at_), '\n'));
    }

    std::string path_;
    std::string_view text_;
    std::size_t at_ = 0;
};

bool has_suffix(std::string_view text, std::string_view suffix) {
    return text.size() >= suffix.size() && text.substr(text.size() - suffix.size()) == suffix;
}

}  // namespace

void parse_documents(const std::string& path, std::string_view text,
                     const std::function<void(bson::View, std::size_t line)>& visit) {
    TextDocuments(path, text).visit_with_lines(visit);
}

std::string read_text_file(const std::string& path) { return read_text(path); }

void read_documents(const std::string& path, const std::function<void(bson::View)>& visit) {
    if (has_suffix(path, ".bson") || has_suffix(path, ".bson.gz")) {
        read_bson(path, visit);
        return;
    }
    const std::string text = read_text(path);
    TextDocuments(path, text).visit_all(visit);
}

}  // namespace ixora::tool
