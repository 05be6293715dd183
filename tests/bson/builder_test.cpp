#include "ixora/bson/builder.hpp"

#include <limits>
#include <type_traits>

#include "catch.hpp"
#include "ixora/bson/debug_string.hpp"
#include "ixora/bson/validate.hpp"
#include "sample_values.hpp"

using namespace ixora::bson;

namespace {

template <class T>
concept AppendsAlone = requires(Builder b, T value) {
    b.append(value);
};
// A lone Element does not say whether its name counts.
static_assert(!AppendsAlone<Element> && !AppendsAlone<const Element&> && !AppendsAlone<Element&>);
static_assert(AppendsAlone<int> && AppendsAlone<View> && AppendsAlone<Value&> && AppendsAlone<const char*>);

}  // namespace

TEST_CASE("the bytes of a document") {
    Builder b;
    b.append("a", 1);
    b.open_array("t");
    b.append("x");
    b.close();
    const Document made = b.finish();
    const std::uint8_t expected[] = {29, 0, 0, 0,    0x10, 'a', 0, 1, 0, 0, 0,   0x04, 't', 0, 14,
                                     0,  0, 0, 0x02, '0',  0,   2, 0, 0, 0, 'x', 0,    0,   0};
    REQUIRE(made.size() == sizeof expected);
    CHECK(std::memcmp(made.view().data(), expected, sizeof expected) == 0);
}

TEST_CASE("what is built is valid and reads back, for every type") {
    const Document all = sample::every_type();
    CHECK_NOTHROW(validate({all.view().data(), all.size()}));
    Builder copy;
    for (const Element& element : all) copy.append(element.name(), element);
    CHECK(same_bytes(copy.finish().view(), all.view()));
    copy.append_all(all);
    CHECK(same_bytes(copy.finish().view(), all.view()));
    for (const Element& element : all) copy.append_element(element);
    CHECK(same_bytes(copy.finish().view(), all.view()));
}

TEST_CASE("array members are numbered, whatever their names were") {
    const Document all = sample::every_type();
    Builder b;
    b.open_array("l");
    std::size_t count = 0;
    for (const Element& element : all) {
        b.append_member(element);
        ++count;
    }
    for (int i = 0; i < 1000; ++i) b.append(i);
    b.open_object();
    b.close();
    b.close();
    const Document made = b.finish();
    CHECK_NOTHROW(validate({made.view().data(), made.size()}));
    std::size_t index = 0;
    for (const Element& member : made["l"].object()) CHECK(member.name() == std::to_string(index++));
    CHECK(index == count + 1001);
    CHECK(Builder::IndexName(std::numeric_limits<std::uint32_t>::max()).view() == "4294967295");
    CHECK(Builder::IndexName(0).view() == "0");
}

TEST_CASE("a builder is used again") {
    Builder b;
    b.append("a", 1);
    b.open_object("left open");
    CHECK(b.depth() == 2);
    b.reset();
    CHECK(b.depth() == 1);
    CHECK(b.size() == 5);
    b.append("b", true);
    CHECK(b.size() == 9);
    const View view = b.finish_view();
    CHECK(view.size() == 9);
    CHECK(debug_string(view) == "{ b: true }");
    b.reset();
    CHECK(b.finish().empty());
    CHECK(b.finish().empty());
}

TEST_CASE("missing values add nothing") {
    Builder b;
    b.append("a", Element());
    b.append_element(Element());
    b.append("b", Value());
    CHECK(b.finish().empty());
}

TEST_CASE("counters are ints while they are small") {
    Builder b;
    constexpr std::int64_t limit = 1LL << 30;
    for (const std::int64_t n : {std::int64_t{0}, limit - 1, 1 - limit}) b.append_counter("int", n);
    for (const std::int64_t n : {limit, -limit, std::numeric_limits<std::int64_t>::max()}) b.append_counter("long", n);
    for (const Element& element : b.finish_view()) CHECK(type_name(element.type()) == element.name());
}
