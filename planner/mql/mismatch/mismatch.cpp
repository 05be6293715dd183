#include "ixora/mql/mismatch.hpp"

#include <vector>

#include "../match_leaf.hpp"
#include "ixora/base/error.hpp"
#include "ixora/mql/evaluation_context.hpp"
#include "ixora/mql/matcher.hpp"
#include "leaf_mismatch.hpp"
#include "schema_mismatch.hpp"

namespace ixora::mql {

namespace {

using bson::Document;
using bson::Element;
using bson::View;

// A filter of one predicate, and as what it is told: a $regex with all that stands beside it.
struct Clause {
    Document filter;
    Document written;
};

// The conjunction of their filters is the filter that they were taken from.
using Clauses = std::vector<Clause>;

Document document_of(const Element& entry) {
    bson::Builder out;
    out.append_element(entry);
    return out.finish();
}

void add_operators(std::string_view path, View operators, Clauses& clauses) {
    bson::Builder out;
    for (const Element& entry : operators) {
        if (entry.name() == "$options") continue;  // a part of $regex
        const bool regex = entry.name() == "$regex";
        out.open_object(path);
        for (const Element& part : operators)
            if (part.data() == entry.data() || (regex && part.name() == "$options")) out.append_element(part);
        out.close();
        const Document filter = out.finish();
        if (regex) out.append(path, operators);
        clauses.push_back({filter, regex ? out.finish() : filter});
    }
}

Clauses split(View filter) {
    Clauses clauses;
    for (const Element& entry : filter) {
        if (entry.name() == "$comment") continue;
        if (!entry.name().starts_with('$') && is_operator_object(entry)) {
            add_operators(entry.name(), entry.object(), clauses);
        } else {
            const Document clause = document_of(entry);
            clauses.push_back({clause, clause});
        }
    }
    return clauses;
}

class Explanation {
public:
    Explanation(View document, const MatchParseOptions& options) : document_(document), options_(options) {}

    // `inverted`: the document matches and should not.
    void write(const MismatchWriter& writer, const Clauses& clauses, bool inverted) const {
        if (clauses.size() == 1) return write_clause(writer, clauses.front(), inverted);
        writer.begin_rule("$and");
        open_list(writer, inverted);
        std::int32_t index = 0;
        for (const Clause& clause : clauses) write_if_to_blame(writer, index++, clause.filter, {clause}, inverted);
        writer.out().close();
    }

private:
    bool matches(View filter) const { return Matcher(*parse_match(filter, options_)).matches(document_); }

    static void open_list(const MismatchWriter& writer, bool inverted) {
        writer.out().open_array(inverted ? "clausesSatisfied" : "clausesNotSatisfied");
    }

    // A schema's title and description stand beside its details as well.
    static void append_metadata(bson::Builder& out, const Clause& clause) {
        const Element schema = clause.filter["$jsonSchema"];
        if (!schema) return;
        out.append_element(schema.object()["title"]);
        out.append_element(schema.object()["description"]);
    }

    void write_if_to_blame(const MismatchWriter& writer, std::int32_t index, View filter, const Clauses& clauses,
                           bool inverted) const {
        if (matches(filter) != inverted) return;
        bson::Builder& out = writer.out();
        out.open_object();
        out.append("index", index);
        if (clauses.size() == 1) append_metadata(out, clauses.front());
        out.open_object("details");
        write(writer, clauses, inverted);
        out.close();
        out.close();
    }

    void write_clause(const MismatchWriter& writer, const Clause& clause, bool inverted) const {
        const Element entry = clause.filter.view().front();
        const std::string_view name = entry.name();
        if (name == "$and" || name == "$or" || name == "$nor") {
            writer.begin_rule(name);
            const bool blames_matches = (name == "$nor") != inverted;
            open_list(writer, blames_matches);
            std::int32_t index = 0;
            for (const Element& filter : entry.object())
                write_if_to_blame(writer, index++, filter.object(), split(filter.object()), blames_matches);
            writer.out().close();
        } else if (name == "$jsonSchema") {
            write_schema(writer, entry.object(), inverted);
        } else if (name == "$expr") {
            write_expression(writer, clause.written, inverted);
        } else if (name.starts_with('$')) {
            refuse_details(clause.written);
        } else {
            write_predicate(writer, clause, inverted);
        }
    }

    void write_schema(const MismatchWriter& writer, View schema, bool inverted) const {
        if (!inverted) return write_schema_mismatch(writer, schema, document_);
        writer.begin_rule("$jsonSchema");
        writer.reason("schema matched");
    }

    void write_expression(const MismatchWriter& writer, View clause, bool inverted) const {
        writer.begin_rule("$expr");
        writer.specified_as(clause);
        writer.reason(inverted ? "expression did match" : "expression did not match");
        const MatchNodePtr tree = parse_match(clause, options_);
        EvaluationContext context(tree->expression().slot_count);
        context.root = document_;
        const ComputedValue result = tree->expression().expression.evaluate(context);
        if (!writer.is_brief()) result.append_to(writer.out(), "expressionResult");
    }

    void write_predicate(const MismatchWriter& writer, const Clause& clause, bool inverted) const {
        const Element entry = clause.filter.view().front();
        if (!is_operator_object(entry)) {
            const bool regex = entry.type() == bson::Type::regex;
            return write_leaf_mismatch(writer, {clause.written, entry.name(), regex ? "$regex" : "$eq", entry},
                                       document_, inverted);
        }
        Element op = entry.object().front();
        if (op.name() == "$options") op = entry.object()["$regex"];
        if (op.name() != "$not")
            return write_leaf_mismatch(writer, {clause.written, entry.name(), op.name(), op}, document_, inverted);
        writer.begin_rule("$not");
        Clauses negated;
        if (op.is_object()) {
            add_operators(entry.name(), op.object(), negated);
        } else {
            bson::Builder regex;
            regex.append(entry.name(), op);
            const Document filter = regex.finish();
            negated.push_back({filter, filter});
        }
        writer.out().open_object("details");
        write(writer, negated, !inverted);
        writer.out().close();
    }

    View document_;
    const MatchParseOptions& options_;
};

}  // namespace

bson::Document explain_mismatch(View filter, View document, const MatchParseOptions& options, bool brief) {
    bson::Builder out;
    try {
        Explanation(document, options).write(MismatchWriter(out, brief), split(filter), false);
        return out.finish();
    } catch (const Error& error) {
        out.reset();
        out.append("code", static_cast<std::int32_t>(error.code()));
        out.append("codeName", error.code_name());
        out.append("errmsg", error.what());
        return out.finish();
    }
}

}  // namespace ixora::mql
