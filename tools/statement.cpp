#include "statement.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

#include "ixora/bson/builder.hpp"

namespace ixora::tool {

namespace {

using mql::ShellCall;

// Options that a chained method sets under its own name, with the value that stands when it is called without one.
constexpr std::array plain_options{std::string_view("sort"),      std::string_view("skip"),
                                   std::string_view("limit"),     std::string_view("hint"),
                                   std::string_view("min"),       std::string_view("max"),
                                   std::string_view("collation"), std::string_view("batchSize"),
                                   std::string_view("comment"),   std::string_view("maxTimeMS")};
constexpr std::array aggregate_options{std::string_view("hint"),      std::string_view("collation"),
                                       std::string_view("batchSize"), std::string_view("comment"),
                                       std::string_view("maxTimeMS"), std::string_view("allowDiskUse"),
                                       std::string_view("let")};
constexpr std::array flag_options{std::string_view("returnKey"), std::string_view("showRecordId"),
                                  std::string_view("allowDiskUse"), std::string_view("singleBatch"),
                                  std::string_view("noCursorTimeout")};
// What of them the other commands take.
constexpr std::array count_options{std::string_view("skip"), std::string_view("limit"), std::string_view("hint"),
                                   std::string_view("collation"), std::string_view("maxTimeMS")};
constexpr std::array distinct_options{std::string_view("key"), std::string_view("collation"),
                                      std::string_view("maxTimeMS")};
constexpr std::array no_effect{std::string_view("pretty"), std::string_view("toArray"), std::string_view("itcount"),
                               std::string_view("hasNext")};

template <std::size_t N>
bool is_one_of(const std::array<std::string_view, N>& names, std::string_view name) {
    for (const std::string_view each : names)
        if (each == name) return true;
    return false;
}

mql::ShellSyntaxError error_at(std::string_view text, std::size_t line, std::size_t column,
                               const std::string& message) {
    std::size_t start = 0;
    for (std::size_t at = 1; at < line && start < text.size(); ++at)
        start = std::min(text.find('\n', start), text.size() - 1) + 1;
    const std::string_view shown = text.substr(start, text.find('\n', start) - start);
    const std::string excerpt = std::string(shown) + "\n" + std::string(column > 0 ? column - 1 : 0, ' ') + "^";
    return mql::ShellSyntaxError(message, line, column, excerpt);
}

class Translator {
public:
    Translator(std::string_view text, const std::string& database)
        : text_(text), statement_(mql::parse_shell_statement(text)), database_(database) {}

    StatementCommand translate() {
        if (statement_.calls.empty()) throw fail({}, "expected a method such as find after the collection");
        std::size_t at = 0;
        if (statement_.calls[0].method == "explain") {
            explain_ = verbosity(statement_.calls[0]);
            ++at;
            if (at == statement_.calls.size())
                throw fail(statement_.calls[0], "explain() needs a query behind it, such as find({...})");
        }
        start(statement_.calls[at++]);
        for (; at < statement_.calls.size(); ++at) chain(statement_.calls[at]);
        return {finish(), explain_};
    }

private:
    void start(const ShellCall& call) {
        if (call.method == "find" || call.method == "findOne") {
            take_find(call);
            if (call.method == "findOne") set("limit", bson::Value::of_int(1));
        } else if (call.method == "count") {
            kind_ = Kind::count;
            at_most(call, 2);
            if (!call.arguments.empty()) set_object(call, "filter", 0);
            if (call.arguments.size() > 1) take_options(call, 1);
        } else if (call.method == "distinct") {
            take_distinct(call);
        } else if (call.method == "aggregate") {
            take_aggregate(call);
        } else {
            throw fail(call, "'" + call.method +
                                 "' is not a query that ixora can run; use find, findOne, aggregate, count or "
                                 "distinct");
        }
    }

    // aggregate([stage, ...], {options}) or aggregate(stage, ...).
    void take_aggregate(const ShellCall& call) {
        kind_ = Kind::aggregate;
        bson::Builder pipeline;
        pipeline.open_array("");
        const bool is_array = !call.arguments.empty() && call.arguments[0].type() == bson::Type::array;
        if (is_array) {
            at_most(call, 2);
            for (const bson::Element& stage : call.arguments[0].element().object()) pipeline.append_member(stage);
            if (call.arguments.size() > 1) take_options(call, 1);
        } else {
            for (const bson::Value& stage : call.arguments) {
                if (stage.type() != bson::Type::object)
                    throw fail(call, "aggregate() takes an array of stages, or stages one after another");
                pipeline.append_member(stage);
            }
        }
        pipeline.close();
        set("pipeline", bson::Value(pipeline.finish_view().front()));
    }

    void take_distinct(const ShellCall& call) {
        kind_ = Kind::distinct;
        at_most(call, 3);
        if (call.arguments.empty()) throw fail(call, "distinct() needs the name of a field");
        set("key", call.arguments[0]);
        if (call.arguments.size() > 1) set_object(call, "filter", 1);
        if (call.arguments.size() > 2) take_options(call, 2);
    }

    void take_find(const ShellCall& call) {
        at_most(call, 3);
        if (!call.arguments.empty()) set_object(call, "filter", 0);
        if (call.arguments.size() > 1 && call.arguments[1].type() != bson::Type::undefined &&
            call.arguments[1].type() != bson::Type::null)
            set_object(call, "projection", 1);
        if (call.arguments.size() > 2) take_options(call, 2);
    }

    void take_options(const ShellCall& call, std::size_t position) {
        if (call.arguments[position].type() != bson::Type::object) throw fail(call, "the options must be a document");
        for (const bson::Element& option : call.arguments[position].element().object()) {
            const bool known = kind_ == Kind::aggregate
                                   ? is_one_of(aggregate_options, option.name())
                                   : is_one_of(plain_options, option.name()) ||
                                         is_one_of(flag_options, option.name()) || option.name() == "projection";
            if (!known) throw fail(call, "unknown option '" + std::string(option.name()) + "'");
            set(option.name(), bson::Value(option));
        }
    }

    void chain(const ShellCall& call) {
        const bool is_fixed = is_one_of(no_effect, call.method) || call.method == "explain";
        if (kind_ == Kind::aggregate && !is_fixed && !is_one_of(aggregate_options, call.method))
            throw fail(call, "'" + call.method + "' is not a method of an aggregation cursor");
        if (is_one_of(plain_options, call.method)) {
            if (call.arguments.size() != 1) throw fail(call, call.method + "() takes one argument");
            set(call.method, call.arguments[0]);
        } else if (is_one_of(flag_options, call.method)) {
            at_most(call, 1);
            set(call.method, call.arguments.empty() ? bson::Value::of_bool(true) : call.arguments[0]);
        } else if (call.method == "project" || call.method == "projection") {
            if (call.arguments.size() != 1) throw fail(call, call.method + "() takes one argument");
            set_object(call, "projection", 0);
        } else if (call.method == "count" || call.method == "size") {
            kind_ = Kind::count;
        } else if (call.method == "explain") {
            explain_ = verbosity(call);
        } else if (!is_one_of(no_effect, call.method)) {
            throw fail(call, "'" + call.method + "' is not a cursor method that ixora knows");
        }
    }

    Verbosity verbosity(const ShellCall& call) const {
        at_most(call, 1);
        if (call.arguments.empty()) return Verbosity::query_planner;
        const bson::Element argument = call.arguments[0];
        if (argument.type() == bson::Type::boolean)
            return argument.boolean() ? Verbosity::all_plans_execution : Verbosity::query_planner;
        const std::optional<Verbosity> parsed =
            argument.is_string() ? parse_verbosity(argument.string()) : std::nullopt;
        if (!parsed)
            throw fail(call, "the verbosity is one of \"queryPlanner\", \"executionStats\", \"allPlansExecution\"");
        return *parsed;
    }

    void at_most(const ShellCall& call, std::size_t count) const {
        if (call.arguments.size() > count)
            throw fail(call, call.method + "() takes at most " + std::to_string(count) + " arguments");
    }

    void set_object(const ShellCall& call, std::string_view name, std::size_t position) {
        if (call.arguments[position].type() != bson::Type::object)
            throw fail(call, "the " + std::string(name) + " of " + call.method + "() must be a document");
        set(name, call.arguments[position]);
    }

    bool has(std::string_view name) const {
        for (const auto& field : fields_)
            if (field.first == name) return true;
        return false;
    }

    // The last one wins, as in the shell.
    void set(std::string_view name, bson::Value value) {
        for (auto& [existing, old] : fields_)
            if (existing == name) {
                old = std::move(value);
                return;
            }
        fields_.emplace_back(std::string(name), std::move(value));
    }

    bson::Document finish() const {
        bson::Builder out;
        constexpr std::array kinds{"find", "count", "distinct", "aggregate"};
        out.append(kinds[static_cast<std::size_t>(kind_)], statement_.collection);
        for (const auto& [name, value] : fields_) {
            if (kind_ == Kind::find)
                out.append(name, value);
            else if (kind_ == Kind::aggregate)
                append_aggregate_option(out, name, value);
            else if (name == "filter")
                out.append("query", value);
            else if (kind_ == Kind::count ? is_one_of(count_options, name) : is_one_of(distinct_options, name))
                out.append(name, value);
        }
        if (kind_ == Kind::aggregate && !has("batchSize")) {
            out.open_object("cursor");
            out.close();
        }
        out.append("$db", database_);
        return out.finish();
    }

    static void append_aggregate_option(bson::Builder& out, std::string_view name, const bson::Value& value) {
        if (name != "batchSize") {
            out.append(name, value);
            return;
        }
        out.open_object("cursor");
        out.append("batchSize", value);
        out.close();
    }

    mql::ShellSyntaxError fail(const ShellCall& call, const std::string& message) const {
        return error_at(text_, call.line, call.column, message);
    }

    std::string_view text_;
    mql::ShellStatement statement_;
    const std::string& database_;
    std::vector<std::pair<std::string, bson::Value>> fields_;
    std::optional<Verbosity> explain_;
    enum class Kind { find, count, distinct, aggregate } kind_ = Kind::find;
};

}  // namespace

StatementCommand parse_statement(std::string_view text, const std::string& database) {
    return Translator(text, database).translate();
}

std::optional<mql::ShellSyntaxError> locate_operator(std::string_view statement, const Error& error) {
    const std::string_view message = error.what();
    const std::size_t dollar = message.find('$');
    if (dollar == std::string_view::npos) return std::nullopt;
    std::size_t end = dollar + 1;
    while (end < message.size() && (std::isalnum(static_cast<unsigned char>(message[end])) != 0 || message[end] == '_'))
        ++end;
    const std::string_view name = message.substr(dollar, end - dollar);
    const std::size_t at = name.size() > 1 ? statement.find(name) : std::string_view::npos;
    if (at == std::string_view::npos) return std::nullopt;
    const std::string_view before = statement.substr(0, at);
    const std::size_t line = 1 + static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
    const std::size_t line_start = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
    return error_at(statement, line, at - line_start + 1, std::string(message) + " (" + error.code_name() + ")");
}

}  // namespace ixora::tool
