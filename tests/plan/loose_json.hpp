// Extended JSON with bare keys and single quotes, so that queries in tests read as people write them.
#pragma once

#include <cctype>
#include <string>
#include <string_view>

#include "ixora/bson/extended_json.hpp"
#include "ixora/mql/match_parser.hpp"
#include "ixora/mql/match_rewrite.hpp"

namespace ixora::test {

// {a: {$gt: 1}, 'b.c': "x"} -> {"a": {"$gt": 1}, "b.c": "x"}. Numbers with a point are doubles; MinKey is {$minKey: 1}
// and so on; the words undefined, MinKey, MaxKey stand for their wrappers.
inline std::string quoted(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size();) {
        const char c = text[i];
        if (c == '\'' || c == '"') {
            out += '"';
            for (++i; i < text.size() && text[i] != c; ++i) out += text[i];
            out += '"';
            ++i;
        } else if (std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '$' || c == '_') {
            std::size_t end = i;
            while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) != 0 || text[end] == '$' ||
                                         text[end] == '_' || text[end] == '.'))
                ++end;
            const std::string_view word = text.substr(i, end - i);
            if (word == "true" || word == "false" || word == "null")
                out += word;
            else if (word == "MinKey")
                out += R"({"$minKey": 1})";
            else if (word == "MaxKey")
                out += R"({"$maxKey": 1})";
            else if (word == "undefined")
                out += R"({"$undefined": true})";
            else if (word == "NaN")
                out += R"({"$numberDouble": "NaN"})";
            else
                out.append("\"").append(word).append("\"");
            i = end;
        } else if (std::isdigit(static_cast<unsigned char>(c)) != 0) {
            while (i < text.size() && (std::isalnum(static_cast<unsigned char>(text[i])) != 0 || text[i] == '.'))
                out += text[i++];
        } else {
            out += c;
            ++i;
        }
    }
    return out;
}

inline bson::Document doc(std::string_view text) { return bson::from_json(quoted(text)); }

// The canonical tree of a filter.
inline mql::MatchNodePtr match(std::string_view text, const bson::CollatorPtr& collator = nullptr) {
    mql::MatchParseOptions options;
    options.collator = collator;
    return mql::normalize(mql::parse_match(doc(text), options));
}

}  // namespace ixora::test
