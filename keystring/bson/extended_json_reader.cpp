#include <boost/json/basic_parser_impl.hpp>
#include <charconv>
#include <cmath>
#include <limits>

#include "ixora/base/error.hpp"
#include "ixora/bson/extended_json.hpp"
#include "json_wrapper.hpp"

// Input of Extended JSON: a SAX parser that writes BSON as it reads. An object is first written as it stands; when it
// ends and its keys turn out to be a wrapper's, the value it stands for takes its place in the buffer.
namespace ixora::bson {

namespace {

using boost::json::error_code;
using JsonText = boost::json::string_view;

// Text and BSON stay below this, so that no length overflows an int32.
constexpr std::size_t size_max = 1UL << 30;

class Reader {
public:
    static constexpr std::size_t max_object_size = std::numeric_limits<std::size_t>::max();
    static constexpr std::size_t max_array_size = max_object_size;
    static constexpr std::size_t max_key_size = max_object_size;
    static constexpr std::size_t max_string_size = max_object_size;

    explicit Reader(const JsonOptions& options) : options_(options) {}

    void reserve(std::size_t size) { buffer_.reserve(size); }
    const std::vector<std::uint8_t>& buffer() const { return buffer_; }
    const std::string& failure() const { return failure_; }

    bool on_document_begin(error_code&) { return true; }
    bool on_document_end(error_code&) { return true; }

    bool on_object_begin(error_code& ec) {
        if (!frames_.empty() && !begin_value(Type::object, ec)) return false;
        open_frame(false);
        return true;
    }

    bool on_object_end(std::size_t, error_code& ec) {
        close_frame();
        const Frame frame = frames_.back();
        frames_.pop_back();
        if (frames_.empty()) return true;
        if (frame.first_key_has_dollar) {
            const JsonObject object{View(buffer_.data() + frame.start), frame.members, bare_number_};
            switch (unwrap(object, options_.legacy_v1, scratch_)) {
                case Unwrapped::malformed: return fail("malformed " + std::string(object.fields.front().name()), ec);
                case Unwrapped::value: replace(frame); return true;
                case Unwrapped::plain: break;
            }
        }
        bare_number_ = false;
        return check_depth(frame, ec);
    }

    bool on_array_begin(error_code& ec) {
        if (frames_.empty()) return fail("expected an object", ec);
        if (!begin_value(Type::array, ec)) return false;
        open_frame(true);
        return frames_.size() - 1 <= depth_max() || fail("nested too deeply", ec);
    }

    bool on_array_end(std::size_t, error_code& ec) {
        close_frame();
        const Frame frame = frames_.back();
        frames_.pop_back();
        bare_number_ = false;
        return check_depth(frame, ec);
    }

    bool on_key_part(JsonText text, std::size_t total, error_code& ec) {
        if (total == text.size()) begin_key();
        if (text.find('\0') != JsonText::npos) return fail("NUL in a field name", ec);
        raw(text.data(), text.size());
        return true;
    }

    bool on_key(JsonText text, std::size_t total, error_code& ec) {
        if (!on_key_part(text, total, ec)) return false;
        buffer_.push_back(0);
        Frame& frame = frames_.back();
        if (++frame.members == 1) frame.first_key_has_dollar = buffer_[type_at_ + 1] == '$';
        return true;
    }

    bool on_string_part(JsonText text, std::size_t total, error_code& ec) {
        if (total == text.size()) {
            if (!begin_value(Type::string, ec)) return false;
            buffer_.resize(buffer_.size() + 4);
        }
        raw(text.data(), text.size());
        return true;
    }

    bool on_string(JsonText text, std::size_t total, error_code& ec) {
        if (!on_string_part(text, total, ec)) return false;
        buffer_.push_back(0);
        const auto length = static_cast<std::int32_t>(total + 1);
        std::memcpy(buffer_.data() + buffer_.size() - total - 5, &length, sizeof length);
        return true;
    }

    bool on_number_part(JsonText text, error_code&) {
        number_text_.append(text.data(), text.size());
        return true;
    }

    bool on_int64(std::int64_t value, JsonText, error_code& ec) {
        number_text_.clear();
        const auto small = static_cast<std::int32_t>(value);
        return small == value ? number(Type::number_int, small, ec) : number(Type::number_long, value, ec);
    }

    bool on_uint64(std::uint64_t, JsonText text, error_code& ec) { return on_double(0, text, ec); }

    // Boost's own conversion is not correctly rounded.
    bool on_double(double, JsonText text, error_code& ec) {
        number_text_.append(text.data(), text.size());
        const double value = parse_double(number_text_);
        number_text_.clear();
        return number(Type::number_double, value, ec);
    }

    bool on_bool(bool value, error_code& ec) {
        if (!begin_value(Type::boolean, ec)) return false;
        buffer_.push_back(value ? 1 : 0);
        return true;
    }
    bool on_null(error_code& ec) { return begin_value(Type::null, ec); }
    bool on_comment_part(JsonText, error_code&) { return true; }
    bool on_comment(JsonText, error_code&) { return true; }

private:
    struct Frame {
        std::size_t type_at;  // of the type byte of the object or array
        std::size_t start;    // of its length word
        std::uint32_t members = 0;
        bool is_array = false;
        bool first_key_has_dollar = false;
        bool holds_too_deep = false;
    };

    bool fail(std::string message, error_code& ec) {
        failure_ = std::move(message);
        ec = make_error_code(boost::json::error::syntax);
        return false;
    }

    void raw(const char* bytes, std::size_t size) {
        const auto* from = reinterpret_cast<const std::uint8_t*>(bytes);
        buffer_.insert(buffer_.end(), from, from + size);
    }

    std::size_t depth_max() const { return static_cast<std::size_t>(options_.depth_max); }

    // A wrapper may lie one level below the deepest document and its content two: an object there is forgiven when it
    // is the content of a wrapper, which is seen when that one ends.
    bool check_depth(const Frame& frame, error_code& ec) {
        const std::size_t depth = frames_.size();  // what encloses it
        if (frame.holds_too_deep) return fail("nested too deeply", ec);
        if (depth <= depth_max()) return true;
        if (depth > depth_max() + 2 || !frames_.back().first_key_has_dollar) return fail("nested too deeply", ec);
        frames_.back().holds_too_deep = true;
        return true;
    }

    // The type byte waits for the value.
    void begin_key() {
        type_at_ = buffer_.size();
        buffer_.push_back(0);
    }

    bool begin_value(Type type, error_code& ec) {
        bare_number_ = false;
        if (frames_.empty()) return fail("expected an object", ec);
        if (buffer_.size() > size_max) return fail("too large", ec);
        Frame& frame = frames_.back();
        if (frame.is_array) {
            begin_key();
            const Builder::IndexName name(frame.members++);
            raw(name.view().data(), name.view().size());
            buffer_.push_back(0);
        }
        buffer_[type_at_] = static_cast<std::uint8_t>(type);
        return true;
    }

    template <class T>
    bool number(Type type, T value, error_code& ec) {
        if (!begin_value(type, ec)) return false;
        bare_number_ = true;
        const auto* bytes = reinterpret_cast<const std::uint8_t*>(&value);
        buffer_.insert(buffer_.end(), bytes, bytes + sizeof value);
        return true;
    }

    void open_frame(bool is_array) {
        frames_.push_back({type_at_, buffer_.size(), 0, is_array});
        buffer_.resize(buffer_.size() + 4);
    }

    void close_frame() {
        buffer_.push_back(0);
        const std::size_t start = frames_.back().start;
        const auto length = static_cast<std::int32_t>(buffer_.size() - start);
        std::memcpy(buffer_.data() + start, &length, sizeof length);
    }

    void replace(const Frame& frame) {
        const Element value = scratch_.finish_view().front();
        buffer_.resize(frame.start);
        buffer_[frame.type_at] = static_cast<std::uint8_t>(value.type());
        buffer_.insert(buffer_.end(), value.value(), value.value() + value.value_size());
        scratch_.reset();
        bare_number_ = false;
    }

    // `text` is a JSON number. What is too large becomes infinite, what is too small zero.
    static double parse_double(std::string_view text) {
        double value = 0;
        const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
        if (result.ec != std::errc::result_out_of_range) return value;
        const bool negative = text[0] == '-';
        const auto decimal = Decimal128::parse(text);
        if (!decimal) return negative ? -HUGE_VAL : HUGE_VAL;
        return decimal->to_double();
    }

    JsonOptions options_;
    std::vector<std::uint8_t> buffer_;
    std::vector<Frame> frames_;
    Builder scratch_;
    std::size_t type_at_ = 0;
    bool bare_number_ = false;
    std::string number_text_;
    std::string failure_;
};

using Parser = boost::json::basic_parser<Reader>;

Parser make_parser(const JsonOptions& options) {
    boost::json::parse_options json;
    json.max_depth = static_cast<std::size_t>(options.depth_max) + 4;  // wrappers may nest beyond the value they hold
    return Parser(json, options);
}

// Boost does not tell where it failed, so the text is read again in ever smaller pieces.
std::size_t error_offset(std::string_view text, const JsonOptions& options) {
    std::size_t good = 0;
    for (const std::size_t piece : {std::size_t{1} << 12, std::size_t{1}}) {
        Parser parser = make_parser(options);
        error_code ec;
        if (good != 0) parser.write_some(true, text.data(), good, ec);
        while (!ec && good < text.size()) {
            const std::size_t size = std::min(piece, text.size() - good);
            parser.write_some(true, text.data() + good, size, ec);
            if (!ec) good += size;
        }
    }
    return good;
}

[[noreturn]] void throw_failure(std::string_view text, std::size_t offset, std::string_view what) {
    std::string message = "Invalid JSON at byte " + std::to_string(offset) + ": ";
    message += offset == text.size() && what.empty() ? "unexpected end" : (what.empty() ? "syntax error" : what);
    throw Error(ErrorCode::failed_to_parse, message);
}

}  // namespace

Document from_json(std::string_view text, const JsonOptions& options) {
    if (text.size() > size_max) throw_failure(text, size_max, "too large");
    Parser parser = make_parser(options);
    parser.handler().reserve(text.size() / 2 + 64);
    error_code ec;
    const std::size_t read = parser.write_some(false, text.data(), text.size(), ec);
    if (ec) throw_failure(text, error_offset(text, options), parser.handler().failure());
    if (read != text.size()) throw_failure(text, read, "text after the end of the document");
    const std::vector<std::uint8_t>& bytes = parser.handler().buffer();
    return Document(SharedBytes::copy_of(bytes.data(), bytes.size()));
}

}  // namespace ixora::bson
