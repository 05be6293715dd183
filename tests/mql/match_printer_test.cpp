#include "ixora/mql/match_printer.hpp"

#include "catch.hpp"
#include "ixora/mql/match_parser.hpp"
#include "ixora/mql/match_rewrite.hpp"
#include "quoted_json.hpp"

using namespace ixora;
using tests::doc;
using tests::text_of;

TEST_CASE("every kind prints as explain shows it", "[match_printer]") {
    struct Case {
        const char* filter;
        const char* printed;
    };
    for (const auto& [filter, printed] : std::initializer_list<Case>{
             {"{}", "{}"},
             {"{'a': {'$lt': 1}}", "{'a':{'$lt':1}}"},
             {"{'a': {'$mod': [4, 1.7]}}", "{'a':{'$mod':[4,1]}}"},
             {"{'a': {'$size': 2.0}}", "{'a':{'$size':2}}"},
             {"{'a': {'$type': ['string', 'number', 'minKey', 1]}}", "{'a':{'$type':['number',-1,1,2]}}"},
             {"{'a': {'$bitsAnyClear': 10}}", "{'a':{'$bitsAnyClear':[1,3]}}"},
             {"{'a': {'$bitsAllClear': [5, 0, 70]}}", "{'a':{'$bitsAllClear':[5,0,70]}}"},
             {"{'a': {'$bitsAnySet': {'$binary': {'base64': 'AAE=', 'subType': '00'}}}}", "{'a':{'$bitsAnySet':[8]}}"},
             {"{'a': {'$elemMatch': {}}}", "{'a':{'$elemMatch':{}}}"},
             {"{'a': {'$elemMatch': {'b': 1, 'c': {'$gt': 2}}}}",
              "{'a':{'$elemMatch':{'$and':[{'b':{'$eq':1}},{'c':{'$gt':2}}]}}}"},
             {"{'a': {'$elemMatch': {'$gt': 1, '$lt': 5}}}", "{'a':{'$elemMatch':{'$lt':5,'$gt':1}}}"},
             {"{'a': {'$elemMatch': {'$not': {'$gt': 1, '$lt': 5}}}}",
              "{'a':{'$elemMatch':{'$not':{'$lt':5,'$gt':1}}}}"},
             {"{'a': {'$elemMatch': {'$nin': [1, 2]}}}", "{'a':{'$elemMatch':{'$not':{'$in':[1,2]}}}}"},
             {"{'a': {'$elemMatch': {'$all': []}}}", "{'a':{'$elemMatch':{'$alwaysFalse':1}}}"},
             {"{'a': {'$ne': 1}}", "{'a':{'$not':{'$eq':1}}}"},
             {"{'a': {'$exists': false}}", "{'a':{'$not':{'$exists':true}}}"},
             {"{'a': {'$not': {'$elemMatch': {'b': 1}}}}", "{'a':{'$not':{'$elemMatch':{'b':{'$eq':1}}}}}"},
             {"{'a': {'$not': {'$exists': false}}}", "{'$nor':[{'a':{'$not':{'$exists':true}}}]}"},
             {"{'a': {'$not': {'$not': {'$gt': 1}}}}", "{'$nor':[{'a':{'$not':{'$gt':1}}}]}"},
             {"{'$nor': [{'a': 1}, {'b': 2}]}", "{'$nor':[{'a':{'$eq':1}},{'b':{'$eq':2}}]}"},
             {"{'$nor': [{'$or': [{'a': 1}, {'b': 2}]}]}", "{'$nor':[{'$or':[{'a':{'$eq':1}},{'b':{'$eq':2}}]}]}"},
             {"{'a': {'$_internalExprGte': 'x'}}", "{'a':{'$_internalExprGte':'x'}}"},
             {"{'$sampleRate': 0.25}", "{'$expr':{'$lt':[{'$rand':{}},{'$const':0.25}]}}"},
         }) {
        CAPTURE(filter);
        CHECK(text_of(mql::print_match(*mql::normalize(mql::parse_match(doc(filter))))) == printed);
    }
}

TEST_CASE("types of printed numbers", "[match_printer]") {
    const auto canonical = [](const char* filter) {
        return bson::to_json(mql::print_match(*mql::parse_match(doc(filter))).view());
    };
    CHECK(canonical("{'a': {'$mod': [2, 1]}}") == R"({"a":{"$mod":[{"$numberLong":"2"},{"$numberLong":"1"}]}})");
    CHECK(canonical("{'a': {'$size': {'$numberLong': '3'}}}") == R"({"a":{"$size":{"$numberInt":"3"}}})");
    CHECK(canonical("{'a': {'$type': 'long'}}") == R"({"a":{"$type":[{"$numberInt":"18"}]}})");
    CHECK(canonical("{'a': {'$gt': {'$numberLong': '3'}}}") == R"({"a":{"$gt":{"$numberLong":"3"}}})");
}

TEST_CASE("a filter can be printed into another document", "[match_printer]") {
    bson::Builder out;
    mql::append_match(out, "filter", *mql::parse_match(doc("{'a': 1}")));
    mql::append_match(out, "empty", *mql::parse_match(doc("{}")));
    CHECK(text_of(out.finish()) == "{'filter':{'a':{'$eq':1}},'empty':{}}");
}
