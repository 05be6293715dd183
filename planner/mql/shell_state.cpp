#include "shell_state.hpp"

#include <limits>

#include "ixora/bson/validate.hpp"
#include "shell_constructors.hpp"

namespace ixora::mql::shell {

namespace {

constexpr std::size_t depth_max = bson::command_depth_max;

// The key that follows the brace at `input`, if it begins with a dollar sign; else empty.
std::string dollar_key_ahead(Input input) {
    ++input.at;
    skip_blanks(input);
    const bool quoted = input.peek() == '"' || input.peek() == '\'';
    if (input.peek(quoted ? 1 : 0) != '$') return {};
    if (!quoted) return std::string(read_name(input));
    std::string key;
    read_string(input, key);
    return key;
}

// A name with dots, as in Binary.createFromBase64, when the whole of it is called.
std::string read_dotted_name(Input& input) {
    std::string name(read_name(input));
    while (input.peek() == '.') {
        Input ahead = input;
        ++ahead.at;
        if (!starts_name(ahead)) break;
        name.push_back('.');
        name += read_name(ahead);
        input = ahead;
    }
    return name;
}

}  // namespace

State::State(const ShellOptions& options) : options_(options) {
    push_builder();
    frames_.push_back({Frame::Kind::value, nullptr, 0, {}, {}, false});
}

void State::push_builder() {
    if (builder_count_ == builders_.size()) builders_.push_back(std::make_unique<bson::Builder>());
    builders_[builder_count_++]->reset();
}

std::string_view State::next_name() {
    Frame& frame = frames_.back();
    switch (frame.kind) {
        case Frame::Kind::value: return {};
        case Frame::Kind::object:
        case Frame::Kind::wrapper: return key_;
        case Frame::Kind::array:
        case Frame::Kind::call:
        case Frame::Kind::arguments: break;
    }
    index_ = bson::Builder::IndexName(frame.members++);
    return index_.view();
}

void State::push(Frame::Kind kind, const char* at) {
    if (frames_.size() > depth_max) throw Fault{at, "the text is nested deeper than 200 levels"};
    frames_.push_back({kind, at, 0, {}, {}, false});
}

void State::check_size(const char* at) {
    if (out().size() > bson::command_size_max) throw Fault{at, "the value is larger than 16 MiB"};
}

void State::check_text(const char* from, const Input& input) {
    const char* wrong = find_invalid_utf8(from, input.at);
    if (wrong != input.at) throw Fault{wrong, "invalid UTF-8"};
}

bool State::open_object(Input& input) {
    if (input.peek() != '{') return false;
    const bool wrapper = options_.extended_json && may_be_wrapper(dollar_key_ahead(input));
    if (wrapper) {
        const std::string_view name = next_name();
        push(Frame::Kind::wrapper, input.at);
        frames_.back().name = name;
        push_builder();
    } else {
        out().open_object(next_name());
        push(Frame::Kind::object, input.at);
    }
    ++input.at;
    return true;
}

bool State::close_object(Input& input) {
    if (input.peek() != '}') return false;
    check_size(input.at);
    ++input.at;
    const Frame frame = std::move(frames_.back());
    frames_.pop_back();
    if (frame.kind == Frame::Kind::object) {
        out().close();
        return true;
    }
    const bson::View document = out().finish_view();
    --builder_count_;
    try {
        if (const std::optional<bson::Value> value = unwrap(document))
            out().append(frame.name, *value);
        else
            out().append(frame.name, document);
    } catch (const Error&) {
        throw Fault{frame.at, "malformed " + std::string(document.front().name()) + " value"};
    }
    return true;
}

bool State::open_array(Input& input) {
    if (input.peek() != '[') return false;
    out().open_array(next_name());
    push(Frame::Kind::array, input.at);
    ++input.at;
    return true;
}

bool State::close_array(Input& input) {
    if (input.peek() != ']') return false;
    check_size(input.at);
    ++input.at;
    frames_.pop_back();
    out().close();
    return true;
}

bool State::key(Input& input) {
    if (input.peek() == '}' || input.done()) return false;
    const char* start = input.at;
    key_.clear();
    if (input.peek() == '"' || input.peek() == '\'')
        read_string(input, key_);
    else if (starts_name(input))
        key_ = read_name(input);
    else if (starts_number(input) && input.peek() != '-' && input.peek() != '+')
        key_ = key_text(read_number(input));
    else
        throw Fault{start, input.peek() == '[' ? "computed keys are not evaluated" : "expected a key or '}'"};
    check_text(start, input);
    if (key_.find('\0') != std::string::npos) throw Fault{start, "a key cannot contain NUL"};
    return true;
}

bool State::string(Input& input) {
    const char quote = input.peek();
    if (quote != '"' && quote != '\'' && quote != '`') return false;
    const char* start = input.at;
    text_.clear();
    read_string(input, text_);
    check_text(start, input);
    if (text_.size() > bson::command_size_max) throw Fault{start, "the value is larger than 16 MiB"};
    out().append(next_name(), std::string_view(text_));
    check_size(start);
    return true;
}

bool State::number(Input& input) {
    if (!starts_number(input)) return false;
    const Number number = read_number(input);
    const std::string_view name = next_name();
    switch (number.kind) {
        case Number::Kind::int32: out().append(name, static_cast<std::int32_t>(number.integer)); break;
        case Number::Kind::int64: out().append(name, number.integer); break;
        case Number::Kind::floating: out().append(name, number.value); break;
    }
    return true;
}

bool State::regex(Input& input) {
    if (input.peek() != '/') return false;
    const char* start = input.at;
    const Regex regex = read_regex(input);
    check_text(start, input);
    out().append_regex(next_name(), regex.pattern, regex.flags);
    return true;
}

bool State::literal(Input& input) {
    if (!starts_name(input)) return false;
    const char* start = input.at;
    Input ahead = input;
    const std::string name = read_dotted_name(ahead);
    Input behind = ahead;
    skip_blanks(behind);
    if (behind.peek() == '(' || name == "new") return false;  // a call
    check_text(start, ahead);
    if (name == "true" || name == "false")
        out().append(next_name(), name == "true");
    else if (name == "null")
        out().append_null(next_name());
    else if (name == "undefined")
        out().append_undefined(next_name());
    else if (name == "NaN")
        out().append(next_name(), std::numeric_limits<double>::quiet_NaN());
    else if (name == "Infinity")
        out().append(next_name(), std::numeric_limits<double>::infinity());
    else if (name == "MinKey")
        out().append_min_key(next_name());
    else if (name == "MaxKey")
        out().append_max_key(next_name());
    else if (is_constructor(name))
        throw Fault{ahead.at, "expected '(' after " + name};
    else
        throw Fault{start, "unknown name '" + name + "' (JavaScript is not evaluated)"};
    input = ahead;
    return true;
}

bool State::open_call(Input& input) {
    if (!starts_name(input)) return false;
    Input ahead = input;
    std::string name = read_dotted_name(ahead);
    const bool with_new = name == "new";
    const char* name_at = input.at;
    if (with_new) {
        skip_blanks(ahead);
        if (!starts_name(ahead)) throw Fault{ahead.at, "expected the name of a constructor after 'new'"};
        name_at = ahead.at;
        name = read_dotted_name(ahead);
    }
    check_text(name_at, ahead);
    if (!is_constructor(name)) throw Fault{name_at, "unknown constructor '" + name + "'"};
    skip_blanks(ahead);
    if (ahead.peek() != '(') throw Fault{ahead.at, "expected '(' after " + name};
    const std::string_view target = next_name();
    push(Frame::Kind::call, name_at);
    Frame& frame = frames_.back();
    frame.name = target;
    frame.constructor = std::move(name);
    frame.with_new = with_new;
    push_builder();
    input.at = ahead.at + 1;
    return true;
}

bool State::close_call(Input& input) {
    if (input.peek() != ')') return false;
    ++input.at;
    const Frame frame = std::move(frames_.back());
    frames_.pop_back();
    const bson::View arguments = out().finish_view();
    --builder_count_;
    try {
        out().append(frame.name, construct(frame.constructor, frame.with_new, arguments));
    } catch (const std::string& what) {
        throw Fault{frame.at, what};
    }
    check_size(frame.at);
    Input behind = input;
    skip_blanks(behind);
    if (behind.peek() == '.') throw Fault{behind.at, "methods of values are not evaluated"};
    return true;
}

bool State::statement_start(Input& input) {
    const char* start = input.at;
    if (!starts_name(input) || read_name(input) != "db") throw Fault{start, "a statement begins with db"};
    return true;
}

bool State::statement_property(Input& input) {
    if (input.peek() != '.') return false;
    ++input.at;
    skip_blanks(input);
    if (!starts_name(input)) throw Fault{input.at, "expected a name after '.'"};
    const char* start = input.at;
    steps_.push_back({std::string(read_name(input)), start, false, {}});
    check_text(start, input);
    return true;
}

bool State::statement_subscript(Input& input) {
    if (input.peek() != '[') return false;
    ++input.at;
    skip_blanks(input);
    const char* start = input.at;
    if (input.peek() != '"' && input.peek() != '\'') throw Fault{start, "expected a string between '[' and ']'"};
    std::string name;
    read_string(input, name);
    check_text(start, input);
    steps_.push_back({std::move(name), start, false, {}});
    return true;
}

bool State::open_arguments(Input& input) {
    if (input.peek() != '(') return false;
    if (steps_.empty() || steps_.back().called) throw Fault{input.at, "expected a method before '('"};
    steps_.back().called = true;
    push(Frame::Kind::arguments, input.at);
    push_builder();
    ++input.at;
    return true;
}

bool State::close_arguments(Input& input) {
    if (input.peek() != ')') return false;
    ++input.at;
    frames_.pop_back();
    const bson::View arguments = out().finish_view();
    --builder_count_;
    for (const bson::Element& argument : arguments) steps_.back().arguments.emplace_back(argument);
    return true;
}

bson::Value State::take_value() {
    const bson::Element value = out().finish_view().front();
    return value.missing() ? bson::Value() : bson::Value(value);
}

}  // namespace ixora::mql::shell
