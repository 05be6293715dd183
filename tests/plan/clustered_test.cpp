// Plans over a clustered collection (planner.md 6.14).
#include "catch.hpp"
#include "sample_collator.hpp"
#include "scenario.hpp"

using namespace ixora;
using test::Scenario;
using test::Texts;

namespace {

// Clustered by _id, with an index on `a`.
struct Clustered : Scenario {
    Clustered() {
        catalog.indexes.clear();
        catalog.clustered = plan::ClusteredIndex{"cix", test::shell("{_id: 1}")};
        index("{a: 1}");
    }
};

Texts plans(std::string_view filter) { return Clustered().find(filter).plans(); }

int failure(Scenario& scenario) {
    try {
        scenario.plans();
    } catch (const Error& error) {
        return error.code();
    }
    return 0;
}

}  // namespace

TEST_CASE("predicates on the cluster key bound the scan, and stay its filter", "[clustered]") {
    CHECK(plans("{_id: 5}") == Texts{"COLLSCAN{_id: {$eq: 5}} from 5 to 5"});
    CHECK(plans("{_id: {$lt: 5}}") == Texts{"COLLSCAN{_id: {$lt: 5}} from nan.0 to 5"});
    CHECK(plans("{_id: {$lte: 5}}") == Texts{"COLLSCAN{_id: {$lte: 5}} from nan.0 to 5"});
    CHECK(plans("{_id: {$gt: 'x'}}") == Texts{R"(COLLSCAN{_id: {$gt: "x"}} from "x" to {})"});
    CHECK(plans("{_id: {$in: [7, 3, 5]}}") == Texts{"COLLSCAN{_id: {$in: [3, 5, 7]}} from 3 to 7"});
    CHECK(plans("{_id: {$gt: 3, $lte: 9, $lt: 12}}") ==
          Texts{"COLLSCAN{$and: [{_id: {$lte: 9}}, {_id: {$lt: 12}}, {_id: {$gt: 3}}]} from 3 to 9"});
    CHECK(plans("{_id: {$gt: 9, $lt: 3}}") == Texts{"COLLSCAN{$and: [{_id: {$lt: 3}}, {_id: {$gt: 9}}]} from 9 to 3"});
    CHECK(plans("{_id: null}") == Texts{"COLLSCAN{_id: {$eq: null}} from null to null"});
}

TEST_CASE("predicates that give no range of ids leave the scan whole", "[clustered]") {
    CHECK(plans("{_id: {$ne: 3}}") == Texts{"COLLSCAN{_id: {$not: {$eq: 3}}}"});
    CHECK(plans("{_id: {$exists: true}}") == Texts{"COLLSCAN{_id: {$exists: true}}"});
    CHECK(plans("{_id: {$in: [1, /x/]}}") == Texts{"COLLSCAN{_id: {$in: [1, /x/]}}"});
    CHECK(plans("{'_id.x': 5}") == Texts{"COLLSCAN{_id.x: {$eq: 5}}"});
    CHECK(plans("{$or: [{_id: 1}, {b: 2}]}") == Texts{"COLLSCAN{$or: [{_id: {$eq: 1}}, {b: {$eq: 2}}]}"});
    // Every type comes behind MinKey.
    CHECK(plans("{_id: {$gt: MinKey()}}") == Texts{"COLLSCAN{_id: {$gt: MinKey}} from MinKey"});
    CHECK(plans("{_id: {$lte: MaxKey()}}") == Texts{"COLLSCAN{_id: {$lte: MaxKey}} to MaxKey"});
}

TEST_CASE("a bounded scan competes with the indexes, an unbounded one does not", "[clustered]") {
    CHECK(plans("{a: 4, _id: {$lt: 60}}") ==
          Texts{"FETCH{_id: {$lt: 60}}(IXSCAN a_1[a: [4, 4]])",
                "COLLSCAN{$and: [{a: {$eq: 4}}, {_id: {$lt: 60}}]} from nan.0 to 60"});
    CHECK(plans("{a: 4, b: 1}") == Texts{"FETCH{b: {$eq: 1}}(IXSCAN a_1[a: [4, 4]])"});
    CHECK(Clustered().find("{_id: 5}").executor_plans() == Texts{"COLLSCAN{_id: {$eq: 5}} from 5 to 5"});
}

TEST_CASE("the scan gives the order of the cluster key, either way", "[clustered]") {
    CHECK(Clustered().sort("{_id: 1}").plans() == Texts{"COLLSCAN"});
    CHECK(Clustered().sort("{_id: -1}").plans() == Texts{"COLLSCAN backward"});
    CHECK(Clustered().find("{_id: {$gt: 5}}").sort("{_id: -1}").plans() ==
          Texts{"COLLSCAN{_id: {$gt: 5}} backward from 5 to inf.0"});
    CHECK(Clustered().sort("{_id: 1, a: 1}").plans() == Texts{"SORT simple(COLLSCAN)"});
    CHECK(Clustered().find("{a: 3}").sort("{_id: 1}").plans() ==
          Texts{"SORT simple(FETCH(IXSCAN a_1[a: [3, 3]]))", "COLLSCAN{a: {$eq: 3}}"});
    // Even beside an index that gives the order.
    CHECK(Clustered().index("{a: 1, _id: 1}").find("{a: 3}").sort("{_id: 1}").plans().back() ==
          "COLLSCAN{a: {$eq: 3}}");
}

TEST_CASE("a hint by name or key, and a natural one", "[clustered]") {
    for (const char* hint : {"{$hint: 'cix'}", "{_id: 1}"}) {
        CHECK(Clustered().find("{a: 3}").hint(hint).plans() == Texts{"COLLSCAN{a: {$eq: 3}}"});
        CHECK(Clustered().find("{_id: 3}").hint(hint).plans() == Texts{"COLLSCAN{_id: {$eq: 3}} from 3 to 3"});
        CHECK(Clustered().find("{a: 3}").hint(hint).sort("{_id: -1}").plans() ==
              Texts{"COLLSCAN{a: {$eq: 3}} backward"});
    }
    CHECK(failure(Clustered().hint("{_id: -1}")) == 2);
    CHECK(failure(Clustered().hint("{$hint: '_id_'}")) == 2);
    CHECK(Clustered().find("{_id: 3}").hint("{$natural: -1}").plans() ==
          Texts{"COLLSCAN{_id: {$eq: 3}} backward from 3 to 3"});
    CHECK(Clustered().hint("{$natural: 1}").sort("{_id: -1}").plans() == Texts{"SORT simple(COLLSCAN)"});
    CHECK(Clustered().hint("{$natural: -1}").sort("{_id: -1}").plans() == Texts{"COLLSCAN backward"});
}

TEST_CASE("min and max of the hinted clustered index", "[clustered]") {
    const auto hinted = [] {
        Clustered clustered;
        clustered.hint("{_id: 1}");
        return clustered;
    };
    CHECK(hinted().min("{_id: 10}").plans() == Texts{"COLLSCAN from 10"});
    CHECK(hinted().min("{_id: 10}").max("{_id: 20}").plans() == Texts{"COLLSCAN from 10 before 20"});
    CHECK(hinted().max("{_id: 20}").find("{_id: {$gt: 15}}").plans() ==
          Texts{"COLLSCAN{_id: {$gt: 15}} from 15 before 20"});
    CHECK(failure(hinted().min("{_id: 20}").max("{_id: 20}")) == 6137401);
    CHECK(failure(hinted().min("{_id: 20}").max("{_id: 10}")) == 6137401);
    CHECK(failure(hinted().min("{a: 1}")) == 6137400);
    CHECK(failure(hinted().min("{_id: 1, a: 1}")) == 6137400);
    CHECK(failure(hinted().min("{_id: 1}").sort("{_id: -1}")) == 6137402);
    CHECK(failure(Clustered().min("{_id: 1}")) == 51173);
}

TEST_CASE("another collation than the collection's: strings bound nothing, and numbers keep the order", "[clustered]") {
    const auto collated = [] {
        Clustered clustered;
        clustered.collator = test::case_blind();
        return clustered;
    };
    CHECK(collated().find("{_id: 'x'}").plans() == Texts{R"(COLLSCAN{_id: {$eq: "x"}})"});
    CHECK(collated().find("{_id: {$in: [1, 'x']}}").plans() == Texts{R"(COLLSCAN{_id: {$in: [1, "x"]}})"});
    CHECK(collated().find("{_id: {$gt: 5}}").sort("{_id: 1}").plans() ==
          Texts{"COLLSCAN{_id: {$gt: 5}} from 5 to inf.0"});
    CHECK(collated().find("{_id: {$gt: 5}}").sort("{_id: -1}").plans() ==
          Texts{"COLLSCAN{_id: {$gt: 5}} backward from 5 to inf.0"});
    CHECK(collated().sort("{_id: 1}").plans() == Texts{"SORT simple(COLLSCAN)"});
    CHECK(failure(collated().hint("{_id: 1}").min("{_id: 'x'}")) == 6137400);
}

TEST_CASE("the collection's own collation: bounds are collation keys", "[clustered]") {
    Clustered clustered;
    clustered.collator = clustered.catalog.collator = test::case_blind();
    CHECK(clustered.find("{_id: 'X'}").plans() == Texts{R"(COLLSCAN{_id: {$eq: "X"}} from "x" to "x")"});
    CHECK(clustered.find("{}").sort("{_id: -1}").plans() == Texts{"COLLSCAN backward"});
}

TEST_CASE("notablescan lets bounded scans and hints pass", "[clustered]") {
    Clustered clustered;
    clustered.knobs.notablescan = true;
    CHECK(clustered.find("{_id: 3}").plans().size() == 1);
    CHECK(failure(clustered.find("{b: 3}")) == 291);
    CHECK(clustered.hint("{_id: 1}").plans().size() == 1);
}
