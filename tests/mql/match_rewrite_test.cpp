#include "ixora/mql/match_rewrite.hpp"

#include "catch.hpp"
#include "ixora/mql/match_parser.hpp"
#include "ixora/mql/match_printer.hpp"
#include "quoted_json.hpp"

using namespace ixora;
using tests::doc;
using tests::text_of;

namespace {

std::string canonical(const std::string& filter) {
    return text_of(mql::print_match(*mql::normalize(mql::parse_match(doc(filter)))));
}

struct Case {
    const char* filter;
    const char* printed;
};

void check(std::initializer_list<Case> cases) {
    for (const auto& [filter, printed] : cases) {
        CAPTURE(filter);
        CHECK(canonical(filter) == printed);
    }
}

}  // namespace

TEST_CASE("canonical order of children", "[match_rewrite]") {
    check({
        {"{'b': 1, 'a': 1}", "{'$and':[{'a':{'$eq':1}},{'b':{'$eq':1}}]}"},
        {"{'a': {'$gt': 1, '$lt': 5}}", "{'$and':[{'a':{'$lt':5}},{'a':{'$gt':1}}]}"},
        {"{'a': {'$gte': 1, '$lte': 5}}", "{'$and':[{'a':{'$lte':5}},{'a':{'$gte':1}}]}"},
        {"{'z': 1, '$or': [{'b': 1}, {'a': {'$gt': 2}}]}",
         "{'$and':[{'$or':[{'b':{'$eq':1}},{'a':{'$gt':2}}]},{'z':{'$eq':1}}]}"},
        {"{'a': {'$ne': 1}, 'b': {'$in': [1, 2]}}", "{'$and':[{'b':{'$in':[1,2]}},{'a':{'$not':{'$eq':1}}}]}"},
        {"{'a': {'$exists': true}, 'b': {'$regularExpression': {'pattern': 'x', 'options': ''}}}",
         "{'$and':[{'b':{'$regex':'x'}},{'a':{'$exists':true}}]}"},
        {"{'$and': [{'a': 1}, {'a': 1}]}", "{'$and':[{'a':{'$eq':1}},{'a':{'$eq':1}}]}"},
        {"{'$and': [{'a': 5}, {'a': 2}]}", "{'$and':[{'a':{'$eq':5}},{'a':{'$eq':2}}]}"},
        {"{'a': {'$in': [7]}}", "{'a':{'$eq':7}}"},
        {"{'$or': [{'a': 1}]}", "{'a':{'$eq':1}}"},
        {"{'$nor': [{'a': 1}]}", "{'a':{'$not':{'$eq':1}}}"},
        {"{'a': {'$not': {'$gt': 1, '$lt': 5}}}", "{'$nor':[{'$and':[{'a':{'$lt':5}},{'a':{'$gt':1}}]}]}"},
        {"{'a': {'$all': [3]}}", "{'a':{'$eq':3}}"},
        {"{'a': {'$bitsAllSet': 1}, 'b': {'$mod': [2, 1]}, 'c': {'$size': 1}, 'd': {'$type': 2}}",
         "{'$and':[{'c':{'$size':1}},{'b':{'$mod':[2,1]}},{'a':{'$bitsAllSet':[0]}},{'d':{'$type':[2]}}]}"},
    });
    // Children compare pairwise, then by number.
    check({{"{'$or': [{'a': 1, 'c': 1}, {'a': 1, 'b': 1}, {'a': 1, 'b': 1, 'c': 1}]}",
            "{'$or':[{'$and':[{'a':{'$eq':1}},{'b':{'$eq':1}}]},"
            "{'$and':[{'a':{'$eq':1}},{'b':{'$eq':1}},{'c':{'$eq':1}}]},"
            "{'$and':[{'a':{'$eq':1}},{'c':{'$eq':1}}]}]}"}});
}

TEST_CASE("nested ANDs and ORs are absorbed at the end", "[match_rewrite]") {
    const auto optimized = [](const char* filter) {
        return text_of(mql::print_match(*mql::optimize(mql::parse_match(doc(filter)))));
    };
    CHECK(optimized("{'$and': [{'$and': [{'x': 1}, {'y': 1}]}, {'z': 1}]}") ==
          "{'$and':[{'z':{'$eq':1}},{'x':{'$eq':1}},{'y':{'$eq':1}}]}");
    CHECK(optimized("{'$or': [{'$or': [{'x': 1}, {'y': 1}]}, {'z': {'$gt': 1}}]}") ==
          "{'$or':[{'z':{'$gt':1}},{'x':{'$eq':1}},{'y':{'$eq':1}}]}");
    CHECK(optimized("{'$and': [{'$and': [{'$and': [{'a': 1}, {'b': 1}]}, {'c': 1}]}, {'d': 1}]}") ==
          "{'$and':[{'d':{'$eq':1}},{'c':{'$eq':1}},{'a':{'$eq':1}},{'b':{'$eq':1}}]}");
    CHECK(optimized("{'$nor': [{'$nor': [{'a': 1}, {'b': 1}]}, {'c': 1}]}") ==
          "{'$nor':[{'$nor':[{'a':{'$eq':1}},{'b':{'$eq':1}}]},{'c':{'$eq':1}}]}");
}

TEST_CASE("trivial children", "[match_rewrite]") {
    check({
        {"{'$and': [{}, {'a': 1}]}", "{'a':{'$eq':1}}"},
        {"{'$and': [{}, {}]}", "{}"},
        {"{'$and': [{'$alwaysTrue': 1}, {'a': 1}, {'b': 1}]}", "{'$and':[{'a':{'$eq':1}},{'b':{'$eq':1}}]}"},
        {"{'a': {'$all': []}, 'b': 1}", "{'$alwaysFalse':1}"},
        {"{'$or': [{'$alwaysFalse': 1}, {'a': 1}]}", "{'a':{'$eq':1}}"},
        {"{'$or': [{'$alwaysFalse': 1}, {'$alwaysFalse': 1}]}", "{'$alwaysFalse':1}"},
        {"{'$or': [{}, {'a': 1}]}", "{'$alwaysTrue':1}"},
        {"{'$nor': [{}]}", "{'$alwaysFalse':1}"},
        {"{'a': {'$in': []}}", "{'a':{'$in':[]}}"},
        {"{'a': {'$elemMatch': {'b': {'$all': []}}}}", "{'a':{'$elemMatch':{'$alwaysFalse':1}}}"},
        {"{'a': {'$in': [{'$regularExpression': {'pattern': 'x', 'options': 'i'}}]}}",
         "{'a':{'$regex':'x','$options':'i'}}"},
        {"{'a': {'$in': [1, 1.0]}}", "{'a':{'$eq':1}}"},
    });
}

TEST_CASE("an $or of equalities becomes $in", "[match_rewrite]") {
    check({
        {"{'$or': [{'a': 1}, {'a': 2}]}", "{'a':{'$in':[1,2]}}"},
        {"{'$or': [{'a': null}, {'a': []}]}", "{'a':{'$in':[null,[]]}}"},
        {"{'$or': [{'a': 2}, {'a': {'$regularExpression': {'pattern': 'x', 'options': ''}}}, {'a': 1}]}",
         "{'a':{'$in':[1,2,{'$regularExpression':{'pattern':'x','options':''}}]}}"},
        // One distinct value stays a list.
        {"{'$or': [{'a': 1}, {'a': 1}]}", "{'a':{'$in':[1]}}"},
        // One path only, that of the first eligible child; the result is one flat $or.
        {"{'$or': [{'a': 1}, {'b': 1}, {'a': 2}, {'b': 2}]}",
         "{'$or':[{'b':{'$eq':1}},{'b':{'$eq':2}},{'a':{'$in':[1,2]}}]}"},
        {"{'$or': [{'b': 1}, {'a': 1}, {'a': 2}]}", "{'$or':[{'a':{'$eq':1}},{'a':{'$eq':2}},{'b':{'$eq':1}}]}"},
        {"{'$or': [{'c': {'$gt': 1}}, {'a': 1}, {'a': 2}, {'b': {'$lt': 3}}]}",
         "{'$or':[{'b':{'$lt':3}},{'c':{'$gt':1}},{'a':{'$in':[1,2]}}]}"},
        // Not eligible: equality to a regex, anything but an equality.
        {"{'$or': [{'a': {'$eq': {'$regularExpression': {'pattern': 'x', 'options': ''}}}}, {'a': 1}]}",
         "{'$or':[{'a':{'$eq':{'$regularExpression':{'pattern':'x','options':''}}}},{'a':{'$eq':1}}]}"},
        {"{'$or': [{'a': {'$gt': 1}}, {'a': 1}]}", "{'$or':[{'a':{'$eq':1}},{'a':{'$gt':1}}]}"},
        {"{'$nor': [{'a': 1}, {'a': 2}]}", "{'$nor':[{'a':{'$eq':1}},{'a':{'$eq':2}}]}"},
        // Inner lists are built first and do not join.
        {"{'$or': [{'$or': [{'a': 1}, {'a': 2}]}, {'a': 3}]}", "{'$or':[{'a':{'$eq':3}},{'a':{'$in':[1,2]}}]}"},
    });
}

TEST_CASE("$expr brings predicates that an index can use", "[match_rewrite]") {
    check({
        {"{'$expr': {'$eq': ['$a', 1]}}",
         "{'$and':[{'$expr':{'$eq':['$a',{'$const':1}]}},{'a':{'$_internalExprEq':1}}]}"},
        {"{'$expr': {'$lt': [5, '$a.b']}}",
         "{'$and':[{'$expr':{'$lt':[{'$const':5},'$a.b']}},{'a.b':{'$_internalExprGt':5}}]}"},
        {"{'$expr': {'$and': [{'$gte': ['$a', 1]}, {'$ne': ['$b', 2]}]}}",
         "{'$and':[{'$expr':{'$and':[{'$gte':['$a',{'$const':1}]},{'$ne':['$b',{'$const':2}]}]}},{'a':{'$_"
         "internalExprGte':"
         "1}}]}"},
        {"{'$expr': {'$or': [{'$eq': ['$a', 1]}, {'$eq': ['$b', 2]}]}}",
         "{'$and':[{'$or':[{'a':{'$_internalExprEq':1}},{'b':{'$_internalExprEq':2}}]},{'$expr':{'$or':[{'$eq':['$a',{'"
         "$"
         "const':1}]},{'$eq':['$b',{'$const':2}]}]}}]}"},
        {"{'x': 1, '$expr': {'$eq': ['$a', {'$add': [1, 2]}]}}",
         "{'$and':[{'x':{'$eq':1}},{'$expr':{'$eq':['$a',{'$const':3}]}},{'a':{'$_internalExprEq':3}}]}"},
        // Nothing to derive.
        {"{'$expr': {'$or': [{'$eq': ['$a', 1]}, '$b']}}", "{'$expr':{'$or':[{'$eq':['$a',{'$const':1}]},'$b']}}"},
        {"{'$expr': {'$eq': ['$a', [1]]}}", "{'$expr':{'$eq':['$a',{'$const':[1]}]}}"},
        {"{'$expr': {'$eq': ['$a', '$b']}}", "{'$expr':{'$eq':['$a','$b']}}"},
        {"{'$expr': {'$eq': ['$$ROOT', 1]}}", "{'$expr':{'$eq':['$$ROOT',{'$const':1}]}}"},
    });
    CHECK_THROWS_WITH(canonical("{'$expr': {'$divide': [1, 0]}}"),
                      "Failed to optimize expression :: caused by :: can't $divide by zero");
}

TEST_CASE("wide and deep filters", "[match_rewrite]") {
    std::string wide = "{'$or': [{'a': 0}";
    for (int i = 1; i < 10000; ++i) wide += ", {'a': " + std::to_string(i) + "}";
    const auto list = mql::normalize(mql::parse_match(doc(wide + "]}")));
    CHECK(list->kind == mql::MatchKind::in);
    CHECK(list->in().equalities.size() == 10000);

    std::string deep = "{'$gt': 1}";
    for (int i = 0; i < 190; ++i) deep = "{'$not': " + deep + "}";
    CHECK(mql::normalize(mql::parse_match(doc("{'a': " + deep + "}")))->kind == mql::MatchKind::not_);

    std::string nested = "{'a': 1}";
    for (int i = 0; i < 95; ++i) nested = "{'$and': [" + nested + ", {'b': {'$gt': 2}}]}";
    CHECK(mql::normalize(mql::parse_match(doc(nested)))->children.size() == 96);
}

TEST_CASE("equivalence of trees", "[match_node]") {
    const auto same = [](const char* left, const char* right) {
        return mql::equivalent(*mql::parse_match(doc(left)), *mql::parse_match(doc(right)));
    };
    CHECK(same("{'a': 1, 'b': {'$in': [1, 2]}}", "{'a': 1.0, 'b': {'$in': [2, 1]}}"));
    CHECK_FALSE(same("{'a': 1}", "{'a': 2}"));
    CHECK_FALSE(same("{'a': 1}", "{'b': 1}"));
    CHECK_FALSE(same("{'a': {'$gt': 1}}", "{'a': {'$gte': 1}}"));
    CHECK_FALSE(same("{'a': {'$type': 1}}", "{'a': {'$type': [1, 2]}}"));
    CHECK_FALSE(same("{'a': {'$mod': [2, 1]}}", "{'a': {'$mod': [2, 0]}}"));
    CHECK_FALSE(same("{'$or': [{'a': 1}, {'b': 1}]}", "{'$or': [{'a': 1}]}"));
    CHECK(same("{'$expr': {'$eq': ['$a', 1]}}", "{'$expr': {'$eq': ['$a', 1]}}"));
    CHECK_FALSE(same("{'$expr': {'$eq': ['$a', 1]}}", "{'$expr': {'$eq': ['$b', 1]}}"));
    const auto tree =
        mql::parse_match(doc("{'$or': [{'a': {'$in': [1, null]}}, {'b': {'$elemMatch': {'c': {'$size': 2}}}}]}"));
    CHECK(mql::equivalent(*tree, *tree->clone()));
}
