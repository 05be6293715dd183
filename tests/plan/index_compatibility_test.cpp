#include "ixora/plan/index_compatibility.hpp"

#include "catch.hpp"
#include "ixora/plan/index_selection.hpp"
#include "ixora/plan/index_tag.hpp"
#include "sample_index.hpp"

namespace {

using ixora::plan::IndexEntryPtr;
using ixora::plan::RelevanceTag;
using ixora::test::match;
using ixora::test::shared_index;

// Whether some predicate of the filter can use the index: the filter's fields are queried, and the rating agrees.
bool usable(std::string_view filter, const IndexEntryPtr& index, const ixora::bson::CollatorPtr& collator = nullptr) {
    const ixora::mql::MatchNodePtr root = match(filter, collator);
    const auto relevant = ixora::plan::relevant_indexes(ixora::plan::query_fields(*root), {index});
    ixora::plan::rate_indexes(*root, relevant, collator.get());
    struct Walk {
        bool any(const ixora::mql::MatchNode& node) const {
            const RelevanceTag* tag = ixora::plan::relevance(node);
            if (tag != nullptr && !(tag->first.empty() && tag->not_first.empty())) return true;
            for (const auto& child : node.children)
                if (any(*child)) return true;
            return false;
        }
    };
    return Walk().any(*root);
}

// One row of the compatibility table: plain, multikey, sparse, hashed index on `a`.
struct Row {
    const char* filter;
    bool plain, multikey, sparse, hashed;
};

}  // namespace

TEST_CASE("compatibility of predicates and kinds of indexes", "[compatibility]") {
    const IndexEntryPtr plain = shared_index("{a: 1}");
    const IndexEntryPtr multikey = shared_index("{a: 1}", "multikey");
    const IndexEntryPtr sparse = shared_index("{a: 1}", "sparse");
    const IndexEntryPtr hashed = shared_index("{a: 'hashed'}");
    constexpr bool yes = true;
    constexpr bool no = false;
    const Row rows[] = {
        {"{a: 5}", yes, yes, yes, yes},
        {"{a: 'x'}", yes, yes, yes, yes},
        {"{a: null}", yes, yes, no, yes},
        {"{a: {x: 1}}", yes, yes, yes, yes},
        {"{a: [1, 2]}", yes, yes, yes, yes},
        {"{a: {$in: [1, 2]}}", yes, yes, yes, yes},
        {"{a: {$in: [1, null]}}", yes, yes, no, yes},
        {"{a: {$in: [1, {$regularExpression: {pattern: '^x', options: ''}}]}}", yes, yes, yes, no},
        {"{a: {$gt: 5}}", yes, yes, yes, no},
        {"{a: {$lte: 'x'}}", yes, yes, yes, no},
        {"{a: {$gte: null}}", yes, yes, no, no},
        {"{a: {$lte: null}}", yes, yes, no, no},
        {"{a: {$gt: null}}", yes, yes, yes, no},
        {"{a: {$lt: null}}", yes, yes, yes, no},
        {"{a: {$gt: MinKey}}", yes, yes, yes, no},
        {"{a: {$lt: MaxKey}}", yes, yes, yes, no},
        {"{a: {$not: {$gt: MinKey}}}", yes, no, no, no},
        {"{a: {$not: {$lt: MaxKey}}}", yes, no, no, no},
        {"{a: {$not: {$gte: MinKey}}}", yes, yes, no, no},
        {"{a: {$ne: 5}}", yes, yes, no, no},
        {"{a: {$ne: null}}", yes, no, yes, no},
        {"{a: {$not: {$gte: null}}}", yes, no, no, no},
        {"{a: {$not: {$lt: null}}}", yes, yes, no, no},
        {"{a: {$nin: [1, 2]}}", yes, yes, no, no},
        {"{a: {$nin: [1, null]}}", yes, no, no, no},
        {"{a: {$nin: [1, [2]]}}", no, no, no, no},
        {"{a: {$nin: [1, {$regularExpression: {pattern: '^x', options: ''}}]}}", no, no, no, no},
        {"{a: {$nin: [null, []]}}", yes, yes, no, no},
        {"{a: {$nin: [null, [], 1]}}", no, no, no, no},
        {"{a: {$ne: [1]}}", no, no, no, no},
        {"{a: {$not: {$lt: [1]}}}", no, no, no, no},
        {"{a: {$not: {$gt: 5}}}", yes, yes, no, no},
        {"{a: {$exists: true}}", yes, yes, yes, yes},
        {"{a: {$exists: false}}", yes, yes, no, yes},
        {"{a: {$regex: 'x'}}", yes, yes, yes, no},
        {"{a: {$not: {$regex: 'x'}}}", no, no, no, no},
        {"{a: {$not: {$mod: [2, 0]}}}", no, no, no, no},
        {"{a: {$not: {$type: 'int'}}}", no, no, no, no},
        {"{a: {$not: {$elemMatch: {$gt: 1}}}}", no, no, no, no},
        {"{a: {$not: {$size: 2}}}", no, no, no, no},
        {"{a: {$mod: [2, 0]}}", yes, yes, yes, no},
        {"{a: {$type: 'int'}}", yes, yes, yes, no},
        {"{a: {$size: 2}}", no, no, no, no},
        {"{a: {$bitsAllSet: 1}}", no, no, no, no},
        {"{a: {$elemMatch: {$gt: 1}}}", yes, yes, yes, no},
        {"{a: {$elemMatch: {$gt: 1, $size: 2}}}", no, no, no, no},
        {"{a: {$elemMatch: {$not: {$regex: 'x'}}}}", no, no, no, no},
        {"{a: {$elemMatch: {$not: {$gt: 5}}}}", yes, yes, no, no},
        {"{a: {$elemMatch: {$eq: null}}}", yes, yes, yes, no},
        {"{a: {$elemMatch: {$in: [null, 1]}}}", yes, yes, yes, no},
        {"{a: {$elemMatch: {$ne: null}}}", yes, yes, yes, no},
        {"{a: {$elemMatch: {$elemMatch: {$gt: 1}}}}", no, no, no, no},
        {"{$nor: [{a: 1}, {b: 1}]}", no, no, no, no},
        {"{b: 1}", no, no, no, no},
    };
    for (const Row& row : rows) {
        INFO(row.filter);
        CHECK(usable(row.filter, plain) == row.plain);
        CHECK(usable(row.filter, multikey) == row.multikey);
        CHECK(usable(row.filter, sparse) == row.sparse);
        CHECK(usable(row.filter, hashed) == row.hashed);
    }
}

TEST_CASE("comparisons with collatable constants need the index's collation", "[compatibility]") {
    const auto collator = ixora::test::case_blind("fr");
    const IndexEntryPtr collated = shared_index("{a: 1}", "collated");
    const IndexEntryPtr plain = shared_index("{a: 1}");
    for (const char* filter : {"{a: 'x'}", "{a: {x: 1}}", "{a: [1]}", "{a: {$gt: 'x'}}", "{a: {$in: [1, 'x']}}",
                               "{a: {$ne: 'x'}}", "{a: {$nin: [1, 'x']}}", "{a: {$elemMatch: {$gt: 'x'}}}"}) {
        INFO(filter);
        CHECK_FALSE(usable(filter, collated));
        CHECK(usable(filter, collated, collator));
        CHECK(usable(filter, plain));
        CHECK_FALSE(usable(filter, plain, collator));
        CHECK_FALSE(usable(filter, collated, ixora::test::case_blind("de")));
    }
    for (const char* filter : {"{a: 5}", "{a: null}", "{a: {$in: [1, 2]}}", "{a: {$exists: true}}",
                               "{a: {$regex: '^x'}}", "{a: {$type: 2}}"}) {
        INFO(filter);
        CHECK(usable(filter, collated));
        CHECK(usable(filter, plain, collator));
    }
}

TEST_CASE("$expr comparisons use plain paths without arrays only", "[compatibility]") {
    using ixora::mql::MatchKind;
    auto usable_expr = [](MatchKind kind, const IndexEntryPtr& index, std::string_view path) {
        const auto node = ixora::mql::make_comparison(kind, std::string(path), ixora::bson::Value::of_int(5));
        const auto relevant = ixora::plan::relevant_indexes(ixora::plan::query_fields(*node), {index});
        ixora::plan::rate_indexes(*node, relevant, nullptr);
        const RelevanceTag* tag = ixora::plan::relevance(*node);
        return !tag->first.empty() || !tag->not_first.empty();
    };
    for (const MatchKind kind :
         {MatchKind::internal_expr_eq, MatchKind::internal_expr_lt, MatchKind::internal_expr_gte}) {
        CHECK(usable_expr(kind, shared_index("{a: 1}"), "a"));
        CHECK_FALSE(usable_expr(kind, shared_index("{a: 1}", "multikey"), "a"));
        CHECK_FALSE(usable_expr(kind, shared_index("{a: 1}", "multikey pathless"), "a"));
        CHECK_FALSE(usable_expr(kind, shared_index("{a: 1}", "sparse"), "a"));
        CHECK(usable_expr(kind, shared_index("{a: 'hashed'}"), "a") == (kind == MatchKind::internal_expr_eq));
    }
    ixora::plan::IndexEntry other_multikey = ixora::test::index_entry("{a: 1, b: 1}", "multikey");
    other_multikey.multikey_paths = {{}, {0}};
    CHECK(usable_expr(MatchKind::internal_expr_eq, std::make_shared<ixora::plan::IndexEntry>(other_multikey), "a"));
}

TEST_CASE("not-null needs an array-free field or an $elemMatch that pins the array", "[compatibility]") {
    auto with_paths = [](std::string_view pattern, ixora::key::MultikeyPaths paths) {
        ixora::plan::IndexEntry index = ixora::test::index_entry(pattern);
        index.multikey = true;
        index.multikey_paths = std::move(paths);
        return std::make_shared<ixora::plan::IndexEntry>(std::move(index));
    };
    CHECK(usable("{a: {$ne: null}}", with_paths("{a: 1, b: 1}", {{}, {0}})));
    CHECK_FALSE(usable("{a: {$ne: null}}", with_paths("{a: 1, b: 1}", {})));
    CHECK_FALSE(usable("{'a.b': {$ne: null}}", with_paths("{'a.b': 1}", {{0}})));
    CHECK(usable("{a: {$elemMatch: {b: {$ne: null}}}}", with_paths("{'a.b': 1}", {{0}})));
    CHECK_FALSE(usable("{a: {$elemMatch: {b: {$ne: null}}}}", with_paths("{'a.b': 1}", {{0, 1}})));
    CHECK_FALSE(usable("{a: {$elemMatch: {b: {$ne: null}}}}", with_paths("{'a.b': 1}", {})));
    CHECK(usable("{x: {$elemMatch: {a: {$elemMatch: {b: {$ne: null}}}}}}", with_paths("{'x.a.b': 1}", {{0, 1}})));
    CHECK_FALSE(
        usable("{x: {$elemMatch: {a: {$elemMatch: {b: {$ne: null}}}}}}", with_paths("{'x.a.b': 1}", {{0, 1, 2}})));
}

TEST_CASE("value $elemMatch on a numeric last component is not indexable", "[compatibility]") {
    CHECK_FALSE(usable("{'a.0': {$elemMatch: {$gt: 1}}}", shared_index("{'a.0': 1}")));
    CHECK(usable("{'a.0': {$gt: 1}}", shared_index("{'a.0': 1}")));
    CHECK(usable("{'0': {$elemMatch: {$gt: 1}}}", shared_index("{'0': 1}")));
    CHECK(usable("{'a.0b': {$elemMatch: {$gt: 1}}}", shared_index("{'a.0b': 1}")));
}
