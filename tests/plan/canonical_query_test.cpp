#include "ixora/plan/canonical_query.hpp"

#include "catch.hpp"
#include "ixora/base/error.hpp"
#include "ixora/bson/debug_string.hpp"
#include "ixora/mql/match_printer.hpp"
#include "sample_collator.hpp"

namespace {

using ixora::plan::CanonicalQuery;
using ixora::plan::FindRequest;
using ixora::test::doc;

struct Request {
    const char* filter = "{}";
    const char* sort = "{}";
    const char* projection = "{}";
    const char* hint = "{}";
    const char* min = "{}";
    const char* max = "{}";
};

FindRequest find_request(const Request& text) {
    FindRequest request;
    request.ns = "test.c";
    request.filter = doc(text.filter);
    request.sort = doc(text.sort);
    request.projection = doc(text.projection);
    request.hint = doc(text.hint);
    request.min = doc(text.min);
    request.max = doc(text.max);
    return request;
}

std::unique_ptr<CanonicalQuery> make(const Request& text) { return CanonicalQuery::make(find_request(text), nullptr); }

// "code: message" of the error the request ends in.
std::string error_of(const Request& text) {
    try {
        make(text);
    } catch (const ixora::Error& error) {
        return std::to_string(error.code()) + ": " + error.what();
    }
    return "none";
}

std::string print(const ixora::bson::Document& document) { return ixora::bson::debug_string(document.view()); }
std::string filter_of(const CanonicalQuery& query) { return print(ixora::mql::print_match(query.root())); }

Request with_sort(const char* sort, const char* hint = "{}") {
    Request request;
    request.sort = sort;
    request.hint = hint;
    return request;
}

}  // namespace

TEST_CASE("a query is normalised when it is made", "[canonical_query]") {
    Request request;
    request.filter = "{b: 1, a: {$in: [7]}}";
    request.sort = "{x: 1.0, y: -1}";
    const auto query = make(request);
    CHECK(filter_of(*query) == "{ $and: [ { a: { $eq: 7 } }, { b: { $eq: 1 } } ] }");
    CHECK(print(query->sort_document()) == "{ x: 1, y: -1 }");
    CHECK(query->sort().parts().size() == 2);
    CHECK_FALSE(query->is_empty_query());
    CHECK_FALSE(query->has_hint());
    CHECK(query->natural_direction() == 0);
    CHECK(query->projection() == nullptr);
    CHECK(make({})->is_empty_query());
}

TEST_CASE("comparisons take the query's collation", "[canonical_query]") {
    Request request;
    request.filter = "{a: 'x'}";
    const auto collator = ixora::test::case_blind();
    const auto query = CanonicalQuery::make(find_request(request), collator);
    CHECK(query->collator() == collator);
    CHECK(query->root().collator == collator);
}

TEST_CASE("a $natural sort becomes a hint", "[canonical_query]") {
    const auto query = make(with_sort("{$natural: -1}"));
    CHECK(query->natural_direction() == -1);
    CHECK(query->has_hint());
    CHECK(query->sort().empty());
    CHECK(query->sort_document().empty());
    CHECK(print(query->request().hint) == "{ $natural: -1 }");
    CHECK(make(with_sort("{}", "{$natural: 1}"))->natural_direction() == 1);
    CHECK(make(with_sort("{$natural: 1}", "{$natural: 1.0}"))->natural_direction() == 1);
    CHECK(make(with_sort("{a: 1}", "{$natural: -1}"))->natural_direction() == -1);
    CHECK(make(with_sort("{a: 1}", "{a: 1}"))->natural_direction() == 0);
}

TEST_CASE("$natural stands alone and agrees with itself", "[canonical_query]") {
    CHECK(error_of(with_sort("{$natural: 1, a: 1}")) ==
          "2: Cannot include '$natural' in compound sort: { $natural: 1, a: 1 }");
    CHECK(error_of(with_sort("{a: 1, $natural: 1}")) ==
          "2: Cannot include '$natural' in compound sort: { a: 1, $natural: 1 }");
    CHECK(error_of(with_sort("{}", "{a: 1, $natural: 1}")) ==
          "2: Cannot include '$natural' in compound hint: { a: 1, $natural: 1 }");
    CHECK(error_of(with_sort("{$natural: 1}", "{a: 1}")) == "2: index hint not allowed with $natural sort order");
    CHECK(error_of(with_sort("{$natural: 1}", "{$hint: 'a_1'}")) ==
          "2: index hint not allowed with $natural sort order");
    CHECK(error_of(with_sort("{$natural: 1}", "{$natural: -1}")) ==
          "2: $natural hint must be in the same direction as $natural sort order");
    CHECK(error_of(with_sort("{}", "{$natural: 2}")) ==
          "2: $natural hint cannot be set to a value other than -1 or 1.");
    CHECK(error_of(with_sort("{}", "{$natural: 'x'}")) ==
          "2: $natural hint cannot be set to a value other than -1 or 1.");
    CHECK(error_of(with_sort("{$natural: 0}")) == "2: $natural sort cannot be set to a value other than -1 or 1.");
}

TEST_CASE("min and max name the same fields", "[canonical_query]") {
    auto range = [](const char* min, const char* max) {
        Request request;
        request.min = min;
        request.max = max;
        return error_of(request);
    };
    CHECK(range("{a: 1}", "{a: 2}") == "none");
    CHECK(range("{a: 1}", "{}") == "none");
    CHECK(range("{a: 1}", "{b: 2}") == "51176: min and max must have the same field names");
    CHECK(range("{a: 1, b: 1}", "{a: 2}") == "51176: min and max must have the same field names");
    CHECK(range("{a: 1}", "{a: 2, b: 2}") == "51176: min and max must have the same field names");
    CHECK(range("{a: 1, b: 1}", "{b: 2, a: 1}") == "51176: min and max must have the same field names");
}

TEST_CASE("sort keys can be projected only where there is a sort", "[canonical_query]") {
    Request request;
    request.projection = "{k: {$meta: 'sortKey'}}";
    CHECK(error_of(request) == "2: cannot use sortKey $meta projection without a sort");
    request.sort = "{$natural: 1}";
    CHECK(error_of(request) == "2: cannot use sortKey $meta projection without a sort");
    request.sort = "{a: 1}";
    CHECK(error_of(request) == "none");
}

TEST_CASE("showRecordId adds a projection", "[canonical_query]") {
    auto projection_of = [](const char* projection) {
        Request text;
        text.projection = projection;
        FindRequest request = find_request(text);
        request.show_record_id = true;
        const auto query = CanonicalQuery::make(std::move(request), nullptr);
        CHECK(query->projection()->wants_record_id());
        return print(query->request().projection);
    };
    CHECK(projection_of("{}") == "{ $recordId: { $meta: \"recordId\" } }");
    CHECK(projection_of("{a: 1}") == "{ a: 1, $recordId: { $meta: \"recordId\" } }");
    CHECK(projection_of("{$recordId: {$meta: 'recordId'}}") == "{ $recordId: { $meta: \"recordId\" } }");
}

TEST_CASE("a branch keeps what concerns every row and loses skip and limit", "[canonical_query]") {
    Request text;
    text.filter = "{$or: [{a: 1, c: {$gt: 2}}, {b: 'x'}]}";
    text.sort = "{d: -1}";
    text.projection = "{e: 1}";
    FindRequest request = find_request(text);
    request.skip = 3;
    request.limit = 7;
    const auto collator = ixora::test::case_blind();
    const auto whole = CanonicalQuery::make(std::move(request), collator);
    REQUIRE(whole->root().children.size() == 2);
    const auto branch = CanonicalQuery::make_branch(*whole, *whole->root().children[0]);
    CHECK(filter_of(*branch) == "{ $and: [ { a: { $eq: 1 } }, { c: { $gt: 2 } } ] }");
    CHECK(branch->request().skip == 0);
    CHECK(branch->request().limit == 0);
    CHECK(print(branch->sort_document()) == "{ d: -1 }");
    REQUIRE(branch->projection() != nullptr);
    CHECK(print(branch->projection()->spec()) == "{ e: 1 }");
    CHECK(branch->collator() == collator);
    CHECK(whole->request().limit == 7);
}
