// Shell text of two documents: the values of the first are expressions, the second is the row. An expression is
// refused, or it gives valid BSON, and the same with its constants folded.
#include <cstddef>
#include <cstdint>
#include <optional>

#include "ixora/base/error.hpp"
#include "ixora/base/invariant.hpp"
#include "ixora/bson/validate.hpp"
#include "ixora/mql/expression.hpp"
#include "ixora/mql/shell.hpp"

using namespace ixora;

static bson::Document next_document(std::string_view& text) {
    std::size_t consumed = 0;
    const bson::Value value = mql::parse_shell_value_prefix(text, consumed);
    text.remove_prefix(consumed);
    return value.type() == bson::Type::object ? bson::Document(value.element().object()) : bson::Document();
}

// The value as the only field of a document; nothing where evaluation fails.
static std::optional<bson::Document> result_of(const mql::Expression& expression, mql::EvaluationContext& context) {
    try {
        bson::Builder out;
        expression.evaluate(context).append_to(out, "r");
        return out.finish();
    } catch (const Error&) {
        return std::nullopt;
    }
}

static void check(bson::Element operand, bson::View row) {
    mql::VariableScope scope(0);
    mql::ExpressionParseContext parsing{scope};
    const mql::Expression plain = mql::Expression::parse(operand, parsing);
    mql::Expression folded = plain;
    folded.optimize();
    mql::EvaluationContext context(scope.slot_count());
    context.root = row;
    const auto first = result_of(plain, context);
    const auto second = result_of(folded, context);
    bson::Builder printed;
    folded.serialize(printed, "e");
    static_cast<void>(printed.finish());
    mql::ExpressionDependencies read;
    plain.add_dependencies(read);
    if (!first || !second) return;  // folding may raise what evaluation does not reach, and the other way round
    bson::ValidateOptions options;
    options.depth_max = 4 * bson::command_depth_max;
    static_cast<void>(bson::validate({first->view().data(), first->view().size()}, options));
    if (!read.random) IXORA_INVARIANT(same_bytes(first->view(), second->view()));
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    try {
        std::string_view text(reinterpret_cast<const char*>(data), size);
        const bson::Document expressions = next_document(text);
        const bson::Document row = next_document(text);
        for (const bson::Element& operand : expressions) check(operand, row);
    } catch (const Error&) {  // a refusal
    }
    return 0;
}
