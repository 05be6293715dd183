#include "ixora/pipeline/merge.hpp"

#include "ixora/base/error.hpp"
#include "ixora/bson/object_id.hpp"
#include "ixora/pipeline/document_edit.hpp"
#include "ixora/pipeline/evaluation.hpp"

namespace ixora::pipeline {

namespace {

constexpr std::size_t batch_bytes_max = 16UL << 20;
constexpr int merge_stage_no_matching_document = 13113;

// Collects rows and writes them by batches, so that a collection that is read and written at once is read ahead.
class MergeOperator final : public Operator {
public:
    MergeOperator(const MergeStage& stage, OperatorPtr input)
        : Operator(std::move(input)),
          context_(*stage.context()),
          options_(stage.options()),
          evaluation_(*stage.context()) {}

private:
    Pulled pull(Row& out) override {
        for (;;) {
            const Pulled pulled = input()->next(out);
            if (pulled != Pulled::row) {
                if (pulled == Pulled::end) write_batch();
                return pulled;
            }
            if (context_.operation->is_explain) continue;
            batch_.push_back(with_id(out.document));
            batch_bytes_ += batch_.back().size();
            if (batch_bytes_ > batch_bytes_max) write_batch();
        }
    }

    void write_batch() {
        for (const bson::Document& document : batch_) {
            context_.check_interrupt();
            write(document);
        }
        batch_.clear();
        batch_bytes_ = 0;
    }

    // Where documents are found by _id, one without gets a new one.
    bson::Document with_id(bson::View document) const {
        if (!options_.on.contains("_id") || document.contains("_id")) return bson::Document(document);
        bson::Builder out;
        out.append_object_id("_id", bson::new_object_id().data());
        out.append_all(document);
        return out.finish();
    }

    void write(const bson::Document& document) {
        MergeWrite write;
        write.document = document;
        write.query = query_for(document);
        write.collation = context_.collation;
        write.upsert = options_.when_not_matched == WhenNotMatched::insert;
        if (options_.when_matched != WhenMatched::fail) write.update = update_by(document);
        if (options_.when_matched == WhenMatched::pipeline) {
            write.constants = constants_for(document);
            write.inserts_document = true;
        }
        const std::int64_t found = merge(write);
        if (found == 0 && options_.when_not_matched == WhenNotMatched::fail)
            throw Error(merge_stage_no_matching_document,
                        "$merge could not find a matching document in the target collection for at least one document "
                        "in the source collection");
    }

    std::int64_t merge(const MergeWrite& write) {
        Interrupt& interrupt = *context_.operation->interrupt;
        if (write.update.missing()) return context_.operation->environment->merge(options_.into, write, interrupt);
        try {
            return context_.operation->environment->merge(options_.into, write, interrupt);
        } catch (const Error& error) {
            if (error.is(ErrorCode::immutable_field))
                throw error.with_context(
                    "$merge failed to update the matching document, did you attempt to modify the _id or the shard "
                    "key?");
            if (error.is(ErrorCode::duplicate_key))
                throw error.with_context("$merge failed due to a DuplicateKey error");
            throw;
        }
    }

    bson::Document query_for(bson::View document) const {
        bson::Builder out;
        for (const std::string& path : options_.on) {
            const bson::Element value = value_at(document, bson::FieldPath(path));
            if (value.is_array()) throw Error(51185, "$merge write error: 'on' field '" + path + "' is an array");
            if (value.missing() || value.is_null() || value.type() == bson::Type::undefined)
                throw Error(51132, "$merge write error: 'on' field '" + path +
                                       "' cannot be missing, null, undefined or an array");
            out.open_object(path);
            out.append("$eq", value);
            out.close();
        }
        return out.finish();
    }

    bson::Value update_by(const bson::Document& document) const {
        switch (options_.when_matched) {
            case WhenMatched::replace: return bson::Value::of_object(document);
            case WhenMatched::pipeline: return options_.pipeline;
            case WhenMatched::merge: return operator_update("$set", document);
            case WhenMatched::keep_existing: return operator_update("$setOnInsert", document);
            case WhenMatched::fail: break;
        }
        return {};
    }
    static bson::Value operator_update(const char* name, const bson::Document& document) {
        bson::Builder out;
        out.append(name, document);
        return bson::Value::of_object(out.finish_view());
    }

    bson::Document constants_for(const bson::Document& document) {
        bson::Builder out;
        mql::EvaluationContext& values = evaluation_.on(document.view());
        for (const MergeVariable& variable : options_.let)
            variable.value.evaluate(values).append_to(out, variable.name);
        return out.finish();
    }

    const PipelineContext& context_;
    const MergeOptions& options_;
    Evaluation evaluation_;
    std::vector<bson::Document> batch_;
    std::size_t batch_bytes_ = 0;
};

}  // namespace

void MergeStage::print(bson::Builder& out) const {
    out.open_object("$merge");
    out.open_object("into");
    out.append("db", options_.into.database);
    out.append("coll", options_.into.collection);
    out.close();
    if (options_.on.size() == 1) {
        out.append("on", *options_.on.begin());
    } else {
        out.open_array("on");
        for (const std::string& path : options_.on) out.append(path);
        out.close();
    }
    if (!options_.let.empty()) {
        out.open_object("let");
        for (const MergeVariable& variable : options_.let) variable.value.serialize(out, variable.name);
        out.close();
    }
    if (options_.when_matched == WhenMatched::pipeline)
        out.append("whenMatched", options_.pipeline);
    else
        out.append("whenMatched", name_of(options_.when_matched));
    out.append("whenNotMatched", name_of(options_.when_not_matched));
    out.close();
}

OperatorPtr MergeStage::open(OperatorPtr input) const {
    return std::make_unique<MergeOperator>(*this, std::move(input));
}

}  // namespace ixora::pipeline
