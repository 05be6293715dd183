// Documents as a table for people.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "ixora/bson/view.hpp"

namespace ixora::tool {

// A column for every top-level field, in the order in which they first appear; numbers stand at the right. Strings are
// shown as they are, other values as relaxed Extended JSON, what does not fit in a cell with an ellipsis.
class ResultTable {
public:
    static constexpr std::size_t max_rows = 1000;
    static constexpr std::size_t max_cell = 40;  // code points

    // Rows past max_rows are only counted.
    void add(bson::View document);
    // With a last line that says how many rows are left out, if any.
    std::string text() const;

private:
    struct Cell {
        std::string text;
        std::size_t width = 0;
        bool is_number = false;
    };
    struct Column {
        std::string name;
        Cell heading;
        std::size_t width = 0;
    };

    std::size_t column(std::string_view name);
    static Cell heading(std::string_view name);
    static Cell cell(const bson::Element& value);
    static void append_padded(std::string& out, const Cell& cell, std::size_t width, bool is_last);

    std::vector<Column> columns_;
    std::vector<std::vector<Cell>> rows_;  // a row may end before the last column
    std::size_t left_out_ = 0;
};

}  // namespace ixora::tool
