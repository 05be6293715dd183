#include "ixora/bson/compare.hpp"

#include <cctype>

#include "catch.hpp"
#include "ixora/bson/debug_string.hpp"
#include "sample_values.hpp"

using namespace ixora::bson;

namespace {

// Folds ASCII case; enough to see where a collator is consulted.
class CaseFolding final : public Collator {
public:
    int compare(std::string_view left, std::string_view right) const override {
        return sort_key(left).compare(sort_key(right));
    }
    void append_sort_key(std::string_view text, std::string& out) const override {
        for (const char c : text) out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    const Document& spec() const noexcept override { return spec_; }

private:
    Document spec_;
};

Value text(std::string_view t) { return Value::of_string(t); }

template <class Fill>
Value object(Fill fill) {
    Builder b;
    fill(b);
    return Value::of_object(b.finish_view());
}

void check_total_order(const std::vector<Value>& pool) {
    const std::size_t n = pool.size();
    std::vector<std::vector<int>> order(n, std::vector<int>(n));
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) order[i][j] = compare(pool[i].element(), pool[j].element());
    int broken = 0;
    for (std::size_t i = 0; i < n; ++i) {
        if (order[i][i] != 0) ++broken;
        for (std::size_t j = 0; j < n; ++j) {
            if (order[i][j] != -order[j][i] || order[i][j] < -1 || order[i][j] > 1) ++broken;
            for (std::size_t k = 0; k < n; ++k)
                if (order[i][j] <= 0 && order[j][k] <= 0 && order[i][k] > (order[i][j] + order[j][k] < 0 ? -1 : 0))
                    ++broken;
        }
    }
    CHECK(broken == 0);
}

// The decimal text of a number with enough digits to be exact for every number of the pool but the extreme doubles.
int compare_with_long_double(const Element& left, const Element& right) {
    const auto exact = [](const Element& e) -> long double {
        if (e.type() == Type::number_int) return e.number_int();
        if (e.type() == Type::number_long) return static_cast<long double>(e.number_long());
        return e.number_double();
    };
    const long double a = exact(left);
    const long double b = exact(right);
    return a < b ? -1 : (a > b ? 1 : 0);
}

}  // namespace

TEST_CASE("comparison is a total order over all types") { check_total_order(sample::all_values()); }
TEST_CASE("comparison is a total order over numbers") { check_total_order(sample::numbers()); }

TEST_CASE("integers and doubles compare by exact value") {
    // x86 long double holds every int64 and every double.
    static_assert(std::numeric_limits<long double>::digits >= 64);
    for (const Value& left : sample::numbers())
        for (const Value& right : sample::numbers()) {
            if (left.type() == Type::number_decimal || right.type() == Type::number_decimal) continue;
            if (left.element().is_nan() || right.element().is_nan()) continue;
            INFO(debug_string(left.element()) << " and " << debug_string(right.element()));
            CHECK(compare_numbers(left, right) == compare_with_long_double(left, right));
        }
}

TEST_CASE("decimals against the other number types") {
    const auto order = [](const char* left, const Value& right) {
        return compare(Value::of_decimal(sample::decimal(left)).element(), right.element());
    };
    CHECK(order("0.1", Value::of_double(0.1)) == -1);
    CHECK(order("9007199254740993", Value::of_double(9007199254740992.0)) == 1);
    CHECK(order("9007199254740993", Value::of_long(9007199254740993)) == 0);
    CHECK(order("9223372036854775807", Value::of_double(9223372036854775808.0)) == -1);
    CHECK(order("1E+400", Value::of_double(DBL_MAX)) == 1);
    CHECK(order("1E+400", Value::of_double(HUGE_VAL)) == -1);
    CHECK(order("Infinity", Value::of_double(HUGE_VAL)) == 0);
    CHECK(order("NaN", Value::of_double(std::nan(""))) == 0);
    CHECK(order("NaN", Value::of_double(-HUGE_VAL)) == -1);
    CHECK(order("-0", Value::of_int(0)) == 0);
    CHECK(order("1.00", Value::of_int(1)) == 0);
    CHECK(order("9223372036854775807.5", Value::of_long(std::numeric_limits<std::int64_t>::max())) == 1);
}

TEST_CASE("canonical types rank") {
    Builder b;
    b.append_min_key("");
    b.append_undefined("");
    b.append_null("");
    b.append("", 1);
    b.append("", "s");
    b.append("", View());
    b.append_array("", View());
    b.append_bin_data("", 0, "");
    const std::uint8_t id[12] = {};
    b.append_object_id("", id);
    b.append("", false);
    b.append_date("", 0);
    b.append_timestamp("", 0);
    b.append_regex("", "", "");
    b.append_db_pointer("", "", id);
    b.append_code("", "");
    b.append_code_with_scope("", "", View());
    b.append_max_key("");
    const Document ranked = b.finish();
    for (auto next = ranked.begin(); next != ranked.end();) {
        const Element left = *next++;
        if (next != ranked.end()) CHECK(compare(left, *next) == -1);
    }
    CHECK(compare(Element(), Value::undefined().element()) == 0);
}

TEST_CASE("values within a type") {
    CHECK(compare(text("a").element(), text("b").element()) == -1);
    CHECK(compare(text("a").element(), text("ab").element()) == -1);
    CHECK(compare(text("\x7f").element(), text("\xc3\xa9").element()) == -1);  // unsigned bytes
    CHECK(compare(text(std::string_view("a\0b", 3)).element(), text("a").element()) == 1);
    const auto field = [](auto fill) {
        Builder b;
        fill(b);
        return Value(b.finish_view().front());
    };
    const Value symbol = field([](Builder& b) { b.append_symbol("", "a"); });
    CHECK(equal(symbol, text("a")));
    const auto bin = [&](std::uint8_t subtype, std::string_view bytes) {
        return field([&](Builder& b) { b.append_bin_data("", subtype, bytes); });
    };
    CHECK(compare(bin(0, "b").element(), bin(0, "aa").element()) == -1);
    CHECK(compare(bin(0x80, "a").element(), bin(5, "b").element()) == 1);
    CHECK(compare(bin(5, "a").element(), bin(5, "b").element()) == -1);
    const auto stamp = [&](std::uint64_t t) { return field([&](Builder& b) { b.append_timestamp("", t); }); };
    CHECK(compare(stamp(~0ULL).element(), stamp(1).element()) == 1);
    CHECK(compare(Value::of_date(-1).element(), Value::of_date(1).element()) == -1);
    const auto regex = [&](const char* p, const char* f) {
        return field([&](Builder& b) { b.append_regex("", p, f); });
    };
    CHECK(compare(regex("a", "m").element(), regex("a", "i").element()) == 1);
    CHECK(compare(regex("a", "m").element(), regex("b", "").element()) == -1);
}

TEST_CASE("objects compare rank, then name, then value, field by field") {
    const Value one = object([](Builder& b) { b.append("a", 1); });
    const Value renamed = object([](Builder& b) { b.append("b", 0); });
    const Value retyped = object([](Builder& b) { b.append("Z", "x"); });
    const Value longer = object([](Builder& b) {
        b.append("a", 1.0);
        b.append("b", 1);
    });
    CHECK(compare(one.element(), renamed.element()) == -1);
    CHECK(compare(renamed.element(), retyped.element()) == -1);
    CHECK(compare(one.element(), longer.element()) == -1);
    CHECK(compare(Value::of_object(View()).element(), one.element()) == -1);
    CHECK(compare(one.element().object(), renamed.element().object(), FieldNames::ignored) == 1);
    Builder b;
    b.append("x", 1);
    b.append("y", 1);
    const Document named = b.finish();
    CHECK(compare(named["x"], named["y"]) == 0);
    CHECK(compare(named["x"], named["y"], FieldNames::considered) == -1);
}

TEST_CASE("collation reaches strings and symbols at any depth, never names and code") {
    const CaseFolding fold;
    CHECK(equal(text("A"), text("a"), &fold));
    const auto nested = [](const char* name, const char* value) {
        return object([&](Builder& b) {
            b.open_array("l");
            b.open_object();
            b.append(name, value);
            b.close();
            b.close();
        });
    };
    CHECK(equal(nested("n", "A"), nested("n", "a"), &fold));
    CHECK_FALSE(equal(nested("n", "A"), nested("N", "a"), &fold));
    const auto code = [](const char* c) { return object([&](Builder& b) { b.append_code("c", c); }); };
    CHECK_FALSE(equal(code("A"), code("a"), &fold));
    const auto scoped = [](const char* value) {
        return object([&](Builder& b) {
            Builder scope;
            scope.append("s", value);
            b.append_code_with_scope("c", "f", scope.finish_view());
        });
    };
    CHECK_FALSE(equal(scoped("A"), scoped("a"), &fold));
    CHECK(hash(nested("n", "A"), &fold) == hash(nested("n", "a"), &fold));
    CHECK(same_collation(&fold, &fold));
    CHECK_FALSE(same_collation(&fold, nullptr));
}

TEST_CASE("equal values hash equally, different ones differently") {
    const std::vector<Value> pool = sample::all_values();
    for (const Value& left : pool)
        for (const Value& right : pool) {
            INFO(debug_string(left.element()) << " and " << debug_string(right.element()));
            CHECK((hash(left) == hash(right)) == equal(left, right));
        }
}
