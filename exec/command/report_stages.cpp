#include "ixora/command/report_stages.hpp"

#include <algorithm>
#include <string>

#include "ixora/base/error.hpp"
#include "ixora/bson/builder.hpp"
#include "ixora/bson/debug_string.hpp"
#include "ixora/mql/match_parser.hpp"
#include "ixora/mql/matcher.hpp"
#include "ixora/mql/projection.hpp"
#include "ixora/mql/sort_pattern.hpp"

namespace ixora::command {

namespace {

using Documents = std::vector<bson::Document>;

void match(bson::Element filter, Documents& documents) {
    if (!filter.is_object()) throw Error(15959, "the match filter must be an expression in an object");
    const mql::Matcher matcher(*mql::parse_match(filter.object()));
    std::erase_if(documents, [&](const bson::Document& document) { return !matcher.matches(document); });
}

void sort(bson::Element pattern, Documents& documents) {
    if (!pattern.is_object()) throw Error(15973, "the $sort key specification must be an object");
    const mql::SortPattern parsed = mql::SortPattern::parse(pattern.object());
    if (parsed.empty()) throw Error(15976, "$sort stage must have at least one sort key");
    mql::SortKeyGenerator keys(parsed, nullptr);
    std::vector<std::pair<std::string, bson::Document>> keyed;
    for (bson::Document& document : documents) {
        std::string key;
        keys.append_key(document, key);
        keyed.emplace_back(std::move(key), std::move(document));
    }
    std::stable_sort(keyed.begin(), keyed.end(),
                     [](const auto& left, const auto& right) { return left.first < right.first; });
    for (std::size_t i = 0; i < documents.size(); ++i) documents[i] = std::move(keyed[i].second);
}

void project(bson::Element spec, Documents& documents) {
    if (!spec.is_object()) throw Error(15969, "$project specification must be an object");
    if (spec.object().empty()) throw Error(51272, "projection specification must have at least one field");
    const mql::Projection projection = mql::Projection::parse(spec.object());
    for (bson::Document& document : documents) {
        bson::Builder out;
        projection.apply(document, {}, nullptr, out);
        document = out.finish();
    }
}

// The number of a $skip (5107200) or a $limit (5107201).
std::size_t row_count(bson::Element value, int code) {
    const auto refuse = [&](const std::string& reason) {
        return Error(code, "invalid argument to " + std::string(value.name()) + " stage: " + reason +
                               bson::debug_element_string(value));
    };
    if (!value.is_number()) throw refuse("Expected a number in: ");
    const std::int64_t number = value.to_int64();
    if (static_cast<double>(number) != value.to_double()) throw refuse("Expected an integer: ");
    if (number < 0) throw refuse("Expected a non-negative number in: ");
    return static_cast<std::size_t>(number);
}

void skip(bson::Element value, Documents& documents) {
    const std::size_t rows = std::min(row_count(value, 5107200), documents.size());
    documents.erase(documents.begin(), documents.begin() + static_cast<std::ptrdiff_t>(rows));
}

void limit(bson::Element value, Documents& documents) {
    const std::size_t rows = row_count(value, 5107201);
    if (rows == 0) throw Error(15958, "the limit must be positive");
    if (rows < documents.size()) documents.resize(rows);
}

void run_stage(bson::Element stage, Documents& documents) {
    if (!stage.is_object() || stage.object().field_count() != 1)
        throw Error(40323, "A pipeline stage specification object must contain exactly one field.");
    const bson::Element argument = stage.object().front();
    if (argument.name() == "$match") return match(argument, documents);
    if (argument.name() == "$sort") return sort(argument, documents);
    if (argument.name() == "$project") return project(argument, documents);
    if (argument.name() == "$skip") return skip(argument, documents);
    if (argument.name() == "$limit") return limit(argument, documents);
    throw Error(ErrorCode::command_not_supported,
                "pipeline stage '" + std::string(argument.name()) + "' is not supported by this engine");
}

}  // namespace

Documents run_report_stages(bson::View pipeline, Documents documents) {
    bool first = true;
    for (const bson::Element& stage : pipeline) {
        if (!first) run_stage(stage, documents);
        first = false;
    }
    return documents;
}

}  // namespace ixora::command
