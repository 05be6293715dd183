#include "ixora/bson/document.hpp"

#include <thread>

#include "catch.hpp"
#include "ixora/bson/compare.hpp"
#include "sample_values.hpp"

using namespace ixora::bson;

TEST_CASE("documents share their bytes") {
    Document copy;
    const std::uint8_t* bytes = nullptr;
    {
        const Document made = sample::every_type();
        bytes = made.view().data();
        copy = made;
    }
    CHECK(copy.view().data() == bytes);
    CHECK(copy["int"].number_int() == 7);
    const Document moved = std::move(copy);
    CHECK(moved.view().data() == bytes);
    const Document own(moved.view());
    CHECK(own.view().data() != bytes);
    CHECK(same_bytes(own.view(), moved.view()));
    CHECK(Document().empty());
    CHECK(Document().size() == 5);
    CHECK(Document().begin() == Document().end());
}

TEST_CASE("a value keeps any element without its name") {
    for (const Element& element : sample::every_type()) {
        const Value value(element);
        CHECK(value.element().name().empty());
        CHECK(value.element().same_bytes(element));
        const Value again = Value::of_bytes(value.type(), value.element().value(), value.element().value_size());
        CHECK(again.element().same_bytes(element));
    }
    CHECK(Value(Element()).missing());
    CHECK(Value().type() == Type::eoo);
    CHECK(Value::of_string("").element().string().empty());
    CHECK(Value::of_bool(true).element().boolean());
    CHECK(Value::min_key().type() == Type::min_key);
    CHECK(Value::undefined().type() == Type::undefined);
}

TEST_CASE("references are counted across threads") {
    const Document shared = sample::every_type();
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([shared] {
            for (int i = 0; i < 10000; ++i) {
                const Document copy = shared;
                if (copy["int"].number_int() != 7) throw std::logic_error("bytes changed");
            }
        });
    for (std::thread& thread : threads) thread.join();
    CHECK(shared["int"].number_int() == 7);
}
