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

// Filters of one predicate each, whose conjunction is the filter that they were taken from.
using Clauses = std::vector<Document>;

Document clause_of(const Element& entry) {
    bson::Builder out;
    out.append_element(entry);
    return out.finish();
}

void add_operators(std::string_view path, View operators, Clauses& clauses) {
    for (const Element& entry : operators) {
        if (entry.name() == "$options") continue;  // a part of $regex
        bson::Builder out;
        out.open_object(path);
        for (const Element& part : operators)
            if (part.data() == entry.data() || (entry.name() == "$regex" && part.name() == "$options"))
                out.append_element(part);
        out.close();
        clauses.push_back(out.finish());
    }
}

Clauses split(View filter) {
    Clauses clauses;
    for (const Element& entry : filter) {
        if (entry.name() == "$comment") continue;
        if (!entry.name().starts_with('$') && is_operator_object(entry))
            add_operators(entry.name(), entry.object(), clauses);
        else
            clauses.push_back(clause_of(entry));
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
        write_clauses(writer, std::vector<View>(clauses.begin(), clauses.end()), inverted);
    }

private:
    bool matches(View filter) const { return Matcher(*parse_match(filter, options_)).matches(document_); }

    // Those of the filters that are to blame.
    void write_clauses(const MismatchWriter& writer, const std::vector<View>& filters, bool inverted) const {
        bson::Builder& out = writer.out();
        out.open_array(inverted ? "clausesSatisfied" : "clausesNotSatisfied");
        std::int32_t index = 0;
        for (const View& filter : filters) {
            if (matches(filter) == inverted) {
                out.open_object();
                out.append("index", index);
                out.open_object("details");
                write(writer, split(filter), inverted);
                out.close();
                out.close();
            }
            ++index;
        }
        out.close();
    }

    void write_clause(const MismatchWriter& writer, View clause, bool inverted) const {
        const Element entry = clause.front();
        const std::string_view name = entry.name();
        if (name == "$and" || name == "$or" || name == "$nor") {
            writer.begin_rule(name);
            std::vector<View> filters;
            for (const Element& filter : entry.object()) filters.push_back(filter.object());
            write_clauses(writer, filters, (name == "$nor") != inverted);
        } else if (name == "$jsonSchema") {
            write_schema(writer, entry.object(), inverted);
        } else if (name == "$expr") {
            write_expression(writer, clause, inverted);
        } else if (name.starts_with('$')) {
            refuse_details(clause);
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

    void write_predicate(const MismatchWriter& writer, View clause, bool inverted) const {
        const Element entry = clause.front();
        if (!is_operator_object(entry)) {
            const bool regex = entry.type() == bson::Type::regex;
            return write_leaf_mismatch(writer, {clause, entry.name(), regex ? "$regex" : "$eq", entry}, document_,
                                       inverted);
        }
        Element op = entry.object().front();
        if (op.name() == "$options") op = entry.object()["$regex"];
        if (op.name() != "$not")
            return write_leaf_mismatch(writer, {clause, entry.name(), op.name(), op}, document_, inverted);
        writer.begin_rule("$not");
        Clauses negated;
        if (op.is_object()) {
            add_operators(entry.name(), op.object(), negated);
        } else {
            bson::Builder regex;
            regex.append(entry.name(), op);
            negated.push_back(regex.finish());
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
