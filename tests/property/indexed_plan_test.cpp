// An indexed plan returns what a collection scan returns, for random documents, indexes and queries.
//
//   IXORA_PROPERTY_RUNS=200000 test_property    as many (documents, indexes, query) triples
//   IXORA_PROPERTY_SEED=7 test_property         the seed that a failure has printed
#include <cstdlib>
#include <iostream>

#include "catch.hpp"
#include "world.hpp"

using namespace ixora;
using namespace ixora::test;

namespace {

constexpr std::size_t queries_per_world = 20;
constexpr std::size_t default_runs = 3000;

std::string failure_of(const Case& test) {
    std::size_t plans = 0;
    return World(test.documents, test.indexes, test.clustered).check(test.query, plans);
}

// Leaves out members of `list` one by one as long as the case still fails.
template <class T>
void shrink_list(Case& test, std::vector<T> Case::*list) {
    for (std::size_t i = 0; i < (test.*list).size();) {
        Case smaller = test;
        (smaller.*list).erase((smaller.*list).begin() + static_cast<std::ptrdiff_t>(i));
        if (failure_of(smaller).empty())
            ++i;
        else
            test = std::move(smaller);
    }
}

void try_query(Case& test, const Query& query) {
    Case smaller = test;
    smaller.query = query;
    if (!failure_of(smaller).empty()) test = std::move(smaller);
}

bson::Document without_field(bson::View document, std::size_t position) {
    bson::Builder out;
    std::size_t i = 0;
    for (const bson::Element& field : document)
        if (i++ != position) out.append_element(field);
    return out.finish();
}

void shrink(Case& test) {
    shrink_list(test, &Case::indexes);
    shrink_list(test, &Case::documents);
    Query query = test.query;
    query.projection = {};
    try_query(test, query);
    query = test.query;
    query.sort = {};
    try_query(test, query);
    query = test.query;
    query.skip = query.limit = 0;
    try_query(test, query);
    query = test.query;
    query.collation.reset();
    try_query(test, query);
    query = test.query;
    query.knobs = {};
    try_query(test, query);
    for (std::size_t i = test.query.filter.view().field_count(); i-- > 0;) {
        query = test.query;
        query.filter = without_field(query.filter, i);
        try_query(test, query);
    }
    for (std::size_t i = 0; i < test.documents.size(); ++i) {
        for (std::size_t field = test.documents[i].view().field_count(); field-- > 1;) {
            Case smaller = test;
            smaller.documents[i] = without_field(smaller.documents[i], field);
            if (!failure_of(smaller).empty()) test = std::move(smaller);
        }
    }
}

// The case as input of `ixora run`.
std::string commands(const Case& test) {
    const auto json = [](bson::View document) { return bson::to_json(document, bson::JsonMode::canonical); };
    std::string out;
    if (test.clustered)
        out += R"({"create": "c", "clusteredIndex": {"key": {"_id": 1}, "unique": true}, "$db": "test"})"
               "\n";
    for (const bson::Document& index : test.indexes)
        out += R"({"createIndexes": "c", "indexes": [)" + json(index) + R"(], "$db": "test"})" + "\n";
    for (const bson::Document& document : test.documents)
        out += R"({"insert": "c", "documents": [)" + json(document) + R"(], "$db": "test"})" + "\n";
    const Query& query = test.query;
    out += R"({"find": "c", "filter": )" + json(query.filter);
    if (!query.projection.empty()) out += R"(, "projection": )" + json(query.projection);
    if (!query.sort.empty()) out += R"(, "sort": )" + json(query.sort);
    if (query.skip > 0) out += R"(, "skip": )" + std::to_string(query.skip);
    if (query.limit > 0) out += R"(, "limit": )" + std::to_string(query.limit);
    if (query.collation) out += R"(, "collation": )" + json(*query.collation);
    out += R"(, "$db": "test"})";
    const Knobs& knobs = query.knobs;
    out += "\nknobs: intersection " + std::to_string(knobs.internalQueryForceIntersectionPlans) + ", hash " +
           std::to_string(knobs.internalQueryPlannerEnableHashIntersection) + ", lockstep " +
           std::to_string(knobs.internalQueryEnumerationPreferLockstepOrEnumeration) + ", covered whole scans " +
           std::to_string(knobs.internalQueryPlannerGenerateCoveredWholeIndexScans) + ", yield " +
           std::to_string(knobs.internalQueryExecYieldIterations) + "\n";
    return out;
}

std::size_t runs() {
    const char* given = std::getenv("IXORA_PROPERTY_RUNS");
    return given == nullptr ? default_runs : std::strtoull(given, nullptr, 10);
}

// Stops at the first failure.
void check_property(std::uint64_t seed, std::size_t triples) {
    std::size_t plans = 0, worlds = 0;
    for (std::size_t done = 0; done < triples; ++worlds) {
        Generator generate(seed + worlds * 0x9E3779B97F4A7C15U);
        Case test;
        const std::size_t documents = generate.below(40);
        for (std::size_t i = 0; i < documents; ++i) test.documents.push_back(generate.document(static_cast<int>(i)));
        const std::size_t indexes = 1 + generate.below(5);
        for (std::size_t i = 0; i < indexes; ++i) test.indexes.push_back(generate.index());
        test.clustered = generate.one_in(4);
        World world(test.documents, test.indexes, test.clustered);
        for (std::size_t i = 0; i < queries_per_world && done < triples; ++i, ++done) {
            test.query = random_query(generate);
            std::string failure = world.check(test.query, plans);
            if (failure.empty()) continue;
            shrink(test);
            if (const std::string smaller = failure_of(test); !smaller.empty()) failure = smaller;
            FAIL("seed " << seed << ", triple " << done << ": " << failure << "\n" << commands(test));
        }
    }
    std::cout << "seed " << seed << ": " << triples << " triples, " << plans << " plans agree with a collection scan\n";
    CHECK(plans >= triples);
}

}  // namespace

TEST_CASE("an indexed plan returns what a collection scan returns") {
    if (const char* seed = std::getenv("IXORA_PROPERTY_SEED"); seed != nullptr)
        return check_property(std::strtoull(seed, nullptr, 10), runs());
    check_property(1, runs() / 2);
    check_property(std::random_device{}(), runs() - runs() / 2);
}
