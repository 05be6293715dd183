#include "arguments.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>

namespace ixora::bench {

std::int32_t take_count(int& argc, char** argv) {
    constexpr std::string_view option = "--orders=";
    for (int i = 1; i < argc; ++i) {
        const std::string_view argument = argv[i];
        if (!argument.starts_with(option)) continue;
        std::int32_t count = 0;
        std::from_chars(argument.data() + option.size(), argument.data() + argument.size(), count);
        std::copy(argv + i + 1, argv + argc + 1, argv + i);  // with the null pointer at the end
        --argc;
        return count;
    }
    return 0;
}

}  // namespace ixora::bench
