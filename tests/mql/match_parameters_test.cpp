#include "ixora/mql/match_parameters.hpp"

#include "catch.hpp"
#include "ixora/base/error.hpp"
#include "ixora/bson/extended_json.hpp"
#include "ixora/mql/shell.hpp"

using namespace ixora;
using mql::MatchParameters;

namespace {

bson::Document shell(std::string_view text) { return mql::parse_shell_document(text); }

std::int64_t refusal(std::string_view filter) {
    try {
        MatchParameters parameters(shell(filter));
    } catch (const Error& error) {
        return error.code();
    }
    return 0;
}

}  // namespace

TEST_CASE("parameters are found wherever a value may stand") {
    const bson::Document filter =
        shell("{a: {$param: 'x'}, b: {$gt: {$param: 'y'}, $in: [1, {$param: 'x'}]}, $or: [{c: {d: {$param: 'z'}}}]}");
    MatchParameters parameters(filter);
    CHECK(parameters.size() == 3);
    CHECK(parameters.occurrences() == 4);
    CHECK(parameters.position("x") == 0);
    CHECK(parameters.position("z") == 2);
    CHECK_THROWS_AS(parameters.position("w"), Error);
    CHECK_THROWS_AS(parameters.check_bound(), Error);

    parameters.bind(0, 5);
    parameters.bind(1, std::string_view("text"));
    CHECK_THROWS_AS(parameters.check_bound(), Error);
    parameters.bind(2, shell("{n: [1]}"));
    CHECK_NOTHROW(parameters.check_bound());
    CHECK(bson::to_json(parameters.substitute(filter), bson::JsonMode::relaxed) ==
          R"({"a":5,"b":{"$gt":"text","$in":[1,5]},"$or":[{"c":{"d":{"n":[1]}}}]})");
    parameters.bind(0, bson::Value::null());
    CHECK(parameters.substitute(filter)["a"].is_null());

    // Values stay where they are when the object moves.
    MatchParameters moved = std::move(parameters);
    CHECK(moved.value(1).string() == "text");
    CHECK(MatchParameters(shell("{a: 1}")).empty());
}

TEST_CASE("a parameter without a name, or beside other fields, is refused") {
    CHECK(refusal("{a: {$param: 5}}") == 9);
    CHECK(refusal("{a: {$param: 'x', $gt: 1}}") == 9);
    CHECK(refusal("{$param: 'x'}") == 9);
    CHECK(refusal("{a: {$gt: 1, $param: 'x'}}") == 9);
    CHECK(refusal("{a: {$param: 'x'}}") == 0);
}
