#include "result_table.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "ixora/bson/extended_json.hpp"

namespace ixora::tool {

namespace {

bool starts_code_point(char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }

std::size_t code_points(std::string_view text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), starts_code_point));
}

// At most `limit` code points, the last of them an ellipsis where something is cut off.
std::string shortened(std::string text, std::size_t limit) {
    if (code_points(text) <= limit) return text;
    std::size_t end = 0;
    for (std::size_t kept = 0; end < text.size(); ++end)
        if (starts_code_point(text[end]) && kept++ == limit - 1) break;
    text.resize(end);
    return text + "…";
}

// Without the characters that would break the line or steer the terminal.
std::string printable(std::string_view text) {
    std::string out;
    for (const char c : text) {
        const bool is_control = static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
        if (is_control)
            out += "\uFFFD";
        else
            out.push_back(c);
    }
    return out;
}

}  // namespace

std::size_t ResultTable::column(std::string_view name) {
    const auto found =
        std::find_if(columns_.begin(), columns_.end(), [&](const Column& each) { return each.name == name; });
    if (found != columns_.end()) return static_cast<std::size_t>(found - columns_.begin());
    Column added{std::string(name), heading(name)};
    added.width = added.heading.width;
    columns_.push_back(std::move(added));
    return columns_.size() - 1;
}

ResultTable::Cell ResultTable::heading(std::string_view name) {
    Cell out;
    out.text = shortened(printable(name), max_cell);
    out.width = code_points(out.text);
    return out;
}

ResultTable::Cell ResultTable::cell(const bson::Element& value) {
    Cell out = heading(value.is_string() ? std::string(value.string()) : bson::to_json(value, bson::JsonMode::relaxed));
    out.is_number = value.is_number();
    return out;
}

void ResultTable::add(bson::View document) {
    if (rows_.size() == max_rows) {
        ++left_out_;
        return;
    }
    std::vector<Cell> row;
    for (const bson::Element& field : document) {
        const std::size_t at = column(field.name());
        if (row.size() <= at) row.resize(at + 1);
        row[at] = cell(field);
        columns_[at].width = std::max(columns_[at].width, row[at].width);
    }
    rows_.push_back(std::move(row));
}

void ResultTable::append_padded(std::string& out, const Cell& cell, std::size_t width, bool is_last) {
    const std::string padding(width - cell.width, ' ');
    if (cell.is_number)
        out += padding + cell.text;
    else
        out += is_last ? cell.text : cell.text + padding;
}

std::string ResultTable::text() const {
    std::string out;
    const auto append_row = [&](const auto& cell_of, std::size_t cells) {
        for (std::size_t i = 0; i < cells; ++i) {
            if (i > 0) out += "  ";
            append_padded(out, cell_of(i), columns_[i].width, i + 1 == cells);
        }
        out.push_back('\n');
    };
    append_row([&](std::size_t i) -> const Cell& { return columns_[i].heading; }, columns_.size());
    append_row(
        [&](std::size_t i) {
            Cell rule;
            for (std::size_t n = 0; n < columns_[i].width; ++n) rule.text += "─";
            rule.width = columns_[i].width;
            return rule;
        },
        columns_.size());
    for (const std::vector<Cell>& row : rows_)
        append_row([&](std::size_t i) -> const Cell& { return row[i]; }, row.size());
    if (left_out_ > 0) out += fmt::format("({} more; without --table all are printed)\n", left_out_);
    return rows_.empty() ? std::string() : out;
}

}  // namespace ixora::tool
