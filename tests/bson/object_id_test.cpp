#include "ixora/bson/object_id.hpp"

#include <ctime>
#include <set>
#include <thread>
#include <vector>

#include "catch.hpp"

using namespace ixora::bson;

TEST_CASE("object ids as text") {
    const auto id = parse_object_id("507f1f77BCF86cd799439011");
    REQUIRE(id.has_value());
    CHECK(to_hex(id->data()) == "507f1f77bcf86cd799439011");
    for (const char* bad : {"", "507f1f77bcf86cd79943901", "507f1f77bcf86cd7994390111", "507f1f77bcf86cd79943901g",
                            "507f1f77bcf86cd79943901 "})
        CHECK_FALSE(parse_object_id(bad).has_value());
}

TEST_CASE("new object ids differ across threads and start with the time") {
    std::vector<std::vector<ObjectId>> made(4);
    std::vector<std::thread> threads;
    const auto before = static_cast<std::uint32_t>(std::time(nullptr));
    for (std::vector<ObjectId>& ids : made)
        threads.emplace_back([&ids] {
            for (int i = 0; i < 2000; ++i) ids.push_back(new_object_id());
        });
    for (std::thread& thread : threads) thread.join();
    const auto after = static_cast<std::uint32_t>(std::time(nullptr));
    std::set<ObjectId> all;
    for (const std::vector<ObjectId>& ids : made) all.insert(ids.begin(), ids.end());
    CHECK(all.size() == 8000);
    for (const ObjectId& id : all) {
        const std::uint32_t seconds = static_cast<std::uint32_t>(id[0]) << 24 |
                                      static_cast<std::uint32_t>(id[1]) << 16 | static_cast<std::uint32_t>(id[2]) << 8 |
                                      id[3];
        if (seconds < before || seconds > after) FAIL("time " << seconds);
        if (!std::equal(id.begin() + 4, id.begin() + 9, all.begin()->begin() + 4)) FAIL("process bytes changed");
    }
}
