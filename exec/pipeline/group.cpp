#include "ixora/pipeline/group.hpp"

#include <algorithm>
#include <boost/unordered/unordered_flat_map.hpp>

#include "ixora/base/error.hpp"
#include "ixora/bson/compare.hpp"
#include "ixora/pipeline/evaluation.hpp"
#include "ixora/pipeline/spill_statistics.hpp"
#include "ixora/pipeline/stages.hpp"
#include "spilled_groups.hpp"

namespace ixora::pipeline {

namespace {

// What the tables take for a group beside the bytes of its key and the accumulators themselves.
constexpr std::int64_t group_overhead = 128;

struct KeyHash {
    using is_transparent = void;
    const bson::Collator* collator;
    std::size_t operator()(const bson::Element& value) const { return bson::hash(value, collator); }
};
struct KeyEqual {
    using is_transparent = void;
    const bson::Collator* collator;
    bool operator()(const bson::Element& left, const bson::Element& right) const {
        return bson::equal(left, right, collator);
    }
};

// Groups in a table by key; they come out in the order in which they were met, or, once some went to disk, in that of
// their keys.
class GroupOperator final : public Operator {
public:
    GroupOperator(const GroupStage& stage, OperatorPtr input)
        : Operator(std::move(input)),
          stage_(stage),
          evaluation_(*stage.context()),
          positions_(0, KeyHash{stage.context()->collator.get()}, KeyEqual{stage.context()->collator.get()}),
          policy_(stage.context()->operation->spill_policy(
              stage.context()->operation->knobs.internalDocumentSourceGroupMaxMemoryBytes)),
          memory_of_(stage.fields().size()),
          memory_max_of_(stage.fields().size()) {
        const std::string part = stage.only_part();
        if (part.empty()) return;
        bson::Builder key;
        key.append_null(part);
        only_part_ = bson::Value::of_object(key.finish());
    }

    void append_statistics(bson::Builder& out) const override {
        out.open_object("maxAccumulatorMemoryUsageBytes");
        for (std::size_t i = 0; i < stage_.fields().size(); ++i)
            out.append(stage_.fields()[i].name(), memory_max_of_[i]);
        out.close();
        out.append("totalOutputDataSizeBytes", output_bytes_);
        if (spilled_)
            append_spills(out, {spilled_->runs().run_count(), spilled_->runs().byte_count()});
        else
            append_spills(out, {});
    }

private:
    Pulled pull(Row& out) override {
        while (!populated_) {
            const Pulled pulled = input()->next(row_);
            if (pulled == Pulled::pause) return pulled;
            if (pulled == Pulled::end)
                finish();
            else
                take(row_);
        }
        if (spilled_) {
            if (!spilled_->next(merged_, evaluation_.on(bson::View()))) return Pulled::end;
            write(merged_, out);
            return Pulled::row;
        }
        if (next_ == groups_.size()) return Pulled::end;
        write(groups_[next_++], out);
        return Pulled::row;
    }

    void finish() {
        populated_ = true;
        if (!spilled_) return;
        spill();
        stage::ExecutionContext context;
        context.interrupt = stage_.context()->operation->interrupt;
        spilled_->start(context);
    }

    void spill() {
        positions_.clear();
        if (!spilled_) spilled_.emplace(stage_, policy_.directory);
        spilled_->spill(groups_);
        memory_ = 0;
        std::fill(memory_of_.begin(), memory_of_.end(), 0);
    }

    void take(const Row& row) {
        mql::EvaluationContext& values = evaluation_.on(row);
        const mql::ComputedValue key = stage_.key().evaluate(values);
        const bool lacks_part = !only_part_.missing() && key.is_object() && key.object().empty();
        Group& group = group_of(lacks_part      ? only_part_.element()
                                : key.missing() ? null_.element()
                                                : key.element(),
                                values);
        for (std::size_t i = 0; i < group.accumulators.size(); ++i) {
            mql::Accumulator& accumulator = *group.accumulators[i];
            const std::size_t before = accumulator.memory_bytes();
            accumulator.process(stage_.fields()[i].evaluate_argument(values));
            count_memory(i, static_cast<std::int64_t>(accumulator.memory_bytes()) - static_cast<std::int64_t>(before));
        }
        if (memory_ <= policy_.memory_max) return;
        if (!policy_.allowed)
            throw Error(ErrorCode::query_exceeded_memory_limit_no_disk_use_allowed,
                        "Exceeded memory limit for $group, but didn't allow external sort. Pass allowDiskUse:true to "
                        "opt in.");
        spill();
    }

    Group& group_of(bson::Element key, mql::EvaluationContext& values) {
        if (const auto found = positions_.find(key); found != positions_.end()) return groups_[found->second];
        Group group;
        group.key = bson::Value(key);
        memory_ += static_cast<std::int64_t>(key.size()) + group_overhead;
        for (std::size_t i = 0; i < stage_.fields().size(); ++i) {
            group.accumulators.push_back(stage_.fields()[i].make(group.key.element(), values));
            count_memory(i, static_cast<std::int64_t>(group.accumulators.back()->memory_bytes()));
        }
        positions_.emplace(group.key, groups_.size());
        groups_.push_back(std::move(group));
        return groups_.back();
    }

    void count_memory(std::size_t field, std::int64_t bytes) {
        memory_ += bytes;
        memory_of_[field] += bytes;
        memory_max_of_[field] = std::max(memory_max_of_[field], memory_of_[field]);
    }

    void write(Group& group, Row& out) {
        builder_.reset();
        builder_.append("_id", group.key);
        for (std::size_t i = 0; i < group.accumulators.size(); ++i) {
            const mql::ComputedValue result = group.accumulators[i]->result();
            if (result.missing())
                builder_.append_null(stage_.fields()[i].name());
            else
                result.append_to(builder_, stage_.fields()[i].name());
        }
        group.accumulators.clear();
        out.sort_key = bson::Value();
        out.set_view(builder_.finish_view());
        output_bytes_ += static_cast<std::int64_t>(out.document.size());
    }

    const GroupStage& stage_;
    Evaluation evaluation_;
    const bson::Value null_ = bson::Value::null();
    bson::Value
        only_part_;  // {name: null}: a key of one part takes a missing value for null, as a key that is no object
    std::deque<Group> groups_;
    boost::unordered_flat_map<bson::Value, std::size_t, KeyHash, KeyEqual> positions_;
    stage::SpillPolicy policy_;
    std::vector<std::int64_t> memory_of_;      // of each field, over the groups in memory
    std::vector<std::int64_t> memory_max_of_;  // the most of it
    std::optional<SpilledGroups> spilled_;
    Group merged_;
    std::int64_t memory_ = 0;
    std::int64_t output_bytes_ = 0;
    std::size_t next_ = 0;
    bool populated_ = false;
    Row row_;
    bson::Builder builder_;
};

mql::Expression parse_key(bson::Element spec, mql::ExpressionParseContext& parsing) {
    if (!spec.is_object()) return mql::Expression::parse(spec, parsing);
    if (spec.object().empty()) return mql::Expression::constant(bson::Value(spec));
    if (!spec.object().front().name().starts_with('$')) {
        for (const bson::Element& part : spec.object())
            if (part.is_number() || part.type() == bson::Type::boolean)
                throw Error(17390, "$group does not support inclusion-style expressions");
    }
    return mql::Expression::parse(spec, parsing);
}

}  // namespace

void GroupStage::print(bson::Builder& out) const {
    out.open_object("$group");
    key_.serialize(out, "_id");
    for (const mql::AccumulatorField& field : fields_) field.serialize(out);
    out.close();
}

NeedsAnswer GroupStage::add_needs(Needs& needs) const {
    needs.add(key_);
    mql::ExpressionDependencies read;
    for (const mql::AccumulatorField& field : fields_) field.add_dependencies(read);
    needs.add(read);
    return NeedsAnswer::exhaustive;
}

std::vector<std::pair<std::string, std::string>> GroupStage::key_paths() const {
    if (std::string path = key_.root_path(); !path.empty()) return {{"_id", std::move(path)}};
    bson::Builder printed;
    key_.serialize(printed, "_id");
    const bson::Document document = printed.finish();
    const bson::Element key = document.view().front();
    std::vector<std::pair<std::string, std::string>> paths;
    if (!key.is_object() || key.object().empty() || key.object().front().name().starts_with('$')) return paths;
    for (const bson::Element& part : key.object())
        if (part.is_string() && part.string().starts_with('$') && !part.string().starts_with("$$"))
            paths.emplace_back("_id." + std::string(part.name()), part.string().substr(1));
    return paths;
}

std::size_t GroupStage::key_part_count() const {
    bson::Builder printed;
    key_.serialize(printed, "_id");
    const bson::Document document = printed.finish();
    const bson::Element key = document.view().front();
    if (!key.is_object() || key.object().empty() || key.object().front().name().starts_with('$')) return 1;
    return key.object().field_count();
}

std::string GroupStage::only_part() const {
    bson::Builder printed;
    key_.serialize(printed, "_id");
    const bson::Document document = printed.finish();
    const bson::Element key = document.view().front();
    if (!key.is_object() || key.object().field_count() != 1 || key.object().front().name().starts_with('$')) return {};
    return std::string(key.object().front().name());
}

// Every path is new; parts of the key that are paths of one part are copies of fields of the row.
ModifiedPaths GroupStage::modified_paths() const {
    ModifiedPaths modified{ModifiedPaths::Kind::all_except, {}, {}};
    for (auto& [name, path] : key_paths())
        if (path.find('.') == std::string::npos) modified.renames.emplace_back(name, path);
    return modified;
}

void GroupStage::optimize() {
    key_.optimize();
    for (mql::AccumulatorField& field : fields_) field.optimize();
}

OperatorPtr GroupStage::open(OperatorPtr input) const {
    return std::make_unique<GroupOperator>(*this, std::move(input));
}

void parse_group(bson::Element spec, const ContextPtr& context, StageList& out) {
    if (!spec.is_object()) throw Error(15947, "a group's fields must be specified in an object");
    mql::ExpressionParseContext parsing = context->parsing();
    std::optional<mql::Expression> key;
    std::vector<mql::AccumulatorField> fields;
    for (const bson::Element& field : spec.object()) {
        if (field.name() == "_id") {
            if (key) throw Error(15948, "a group's _id may only be specified once");
            key = parse_key(field, parsing);
        } else if (field.name() == "$doingMerge") {
            throw Error(17030, "$doingMerge should be true if present");
        } else {
            fields.push_back(mql::AccumulatorField::parse(field, parsing));
        }
    }
    if (!key) throw Error(15955, "a group specification must include an _id");
    out.push_back(std::make_unique<GroupStage>(std::move(*key), std::move(fields), context));
}

}  // namespace ixora::pipeline
