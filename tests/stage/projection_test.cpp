// Stages that change rows in place: projections, RETURN_KEY, SORT_KEY_GENERATOR (spec: execution.md section 8).
#include "catch.hpp"
#include "collection.hpp"
#include "ixora/bson/extended_json.hpp"

using namespace ixora;
using namespace ixora::test;
using plan::StageType;

namespace {

struct Request {
    const char* filter = "{}";
    const char* projection = "{}";
    const char* sort = "{}";
    bool return_key = false;
    bool show_record_id = false;
};

std::unique_ptr<stage::PlanExecutor> find(Collection& c, const Request& wanted) {
    plan::FindRequest request;
    request.filter = mql::parse_shell_document(wanted.filter);
    request.projection = mql::parse_shell_document(wanted.projection);
    request.sort = mql::parse_shell_document(wanted.sort);
    request.return_key = wanted.return_key;
    request.show_record_id = wanted.show_record_id;
    return c.find(std::move(request));
}

// The documents, as BSON, one after another; and the names of the stages from the top.
void check(Collection& c, const Request& wanted, const std::string& stages, const std::vector<std::string>& documents) {
    auto executor = find(c, wanted);
    INFO(wanted.filter << " " << wanted.projection << " " << wanted.sort);
    stage::Member row;
    std::size_t number = 0;
    while (executor->next(row)) {
        REQUIRE(number < documents.size());
        CHECK(bson::to_json(row.document) == bson::to_json(mql::parse_shell_document(documents[number])));
        ++number;
    }
    CHECK(number == documents.size());
    std::string names;
    for (const plan::PlanNode* node = &executor->root_node();; node = node->children.front().get()) {
        names += (names.empty() ? "" : " ") + std::string(plan::stage_name(node->type));
        if (node->children.empty()) break;
    }
    CHECK(names == stages);
}

Collection example() {
    Collection c({"{a: 1, b: -1}", "{\"x.y\": 1}"});
    c.insert("{_id: 1, z: 1, a: 5, b: 2.5, x: {y: 7, w: 8}}");
    c.insert("{_id: 2, a: 5, b: NumberLong(9), x: {y: 6}}");
    return c;
}

}  // namespace

TEST_CASE("simple: wanted top-level fields in document order") {
    Collection c = example();
    check(c, {"{a: 5}", "{b: 1, z: 1}"}, "PROJECTION_SIMPLE FETCH IXSCAN",
          {"{_id: 2, b: NumberLong(9)}", "{_id: 1, z: 1, b: 2.5}"});
    check(c, {"{}", "{_id: 1}"}, "PROJECTION_SIMPLE COLLSCAN", {"{_id: 1}", "{_id: 2}"});
    check(c, {"{_id: 2}", "{a: 1, _id: 0}"}, "PROJECTION_SIMPLE IDHACK", {"{a: 5}"});
}

TEST_CASE("covered: fields of the key in key-pattern order, with their types") {
    Collection c = example();
    check(c, {"{a: 5}", "{_id: 0, b: 1, a: 1}"}, "PROJECTION_COVERED IXSCAN",
          {"{a: 5, b: NumberLong(9)}", "{a: 5, b: 2.5}"});
    check(c, {"{a: 5}", "{_id: 0, b: 1}", "{a: 1}"}, "PROJECTION_COVERED IXSCAN", {"{b: NumberLong(9)}", "{b: 2.5}"});
}

TEST_CASE("default: paths, exclusions, and documents rebuilt from keys") {
    Collection c = example();
    check(c, {"{'x.y': {$gt: 0}}", "{_id: 0, 'x.y': 1}"}, "PROJECTION_DEFAULT IXSCAN", {"{x: {y: 6}}", "{x: {y: 7}}"});
    check(c, {"{_id: 1}", "{x: 0, z: 0}"}, "PROJECTION_DEFAULT IDHACK", {"{_id: 1, a: 5, b: 2.5}"});
    check(c, {"{_id: 1}", "{_id: 0, 'x.w': 1}"}, "PROJECTION_DEFAULT IDHACK", {"{x: {w: 8}}"});
}

TEST_CASE("metadata reaches the projection: record ids and sort keys") {
    Collection c = example();
    Request request{"{z: 1}", "{a: 1}"};
    request.show_record_id = true;
    check(c, request, "PROJECTION_DEFAULT COLLSCAN", {"{_id: 1, a: 5, $recordId: NumberLong(1)}"});
    check(c, {"{}", "{_id: 1, k: {$meta: 'sortKey'}}", "{z: -1, _id: 1}"}, "PROJECTION_DEFAULT SORT COLLSCAN",
          {"{_id: 1, k: [1, 1]}", "{_id: 2, k: [null, 2]}"});
    check(c, {"{a: 5}", "{_id: 1, k: {$meta: 'sortKey'}}", "{a: 1, b: -1}"},
          "PROJECTION_DEFAULT SORT_KEY_GENERATOR FETCH IXSCAN",
          {"{_id: 2, k: [5, NumberLong(9)]}", "{_id: 1, k: [5, 2.5]}"});
}

TEST_CASE("RETURN_KEY gives the index key, or nothing without an index") {
    Collection c = example();
    Request request{"{a: 5}"};
    request.return_key = true;
    check(c, request, "RETURN_KEY IXSCAN", {"{a: 5, b: NumberLong(9)}", "{a: 5, b: 2.5}"});
    request.filter = "{z: 1}";
    check(c, request, "RETURN_KEY COLLSCAN", {"{}"});
}

TEST_CASE("the array element that matched") {
    Collection c({"{a: 1}"});
    c.insert("{_id: 1, a: [1, 5, 7]}");
    check(c, {"{a: {$gt: 4}}", "{'a.$': 1}"}, "PROJECTION_DEFAULT FETCH IXSCAN", {"{_id: 1, a: [5]}"});
}
