#include "lookup_operator.hpp"

#include "ixora/base/error.hpp"
#include "ixora/pipeline/document_edit.hpp"
#include "ixora/pipeline/evaluation.hpp"
#include "ixora/pipeline/stage_list.hpp"

namespace ixora::pipeline {

namespace {

constexpr std::size_t joined_bytes_max = 104857600;

void collect_from(bson::Element value, const bson::FieldPath& path, std::size_t part, std::vector<bson::Element>& out);

void collect_in(bson::View object, const bson::FieldPath& path, std::size_t part, std::vector<bson::Element>& out) {
    if (const bson::Element field = object[path.part(part)]; !field.missing()) collect_from(field, path, part + 1, out);
}

// `value` stands before part `part` of the path.
void collect_from(bson::Element value, const bson::FieldPath& path, std::size_t part, std::vector<bson::Element>& out) {
    if (part == path.part_count()) {
        if (!value.is_array()) {
            out.push_back(value);
            return;
        }
        for (const bson::Element& member : value.object()) out.push_back(member);
        return;
    }
    if (value.is_object()) {
        collect_in(value.object(), path, part, out);
    } else if (value.is_array()) {
        if (bson::is_array_index(path.part(part)))
            if (const bson::Element member = value.object()[path.part(part)]; !member.missing())
                collect_from(member, path, part + 1, out);
        for (const bson::Element& member : value.object())
            if (member.is_object()) collect_in(member.object(), path, part, out);
    }
}

void append_equalities(bson::Builder& out, const std::string& field, const std::vector<bson::Element>& values) {
    bool has_regex = false;
    for (const bson::Element& value : values) has_regex = has_regex || value.type() == bson::Type::regex;
    const auto append_equality = [&](bson::Element value) {
        out.open_object(field);
        out.append("$eq", value);
        out.close();
    };
    if (values.empty()) {
        append_equality(bson::Value::null());
    } else if (values.size() == 1) {
        append_equality(values.front());
    } else if (!has_regex) {
        out.open_object(field);
        out.open_array("$in");
        for (const bson::Element& value : values) out.append_member(value);
        out.close();
        out.close();
    } else {  // in a list a regular expression would be a pattern
        out.open_array("$or");
        for (const bson::Element& value : values) {
            out.open_object();
            append_equality(value);
            out.close();
        }
        out.close();
    }
}

void count_scans(const stage::StatsTree& tree, JoinCounters& out) {
    const plan::PlanNode& node = *tree.node;
    out.docs_examined += tree.stats.docs_examined;
    out.keys_examined += tree.stats.keys_examined;
    if (node.type == plan::StageType::collection_scan) ++out.collection_scans;
    const plan::IndexEntry* index = nullptr;
    if (const auto* scan = std::get_if<plan::IndexScanNode>(&node.params)) index = scan->index.get();
    if (const auto* scan = std::get_if<plan::CountScanNode>(&node.params)) index = scan->index.get();
    if (const auto* scan = std::get_if<plan::DistinctScanNode>(&node.params)) index = scan->index.get();
    if (const auto* scan = std::get_if<plan::IdHackNode>(&node.params)) index = scan->index.get();
    if (index != nullptr) out.indexes_used.insert(index->name);
    for (const stage::StatsTree& child : tree.children) count_scans(child, out);
}

class LookupOperator final : public Operator {
public:
    LookupOperator(const LookupStage& stage, OperatorPtr input)
        : Operator(std::move(input)), stage_(stage), evaluation_(*stage.context()) {}

    void append_join_statistics(bson::Builder& out) const override {
        JoinCounters all = counters_;
        if (inner_) all.add(*inner_);  // a stage behind wanted no more
        all.append_to(out);
    }

private:
    Pulled pull(Row& out) override { return stage_.unwinding() ? pull_unwound(out) : pull_joined(out); }

    Pulled pull_joined(Row& out) {
        const Pulled pulled = input()->next(row_);
        if (pulled != Pulled::row) return pulled;
        start();
        builder_.reset();
        builder_.open_array("");
        std::size_t bytes = 0;
        Row joined;
        while (next_joined(joined)) {
            bytes += joined.document.size();
            if (bytes > joined_bytes_max)
                throw Error(4568, "Total size of documents in " + stage_.options().from +
                                      " matching pipeline's $lookup stage exceeds " + std::to_string(joined_bytes_max) +
                                      " bytes");
            builder_.append(joined.document);
        }
        builder_.close();
        result_.reset();
        append_with(result_, row_.document, stage_.options().as, builder_.finish_view().front());
        give(out);
        return Pulled::row;
    }

    Pulled pull_unwound(Row& out) {
        const UnwindOptions& unwinding = *stage_.unwinding();
        for (;;) {
            if (!in_row_) {
                const Pulled pulled = input()->next(row_);
                // The server adds the counters of the last row's pipeline when the input ends and when it lets go of
                // it.
                if (pulled == Pulled::end) counters_.add(std::exchange(last_, {}));
                if (pulled != Pulled::row) return pulled;
                start();
                in_row_ = true;
                position_ = 0;
            }
            Row joined;
            if (next_joined(joined)) {
                write_unwound(bson::Value::of_object(joined.document), bson::Value::of_long(position_++), out);
                return Pulled::row;
            }
            in_row_ = false;
            if (position_ == 0 && unwinding.preserve_null_and_empty) {
                write_unwound(bson::Value(), bson::Value::null(), out);
                return Pulled::row;
            }
        }
    }

    void write_unwound(const bson::Value& joined, const bson::Value& position, Row& out) {
        result_.reset();
        append_with(result_, row_.document, stage_.options().as, joined);
        if (!stage_.unwinding()->index) return give(out);
        builder_.reset();
        append_with(builder_, result_.finish_view(), *stage_.unwinding()->index, position);
        out.sort_key = row_.sort_key;
        out.set_view(builder_.finish_view());
    }

    void give(Row& out) {
        out.sort_key = row_.sort_key;
        out.set_view(result_.finish_view());
    }

    // Begins with the documents that belong to row_.
    void start() {
        stage_.context()->check_interrupt();
        if (cache_complete_) {
            from_cache_ = 0;
            return;
        }
        caching_ = stage_.is_uncorrelated();
        cache_.clear();
        cached_bytes_ = 0;
        open_inner();
    }

    void open_inner() {
        auto context = std::make_shared<PipelineContext>(*stage_.inner());
        context->scope = std::make_shared<mql::VariableScope>(*context->scope);
        for (const LookupVariable& variable : stage_.options().let)
            context->scope->define_constant(variable.name, variable.value.evaluate(evaluation_.on(row_)).to_value());
        const bson::Document specification = inner_specification();
        inner_ = RunningPipeline::open(parse_pipeline(specification.view().front(), context, PipelinePlace::lookup),
                                       context);
    }

    // {"": [join, pipeline, filter]}; the join comes after a $documents, which must stand first.
    bson::Document inner_specification() const {
        const LookupOptions& options = stage_.options();
        bson::Builder out;
        out.open_array("");
        std::size_t done = 0;
        for (const bson::Document& stage : stage_.inner()->view_stages) out.append(stage);
        if (options.from_documents) out.append(options.pipeline->at(done++));
        if (options.local_field) append_join(out);
        if (options.pipeline)
            for (; done < options.pipeline->size(); ++done) out.append(options.pipeline->at(done));
        if (stage_.filter() && (options.pipeline || !options.local_field)) {
            out.open_object();
            out.append("$match", *stage_.filter());
            out.close();
        }
        out.close();
        return out.finish();
    }

    // The equality, together with a filter that was absorbed, where nothing stands between them.
    void append_join(bson::Builder& out) const {
        std::vector<bson::Element> values;
        collect_join_values(row_.document, *stage_.options().local_field, values);
        out.open_object();
        out.open_object("$match");
        out.open_array("$and");
        out.open_object();
        append_equalities(out, stage_.options().foreign_field, values);
        out.close();
        if (stage_.filter() && !stage_.options().pipeline) out.append(*stage_.filter());
        out.close();
        out.close();
        out.close();
    }

    bool next_joined(Row& joined) {
        if (cache_complete_) {
            last_ = {};
            if (from_cache_ == cache_.size()) return false;
            joined.set_view(cache_[from_cache_++].view());
            return true;
        }
        if (!inner_->next(joined)) {
            last_ = {};
            last_.add(*inner_);
            counters_.add(last_);
            inner_.reset();
            cache_complete_ = caching_;
            from_cache_ = cache_.size();
            return false;
        }
        if (caching_) keep(joined);
        return true;
    }

    void keep(Row& joined) {
        cached_bytes_ += joined.document.size();
        if (cached_bytes_ > joined_bytes_max) {
            caching_ = false;
            cache_.clear();
            return;
        }
        joined.own();
        cache_.push_back(joined.owned);
    }

    void do_save() override {
        row_.own();
        if (inner_) inner_->save();
    }
    void do_restore(Interrupt& interrupt) override {
        if (inner_) inner_->restore(interrupt);
    }

    const LookupStage& stage_;
    Evaluation evaluation_;
    Row row_;
    std::unique_ptr<RunningPipeline> inner_;
    std::vector<bson::Document> cache_;  // of an uncorrelated pipeline
    std::size_t cached_bytes_ = 0;
    std::size_t from_cache_ = 0;
    bool caching_ = false;
    bool cache_complete_ = false;
    bool in_row_ = false;
    std::int64_t position_ = 0;
    JoinCounters counters_;
    JoinCounters last_;  // of the pipeline that ended last
    bson::Builder builder_;
    bson::Builder result_;
};

}  // namespace

void JoinCounters::add(const RunningPipeline& inner) {
    if (inner.cursor() != nullptr) count_scans(inner.cursor()->executor().report().winner, *this);
}

void JoinCounters::add(const JoinCounters& other) {
    docs_examined += other.docs_examined;
    keys_examined += other.keys_examined;
    collection_scans += other.collection_scans;
    indexes_used.insert(other.indexes_used.begin(), other.indexes_used.end());
}

void JoinCounters::append_to(bson::Builder& out) const {
    out.append("totalDocsExamined", docs_examined);
    out.append("totalKeysExamined", keys_examined);
    out.append("collectionScans", collection_scans);
    out.open_array("indexesUsed");
    for (const std::string& index : indexes_used) out.append(index);
    out.close();
}

void collect_join_values(bson::View document, const bson::FieldPath& path, std::vector<bson::Element>& out) {
    collect_in(document, path, 0, out);
}

OperatorPtr open_lookup(const LookupStage& stage, OperatorPtr input) {
    return std::make_unique<LookupOperator>(stage, std::move(input));
}

}  // namespace ixora::pipeline
