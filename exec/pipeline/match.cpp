#include "ixora/pipeline/match.hpp"

#include <algorithm>
#include <array>

#include "ixora/base/error.hpp"
#include "ixora/mql/match_parser.hpp"
#include "ixora/mql/match_printer.hpp"
#include "ixora/mql/match_rewrite.hpp"
#include "ixora/pipeline/stages.hpp"

namespace ixora::pipeline {

namespace {

class MatchOperator final : public Operator {
public:
    MatchOperator(const MatchStage& stage, OperatorPtr input)
        : Operator(std::move(input)), context_(*stage.context()), matcher_(stage.tree()) {}

private:
    Pulled pull(Row& out) override {
        for (;;) {
            const Pulled pulled = input()->next(out);
            if (pulled != Pulled::row) return pulled;
            if (matcher_.matches(out.document)) return Pulled::row;
            if (++rejected_ % 256 == 0) context_.check_interrupt();
        }
    }

    const PipelineContext& context_;
    mql::Matcher matcher_;
    std::uint32_t rejected_ = 0;
};

bool sorts_by_distance(std::string_view name) { return name == "$near" || name == "$nearSphere" || name == "$geoNear"; }

// $where and what sorts by distance are for finds only.
void check_operators(bson::View filter) {
    for (const bson::Element& field : filter) {
        if (field.is_object() && sorts_by_distance(field.object().front().name()))
            throw Error(5626500,
                        "$geoNear, $near, and $nearSphere are not allowed in this context, as these operators require "
                        "sorting geospatial data. If you do not need sort, consider using $geoWithin instead. Check "
                        "out https://dochub.mongodb.org/core/near-sort-operation and "
                        "https://dochub.mongodb.org/core/nearSphere-sort-operationfor more details.");
        if (field.name() == "$where") throw Error(ErrorCode::bad_value, "$where is not allowed in this context");
        if (field.is_array() && (field.name() == "$and" || field.name() == "$or" || field.name() == "$nor")) {
            for (const bson::Element& branch : field.object())
                if (branch.is_object()) check_operators(branch.object());
        }
    }
}

}  // namespace

MatchStage::MatchStage(bson::Document predicate, ContextPtr context)
    : PipelineStage(std::move(context)), predicate_(std::move(predicate)) {
    mql::MatchParseOptions options;
    options.collator = context_->collator;
    options.scope = context_->scope.get();
    tree_ = mql::optimize(mql::parse_match(predicate_, options));
}

MatchStage::MatchStage(mql::MatchNodePtr tree, ContextPtr context)
    : PipelineStage(std::move(context)), tree_(mql::optimize(std::move(tree))) {
    predicate_ = mql::print_match(*tree_);
}

void MatchStage::print(bson::Builder& out) const { mql::append_match(out, "$match", *tree_); }

NeedsAnswer MatchStage::add_needs(Needs& needs) const {
    needs.add(*tree_);
    return NeedsAnswer::see_next;
}

bool MatchStage::is_no_op() const { return mql::is_trivially_true(*tree_); }

OperatorPtr MatchStage::open(OperatorPtr input) const {
    return std::make_unique<MatchOperator>(*this, std::move(input));
}

void parse_match(bson::Element spec, const ContextPtr& context, StageList& out) {
    if (!spec.is_object()) throw Error(15959, "the match filter must be an expression in an object");
    check_operators(spec.object());
    out.push_back(std::make_unique<MatchStage>(bson::Document(spec.object()), context));
}

}  // namespace ixora::pipeline
