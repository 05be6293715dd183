// Random documents, indexes and queries, every choice of them drawn from the input: each plan that the planner makes
// returns what a collection scan returns, in the order asked for, and the planner's record has a reason for every
// index.
#include <cstdio>
#include <cstdlib>

#include "../property/world.hpp"

using namespace ixora;
using namespace ixora::test;

namespace {

constexpr std::size_t documents_max = 12;
constexpr std::size_t indexes_max = 5;
constexpr std::size_t queries_max = 4;

// The bytes one after another, then noughts: these end every choice quickly.
class Choices {
public:
    Choices(const std::uint8_t* data, std::size_t size) : at_(data), end_(data + size) {}
    std::uint64_t operator()() { return at_ == end_ ? 0 : *at_++; }
    bool at_end() const noexcept { return at_ == end_; }

private:
    const std::uint8_t* at_;
    const std::uint8_t* end_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Choices choices(data, size);
    Generator generate([&choices] { return choices(); });
    Case test;
    const std::size_t indexes = 1 + generate.below(indexes_max);
    for (std::size_t i = 0; i < indexes; ++i) test.indexes.push_back(generate.index());
    const std::size_t documents = generate.below(documents_max);
    for (std::size_t i = 0; i < documents; ++i) test.documents.push_back(generate.document(static_cast<int>(i)));
    World world(test.documents, test.indexes);
    for (std::size_t i = 0; i < queries_max && !choices.at_end(); ++i) {
        test.query = random_query(generate);
        std::size_t plans = 0;
        const std::string failure = world.check(test.query, plans);
        if (failure.empty()) continue;
        std::fprintf(stderr, "%s: %s\n", bson::to_json(test.query.filter, bson::JsonMode::canonical).c_str(),
                     failure.c_str());
        std::abort();
    }
    return 0;
}
