// The compiled matcher agrees with the reference on random documents and filters, before and after normalisation, and
// record the same array offsets.
#include <random>

#include "catch.hpp"
#include "ixora/base/error.hpp"
#include "ixora/bson/builder.hpp"
#include "ixora/mql/match_parser.hpp"
#include "ixora/mql/match_rewrite.hpp"
#include "ixora/mql/matcher.hpp"
#include "quoted_json.hpp"
#include "reference_matcher.hpp"

using namespace ixora;
using bson::Builder;

namespace {

class Generator {
public:
    explicit Generator(std::uint64_t seed) : random_(seed) {}

    bson::Document document() {
        Builder out;
        fields(out, 3);
        return out.finish();
    }

    bson::Document filter() {
        Builder out;
        conditions(out, 3);
        return out.finish();
    }

    std::size_t below(std::size_t bound) { return std::uniform_int_distribution<std::size_t>(0, bound - 1)(random_); }

private:
    bool chance(std::size_t one_in) { return below(one_in) == 0; }
    const char* name() {
        constexpr const char* names[] = {"a", "b", "c", "0", "1", "longer_field_name", ""};
        return names[chance(4) ? below(7) : below(3)];
    }
    std::string path() {
        std::string text = name();
        while (chance(2)) text += std::string(".") + name();
        return text;
    }

    void scalar(Builder& out, std::string_view field) {
        switch (below(14)) {
            case 0:
            case 1:
            case 2: out.append(field, static_cast<std::int32_t>(below(4)) - 1); return;
            case 3: out.append(field, static_cast<std::int64_t>(below(3))); return;
            case 4: out.append(field, static_cast<double>(below(6)) / 2); return;
            case 5: out.append(field, chance(2) ? "x" : "ax"); return;
            case 6: out.append_null(field); return;
            case 7: out.append(field, chance(2)); return;
            case 8: out.append(field, bson::Decimal128::from_int64(static_cast<std::int64_t>(below(3)))); return;
            case 9: out.append(field, std::numeric_limits<double>::quiet_NaN()); return;
            case 10: out.append_date(field, static_cast<std::int64_t>(below(3))); return;
            case 11:
                out.append_bin_data(field, 0, chance(2) ? std::string_view("\x01\x03", 2) : std::string_view());
                return;
            case 12: chance(2) ? out.append_min_key(field) : out.append_max_key(field); return;
            default: out.append_symbol(field, "x"); return;
        }
    }
    void value(Builder& out, std::string_view field, int depth) {
        if (depth > 0 && chance(3)) {
            out.open_object(field);
            fields(out, depth - 1);
            out.close();
        } else if (depth > 0 && chance(2)) {
            out.open_array(field);
            for (std::size_t i = 0, count = below(4); i < count; ++i) value(out, std::to_string(i), depth - 1);
            out.close();
        } else {
            scalar(out, field);
        }
    }
    void fields(Builder& out, int depth) {
        for (std::size_t count = below(4); count > 0; --count) value(out, name(), depth);
    }

    void conditions(Builder& out, int depth) {
        for (std::size_t count = below(4); count > 0; --count) {
            if (depth > 0 && chance(3)) {
                constexpr const char* lists[] = {"$and", "$or", "$nor"};
                out.open_array(lists[below(3)]);
                for (std::size_t i = 0, size = 1 + below(3); i < size; ++i) {
                    out.open_object(std::to_string(i));
                    conditions(out, depth - 1);
                    out.close();
                }
                out.close();
            } else if (chance(4)) {
                value(out, path(), 2);
            } else {
                out.open_object(path());
                operators(out, depth);
                out.close();
            }
        }
    }
    void operators(Builder& out, int depth) {
        for (std::size_t count = 1 + below(2); count > 0; --count) an_operator(out, depth);
    }
    void an_operator(Builder& out, int depth) {
        constexpr const char* comparisons[] = {"$eq", "$ne", "$lt", "$lte", "$gt", "$gte"};
        constexpr const char* lists[] = {"$in", "$nin", "$all"};
        constexpr const char* bits[] = {"$bitsAllSet", "$bitsAllClear", "$bitsAnySet", "$bitsAnyClear"};
        constexpr const char* types[] = {"number", "array", "null", "object", "string", "double", "minKey"};
        switch (below(11)) {
            case 0: {
                const char* list = lists[below(3)];
                out.open_array(list);
                std::size_t i = 0;
                for (std::size_t count = below(5); i < count; ++i) value(out, std::to_string(i), 1);
                if (chance(4)) out.append_regex(std::to_string(i), "^a", "");
                out.close();
                return;
            }
            case 1: out.append("$exists", chance(2)); return;
            case 2: out.append("$type", types[below(7)]); return;
            case 3: out.append("$size", static_cast<std::int32_t>(below(3))); return;
            case 4: out.append(bits[below(4)], static_cast<std::int32_t>(below(4))); return;
            case 5:
                out.open_array("$mod");
                out.append("0", static_cast<std::int32_t>(below(2)) + 2);
                out.append("1", static_cast<std::int32_t>(below(3)) - 1);
                out.close();
                return;
            case 6: out.append("$regex", chance(2) ? "^a" : "x"); return;
            case 7:
                if (depth == 0) break;
                out.open_object("$not");
                operators(out, depth - 1);
                out.close();
                return;
            case 8:
                if (depth == 0) break;
                out.open_object("$elemMatch");
                chance(2) ? operators(out, depth - 1) : conditions(out, depth - 1);
                out.close();
                return;
            default: break;
        }
        value(out, comparisons[below(6)], 2);
    }

    std::mt19937_64 random_;
};

// Filters that the generator makes wrong ($not beside a plain field, an operator inside a literal list) are skipped.
mql::MatchNodePtr parse(bson::View filter) {
    try {
        return mql::parse_match(filter);
    } catch (const Error&) {
        return nullptr;
    }
}

void compare_with_reference(std::uint64_t seed, int filters) {
    Generator generate(seed);
    int accepted = 0;
    int matched = 0;
    for (int i = 0; i < filters; ++i) {
        const auto filter = generate.filter();
        const auto raw = parse(filter);
        if (!raw) continue;
        ++accepted;
        const auto normal = mql::normalize(raw->clone());
        const mql::Matcher raw_matcher(*raw);
        const mql::Matcher normal_matcher(*normal);
        for (int j = 0; j < 20; ++j) {
            const auto document = generate.document();
            std::optional<std::uint32_t> offset;
            const bool expected = tests::reference_matches(*normal, document, &offset);
            mql::MatchDetails details;
            const bool same =
                normal_matcher.matches(document) == expected && raw_matcher.matches(document) == expected &&
                normal_matcher.matches(document, details) == expected && (!expected || details.array_offset == offset);
            if (!same) {
                CAPTURE(seed, tests::text_of(filter), tests::text_of(document), expected);
                FAIL_CHECK("the matchers differ");
                return;
            }
            matched += expected ? 1 : 0;
        }
    }
    CHECK(accepted > filters / 2);
    CHECK(matched > accepted);  // the sample says something about both outcomes
}

}  // namespace

TEST_CASE("the compiled matcher agrees with the reference", "[matcher][property]") {
    compare_with_reference(1, 4000);
    compare_with_reference(std::random_device{}(), 1500);
}

TEST_CASE("a filter on index keys agrees with the same filter on flat documents", "[matcher][property]") {
    Generator generate(std::random_device{}());
    const auto pattern = tests::doc("{'a': 1, 'b.c': 1}");
    for (int i = 0; i < 500; ++i) {
        const auto document = generate.document();
        Builder key;
        Builder nested;
        const auto first = document["a"];
        const auto second = document["b"];
        if (first.is_array() || second.is_array()) continue;  // a multikey index has no such filters
        const auto add = [&key](bson::Element value) { value.missing() ? key.append_null("") : key.append("", value); };
        add(first);
        add(second);
        nested.append("a", first);
        nested.open_object("b");
        nested.append("c", second);
        nested.close();
        const auto flat = nested.finish();
        const auto values = key.finish();
        for (const char* text :
             {"{'a': {'$gt': 0}, 'b.c': {'$lte': 1}}", "{'$or': [{'a': null}, {'b.c': {'$in': [1, 'x', null]}}]}",
              "{'a': {'$ne': 1}}", "{'b.c': {'$regex': 'x'}, 'a': {'$not': {'$type': 'number'}}}"}) {
            const auto tree = mql::normalize(mql::parse_match(tests::doc(text)));
            CHECK(mql::Matcher::for_index_key(*tree, pattern).matches_key(values) == mql::Matcher(*tree).matches(flat));
        }
    }
}
