// The grammar of shell text. The only file that includes Boost.Spirit, which costs seconds in each one that does.
#include "ixora/mql/shell.hpp"

#include <algorithm>
#include <boost/spirit/home/x3.hpp>

#include "shell_state.hpp"

namespace ixora::mql {

namespace {

namespace x3 = boost::spirit::x3;
using shell::Fault;
using shell::Input;
using shell::State;

struct StateTag;

// Blanks and comments between tokens.
struct Blanks : x3::parser<Blanks> {
    using attribute_type = x3::unused_type;
    [[maybe_unused]] static constexpr bool has_attribute = false;
    template <class Context, class RuleContext, class Attribute>
    bool parse(const char*& first, const char* const& last, const Context&, RuleContext&, Attribute&) const {
        Input input{first, last};
        shell::skip_blanks(input);
        const bool moved = input.at != first;
        first = input.at;
        return moved;
    }
};

// One token, read by an action of State.
struct Token : x3::parser<Token> {
    using attribute_type = x3::unused_type;
    [[maybe_unused]] static constexpr bool has_attribute = false;
    using Action = bool (State::*)(Input&);
    constexpr explicit Token(Action token_action) : action(token_action) {}

    template <class Context, class RuleContext, class Attribute>
    bool parse(const char*& first, const char* const& last, const Context& context, RuleContext&, Attribute&) const {
        Input input{first, last};
        shell::skip_blanks(input);
        State& state = x3::get<StateTag>(context);
        if (!(state.*action)(input)) return false;
        first = input.at;
        return true;
    }
    Action action;
};

// Never succeeds: what stands here is wrong.
struct Expected : x3::parser<Expected> {
    using attribute_type = x3::unused_type;
    [[maybe_unused]] static constexpr bool has_attribute = false;
    constexpr explicit Expected(const char* expected_what) : what(expected_what) {}

    template <class Context, class RuleContext, class Attribute>
    bool parse(const char*& first, const char* const& last, const Context&, RuleContext&, Attribute&) const {
        Input input{first, last};
        shell::skip_blanks(input);
        std::string message = what;
        if (input.done())
            message += ", but the text ends";
        else if (std::string_view("+-*/%?&|<>=").find(input.peek()) != std::string_view::npos)
            message += " (JavaScript expressions are not evaluated)";
        throw Fault{input.at, message};
    }
    const char* what;
};

constexpr Token token(Token::Action action) { return Token(action); }
constexpr Expected expected(const char* what) { return Expected(what); }

const x3::rule<struct ValueRule> value = "value";
const x3::rule<struct ObjectRule> object = "object";
const x3::rule<struct ArrayRule> array = "array";
const x3::rule<struct CallRule> call = "call";

const auto item = value | expected("expected a value");
const auto items_of_call = *(!x3::lit(')') >> item >> (x3::lit(',') | &x3::lit(')') | expected("expected ',' or ')'")));

const auto pair = token(&State::key) >> (x3::lit(':') | expected("expected ':' after the key")) >> item;
const auto object_def = token(&State::open_object) >>
                        *(pair >> (x3::lit(',') | &x3::lit('}') | expected("expected ',' or '}'"))) >>
                        (token(&State::close_object) | expected("expected '}'"));
const auto array_def = token(&State::open_array) >>
                       *(!x3::lit(']') >> item >> (x3::lit(',') | &x3::lit(']') | expected("expected ',' or ']'"))) >>
                       (token(&State::close_array) | expected("expected ']'"));
const auto call_def = token(&State::open_call) >> items_of_call >>
                      (token(&State::close_call) | expected("expected ')'"));
const auto value_def = object | array | token(&State::string) | token(&State::number) | token(&State::regex) |
                       token(&State::literal) | call;
BOOST_SPIRIT_DEFINE(value, object, array, call)

const auto step =
    token(&State::statement_property) |
    (token(&State::statement_subscript) >> (x3::lit(']') | expected("expected ']'"))) |
    (token(&State::open_arguments) >> items_of_call >> (token(&State::close_arguments) | expected("expected ')'")));
const auto end_of_text = x3::eoi | expected("expected the end of the text");
const auto statement = token(&State::statement_start) >> (+step | expected("expected '.' or '[' after db")) >>
                       -x3::lit(';') >> (x3::eoi | expected("expected '.', '(' or the end of the statement"));

struct Place {
    std::size_t line = 1, column = 1;
};

std::size_t characters(const char* from, const char* to) noexcept {
    return static_cast<std::size_t>(
        std::count_if(from, to, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80; }));
}

const char* line_start(const char* begin, const char* at) noexcept {
    while (at != begin && at[-1] != '\n') --at;
    return at;
}

Place place_of(std::string_view text, const char* at) noexcept {
    const char* start = line_start(text.data(), at);
    return {1 + static_cast<std::size_t>(std::count(text.data(), start, '\n')), 1 + characters(start, at)};
}

// The line around `at`, cut to a window, and a caret under the place.
std::string excerpt_of(std::string_view text, const char* at) {
    constexpr std::ptrdiff_t window = 60;
    const auto is_middle = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80; };
    const char* from = line_start(text.data(), at);
    if (at - from > window) from = at - window;
    while (from != at && is_middle(*from)) ++from;
    const char* end = text.data() + text.size();
    const char* to = std::find(at, end, '\n');
    if (to - at > window) to = at + window;
    while (to != at && to != end && is_middle(*to)) --to;
    std::string shown(from, to);
    std::replace_if(
        shown.begin(), shown.end(), [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
    return shown + '\n' + std::string(characters(from, at), ' ') + '^';
}

ShellSyntaxError syntax_error(std::string_view text, const Fault& fault) {
    const Place place = place_of(text, fault.at);
    return ShellSyntaxError(fault.message, place.line, place.column, excerpt_of(text, fault.at));
}

template <class Grammar>
const char* run(std::string_view text, const Grammar& grammar, State& state) {
    const char* first = text.data();
    const char* last = first + text.size();
    try {
        x3::phrase_parse(first, last, x3::with<StateTag>(state)[grammar], Blanks(), x3::skip_flag::dont_post_skip);
    } catch (const Fault& fault) {
        throw syntax_error(text, fault);
    }
    return first;
}

// A view of the text that has a place even when it is empty.
std::string_view with_place(std::string_view text) noexcept {
    return text.data() == nullptr ? std::string_view("") : text;
}

}  // namespace

bson::Value parse_shell_value(std::string_view text, const ShellOptions& options) {
    text = with_place(text);
    State state(options);
    run(text, item >> end_of_text, state);
    return state.take_value();
}

bson::Document parse_shell_document(std::string_view text, const ShellOptions& options) {
    const bson::Value parsed = parse_shell_value(text, options);
    if (parsed.type() != bson::Type::object) {
        text = with_place(text);
        Input input{text.data(), text.data() + text.size()};
        shell::skip_blanks(input);
        throw syntax_error(text, Fault{input.at, "expected a document"});
    }
    return bson::Document(parsed.element().object());
}

bson::Value parse_shell_value_prefix(std::string_view text, std::size_t& consumed, const ShellOptions& options) {
    text = with_place(text);
    State state(options);
    const char* end = run(text, x3::eoi | item, state);
    bson::Value parsed = state.take_value();
    consumed = parsed.missing() ? text.size() : static_cast<std::size_t>(end - text.data());
    return parsed;
}

// db, then names that make up the collection's, then calls.
ShellStatement parse_shell_statement(std::string_view text) {
    text = with_place(text);
    State state({});
    run(text, statement, state);
    const auto fail = [&text](const char* at, const std::string& message) {
        return syntax_error(text, Fault{at, message});
    };

    ShellStatement made;
    const std::vector<shell::StatementStep>& steps = state.steps();
    std::size_t i = 0;
    if (!steps.empty() && steps[0].called && steps[0].name == "getCollection") {
        if (steps[0].arguments.size() != 1 || !steps[0].arguments[0].element().is_string())
            throw fail(steps[0].at, "getCollection needs one string");
        made.collection = steps[0].arguments[0].element().string();
        i = 1;
    }
    for (; i < steps.size() && !steps[i].called; ++i) {
        if (!made.collection.empty()) made.collection.push_back('.');
        made.collection += steps[i].name;
    }
    for (; i < steps.size(); ++i) {
        if (!steps[i].called) throw fail(steps[i].at, "expected '(' after " + steps[i].name);
        const Place place = place_of(text, steps[i].at);
        made.calls.push_back({steps[i].name, steps[i].arguments, place.line, place.column});
    }
    if (made.calls.empty()) throw fail(text.data() + text.size(), "expected a method call, but the text ends");
    return made;
}

namespace literals {
bson::Document operator""_bson(const char* text, std::size_t size) {
    return parse_shell_document(std::string_view(text, size));
}
}  // namespace literals

}  // namespace ixora::mql
