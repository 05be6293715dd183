// mongosh text: literals and statements such as db.orders.find({...}).sort({...}) (spec: commands.md section 11).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ixora/base/error.hpp"
#include "ixora/bson/document.hpp"

namespace ixora::mql {

// Where parsing failed and why. what() is "line L, column C: reason"; the excerpt shows the line and a caret.
class ShellSyntaxError : public Error {
public:
    ShellSyntaxError(std::string reason, std::size_t line, std::size_t column, std::string excerpt)
        : Error(ErrorCode::failed_to_parse,
                "line " + std::to_string(line) + ", column " + std::to_string(column) + ": " + reason),
          reason_(std::move(reason)),
          line_(line),
          column_(column),
          excerpt_(std::move(excerpt)) {}
    const std::string& reason() const noexcept { return reason_; }
    std::size_t line() const noexcept { return line_; }
    std::size_t column() const noexcept { return column_; }
    const std::string& excerpt() const noexcept { return excerpt_; }

private:
    std::string reason_;
    std::size_t line_, column_;
    std::string excerpt_;
};

struct ShellCall {
    std::string method;  // find, sort, limit ...
    std::vector<bson::Value> arguments;
    std::size_t line = 1, column = 1;  // of the method's name
};

// db.COLLECTION.calls[0](...).calls[1](...), db.getCollection("COLLECTION"), db["COLLECTION"]. A method of db itself,
// such as db.runCommand(...), has an empty collection. What methods there are and what they take is the caller's
// business.
struct ShellStatement {
    std::string collection;
    std::vector<ShellCall> calls;
};

struct ShellOptions {
    bool extended_json = true;  // {$oid: ...} and friends become values; {$regex, $options} stays an operator
};

// A document literal: mongosh syntax or JSON, comments and trailing commas allowed, nothing evaluated, at most 200
// levels. 1 is int32, integers up to 64 bits int64, 1.0 a double; dates without a zone are UTC. Throws
// ShellSyntaxError.
bson::Document parse_shell_document(std::string_view text, const ShellOptions& options = {});
bson::Value parse_shell_value(std::string_view text, const ShellOptions& options = {});
// Parses one value from the start of `text` (white space and comments skipped) and sets `consumed`: for streams of
// documents. Where only white space and comments are left, the value is missing and all of it is consumed.
bson::Value parse_shell_value_prefix(std::string_view text, std::size_t& consumed, const ShellOptions& options = {});
ShellStatement parse_shell_statement(std::string_view text);

namespace literals {
bson::Document operator""_bson(const char* text, std::size_t size);
}

}  // namespace ixora::mql

namespace ixora {
namespace literals = mql::literals;
}
