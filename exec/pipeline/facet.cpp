#include "ixora/pipeline/facet.hpp"

#include "ixora/base/error.hpp"
#include "ixora/bson/debug_string.hpp"
#include "ixora/mql/user_path.hpp"
#include "ixora/pipeline/optimizer.hpp"
#include "ixora/pipeline/stage_list.hpp"
#include "ixora/pipeline/stages.hpp"

namespace ixora::pipeline {

namespace {

constexpr std::size_t portion_bytes_max = 16 << 20;
constexpr std::size_t output_bytes_max = 104857600;

// The rows that all facets read, a portion at a time.
struct Portion {
    std::vector<bson::Document> rows;
    bool is_last = false;
};

// The input of one facet.
class Tee final : public Operator {
public:
    explicit Tee(const Portion& portion) noexcept : portion_(portion) {}
    void start_portion() noexcept { next_ = 0; }

private:
    Pulled pull(Row& out) override {
        if (next_ == portion_.rows.size()) return portion_.is_last ? Pulled::end : Pulled::pause;
        out.sort_key = bson::Value();
        out.set_view(portion_.rows[next_++].view());
        return Pulled::row;
    }
    const Portion& portion_;
    std::size_t next_ = 0;
};

class FacetOperator final : public Operator {
public:
    FacetOperator(const FacetStage& stage, OperatorPtr input) : Operator(std::move(input)), stage_(stage) {
        for (const Facet& facet : stage.facets()) {
            Branch branch;
            auto tee = std::make_unique<Tee>(portion_);
            branch.tee = tee.get();
            branch.tail = std::move(tee);
            for (const StagePtr& inner : facet.stages) {
                branch.tail = inner->open(std::move(branch.tail));
                branch.operators.push_back(branch.tail.get());
            }
            branches_.push_back(std::move(branch));
        }
    }

    std::vector<NestedPipeline> nested() override {
        std::vector<NestedPipeline> pipelines;
        for (std::size_t i = 0; i < branches_.size(); ++i) {
            NestedPipeline pipeline;
            pipeline.name = stage_.facets()[i].name;
            pipeline.tee = branches_[i].tee;
            for (const StagePtr& stage : stage_.facets()[i].stages) pipeline.stages.push_back(stage.get());
            pipeline.operators = branches_[i].operators;
            pipelines.push_back(std::move(pipeline));
        }
        return pipelines;
    }

private:
    struct Branch {
        Tee* tee = nullptr;
        OperatorPtr tail;
        std::vector<Operator*> operators;
        std::vector<bson::Document> results;
        bool done = false;
    };

    Pulled pull(Row& out) override {
        if (given_) return Pulled::end;
        while (!portion_.is_last && !all_done()) {
            read_portion();
            for (Branch& branch : branches_) run(branch);
        }
        given_ = true;
        write(out);
        return Pulled::row;
    }

    bool all_done() const {
        for (const Branch& branch : branches_)
            if (!branch.done) return false;
        return true;
    }

    void read_portion() {
        portion_.rows.clear();
        Row row;
        for (std::size_t bytes = 0; bytes < portion_bytes_max; bytes += row.document.size()) {
            if (input()->next(row) != Pulled::row) {
                portion_.is_last = true;
                return;
            }
            row.own();
            portion_.rows.push_back(row.owned);
        }
    }

    void run(Branch& branch) {
        if (branch.done) return;
        branch.tee->start_portion();
        Row row;
        for (;;) {
            const Pulled pulled = branch.tail->next(row);
            if (pulled == Pulled::pause) return;
            if (pulled == Pulled::end) break;
            row.own();
            size_ += row.owned.size();
            if (size_ > output_bytes_max)
                throw Error(4031700, "document constructed by $facet is " + std::to_string(size_) +
                                         " bytes, exceeds the limit of " + std::to_string(output_bytes_max) + " bytes");
            branch.results.push_back(row.owned);
        }
        branch.done = true;
    }

    void write(Row& out) {
        bson::Builder builder;
        for (std::size_t i = 0; i < branches_.size(); ++i) {
            builder.open_array(stage_.facets()[i].name);
            for (const bson::Document& document : branches_[i].results) builder.append(document);
            builder.close();
            branches_[i].results.clear();
        }
        out.sort_key = bson::Value();
        out.set_owned(builder.finish());
    }

    void do_save() override {
        for (Branch& branch : branches_) branch.tail->save();
    }
    void do_restore(Interrupt& interrupt) override {
        for (Branch& branch : branches_) branch.tail->restore(interrupt);
    }

    const FacetStage& stage_;
    Portion portion_;
    std::vector<Branch> branches_;
    std::size_t size_ = 0;
    bool given_ = false;
};

}  // namespace

void FacetStage::print(bson::Builder& out) const {
    out.open_object("$facet");
    for (const Facet& facet : facets_) {
        out.open_array(facet.name);
        for (const StagePtr& stage : facet.stages) {
            out.open_object();
            stage->print(out);
            out.close();
        }
        out.close();
    }
    out.close();
}

NeedsAnswer FacetStage::add_needs(Needs& needs) const {
    for (const Facet& facet : facets_) {
        const Needs inner = needs_of(facet.stages);
        needs.fields.insert(inner.fields.begin(), inner.fields.end());
        needs.variables.insert(inner.variables.begin(), inner.variables.end());
        needs.whole_document = needs.whole_document || inner.whole_document;
        needs.random = needs.random || inner.random;
    }
    return NeedsAnswer::exhaustive;
}

void FacetStage::optimize() {
    for (Facet& facet : facets_) pipeline::optimize(facet.stages);
}

OperatorPtr FacetStage::open(OperatorPtr input) const {
    return std::make_unique<FacetOperator>(*this, std::move(input));
}

void parse_facet(bson::Element spec, const ContextPtr& context, StageList& out) {
    if (!spec.is_object() || spec.object().empty())
        throw Error(40169, "the $facet specification must be a non-empty object, but found: " +
                               bson::debug_element_string(spec));
    std::vector<Facet> facets;
    for (const bson::Element& field : spec.object()) {
        mql::check_user_path_part(field.name());
        if (!field.is_array())
            throw Error(40170, "arguments to $facet must be arrays, " + std::string(field.name()) + " is type " +
                                   std::string(bson::type_name(field.type())));
        for (const bson::Element& stage : field.object())
            if (!stage.is_object())
                throw Error(40171, "elements of arrays in $facet spec must be non-empty objects, " +
                                       std::string(field.name()) + " argument contained an element of type " +
                                       std::string(bson::type_name(stage.type())) + ": " + bson::debug_string(stage));
        facets.push_back({std::string(field.name()), parse_pipeline(field, context, PipelinePlace::facet)});
    }
    out.push_back(std::make_unique<FacetStage>(std::move(facets), context));
}

}  // namespace ixora::pipeline
