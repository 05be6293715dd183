// Validation of index specifications, step by step (keystring.md 2.7, 2.4).
#include "commands.hpp"

using namespace ixora;
using ixora::test::Commands;

namespace {

// Tries one specification on a fresh collection.
bson::Document create(std::string_view spec) {
    Commands run;
    return run("{createIndexes: \"c\", indexes: [" + std::string(spec) + "]}");
}
std::int64_t code(std::string_view spec) {
    const bson::Document reply = create(spec);
    return reply["ok"].truthy() ? 0 : reply["code"].to_int64();
}
std::string message(std::string_view spec) { return std::string(create(spec)["errmsg"].string()); }

}  // namespace

TEST_CASE("step A: the shape, with the specification as context") {
    CHECK(code("{key: {a: 1}, name: \"n\", nope: 1}") == 197);
    CHECK(code("{key: {a: 1}, name: \"n\", seed: 1}") == 197);
    CHECK(code("{key: {a: 1}, name: 5}") == 14);
    CHECK(code("{key: {a: 1}, name: \"n\", hidden: 1}") == 14);
    CHECK(code("{key: {a: 1}, name: \"n\", unique: \"x\"}") == 14);
    CHECK(code("{key: {a: 1}, name: \"n\", collation: {}}") == 2);
    CHECK(code("{key: {a: 1}, name: \"n\", weights: {a: 1}}") == 67);
    CHECK(code("{key: {a: 1}, name: \"n\", unique: true, prepareUnique: true}") == 67);
    CHECK(code("{key: {a: 1}, name: \"n\", originalSpec: 5}") == 14);
    CHECK(code("{key: {a: 1}, name: \"n\", originalSpec: {}}") == 2);
    CHECK(code("{key: {a: 1}, name: \"n\", originalSpec: {a: 1}}") == 197);
    CHECK(code("{key: {a: 1}, name: \"n\", originalSpec: {key: {a: 1}, name: \"n\"}}") == 0);
    CHECK(code("{key: {a: 1}}") == 9);
    CHECK(code("{name: \"n\"}") == 9);
    CHECK(message("{key: {a: 1}, name: \"n\", v: 3}") ==
          "Error in specification { key: { a: 1 }, name: \"n\", v: 3 } :: caused by :: Invalid index specification "
          "{ key: { a: 1 }, name: \"n\", v: 3 }; cannot create an index with v=3");
    CHECK(message("{key: {a: 1}, name: \"n\", v: 1.5}").ends_with("but got 1.5"));
    CHECK(message("{key: {a: 1}, name: \"n\", partialFilterExpression: {a: {$zz: 1}}}") ==
          "Error in specification { key: { a: 1 }, name: \"n\", partialFilterExpression: { a: { $zz: 1 } } } :: caused "
          "by :: unknown operator: $zz");
}

TEST_CASE("steps B and C: names, and the time to live") {
    CHECK(code("{key: {a: 1}, name: \"_id_\"}") == 2);
    CHECK(code("{key: {a: 1}, name: \"*\"}") == 2);
    CHECK(code("{key: {_id: -1}, name: \"x\"}") == 2);
    CHECK(code("{key: {_id: 1}, name: \"x\", unique: true}") == 197);
    CHECK(code("{key: {_id: 1}, name: \"x\", hidden: true}") == 197);
    CHECK(code("{key: {a: 1}, name: \"n\", expireAfterSeconds: -1}") == 67);
    CHECK(code("{key: {a: 1}, name: \"n\", expireAfterSeconds: NaN}") == 67);
    CHECK(code("{key: {a: 1, b: 1}, name: \"n\", expireAfterSeconds: 5}") == 67);
    CHECK(
        message("{key: {a: 1}, name: \"n\", expireAfterSeconds: \"x\"}") ==
        "TTL index 'expireAfterSeconds' option must be numeric, but received a type of 'string'. Index spec: { key: { "
        "a: 1 }, name: \"n\", expireAfterSeconds: \"x\" }");
}

TEST_CASE("step D: what an index of its kind can be, with the version in the context") {
    CHECK(message("{key: {a: 1}, name: \"\"}") ==
          "Error in specification { key: { a: 1 }, name: \"\", v: 2 } :: caused by :: index name cannot be empty");
    CHECK(code("{key: {a: 1}, name: \"n\", storageEngine: 5}") == 67);
    CHECK(code("{key: {a: 1}, name: \"n\", storageEngine: {}}") == 67);
    CHECK(code("{key: {a: 1}, name: \"n\", storageEngine: {zz: 1}}") == 2);
    CHECK(code("{key: {a: 1}, name: \"n\", storageEngine: {zz: {}}}") == 72);
    CHECK(code("{key: {a: 1}, name: \"n\", sparse: true, partialFilterExpression: {a: 1}}") == 67);
    CHECK(code("{key: {a: \"hashed\"}, name: \"n\", unique: true}") == 16764);
    CHECK(code("{key: {a: \"hashed\", b: \"hashed\"}, name: \"n\"}") == 31303);
    CHECK(message("{key: {a: 1}, name: \"n\", collation: {locale: \"zz\"}}")
              .starts_with("failed to add collation information to index spec for index creation: { key: "));
}

TEST_CASE("partial filters: which predicates, and how deep") {
    const auto filter = [](std::string_view text) {
        return code("{key: {a: 1}, name: \"n\", partialFilterExpression: " + std::string(text) + "}");
    };
    for (const char* good : {"{a: 1}", "{a: {$gt: 1, $lte: 5}}", "{a: {$exists: true}}", "{a: {$type: \"string\"}}",
                             "{a: {$in: [1, /x/]}}", "{$or: [{a: 1}, {b: 2}]}", "{a: 1, $and: [{b: 1}, {c: 1}]}"})
        CHECK(filter(good) == 0);
    for (const char* bad : {"{a: {$exists: false}}", "{a: {$ne: 1}}", "{a: {$nin: [1]}}", "{a: /x/}",
                            "{a: {$not: {$gt: 1}}}", "{a: {$mod: [2, 0]}}", "{a: {$elemMatch: {b: 1}}}"})
        CHECK(filter(bad) == 67);
    CHECK(filter("{$and: [{$or: [{$and: [{a: 1}, {b: 1}]}, {c: 1}]}, {d: 1}]}") == 0);
    CHECK(filter("{$or: [{$and: [{$or: [{$and: [{a: 1}, {b: 1}]}, {c: 1}]}, {d: 1}]}, {e: 1}]}") == 67);
    CHECK(filter("{$and: [{$and: [{$and: [{$and: [{a: 1}, {b: 1}]}, {c: 1}]}, {d: 1}]}, {e: 1}]}") == 67);
}

TEST_CASE("the projection of a compound wildcard index leaves the ordinary fields out") {
    const auto projection = [](std::string_view key, std::string_view text) {
        return code("{key: " + std::string(key) + ", name: \"n\", wildcardProjection: " + std::string(text) + "}");
    };
    constexpr std::string_view by_x = "{x: 1, \"$**\": 1}";
    CHECK(projection(by_x, "{a: 1}") == 0);
    CHECK(projection(by_x, "{x: 0}") == 0);
    CHECK(projection(by_x, "{\"x.y\": 1}") == 0);
    CHECK(projection(by_x, "{x: 1}") == 7246208);
    CHECK(projection("{\"x.y\": 1, \"$**\": 1}", "{x: 1}") == 7246208);
    CHECK(projection("{\"x.y\": 1, \"$**\": 1}", "{x: 0}") == 0);
    // No excluded path stands in front of the field; or one does and is another.
    CHECK(projection(by_x, "{\"x.y\": 0}") == 7246209);
    CHECK(projection("{_id: 1, \"$**\": 1}", "{a: 0}") == 7246209);
    CHECK(projection(by_x, "{a: 0}") == 7246210);
    CHECK(projection("{x: 1, y: 1, \"$**\": 1}", "{x: 0}") == 7246210);
    CHECK(projection("{_id: 1, \"$**\": 1}", "{_id: 0}") == 0);
    CHECK(projection("{_id: 1, \"$**\": 1}", "{a: 1}") == 0);
    CHECK(projection("{_id: 1, \"$**\": 1}", "{_id: 1}") == 7246208);
    CHECK(projection(by_x, "{a: 1, \"a.b\": 1}") == 7246200);
    CHECK(projection(by_x, "{a: 1, b: 0}") == 7246211);
    CHECK(projection(by_x, "{\"$a\": 1}") == 16410);
    CHECK(projection(by_x, "{}") == 9);
    CHECK(projection("{x: 1, \"z.$**\": 1}", "{a: 1}") == 9);
}
