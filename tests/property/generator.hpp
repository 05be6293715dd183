// Random documents, index specifications and find requests that meet each other often: few paths, few values, all
// types.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "ixora/bson/builder.hpp"

namespace ixora::test {

class Generator {
public:
    explicit Generator(std::uint64_t seed) : random_(std::mt19937_64(seed)) {}
    // Every choice is made by the next number of `source`.
    explicit Generator(std::function<std::uint64_t()> source) : random_(std::move(source)) {}

    std::size_t below(std::size_t bound) { return static_cast<std::size_t>(random_() % bound); }
    bool one_in(std::size_t count) { return below(count) == 0; }
    template <class T>
    const T& pick(const std::vector<T>& values) {
        return values[below(values.size())];
    }

    // {_id, a, b, c, d} with anything, or nothing, in them.
    bson::Document document(int id) {
        bson::Builder out;
        out.append("_id", id);
        std::vector<std::string> names = {"a", "b", "c", "d"};
        if (one_in(4)) std::swap(names[0], names[below(4)]);
        for (const std::string& name : names)
            if (!one_in(5)) value(out, name, 0);
        return out.finish();
    }

    // Never unique: a case must not depend on which duplicate is refused.
    bson::Document index() { return one_in(8) ? wildcard_index() : plain_index(); }

    // {"$**": 1}, {"a.$**": -1} or one of them behind a plain field.
    bson::Document wildcard_index() {
        bson::Builder out;
        const bool compound = one_in(4);
        const bool whole = !compound && one_in(2);
        const int direction = one_in(3) ? -1 : 1;
        out.open_object("key");
        if (compound) out.append("d", 1);
        out.append(whole ? "$**" : "a.$**", direction);
        out.close();
        std::string name = std::string(compound ? "d_" : "") + (whole ? "all_" : "a_") + std::to_string(direction);
        if (whole && one_in(3)) {
            const bool inclusion = one_in(2);
            out.open_object("wildcardProjection");
            out.append(inclusion ? "a" : "b.c", inclusion ? 1 : 0);
            out.close();
            name += inclusion ? "only" : "but";
        }
        out.append("name", name);
        return out.finish();
    }

    bson::Document plain_index() {
        static const std::vector<std::string> paths = {"a",   "b",   "c",     "d",   "a.b", "a.c",
                                                       "b.c", "c.d", "a.b.c", "a.0", "_id"};
        bson::Builder out;
        out.open_object("key");
        const bool hashed = one_in(8);
        const std::size_t fields = one_in(3) ? 1 : 2 + below(2);
        const std::size_t hashed_field = hashed ? below(fields) : fields;
        std::vector<std::string> used;
        std::string name;
        for (std::size_t i = 0; i < fields; ++i) {
            const std::string path = i == 0 ? paths[below(8)] : pick(paths);
            if (std::find(used.begin(), used.end(), path) != used.end()) continue;
            used.push_back(path);
            if (i == hashed_field) {
                out.append(path, "hashed");
                name += path + "_hashed_";
            } else {
                const int direction = one_in(3) ? -1 : 1;
                out.append(path, direction);
                name += path + "_" + std::to_string(direction) + "_";
            }
        }
        out.close();
        if (one_in(7)) {
            out.append("sparse", true);
            name += "sparse";
        } else if (one_in(5)) {
            const std::size_t kind = below(5);
            out.open_object("partialFilterExpression");
            partial_filter(out, kind);
            out.close();
            name += "partial" + std::to_string(kind);
        }
        if (!hashed && one_in(8)) {
            out.open_object("collation");
            out.append("locale", "en");
            out.append("strength", 2);
            out.close();
            name += "collated";
        }
        out.append("name", name);
        return out.finish();
    }

    bson::Document filter() {
        bson::Builder out;
        conjunction(out, 0);
        return out.finish();
    }

    bson::Document sort() {
        bson::Builder out;
        const std::size_t fields = 1 + below(3);
        std::vector<std::string> used;
        for (std::size_t i = 0; i < fields; ++i) {
            const std::string name = path();
            if (std::find(used.begin(), used.end(), name) != used.end()) continue;
            used.push_back(name);
            out.append(name, one_in(3) ? -1 : 1);
        }
        return out.finish();
    }

    // Inclusions, most of them without _id so that an index may cover them; exclusions; $slice.
    bson::Document projection() {
        bson::Builder out;
        if (!one_in(4)) out.append("_id", 0);
        if (one_in(5)) {
            out.append(pick(top_names_), 0);
            return out.finish();
        }
        static const std::vector<std::string> disjoint = {"a", "b", "c", "d"};
        static const std::vector<std::string> nested = {"a.b", "b.c", "c.d", "d"};
        const std::vector<std::string>& names = one_in(3) ? nested : disjoint;
        bool any = false;
        for (const std::string& name : names) {
            if (!one_in(3)) continue;
            out.append(name, 1);
            any = true;
        }
        if (!any) out.append(pick(names), 1);
        return out.finish();
    }

    bson::Document collation() {
        bson::Builder out;
        out.append("locale", "en");
        out.append("strength", 2);
        return out.finish();
    }

private:
    std::string path() {
        static const std::vector<std::string> paths = {"a",   "b",     "c",   "d",     "a.b", "a.c", "b.c",
                                                       "c.d", "a.b.c", "a.0", "a.0.b", "b.1", "_id"};
        return one_in(2) ? pick(top_names_) : pick(paths);
    }

    void scalar(bson::Builder& out, const std::string& name) {
        static const std::vector<double> doubles = {0.0, -0.0, 1.0, 1.5, 2.0, -1.0, 1e300, NAN, INFINITY, -INFINITY};
        static const std::vector<std::string> texts = {"", "a", "A", "ab", "b", "B", "abc", "\xC3\xA9"};
        static constexpr std::array<std::uint8_t, 12> object_id = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
        switch (below(one_in(3) ? 20 : 9)) {
            case 0:
            case 1:
            case 2: return out.append(name, static_cast<std::int32_t>(below(5)));
            case 3: return out.append(name, static_cast<std::int64_t>(below(4)));
            case 4: return out.append(name, pick(doubles));
            case 5:
            case 6: return out.append(name, pick(texts));
            case 7: return out.append_null(name);
            case 8: return out.append(name, one_in(2));
            case 9: return out.append_date(name, static_cast<std::int64_t>(below(3)) * 1000);
            case 10: return out.append_object_id(name, object_id.data());
            case 11: return out.append_min_key(name);
            case 12: return out.append_max_key(name);
            case 13: return out.append_regex(name, "a", "i");
            case 14: return out.append_bin_data(name, 0, one_in(2) ? "\x01" : "\x03\x02");
            case 15: return out.append(name, *bson::Decimal128::parse(one_in(2) ? "1" : "1.50"));
            case 16: return out.append_timestamp(name, (std::uint64_t{below(3)} << 32) | 1U);
            case 17: return out.append_code(name, "x");
            case 18:
                return out.append(name, std::numeric_limits<std::int64_t>::max() - static_cast<std::int64_t>(below(2)));
            // No stored undefined: {$in: [null]} does not match it, but the server's bounds of that predicate hold it.
            default: return out.append_null(name);
        }
    }

    void value(bson::Builder& out, const std::string& name, int depth) {
        const std::size_t shape = below(depth == 0 ? 6 : 5);
        if (depth > 2 || shape < 3) return scalar(out, name);
        if (shape == 3) {
            out.open_array(name);
            const std::size_t members = below(4);
            for (std::size_t i = 0; i < members; ++i) value(out, std::to_string(i), depth + 1);
            return out.close();
        }
        out.open_object(name);
        static const std::vector<std::string> inner = {"b", "c", "d", "0"};
        for (const std::string& field : inner)
            if (one_in(2)) value(out, field, depth + 1);
        out.close();
    }

    // An operand of a comparison: mostly a scalar, sometimes an array or an object.
    void operand(bson::Builder& out, const std::string& name) { one_in(6) ? value(out, name, 1) : scalar(out, name); }

    static void partial_filter(bson::Builder& out, std::size_t kind) {
        switch (kind) {
            case 0:
                out.open_object("a");
                out.append("$exists", true);
                return out.close();
            case 1:
                out.open_object("b");
                out.append("$gt", 1);
                return out.close();
            case 2: return out.append("a", 1);
            case 3:
                out.open_object("c");
                out.append("$type", "number");
                return out.close();
            default:
                out.open_array("$or");
                out.open_object();
                out.append("a", 1);
                out.close();
                out.open_object();
                out.open_object("b");
                out.append("$lte", 2);
                out.close();
                out.close();
                return out.close();
        }
    }

    void conjunction(bson::Builder& out, int depth) {
        static const std::vector<std::size_t> counts = {0, 1, 1, 1, 2, 2, 2, 3, 4};
        const std::size_t count = depth == 0 ? pick(counts) : 1 + below(2);
        for (std::size_t i = 0; i < count; ++i) clause(out, depth);
    }

    void clause(bson::Builder& out, int depth) {
        if (depth < 3 && one_in(5)) {
            static const std::vector<std::string> logical = {"$or", "$or", "$or", "$and", "$nor"};
            out.open_array(pick(logical));
            const std::size_t branches = 1 + below(3);
            for (std::size_t i = 0; i < branches; ++i) {
                out.open_object();
                conjunction(out, depth + 1);
                out.close();
            }
            return out.close();
        }
        const std::string name = path();
        if (one_in(3)) return one_in(12) ? out.append_regex(name, "^a", "") : operand(out, name);
        out.open_object(name);
        predicate(out, depth);
        if (one_in(4)) predicate(out, depth);
        out.close();
    }

    // One or two operators of a field.
    void predicate(bson::Builder& out, int depth) {
        static const std::vector<std::string> comparisons = {"$eq", "$gt", "$gte", "$lt", "$lte", "$ne"};
        switch (below(16)) {
            case 0:
            case 1:
            case 2:
            case 3: return comparison(out, pick(comparisons));
            case 4:
            case 5: return values(out, "$in", true);
            case 6: return values(out, "$nin", true);
            case 7: return out.append("$exists", one_in(2));
            case 8: return type(out);
            case 9: return modulo(out);
            case 10: return regex(out);
            case 11: return values(out, "$all", false);
            case 12: return elem_match(out, depth);
            case 13: return out.append("$size", static_cast<std::int32_t>(below(4)));
            case 14: return bits(out);
            default:
                out.open_object("$not");
                if (depth < 3)
                    predicate(out, depth + 1);
                else
                    out.append("$exists", true);
                return out.close();
        }
    }

    void comparison(bson::Builder& out, const std::string& name) {
        bson::Builder value;
        operand(value, "v");
        const bson::Document held = value.finish();
        // Only equality accepts a regular expression, no comparison accepts undefined. "Up to MaxKey" and "from MinKey"
        // are exact bounds in the server (planner.md, LTE and GT) although null keys of paths that end in an array of
        // scalars lie within: there an index returns what a collection scan doesn't, and so does ours.
        const bson::Type type = held["v"].type();
        const bool equality = name == "$eq" || name == "$ne";
        const bool refused = type == bson::Type::undefined || (type == bson::Type::regex && name != "$eq") ||
                             ((type == bson::Type::min_key || type == bson::Type::max_key) && !equality);
        refused ? out.append(name, 1) : out.append(name, held["v"]);
    }

    void values(bson::Builder& out, const std::string& name, bool may_be_empty) {
        out.open_array(name);
        const std::size_t count = below(4) + (may_be_empty ? 0 : 1);
        for (std::size_t i = 0; i < count; ++i) {
            bson::Builder value;
            operand(value, "v");
            const bson::Document held = value.finish();
            held["v"].type() == bson::Type::undefined ? out.append(1) : out.append_member(held["v"]);
        }
        out.close();
    }

    void type(bson::Builder& out) {
        static const std::vector<std::string> names = {"number", "int",    "string", "null",
                                                       "array",  "object", "bool",   "minKey"};
        if (!one_in(3)) return out.append("$type", pick(names));
        out.open_array("$type");
        out.append(pick(names));
        out.append(pick(names));
        out.close();
    }

    void modulo(bson::Builder& out) {
        out.open_array("$mod");
        out.append(static_cast<std::int32_t>(2 + below(2)));
        out.append(static_cast<std::int32_t>(below(2)));
        out.close();
    }

    void regex(bson::Builder& out) {
        static const std::vector<std::string> patterns = {"^a", "^ab", "b", "^A", "^a.*", "", "^a|b", "\\Aab"};
        out.append("$regex", pick(patterns));
        if (one_in(4)) out.append("$options", one_in(2) ? "i" : "s");
    }

    void elem_match(bson::Builder& out, int depth) {
        out.open_object("$elemMatch");
        if (depth < 3 && one_in(2)) {
            static const std::vector<std::string> inner = {"b", "c", "d", "b.c"};
            const std::size_t count = 1 + below(2);
            for (std::size_t i = 0; i < count; ++i) {
                const std::string& name = pick(inner);
                if (one_in(2)) {
                    operand(out, name);
                    continue;
                }
                out.open_object(name);
                predicate(out, depth + 1);
                out.close();
            }
        } else {
            predicate(out, 3);
            if (one_in(2)) predicate(out, 3);
        }
        out.close();
    }

    void bits(bson::Builder& out) {
        static const std::vector<std::string> names = {"$bitsAllSet", "$bitsAnySet", "$bitsAllClear", "$bitsAnyClear"};
        out.append(pick(names), static_cast<std::int32_t>(below(4)));
    }

    static inline const std::vector<std::string> top_names_ = {"a", "b", "c", "d"};
    std::function<std::uint64_t()> random_;
};

}  // namespace ixora::test
