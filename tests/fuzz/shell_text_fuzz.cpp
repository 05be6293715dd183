// Any text: the shell parser refuses it with a place inside it, or gives valid BSON; what a prefix gives is what that
// text gives alone.
#include <cstddef>
#include <cstdint>

#include "ixora/base/error.hpp"
#include "ixora/base/invariant.hpp"
#include "ixora/bson/validate.hpp"
#include "ixora/mql/shell.hpp"

using namespace ixora;

template <class Parse>
static void run(std::string_view text, Parse parse) {
    try {
        parse();
    } catch (const mql::ShellSyntaxError& error) {
        IXORA_INVARIANT(error.line() >= 1 && error.column() >= 1);
        IXORA_INVARIANT(error.line() <= text.size() + 1 && error.column() <= text.size() + 1);
    }
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    run(text, [text] {
        const bson::Document document = mql::parse_shell_document(text);
        static_cast<void>(bson::validate({document.view().data(), document.size()}));
    });
    run(text, [text] {
        mql::ShellOptions plain;
        plain.extended_json = false;
        const bson::Document document = mql::parse_shell_document(text, plain);
        static_cast<void>(bson::validate({document.view().data(), document.size()}));
    });
    run(text, [text] {
        std::size_t consumed = 0;
        const bson::Value value = mql::parse_shell_value_prefix(text, consumed);
        IXORA_INVARIANT(consumed <= text.size());
        if (!value.missing()) IXORA_INVARIANT(mql::parse_shell_value(text.substr(0, consumed)).type() == value.type());
    });
    run(text, [text] { IXORA_INVARIANT(!mql::parse_shell_statement(text).calls.empty()); });
    return 0;
}
