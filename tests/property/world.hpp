// One case of the property "whatever plan runs, the answer is that of a collection scan": a collection with indexes
// beside the same documents without, and the check of one query on both.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "generator.hpp"
#include "ixora/bson/extended_json.hpp"
#include "ixora/command/service.hpp"
#include "ixora/command/storage-inl.hpp"
#include "ixora/key/icu_collator.hpp"
#include "ixora/mql/sort_pattern.hpp"
#include "ixora/plan/planner.hpp"
#include "ixora/plan/trace.hpp"
#include "ixora/store/memory_store.hpp"

namespace ixora::test {

struct Query {
    bson::Document filter;
    bson::Document projection;
    bson::Document sort;
    std::int64_t skip = 0;
    std::int64_t limit = 0;
    std::optional<bson::Document> collation;
    Knobs knobs;
};

struct Case {
    std::vector<bson::Document> documents;
    std::vector<bson::Document> indexes;
    bool clustered = false;  // the indexed collection is
    Query query;
};

inline Query random_query(Generator& generate) {
    Query query;
    query.filter = generate.filter();
    if (generate.one_in(2)) query.sort = generate.sort();
    if (generate.one_in(3)) query.projection = generate.projection();
    if (generate.one_in(5)) query.skip = static_cast<std::int64_t>(generate.below(4));
    if (generate.one_in(4)) query.limit = static_cast<std::int64_t>(1 + generate.below(6));
    if (generate.one_in(8)) query.collation = generate.collation();
    query.knobs.internalQueryForceIntersectionPlans = generate.one_in(6);
    query.knobs.internalQueryPlannerEnableHashIntersection = generate.one_in(6);
    query.knobs.internalQueryEnumerationPreferLockstepOrEnumeration = generate.one_in(6);
    query.knobs.internalQueryPlannerGenerateCoveredWholeIndexScans = generate.one_in(6);
    if (generate.one_in(8))
        query.knobs.internalQueryExecYieldIterations = 1 + static_cast<std::int64_t>(generate.below(5));
    return query;
}

// Field order, and the difference between null and missing, are not the same in a covered projection: fields sorted,
// nulls and empty objects left out.
inline void append_plain(bson::View document, bool sorted, bson::Builder& out) {
    std::vector<bson::Element> fields(document.begin(), document.end());
    if (sorted)
        std::sort(fields.begin(), fields.end(),
                  [](const bson::Element& left, const bson::Element& right) { return left.name() < right.name(); });
    for (const bson::Element& field : fields) {
        if (field.is_null() && sorted) continue;
        if (!field.is_object()) {
            out.append_element(field);
            continue;
        }
        bson::Builder inner;
        append_plain(field.object(), true, inner);
        const bson::Document plain = inner.finish();
        if (!plain.empty()) out.append(field.name(), plain);
    }
}
inline std::string plain_form(bson::View row) {
    bson::Builder out;
    append_plain(row, true, out);
    const bson::Document plain = out.finish();
    return {reinterpret_cast<const char*>(plain.view().data()), plain.size()};
}

struct Outcome {
    std::vector<bson::Document> rows;
    int error = 0;
    std::string message;
};

class World {
public:
    World(const std::vector<bson::Document>& documents, const std::vector<bson::Document>& indexes, bool clustered)
        : service_(std::make_unique<command::StoreStorage<store::MemoryStore>>(store_)) {
        service_.create_collection(indexed_, clustered ? clustered_options() : bson::Document());
        service_.create_collection(plain_, {});
        for (const bson::Document& index : indexes) {
            const bson::View spec = index;
            try {
                service_.create_indexes(indexed_, std::span(&spec, 1), interrupt_);
                indexes_.push_back(index);
            } catch (const Error&) {  // the same key twice, and the like
            }
        }
        for (const bson::Document& document : documents) {
            const bson::View view = document;
            if (!service_.insert(indexed_, std::span(&view, 1), true).failures.empty()) continue;  // parallel arrays
            service_.insert(plain_, std::span(&view, 1), true);
            documents_.emplace(document["_id"].to_int64(), document);
        }
    }

    const std::vector<bson::Document>& indexes() const { return indexes_; }

    // Empty if everything agrees, else what does not. `plans` counts the plans that ran.
    std::string check(const Query& query, std::size_t& plans) {
        query_ = &query;
        service_.set_knobs(query.knobs);
        expected_ = run(plain_, {}, true);
        sort_error_ = sort_keys(expected_.rows, expected_keys_);
        std::sort(expected_keys_.begin(), expected_keys_.end());
        full_ = query.projection.empty() ? expected_ : run(plain_, query.projection, true);

        std::string failure = verify(run(indexed_, query.projection, false), false);
        if (!failure.empty()) return "the winning plan: " + failure;
        ++plans;
        failure = verify(run(indexed_, query.projection, false, natural_hint()), false);
        if (!failure.empty()) return "hint {$natural: 1}: " + failure;
        if (failure = check_count(); !failure.empty()) return "count: " + failure;
        if (expected_.error != 0) return {};
        for (const bson::Document& index : indexes_) {
            const bool wildcard = key::index_type(index["key"].object()) == key::IndexType::wildcard;
            const bool incomplete =
                wildcard || index["sparse"].truthy() || index["partialFilterExpression"].is_object();
            bson::Builder hint;
            hint.append("$hint", index["name"].string());
            const Outcome hinted = run(indexed_, query.projection, false, hint.finish());
            if (wildcard && hinted.error == static_cast<int>(ErrorCode::no_query_execution_plans)) continue;
            failure = verify(hinted, incomplete);
            if (!failure.empty()) return "hint " + std::string(index["name"].string()) + ": " + failure;
            ++plans;
        }
        if (failure = check_trace(); !failure.empty()) return "trace: " + failure;
        return check_every_plan(plans);
    }

private:
    static bson::Document clustered_options() {
        return bson::from_json(R"({"clusteredIndex": {"v": 2, "key": {"_id": 1}, "name": "_id_", "unique": true}})");
    }

    static bson::Document natural_hint() {
        bson::Builder out;
        out.append("$natural", 1);
        return out.finish();
    }

    plan::FindRequest request(const bson::Document& projection, const bson::Document& hint) const {
        plan::FindRequest request;
        request.ns = indexed_.full();
        request.filter = query_->filter;
        request.projection = projection;
        request.sort = query_->sort;
        request.hint = hint;
        request.skip = query_->skip;
        request.limit = query_->limit;
        return request;
    }

    static Outcome rows_of(stage::PlanExecutor& executor) {
        Outcome outcome;
        stage::Member row;
        while (executor.next(row)) outcome.rows.emplace_back(row.document);
        return outcome;
    }

    // `whole` leaves sort, skip and limit out.
    Outcome run(const command::Namespace& ns, const bson::Document& projection, bool whole,
                const bson::Document& hint = {}) {
        command::QueryParameters parameters;
        parameters.ns = ns;
        parameters.request = request(projection, hint);
        parameters.collation = query_->collation;
        if (whole) {
            parameters.request.sort = {};
            parameters.request.skip = parameters.request.limit = 0;
        }
        try {
            return rows_of(*service_.open(std::move(parameters), interrupt_).executor);
        } catch (const Error& error) {
            return {{}, error.code(), error.what()};
        }
    }

    // The sort key of the document behind each row, found by _id. Rows without _id give none.
    // The code of the error, or 0.
    int sort_keys(const std::vector<bson::Document>& rows, std::vector<std::string>& out) {
        out.clear();
        if (query_->sort.empty()) return 0;
        try {
            const bson::CollatorPtr collator = query_->collation ? key::make_collator(*query_->collation) : nullptr;
            mql::SortKeyGenerator keys(mql::SortPattern::parse(query_->sort), collator);
            for (const bson::Document& row : rows) {
                const bson::Element id = row["_id"];
                if (id.missing()) return 0;
                out.emplace_back();
                keys.append_key(documents_.at(id.to_int64()), out.back());
            }
        } catch (const Error& error) {  // parallel arrays, ambiguous positions: the query itself fails then
            out.clear();
            return error.code();
        }
        return 0;
    }

    // Which document is met first depends on the plan.
    static bool is_sort_key_error(int code) { return code == 2 || code == 16746; }

    std::size_t expected_count(std::size_t all) const {
        const auto skip = static_cast<std::size_t>(query_->skip);
        const auto limit = static_cast<std::size_t>(query_->limit);
        const std::size_t left = all > skip ? all - skip : 0;
        return limit != 0 && limit < left ? limit : left;
    }

    // `incomplete`: the plan was forced onto an index that need not hold every document.
    std::string verify(const Outcome& got, bool incomplete) {
        if (expected_.error != 0 && got.error != expected_.error)
            return "error " + std::to_string(got.error) + " instead of " + std::to_string(expected_.error) + " " +
                   expected_.message;
        if (expected_.error != 0) return {};
        if (got.error != 0)
            return sort_error_ != 0 && is_sort_key_error(got.error)
                       ? ""
                       : "error " + std::to_string(got.error) + " " + got.message;
        // A look-up by _id finds one document at most and does not sort.
        const bool by_id = query_->filter.view().contains("_id") && got.rows.size() <= 1;
        if (sort_error_ != 0)
            return incomplete || by_id ? "" : "no error " + std::to_string(sort_error_) + " of the sort";
        const std::size_t count = expected_count(expected_.rows.size());
        if (incomplete ? got.rows.size() > count : got.rows.size() != count)
            return std::to_string(got.rows.size()) + " rows instead of " + std::to_string(count);

        std::map<std::string, int> left;
        for (const bson::Document& row : full_.rows) ++left[plain_form(row)];
        for (const bson::Document& row : got.rows)
            if (--left[plain_form(row)] < 0) return "a row too many: " + bson::to_json(row, bson::JsonMode::canonical);

        // A sparse index leaves out the null keys of an array whose other members have keys, and so orders it
        // differently.
        if (incomplete) return {};
        std::vector<std::string> keys;
        sort_keys(got.rows, keys);
        if (keys.size() != got.rows.size()) return {};
        for (std::size_t i = 0; i + 1 < keys.size(); ++i)
            if (keys[i] > keys[i + 1]) return "rows " + std::to_string(i) + " and the next are out of order";
        for (std::size_t i = 0; i < keys.size(); ++i)
            if (keys[i] != expected_keys_[i + static_cast<std::size_t>(query_->skip)])
                return "row " + std::to_string(i) + " has another sort key than that of the scan";
        return {};
    }

    std::string check_count() {
        command::QueryParameters parameters;
        parameters.ns = indexed_;
        parameters.request.filter = query_->filter;
        parameters.request.is_count = true;
        parameters.collation = query_->collation;
        parameters.count = plan::CountNode{};
        parameters.count->skip = query_->skip;
        parameters.count->limit = query_->limit;
        try {
            const command::RunningQuery running = service_.open(std::move(parameters), interrupt_);
            running.executor->run_to_end();
            const auto expected = static_cast<std::int64_t>(expected_count(expected_.rows.size()));
            if (running.executor->counted() == expected && expected_.error == 0) return {};
            return std::to_string(running.executor->counted()) + " instead of " + std::to_string(expected);
        } catch (const Error& error) {
            return error.code() == expected_.error ? "" : error.what();
        }
    }

    // The planner's record names every index and a reason for each that no plan uses, and planning is the same with it.
    std::string check_trace() {
        const plan::Catalog catalog = service_.find_collection(indexed_)->plan_catalog();
        const bson::CollatorPtr collator = query_->collation ? key::make_collator(*query_->collation) : nullptr;
        const auto canonical = plan::CanonicalQuery::make(request(query_->projection, {}), collator);
        plan::PlanningTrace trace;
        const std::size_t count = plan::traced_plan(*canonical, catalog, query_->knobs, &trace).size();
        if (plan::plan(*canonical, catalog, query_->knobs).size() != count) return "another number of plans";
        if (trace.indexes.size() != catalog.indexes.size()) return "not every index";
        for (const plan::IndexTrace& index : trace.indexes) {
            if (index.plans.empty() && index.findings.empty()) return "no reason for " + index.name;
            for (const plan::Finding& finding : index.findings)
                if (plan::text_of(finding).empty()) return "no text for " + index.name;
        }
        return {};
    }

    // Not only the winner: each solution of the planner alone.
    std::string check_every_plan(std::size_t& plans) {
        plan::Catalog catalog = service_.find_collection(indexed_)->plan_catalog();
        catalog.record_count = static_cast<std::int64_t>(documents_.size());
        const bson::CollatorPtr collator = query_->collation ? key::make_collator(*query_->collation) : nullptr;
        std::size_t count = 1;
        for (std::size_t i = 0; i < count; ++i) {
            // Solutions point into their query, and an executor takes its query over: planned again for each.
            auto canonical = plan::CanonicalQuery::make(request(query_->projection, {}), collator);
            std::vector<plan::Solution> solutions = plan::plan(*canonical, catalog, query_->knobs);
            count = solutions.size();
            std::vector<plan::Solution> one;
            one.push_back(std::move(solutions[i]));
            stage::ExecutorOptions options;
            options.knobs = std::make_shared<Knobs>(query_->knobs);
            options.interrupt = &interrupt_;
            Outcome outcome;
            try {
                outcome =
                    rows_of(*stage::make_executor_for(store_, catalog, std::move(canonical), std::move(one), options));
            } catch (const Error& error) {
                outcome = {{}, error.code(), error.what()};
            }
            const std::string failure = verify(outcome, false);
            if (!failure.empty()) return "plan " + std::to_string(i) + ": " + failure;
            ++plans;
        }
        return {};
    }

    store::MemoryStore store_;
    command::Service service_;
    const command::Namespace indexed_{"test", "indexed"};
    const command::Namespace plain_{"test", "plain"};
    Interrupt interrupt_;
    std::vector<bson::Document> indexes_;
    std::map<std::int64_t, bson::Document> documents_;

    const Query* query_ = nullptr;
    Outcome expected_;                        // every match, whole documents
    Outcome full_;                            // every match, projected
    std::vector<std::string> expected_keys_;  // in order
    int sort_error_ = 0;                      // of a document that has no sort key
};

}  // namespace ixora::test
