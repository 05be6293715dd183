// What the shell grammar does as it reads: writes BSON and keeps track of where it is (spec: commands.md section 11).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "ixora/bson/builder.hpp"
#include "ixora/mql/shell.hpp"
#include "shell_tokens.hpp"

namespace ixora::mql::shell {

// `.name`, `["name"]` or a call on the way of a statement that begins with db.
struct StatementStep {
    std::string name;
    const char* at = nullptr;
    bool called = false;
    std::vector<bson::Value> arguments;
};

// One parse. Each action gets the text from the current place on; it returns false, without moving, when its token
// does not lie there, and throws Fault where the text is wrong whatever follows.
class State {
public:
    explicit State(const ShellOptions& options);

    bool open_object(Input& input);
    bool close_object(Input& input);
    bool open_array(Input& input);
    bool close_array(Input& input);
    bool key(Input& input);
    bool string(Input& input);
    bool number(Input& input);
    bool regex(Input& input);
    // A literal such as true or MinKey. False for other names.
    bool literal(Input& input);
    // [new] Name ( : opens the arguments of a constructor.
    bool open_call(Input& input);
    bool close_call(Input& input);

    bool statement_start(Input& input);      // db
    bool statement_property(Input& input);   // .name
    bool statement_subscript(Input& input);  // ["name"
    bool open_arguments(Input& input);       // ( of the latest property
    bool close_arguments(Input& input);

    // The value that was read; missing when there was none.
    bson::Value take_value();
    const std::vector<StatementStep>& steps() const noexcept { return steps_; }

private:
    struct Frame {
        enum class Kind { value, object, wrapper, array, call, arguments } kind;
        const char* at;             // of the opening token
        std::uint32_t members = 0;  // so far, of an array or of arguments
        std::string name;           // under which the finished value goes: wrapper, call
        std::string constructor;
        bool with_new = false;
    };

    bson::Builder& out() noexcept { return *builders_[builder_count_ - 1]; }
    void push_builder();
    // The name of the next value in the current frame.
    std::string_view next_name();
    void push(Frame::Kind kind, const char* at);
    void check_size(const char* at);
    void check_text(const char* from, const Input& input);
    bson::Value construct_value(const Frame& frame, const char* at);

    ShellOptions options_;
    std::vector<Frame> frames_;
    std::vector<std::unique_ptr<bson::Builder>> builders_;  // kept for reuse; the first builder_count_ are open
    std::size_t builder_count_ = 0;
    std::string key_;
    std::string text_;
    bson::Builder::IndexName index_{0};
    std::vector<StatementStep> steps_;
};

}  // namespace ixora::mql::shell
