#include "ixora/base/interrupt.hpp"

#include <thread>

#include "catch.hpp"

using ixora::ErrorCode;
using ixora::Interrupt;

namespace {

int code_of(const Interrupt& interrupt) {
    try {
        interrupt.check();
        return 0;
    } catch (const ixora::Error& error) {
        return error.code();
    }
}

}  // namespace

TEST_CASE("a default interrupt never fires") {
    const Interrupt interrupt;
    CHECK(code_of(interrupt) == 0);
}

TEST_CASE("a deadline fires once it has passed") {
    Interrupt interrupt;
    interrupt.set_deadline(Interrupt::Clock::now() + std::chrono::hours(1));
    CHECK(code_of(interrupt) == 0);
    interrupt.set_deadline(Interrupt::Clock::now() - std::chrono::milliseconds(1));
    CHECK(code_of(interrupt) == 50);
}

TEST_CASE("a kill from another thread fires and stays") {
    Interrupt interrupt;
    std::thread killer([&interrupt] { interrupt.kill(); });
    killer.join();
    CHECK(code_of(interrupt) == 11601);
    CHECK(code_of(interrupt) == 11601);
    Interrupt dropped;
    dropped.kill(ErrorCode::query_plan_killed);
    CHECK(code_of(dropped) == 175);
}

TEST_CASE("an embedder's token fires while it is set") {
    std::atomic<bool> token{false};
    Interrupt interrupt;
    interrupt.set_token(&token);
    CHECK(code_of(interrupt) == 0);
    token = true;
    CHECK(code_of(interrupt) == 11601);
    token = false;
    CHECK(code_of(interrupt) == 0);
}
