#include "pipelines.hpp"

using ixora::test::optimized;

TEST_CASE("a $match moves in front of what it does not depend on") {
    CHECK(optimized("[{$sort: {a: -1}}, {$match: {b: 1}}]") ==
          R"({"$match":{"b":{"$eq":1}}}{"$sort":{"sortKey":{"a":-1}}})");
    CHECK(optimized("[{$sort: {a: -1}}, {$limit: 3}, {$match: {b: 1}}]") ==
          R"({"$sort":{"sortKey":{"a":-1},"limit":3}}{"$match":{"b":{"$eq":1}}})");
    CHECK(optimized("[{$addFields: {z: 1}}, {$match: {a: 2, z: 1}}]") ==
          R"({"$match":{"a":{"$eq":2}}}{"$addFields":{"z":{"$const":1}}}{"$match":{"z":{"$eq":1}}})");
    CHECK(optimized("[{$addFields: {z: '$a'}}, {$match: {z: 2}}]") ==
          R"({"$match":{"a":{"$eq":2}}}{"$addFields":{"z":"$a"}})");
    CHECK(optimized("[{$unwind: '$b'}, {$match: {a: 2, 'b.c': 1}}]") ==
          R"({"$match":{"a":{"$eq":2}}}{"$unwind":{"path":"$b"}}{"$match":{"b.c":{"$eq":1}}})");
    CHECK(optimized("[{$group: {_id: '$k'}}, {$match: {_id: 3}}]") ==
          R"({"$match":{"k":{"$eq":3}}}{"$group":{"_id":"$k"}})");
    CHECK(optimized("[{$group: {_id: '$k'}}, {$match: {_id: {$exists: true}}}]") ==
          R"({"$group":{"_id":"$k"}}{"$match":{"_id":{"$exists":true}}})");
    CHECK(optimized("[{$replaceRoot: {newRoot: '$a'}}, {$match: {b: 1}}]") ==
          R"({"$replaceRoot":{"newRoot":"$a"}}{"$match":{"b":{"$eq":1}}})");
}

TEST_CASE("neighbours join") {
    CHECK(optimized("[{$match: {a: 1}}, {$match: {b: 2}}]") ==
          R"({"$match":{"$and":[{"a":{"$eq":1}},{"b":{"$eq":2}}]}})");
    CHECK(optimized("[{$limit: 5}, {$limit: 3}]") == R"({"$limit":3})");
    CHECK(optimized("[{$skip: 5}, {$skip: 3}, {$skip: 0}]") == R"({"$skip":8})");
    CHECK(optimized("[{$match: {}}, {$skip: 0}]").empty());
    CHECK(optimized("[{$sort: {a: 1}}, {$sort: {b: 1}}]") == R"({"$sort":{"sortKey":{"b":1}}})");
    CHECK(optimized("[{$sort: {a: 1}}, {$skip: 5}, {$limit: 10}]") ==
          R"({"$sort":{"sortKey":{"a":1},"limit":15}}{"$skip":5})");
    CHECK(optimized("[{$sort: {a: 1}}, {$addFields: {x: 1}}, {$limit: 10}]") ==
          R"({"$sort":{"sortKey":{"a":1},"limit":10}}{"$addFields":{"x":{"$const":1}}})");
    CHECK(optimized("[{$project: {a: 1}}, {$skip: 2}]") == R"({"$skip":2}{"$project":{"_id":true,"a":true}})");
}

TEST_CASE("$lookup takes over the $unwind and the $match of what it joins") {
    const std::string lookup = "{$lookup: {from: 'o', localField: 'x', foreignField: 'y', as: 'r'}}";
    CHECK(optimized("[" + lookup + ", {$unwind: '$r'}, {$match: {'r.f': 'q', a: 1}}]") ==
          R"({"$match":{"a":{"$eq":1}}}{"$lookup":{"from":"o","as":"r","localField":"x","foreignField":"y","let":{},)"
          R"("pipeline":[{"$match":{"f":{"$eq":"q"}}}],"unwinding":{"preserveNullAndEmptyArrays":false}}})");
    CHECK(optimized("[" + lookup + ", {$unwind: '$other'}]") ==
          R"({"$lookup":{"from":"o","as":"r","localField":"x","foreignField":"y"}}{"$unwind":{"path":"$other"}})");
}

TEST_CASE("$redact lets a copy of what it cannot make true pass") {
    CHECK(optimized("[{$redact: '$$KEEP'}, {$match: {a: 1, b: null}}]") ==
          R"({"$match":{"a":{"$eq":1}}}{"$redact":"$$KEEP"}{"$match":{"$and":[{"a":{"$eq":1}},{"b":{"$eq":null}}]}})");
}

TEST_CASE("a $sort passes a join that does not write what it sorts by") {
    const std::string lookup = "{$lookup: {from: 'o', localField: 'x', foreignField: 'y', as: 'r'}}";
    const std::string printed = R"({"$lookup":{"from":"o","as":"r","localField":"x","foreignField":"y"}})";
    CHECK(optimized("[" + lookup + ", {$sort: {a: 1}}, {$limit: 3}]") ==
          R"({"$sort":{"sortKey":{"a":1},"limit":3}})" + printed);
    CHECK(optimized("[" + lookup + ", {$sort: {'r.a': 1}}]") == printed + R"({"$sort":{"sortKey":{"r.a":1}}})");
    CHECK(optimized("[" + lookup + ", {$unwind: '$r'}, {$sort: {a: 1}}]").find("$lookup") <
          optimized("[" + lookup + ", {$unwind: '$r'}, {$sort: {a: 1}}]").find("$sort"));
}

TEST_CASE("predicates on whole arrays move as others do, but not under another name") {
    CHECK(optimized("[{$addFields: {z: 1}}, {$match: {a: {$elemMatch: {z: 1}}, b: {$size: 2}, z: 1}}]") ==
          R"({"$match":{"$and":[{"a":{"$elemMatch":{"z":{"$eq":1}}}},{"b":{"$size":2}}]}})"
          R"({"$addFields":{"z":{"$const":1}}}{"$match":{"z":{"$eq":1}}})");
    CHECK(optimized("[{$addFields: {z: '$a'}}, {$match: {z: {$size: 2}}}]") ==
          R"({"$addFields":{"z":"$a"}}{"$match":{"z":{"$size":2}}})");
    // No filter says an $all inside $elemMatch again once it is a tree.
    CHECK(optimized("[{$addFields: {z: 1}}, {$match: {a: {$elemMatch: {$elemMatch: {$all: [1, 2]}}}, z: 1}}]")
              .starts_with(R"({"$addFields")"));
}

TEST_CASE("the stages behind one that makes a field do not read it from the rows") {
    const auto read = [](const std::string& stages) {
        ixora::Interrupt interrupt;
        const auto context = ixora::test::make_context(interrupt, false);
        const ixora::bson::Document specification = ixora::test::wrap(stages);
        const auto list = ixora::pipeline::parse_pipeline(specification.view().front(), context);
        std::string fields;
        for (const std::string& field : ixora::pipeline::needs_of(list).fields) fields += field + " ";
        return fields;
    };
    CHECK(read("[{$addFields: {z: '$a'}}, {$project: {z: 1, b: 1}}]") == "_id a b ");
    CHECK(read("[{$addFields: {'z.y': '$a'}}, {$project: {'z.y': 1}}]").find('z') != std::string::npos);
    CHECK(read("[{$lookup: {from: 'o', localField: 'x', foreignField: 'y', as: 'r'}}, {$project: {k: '$r.k'}}]") ==
          "_id x ");
    CHECK(read("[{$unwind: '$a'}, {$project: {a: 1}}]") == "_id a ");
}
