// A query over a hand-written catalog, planned without a store: Scenario().index("{a: 1}").find("{a: 1}").plans().
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ixora/key/key_pattern.hpp"
#include "ixora/mql/match_parser.hpp"
#include "ixora/mql/match_rewrite.hpp"
#include "ixora/mql/shell.hpp"
#include "ixora/plan/planner.hpp"
#include "plan_text.hpp"

namespace ixora::test {

using Texts = std::vector<std::string>;

inline bson::Document shell(std::string_view text) { return mql::parse_shell_document(text); }

class Scenario {
public:
    Scenario() {
        index("{_id: 1}").unique();
        newest_->name = "_id_";
    }

    // Adds an index; the calls after it change that index.
    Scenario& index(std::string_view key_pattern) {
        auto entry = std::make_shared<plan::IndexEntry>();
        entry->key_pattern = shell(key_pattern);
        entry->type = key::index_type(entry->key_pattern);
        entry->name = key::default_index_name(entry->key_pattern);
        entry->multikey_paths.resize(entry->field_count());
        newest_ = entry.get();
        catalog.indexes.push_back(std::move(entry));
        return *this;
    }
    Scenario& multikey(key::MultikeyPaths paths) {
        newest_->multikey = true;
        newest_->multikey_paths = std::move(paths);
        return *this;
    }
    Scenario& multikey_without_paths() { return multikey({}); }
    Scenario& wildcard(std::string_view projection, std::set<std::string, std::less<>> arrays) {
        newest_->wildcard = std::make_shared<plan::WildcardDetails>(
            plan::WildcardDetails{key::WildcardProjection(newest_->key_pattern, shell(projection)), std::move(arrays)});
        newest_->wildcard_position = key::wildcard_field_position(newest_->key_pattern);
        newest_->multikey = !newest_->wildcard->multikey_paths.empty();
        newest_->sparse = true;
        return *this;
    }
    Scenario& sparse() { return newest_->sparse = true, *this; }
    Scenario& unique() { return newest_->unique = true, *this; }
    Scenario& collated(bson::CollatorPtr of_index) { return newest_->collator = std::move(of_index), *this; }
    Scenario& partial(std::string_view filter) {
        newest_->partial_filter = mql::normalize(mql::parse_match(shell(filter)));
        return *this;
    }

    Scenario& find(std::string_view filter) { return request.filter = shell(filter), *this; }
    Scenario& sort(std::string_view sort) { return request.sort = shell(sort), *this; }
    Scenario& project(std::string_view projection) { return request.projection = shell(projection), *this; }
    Scenario& hint(std::string_view hint) { return request.hint = shell(hint), *this; }
    Scenario& min(std::string_view key) { return request.min = shell(key), *this; }
    Scenario& max(std::string_view key) { return request.max = shell(key), *this; }
    Scenario& skip(std::int64_t count) { return request.skip = count, *this; }
    Scenario& limit(std::int64_t count) { return request.limit = count, *this; }
    Scenario& count() { return request.is_count = true, *this; }

    const plan::CanonicalQuery& query() {
        canonical_ = plan::CanonicalQuery::make(request, collator);
        return *canonical_;
    }

    // plan() alone, whatever the shape of the query.
    std::vector<plan::Solution> solutions() { return plan::plan(query(), catalog, knobs); }
    Texts plans() { return texts(solutions()); }

    // What the executor would choose; of several plans of an $or branch it takes the first.
    Texts executor_plans() {
        query();
        switch (plan::choose_approach(*canonical_, catalog, knobs)) {
            case plan::Approach::eof: return {text_of(*plan::make_eof_solution().root)};
            case plan::Approach::id_hack: return {text_of(*plan::make_id_hack_solution(*canonical_, catalog).root)};
            case plan::Approach::subplan: return subplan();
            case plan::Approach::plan: break;
        }
        return texts(plan::plan(*canonical_, catalog, knobs));
    }

    // The first solution that becomes a COUNT_SCAN, or else all of them.
    Texts count_plans() {
        std::vector<plan::Solution> found = count().solutions();
        for (plan::Solution& solution : found)
            if (plan::convert_to_count_scan(solution)) return {text_of(*solution.root)};
        return texts(found);
    }

    plan::Catalog catalog;
    plan::FindRequest request;
    bson::CollatorPtr collator;
    Knobs knobs;

private:
    static Texts texts(const std::vector<plan::Solution>& solutions) {
        Texts out;
        for (const plan::Solution& solution : solutions) out.push_back(text_of(*solution.root));
        return out;
    }

    Texts subplan() {
        std::vector<plan::Solution> branches;
        for (const auto& child : canonical_->root().children) {
            const auto branch = plan::CanonicalQuery::make_branch(*canonical_, *child);
            branches.push_back(std::move(plan::plan(*branch, catalog, knobs).front()));
        }
        std::vector<const plan::SolutionOrigin*> origins;
        for (const plan::Solution& branch : branches) origins.push_back(&branch.origin);
        Texts out;
        if (const auto composite = plan::compose_subplan(*canonical_, catalog, knobs, origins)) {
            out = {text_of(*composite->root)};
        } else {
            out = texts(plan::plan(*canonical_, catalog, knobs));
        }
        for (std::string& text : out) text = "SUBPLAN(" + text + ")";
        return out;
    }

    plan::IndexEntry* newest_ = nullptr;
    std::shared_ptr<const plan::CanonicalQuery> canonical_;
};

}  // namespace ixora::test
