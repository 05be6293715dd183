#include "ixora/plan/index_selection.hpp"

#include "catch.hpp"
#include "ixora/base/error.hpp"
#include "ixora/plan/index_tag.hpp"
#include "sample_index.hpp"

namespace {

using ixora::plan::IndexEntryPtr;
using ixora::test::doc;
using ixora::test::match;
using ixora::test::partial_index;
using ixora::test::shared_index;

std::vector<std::string> field_names(std::string_view filter) {
    std::vector<std::string> names;
    for (const auto& field : ixora::plan::query_fields(*match(filter))) names.push_back(field.first);
    return names;
}

std::vector<std::string> names_of(const std::vector<IndexEntryPtr>& indexes) {
    std::vector<std::string> names;
    for (const IndexEntryPtr& index : indexes) names.push_back(index->name);
    return names;
}

using Names = std::vector<std::string>;
using Numbers = std::vector<std::size_t>;

// `path:first/notFirst` of every tag in the tree, in pre-order.
void print_tags(const ixora::mql::MatchNode& node, std::string& out) {
    if (const ixora::plan::RelevanceTag* tag = ixora::plan::relevance(node)) {
        if (!out.empty()) out += ' ';
        out += tag->path + ':';
        for (const std::size_t index : tag->first) out += std::to_string(index);
        out += '/';
        for (const std::size_t index : tag->not_first) out += std::to_string(index);
    }
    for (const auto& child : node.children) print_tags(*child, out);
}

std::string tags(const ixora::mql::MatchNode& root) {
    std::string out;
    print_tags(root, out);
    return out;
}

std::string rated(std::string_view filter, const std::vector<IndexEntryPtr>& indexes) {
    const auto root = match(filter);
    ixora::plan::rate_indexes(*root, indexes, nullptr);
    return tags(*root);
}

std::string stripped(std::string_view filter, const std::vector<IndexEntryPtr>& indexes, bool unneeded = false) {
    const auto root = match(filter);
    ixora::plan::rate_indexes(*root, indexes, nullptr);
    ixora::plan::strip_invalid_assignments(*root, indexes);
    if (unneeded) ixora::plan::strip_unneeded_assignments(*root, indexes);
    return tags(*root);
}

int error_code(std::string_view hint, const std::vector<IndexEntryPtr>& indexes) {
    try {
        ixora::plan::hinted_indexes(doc(hint), indexes);
    } catch (const ixora::Error& error) {
        return error.code();
    }
    return 0;
}

}  // namespace

TEST_CASE("fields of a query are the full paths of indexable predicates", "[index_selection]") {
    CHECK(field_names("{b: 1, a: {$gt: 1}}") == Names{"a", "b"});
    CHECK(field_names("{$or: [{a: 1}, {b: {$ne: 1}}]}") == Names{"a", "b"});
    CHECK(field_names("{$nor: [{a: 1}, {b: 1}], c: 1}") == Names{"c"});
    CHECK(field_names("{a: {$elemMatch: {b: 1, c: {$elemMatch: {d: 2}}}}}") == Names{"a.b", "a.c.d"});
    CHECK(field_names("{a: {$elemMatch: {$gt: 1}}}") == Names{"a"});
    CHECK(field_names("{a: {$elemMatch: {$gt: 1, $size: 2}}}") == Names{});
    CHECK(field_names("{a: {$elemMatch: {$elemMatch: {b: 1}}}}") == Names{});
    CHECK(field_names("{a: {$size: 2}, b: {$bitsAllSet: 1}}") == Names{});
    CHECK(field_names("{a: {$not: {$gt: 1, $lt: 5}}}") == Names{"a"});
    CHECK(field_names("{}") == Names{});
}

TEST_CASE("the last predicate on a field decides about sparse indexes", "[index_selection]") {
    using ixora::mql::MatchKind;
    std::vector<ixora::mql::MatchNodePtr> children;
    children.push_back(ixora::mql::make_comparison(MatchKind::eq, "a", ixora::bson::Value::of_int(1)));
    children.push_back(ixora::mql::make_comparison(MatchKind::internal_expr_eq, "a", ixora::bson::Value::of_int(1)));
    children.push_back(ixora::mql::make_comparison(MatchKind::internal_expr_eq, "b", ixora::bson::Value::of_int(1)));
    const auto root = ixora::mql::make_logical(MatchKind::and_, std::move(children));
    const auto fields = ixora::plan::query_fields(*root);
    CHECK_FALSE(fields.at("a").sparse_compatible);
    const std::vector<IndexEntryPtr> indexes{shared_index("{a: 1}", "sparse"), shared_index("{b: 1, a: 1}")};
    CHECK(names_of(ixora::plan::relevant_indexes(fields, indexes)) == Names{"b_1_a_1"});
}

TEST_CASE("relevant are indexes whose first field is queried", "[index_selection]") {
    const std::vector<IndexEntryPtr> indexes{shared_index("{_id: 1}"), shared_index("{b: 1, a: 1}"),
                                             shared_index("{a: -1}"), shared_index("{a: 'hashed'}")};
    auto relevant = [&](std::string_view filter) {
        return names_of(ixora::plan::relevant_indexes(ixora::plan::query_fields(*match(filter)), indexes));
    };
    CHECK(relevant("{a: 1}") == Names{"a_-1", "a_hashed"});
    CHECK(relevant("{b: 1}") == Names{"b_1_a_1"});
    CHECK(relevant("{_id: 1, b: {$ne: 2}}") == Names{"_id_1", "b_1_a_1"});
    CHECK(relevant("{c: 1}") == Names{});
    CHECK(relevant("{'a.b': 1}") == Names{});
}

TEST_CASE("hints name indexes by pattern or name", "[index_selection]") {
    const std::vector<IndexEntryPtr> indexes{shared_index("{_id: 1}"), shared_index("{a: 1, b: -1}"),
                                             shared_index("{b: -1, a: 1}"), shared_index("{c: 1}"),
                                             shared_index("{c: 1}", "sparse")};
    auto hinted = [&](std::string_view hint) { return names_of(ixora::plan::hinted_indexes(doc(hint), indexes)); };
    CHECK(hinted("{a: 1, b: -1}") == Names{"a_1_b_-1"});
    CHECK(hinted("{a: 1.0, b: -1.0}") == Names{"a_1_b_-1"});
    CHECK(hinted("{$hint: 'b_-1_a_1'}") == Names{"b_-1_a_1"});
    CHECK(error_code("{b: 1}", indexes) == 2);
    CHECK(error_code("{a: 1}", indexes) == 2);
    CHECK(error_code("{a: 1, b: 1}", indexes) == 2);
    CHECK(error_code("{$hint: 'nope'}", indexes) == 2);
    CHECK(error_code("{c: 1}", indexes) == 27);
}

TEST_CASE("ratings list first and later fields by index number", "[index_selection]") {
    const std::vector<IndexEntryPtr> indexes{shared_index("{a: 1}"), shared_index("{b: 1, a: 1}"),
                                             shared_index("{'c.d': 1}")};
    CHECK(rated("{a: 1, b: 2}", indexes) == "a:0/1 b:1/");
    CHECK(rated("{a: {$ne: 1}}", indexes) == "a:0/1 a:0/1");
    CHECK(rated("{x: 1}", indexes) == "x:/");
    CHECK(rated("{a: {$size: 1}}", indexes) == "");
    CHECK(rated("{c: {$elemMatch: {d: 1, e: 1}}}", indexes) == "c.d:2/ c.e:/");
    CHECK(rated("{$nor: [{a: 1}, {b: 1}]}", indexes) == "");
    CHECK(rated("{$or: [{a: {$gt: 1}}, {b: 1, c: 1}]}", indexes) == "b:1/ c:/ a:0/1");
    CHECK(rated("{a: {$not: {$exists: false}}}", indexes) == "a:0/1 a:0/1");
}

TEST_CASE("partial indexes serve queries inside their filter, or single branches of an $or", "[index_selection]") {
    const std::vector<IndexEntryPtr> indexes{partial_index("{a: 1}", "{f: {$gt: 0}}"), shared_index("{a: 1, f: 1}")};
    CHECK(stripped("{a: 1, f: 1}", indexes) == "a:01/ f:/1");
    CHECK(stripped("{a: 1, f: -1}", indexes) == "a:1/ f:/1");
    CHECK(stripped("{a: 1}", indexes) == "a:1/");
    CHECK(stripped("{$or: [{a: 1, f: 2}, {a: {$gt: 5}, f: -1}]}", indexes) == "a:01/ f:/1 f:/1 a:1/");
    // Below a negation or an object $elemMatch no branch can keep it.
    const std::vector<IndexEntryPtr> nested{partial_index("{'x.a': 1}", "{a: 1}")};
    CHECK(stripped("{x: {$elemMatch: {$or: [{a: 1}, {b: 1}]}}}", nested) == "x.a:/ x.b:/");
    CHECK(stripped("{$or: [{$or: [{a: 1, f: 2}, {c: 1}], d: 1}, {e: 1}]}", indexes) == "a:01/ f:/1 c:/ d:/ e:/");
}

TEST_CASE("an equality on a unique field makes other assignments unneeded", "[index_selection]") {
    const std::vector<IndexEntryPtr> indexes{shared_index("{_id: 1}", "unique"), shared_index("{a: 1}"),
                                             shared_index("{u: 1}", "unique"), shared_index("{u: 1, a: 1}", "unique")};
    CHECK(stripped("{_id: 5, a: 1}", indexes, true) == "_id:0/ a:/");
    CHECK(stripped("{a: 1, u: 1}", indexes, true) == "a:/ u:2/");
    // The first unique equality in canonical order wins.
    CHECK(stripped("{_id: 5, u: 1}", indexes, true) == "_id:0/ u:/");
    CHECK(stripped("{_id: {$gt: 5}, a: 1}", indexes, true) == "a:1/3 _id:0/");
    CHECK(stripped("{$or: [{_id: 5, a: 1}, {a: 2, b: 1}]}", indexes, true) == "_id:0/ a:/ a:1/3 b:/");
    const std::vector<IndexEntryPtr> compound{shared_index("{a: 1}"), shared_index("{u: 1, a: 1}", "unique")};
    CHECK(stripped("{a: 1, u: 1}", compound, true) == "a:0/1 u:1/");
}

TEST_CASE("pushed-down tags are copied deeply", "[index_selection]") {
    ixora::plan::OrPushdownTag tag;
    tag.own = std::make_unique<ixora::plan::IndexTag>();
    tag.own->index = 3;
    tag.destinations.emplace_back();
    tag.destinations.back().route = {1, 0};
    tag.destinations.back().tag = std::make_unique<ixora::plan::IndexTag>();
    tag.destinations.back().tag->position = 2;
    const auto copy = tag.clone();
    tag.own->index = 4;
    tag.destinations.clear();
    const auto* cloned = dynamic_cast<const ixora::plan::OrPushdownTag*>(copy.get());
    REQUIRE(cloned != nullptr);
    CHECK(cloned->own->index == 3);
    REQUIRE(cloned->destinations.size() == 1);
    CHECK(cloned->destinations[0].route == Numbers{1, 0});
    CHECK(cloned->destinations[0].tag->position == 2);
}

TEST_CASE("the _id index is found by its pattern", "[index_selection]") {
    ixora::plan::Catalog catalog;
    CHECK(catalog.id_index() == nullptr);
    catalog.indexes = {shared_index("{_id: 1, a: 1}"), shared_index("{_id: 'hashed'}"), shared_index("{_id: 1.0}")};
    CHECK(catalog.id_index() == catalog.indexes[2].get());
}
