// Prepared finds, and finds that take over the plan of an earlier one of their form: always the rows of the plain find,
// and no planning where nothing has changed.
#include <algorithm>
#include <random>

#include "commands.hpp"

using namespace ixora;
using namespace ixora::literals;
using ixora::test::json;

namespace {

bson::Document shell(std::string_view text) { return mql::parse_shell_document(text); }

// All rows, one behind the other in the order of their texts: that of a plan does not matter here.
template <class Rows>
std::string sorted(Rows&& rows) {
    std::vector<std::string> texts;
    for (const bson::View row : rows) texts.push_back(json(row));
    std::sort(texts.begin(), texts.end());
    std::string out;
    for (const std::string& text : texts) out += text;
    return out;
}

std::string rows_of(PreparedFind& find) { return sorted(find.rows()); }
std::string rows_of(Find find) { return sorted(find); }

bool is_planned(Find find) {
    RowCursor cursor = find.rows();
    while (cursor.next()) {
    }
    return cursor.was_planned();
}

// _id 0 ... 99, a is _id % 10, b is _id / 10.
CollectionHandle filled(Database& db) {
    CollectionHandle c = db.collection("c");
    for (int i = 0; i < 100; ++i) {
        bson::Builder document;
        document.append("_id", i);
        document.append("a", i % 10);
        document.append("b", i / 10);
        c.insert(document.finish());
    }
    return c;
}

int code_of(const std::function<void()>& body) {
    try {
        body();
    } catch (const Error& error) {
        return error.code();
    }
    return 0;
}

}  // namespace

TEST_CASE("a prepared find plans once and runs for every value") {
    Database db;
    CollectionHandle c = filled(db);
    c.create_index("{a: 1}"_bson);
    PreparedFind find =
        c.find(shell("{a: {$param: 'a'}, b: {$gte: {$param: 'low'}}}")).sort("{b: 1}"_bson).limit(2).prepare();
    find.bind("a", 3).bind("low", 5);
    CHECK(rows_of(find) == R"({"_id":53,"a":3,"b":5}{"_id":63,"a":3,"b":6})");
    CHECK(find.was_planned());
    CHECK(rows_of(find) == R"({"_id":53,"a":3,"b":5}{"_id":63,"a":3,"b":6})");
    CHECK_FALSE(find.was_planned());
    find.bind("a", 4.0).bind("low", std::int64_t{8});
    CHECK(rows_of(find) == R"({"_id":84,"a":4,"b":8}{"_id":94,"a":4,"b":9})");
    CHECK_FALSE(find.was_planned());
    CHECK(rows_of(find.bind("low", 100)).empty());
    CHECK_FALSE(find.was_planned());
    // A run that is given up.
    CHECK(find.bind("low", 0).rows().next());
    CHECK(rows_of(find.bind("low", 9)) == R"({"_id":94,"a":4,"b":9})");
}

TEST_CASE("values that the planner looks at are planned for") {
    Database db;
    CollectionHandle c = filled(db);
    c.create_index("{a: 1}"_bson);
    c.insert("{_id: 'null', a: null}"_bson);
    c.insert("{_id: 'missing'}"_bson);
    c.insert("{_id: 'text', a: 'xyz'}"_bson);
    c.insert("{_id: 'array', a: [1000, 2000]}"_bson);
    c.insert("{_id: 'object', a: {b: 1}}"_bson);
    PreparedFind find = c.prepare(shell("{a: {$param: 'a'}}"));
    const auto check = [&](std::string_view value) {
        INFO(value);
        const bson::Document document = shell(value);
        CHECK(rows_of(find.bind("a", document["a"])) == rows_of(c.find(document)));
    };
    for (int round = 0; round < 2; ++round)
        for (const char* value :
             {"{a: 5}", "{a: null}", "{a: 'xyz'}", "{a: /^x/}", "{a: [1000, 2000]}", "{a: 2000}", "{a: {b: 1}}",
              "{a: {$gt: 1500}}", "{a: {$in: [1, null]}}", "{a: NaN}", "{a: 7.0}", "{a: MinKey}", "{a: true}"})
            check(value);
}

TEST_CASE("changes of the indexes make a prepared find plan again") {
    Database db;
    CollectionHandle c = filled(db);
    PreparedFind find = c.prepare(shell("{a: {$param: 'a'}, b: {$lt: {$param: 'b'}}}"));
    find.bind("a", 1).bind("b", 2);
    const std::string expected = R"({"_id":1,"a":1,"b":0}{"_id":11,"a":1,"b":1})";
    const auto runs = [&](bool planned) {
        CHECK(rows_of(find) == expected);
        CHECK(find.was_planned() == planned);
    };
    runs(true);
    runs(false);
    c.create_index("{a: 1}"_bson);
    runs(true);
    runs(false);
    // An array in the index: its keys have to be told apart from then on.
    c.insert("{_id: 'array', a: [1, 7], b: 1}"_bson);
    find.bind("b", 1);
    CHECK(rows_of(find) == R"({"_id":1,"a":1,"b":0})");
    CHECK(find.was_planned());
    find.bind("a", 7).bind("b", 2);
    CHECK(rows_of(find) == R"({"_id":"array","a":[1,7],"b":1}{"_id":17,"a":7,"b":1}{"_id":7,"a":7,"b":0})");
    CHECK_FALSE(find.was_planned());
    db.run_command(shell("{dropIndexes: 'c', index: 'a_1', $db: 'test'}"));
    CHECK(rows_of(find) == R"({"_id":"array","a":[1,7],"b":1}{"_id":17,"a":7,"b":1}{"_id":7,"a":7,"b":0})");
    CHECK(find.was_planned());
    // Hidden indexes, knobs, another collection of the same name, none at all.
    c.create_index("{a: 1}"_bson, "{hidden: true}"_bson);
    rows_of(find);
    db.run_command(shell("{collMod: 'c', index: {name: 'a_1', hidden: false}, $db: 'test'}"));
    rows_of(find);
    CHECK(find.was_planned());
    Knobs knobs = db.knobs();
    knobs.internalQueryPlannerMaxIndexedSolutions = 0;
    db.set_knobs(knobs);
    rows_of(find);
    CHECK(find.was_planned());
    c.drop();
    CHECK(rows_of(find).empty());
    c.insert("{_id: 5, a: 7, b: 0}"_bson);
    CHECK(rows_of(find) == R"({"_id":5,"a":7,"b":0})");
}

TEST_CASE("an _id is looked up directly") {
    Database db;
    CollectionHandle c = db.collection("c");
    PreparedFind find = c.prepare(shell("{_id: {$param: 'id'}}"));
    CHECK(rows_of(find.bind("id", 5)).empty());  // no collection yet
    filled(db);
    c.insert("{_id: 'text', a: 1}"_bson);
    c.insert("{_id: null, a: 2}"_bson);
    c.insert("{_id: {x: 1}, a: 3}"_bson);
    const auto check = [&](std::string_view filter) {
        INFO(filter);
        const bson::Document document = shell(filter);
        const std::string rows = rows_of(find.bind("id", document["_id"]));
        CHECK(rows == rows_of(c.find(document)));
        return rows;
    };
    CHECK(check("{_id: 5}") == R"({"_id":5,"a":5,"b":0})");
    CHECK(check("{_id: 5.0}") == R"({"_id":5,"a":5,"b":0})");
    CHECK(check("{_id: 500}").empty());
    CHECK_FALSE(check("{_id: 'text'}").empty());
    CHECK_FALSE(check("{_id: null}").empty());
    CHECK_FALSE(check("{_id: {x: 1}}").empty());
    CHECK(check("{_id: /x/}") == R"({"_id":"text","a":1})");
    check("{_id: {$gt: 97}}");
    // What was written since is seen, also by a run that gave its rows half.
    CHECK(find.bind("id", 1000).rows().next() == std::nullopt);
    c.insert("{_id: 1000}"_bson);
    CHECK(rows_of(find) == R"({"_id":1000})");
    PreparedFind::Rows rows = find.rows();
    CHECK(rows.next());
    CHECK(rows_of(find.bind("id", 7)) == R"({"_id":7,"a":7,"b":0})");
    c.drop();
    CHECK(rows_of(find).empty());
    c.insert("{_id: 7}"_bson);
    CHECK(rows_of(find) == R"({"_id":7})");
    PreparedFind projected = c.find(shell("{_id: {$param: 'id'}}")).project("{_id: 0}"_bson).prepare();
    CHECK(rows_of(projected.bind("id", 7)) == "{}");
    PreparedFind skipped = c.find(shell("{_id: {$param: 'id'}}")).skip(1).prepare();
    CHECK(rows_of(skipped.bind("id", 7)).empty());
}

TEST_CASE("an _id under the collection's collation") {
    ixora::test::Commands run;
    run.ok("{create: 'c', collation: {locale: 'en', strength: 2}}");
    CollectionHandle c = run.database.collection("c");
    c.insert("{_id: 'a', n: 1}"_bson);
    PreparedFind find = c.prepare(shell("{_id: {$param: 'id'}}"));
    CHECK(rows_of(find.bind("id", "A")) == R"({"_id":"a","n":1})");
    PreparedFind simple = c.find(shell("{_id: {$param: 'id'}}")).collation("{locale: 'simple'}"_bson).prepare();
    CHECK(rows_of(simple.bind("id", "A")).empty());
    CHECK(rows_of(simple.bind("id", "a")) == R"({"_id":"a","n":1})");
}

TEST_CASE("errors of prepared finds") {
    Database db;
    CollectionHandle c = filled(db);
    CHECK(code_of([&] { c.prepare(shell("{a: {$param: 1}}")); }) == 9);
    PreparedFind find = c.prepare(shell("{a: {$param: 'a'}, b: {$param: 'b'}}"));
    CHECK(code_of([&] { find.bind("c", 1); }) == 2);
    CHECK(code_of([&] { find.rows(); }) == 2);
    find.bind("a", 1);
    CHECK(code_of([&] { find.rows(); }) == 2);
    find.bind("b", 0);
    CHECK(rows_of(find) == R"({"_id":1,"a":1,"b":0})");
    PreparedFind wrong = c.prepare(shell("{a: {$nope: {$param: 'a'}}}"));
    CHECK(code_of([&] { wrong.bind("a", 1).rows(); }) == 2);
    // To a plain find it is an operator that nobody knows.
    CHECK(code_of([&] { c.find(shell("{a: {$param: 'a'}}")).rows(); }) == 2);
}

TEST_CASE("a find of a form that was planned before is not planned again") {
    Database db;
    CollectionHandle c = filled(db);
    c.create_index("{a: 1}"_bson);
    CHECK(is_planned(c.find("{a: 1}"_bson)));
    CHECK_FALSE(is_planned(c.find("{a: 2}"_bson)));
    CHECK(is_planned(c.find("{a: 'x'}"_bson)));
    CHECK(is_planned(c.find("{a: {$gt: 1}}"_bson)));
    CHECK_FALSE(is_planned(c.find("{a: {$gt: 2}}"_bson)));
    // Two indexes: the second trial makes the plan trusted, the first query after it puts it together.
    c.create_index("{b: 1}"_bson);
    for (const bool planned : {true, true, false, false, false})
        CHECK(is_planned(c.find("{a: 1, b: 2}"_bson)) == planned);
    CHECK_FALSE(is_planned(c.find("{a: 3, b: 4}"_bson)));
    db.run_command(shell("{planCacheClear: 'c', $db: 'test'}"));
    CHECK(is_planned(c.find("{a: 3, b: 4}"_bson)));
    Knobs knobs = db.knobs();
    knobs.internalQueryDisablePlanCache = true;
    db.set_knobs(knobs);
    CHECK(is_planned(c.find("{a: 2}"_bson)));
    CHECK(is_planned(c.find("{a: 2}"_bson)));
}

TEST_CASE("prepared finds give the rows of plain ones, whatever happens in between") {
    const unsigned seed = GENERATE(1U, 2U, 3U);
    INFO("seed " << seed);
    std::mt19937 random(seed);
    const auto pick = [&random](int below) { return static_cast<int>(random() % static_cast<unsigned>(below)); };
    const auto value = [&]() -> std::string {
        switch (pick(14)) {
            case 0: return "null";
            case 1: return "'x'";
            case 2: return "[1, 2]";
            case 3: return "[]";
            case 4: return "{$gt: 2}";
            case 5: return "/x/";
            case 6: return std::to_string(pick(6)) + ".5";
            default: return std::to_string(pick(6));
        }
    };
    Database db;
    CollectionHandle c = db.collection("c");
    std::vector<std::string> filters{"{a: {$param: 'p'}}",
                                     "{a: {$param: 'p'}, b: {$gte: {$param: 'q'}}}",
                                     "{a: {$gt: {$param: 'p'}, $lt: {$param: 'q'}}}",
                                     "{a: {$lte: {$param: 'p'}}, b: {$param: 'q'}, c: 1}",
                                     "{a: {$elemMatch: {$gte: {$param: 'p'}}}}",
                                     "{$or: [{a: {$param: 'p'}}, {b: {$param: 'q'}}]}",
                                     "{a: {$in: [{$param: 'p'}, 3]}, b: {$ne: {$param: 'q'}}}",
                                     "{_id: {$param: 'p'}}"};
    std::vector<PreparedFind> prepared;
    for (const std::string& filter : filters) prepared.push_back(c.prepare(shell(filter)));
    const std::vector<std::string> indexes{"{a: 1}", "{b: 1, a: 1}", "{a: -1, c: 1}", "{c: 1}"};
    std::string last_id = "0";
    int reused = 0;
    for (int round = 0, id = 0; round < 400; ++round) {
        const int what = pick(12);
        if (what < 4) {
            const auto stored = [&] {
                return pick(10) == 0 ? "[1, 4]" : pick(10) == 0 ? "'x'" : std::to_string(pick(6));
            };
            c.insert(shell("{_id: " + std::to_string(id++) + ", a: " + stored() + ", b: " + stored() + ", c: 1}"));
        } else if (what == 4 && pick(8) == 0) {
            c.create_index(shell(indexes[static_cast<std::size_t>(pick(4))]));
        } else if (what == 5 && pick(20) == 0) {
            db.run_command(shell("{dropIndexes: 'c', index: '*', $db: 'test'}"));
        }
        const auto which = static_cast<std::size_t>(pick(static_cast<int>(filters.size())));
        const std::string p = value(), q = value();
        std::string filter = filters[which];
        const auto replace = [&filter](const std::string& name, const std::string& with) {
            const std::string placeholder = "{$param: '" + name + "'}";
            if (const auto at = filter.find(placeholder); at != std::string::npos)
                filter.replace(at, placeholder.size(), with);
        };
        replace("p", p);
        replace("q", q);
        INFO(filter);
        PreparedFind& find = prepared[which];
        const bson::Document values = shell("{p: " + p + ", q: " + q + "}");
        find.bind("p", values["p"]);
        if (filters[which].find("'q'") != std::string::npos) find.bind("q", values["q"]);
        std::string expected, actual;
        const int expected_code = code_of([&] { expected = rows_of(c.find(shell(filter))); });
        REQUIRE(code_of([&] { actual = rows_of(find); }) == expected_code);
        REQUIRE(actual == expected);
        reused += find.was_planned() ? 0 : 1;
    }
    CHECK(reused > 100);
}
