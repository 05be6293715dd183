// Values in normal form: numbers, bounds texts, field order (spec: explain.md 13.2 steps 1, 4 and 8).
#include <algorithm>
#include <optional>
#include <vector>

#include "ixora/bson/numbers.hpp"
#include "normal_form_parts.hpp"

namespace ixora::explain::normal {

namespace {

void append_number(bson::Builder& out, std::string_view name, bson::Element number) {
    if (const std::optional<std::int64_t> whole = bson::whole_int64(number))
        out.append(name, *whole);
    else
        out.append(name, number);
}

bool is_text_delimiter(char c) noexcept { return c == '[' || c == ']' || c == '(' || c == ')' || c == ',' || c == ' '; }

// inf, -inf, nan of 8.2 and later as 7.0 writes them.
std::string_view spelled_as_70(std::string_view token) noexcept {
    if (token == "inf") return "inf.0";
    if (token == "-inf") return "-inf.0";
    if (token == "nan") return "nan.0";
    return token;
}

// Fields whose documents mean something by their order.
constexpr std::array ordered_fields{std::string_view("filter"),       std::string_view("parsedQuery"),
                                    std::string_view("indexBounds"),  std::string_view("keyPattern"),
                                    std::string_view("sortPattern"),  std::string_view("transformBy"),
                                    std::string_view("multiKeyPaths")};

bool keeps_order(const bson::Element& field, bool inside_command) noexcept {
    const bool pipeline_stage = field.name().starts_with('$') && field.name() != "$cursor";
    return inside_command || pipeline_stage || is_one_of(ordered_fields, field.name());
}

void append_sorted(bson::Builder& out, bson::View object, bool inside_command);

void append_sorted_array(bson::Builder& out, bson::View array) {
    for (const bson::Element& member : array) {
        if (member.is_object()) {
            out.open_object();
            append_sorted(out, member.object(), false);
            out.close();
        } else {
            out.append_member(member);
        }
    }
}

void append_sorted(bson::Builder& out, bson::View object, bool inside_command) {
    std::vector<bson::Element> fields(object.begin(), object.end());
    std::stable_sort(fields.begin(), fields.end(),
                     [](const bson::Element& left, const bson::Element& right) { return left.name() < right.name(); });
    for (const bson::Element& field : fields) {
        if (keeps_order(field, inside_command)) {
            out.append_element(field);
        } else if (field.is_object()) {
            out.open_object(field.name());
            append_sorted(out, field.object(), field.name() == "command");
            out.close();
        } else if (field.is_array()) {
            out.open_array(field.name());
            append_sorted_array(out, field.object());
            out.close();
        } else {
            out.append_element(field);
        }
    }
}

}  // namespace

bool is_size_estimate(std::string_view name) noexcept {
    static constexpr std::array names{std::string_view("totalDataSizeSorted"),
                                      std::string_view("totalDataSizeSortedBytesEstimate"),
                                      std::string_view("spills"),
                                      std::string_view("spilledDataStorageSize"),
                                      std::string_view("maxAccumulatorMemoryUsageBytes"),
                                      std::string_view("totalOutputDataSizeBytes"),
                                      std::string_view("numBytesSpilledEstimate"),
                                      std::string_view("spilledRecords"),
                                      std::string_view("maxFunctionMemoryUsageBytes"),
                                      std::string_view("maxTotalMemoryUsageBytes"),
                                      std::string_view("memUsage")};
    return is_one_of(names, name);
}

void append_value(bson::Builder& out, std::string_view name, bson::Element value) {
    if (value.is_number()) {
        append_number(out, name, value);
    } else if (value.is_object()) {
        out.open_object(name);
        for (const bson::Element& field : value.object()) append_value(out, field.name(), field);
        out.close();
    } else if (value.is_array()) {
        // Names of array members are their positions, so members go in under the names they have.
        out.open_array(name);
        for (const bson::Element& member : value.object()) append_value(out, member.name(), member);
        out.close();
    } else {
        out.append(name, value);
    }
}

std::string bounds_text(std::string_view text, bool keep_keys) {
    static constexpr std::string_view collation_key = "CollationKey(";
    std::string out;
    std::size_t at = 0;
    while (at < text.size()) {
        if (text[at] == '"') {  // a string value: nothing in it is ours to change
            std::size_t end = at + 1;
            while (end < text.size() && text[end] != '"') end += text[end] == '\\' ? 2U : 1U;
            end = std::min(end + 1, text.size());
            out += text.substr(at, end - at);
            at = end;
        } else if (!keep_keys && text.substr(at).starts_with(collation_key)) {
            const std::size_t end = std::min(text.find(')', at), text.size());
            out.append(collation_key).append(masked_value);
            at = end;
        } else if (is_text_delimiter(text[at])) {
            out.push_back(text[at++]);
        } else {
            std::size_t end = at;
            while (end < text.size() && !is_text_delimiter(text[end]) && text[end] != '"') ++end;
            out += spelled_as_70(text.substr(at, end - at));
            at = end;
        }
    }
    return out;
}

bson::Document sort_fields(bson::View document) {
    bson::Builder out;
    append_sorted(out, document, false);
    return out.finish();
}

}  // namespace ixora::explain::normal
