// A new index against the ones that a collection has (spec: keystring.md 2.7 step E).
#include <algorithm>
#include <array>

#include "ixora/bson/compare.hpp"
#include "ixora/bson/debug_string.hpp"
#include "ixora/command/index_spec.hpp"
#include "ixora/key/key_pattern.hpp"
#include "ixora/key/wildcard_projection.hpp"
#include "ixora/mql/match_parser.hpp"
#include "ixora/mql/match_rewrite.hpp"

namespace ixora::command {

namespace {

using bson::Element;
using bson::View;

bool same_optional_object(View left, View right, std::string_view name) {
    const Element a = left[name];
    const Element b = right[name];
    if (a.missing() || b.missing()) return a.missing() && b.missing();
    return bson::equal(a, b);
}

bool same_partial_filter(View left, View right) {
    const Element a = left["partialFilterExpression"];
    const Element b = right["partialFilterExpression"];
    if (a.missing() || b.missing()) return a.missing() && b.missing();
    return mql::equivalent(*mql::normalize(mql::parse_match(a.object())),
                           *mql::normalize(mql::parse_match(b.object())));
}

bool same_wildcard_projection(View left, View right) {
    const View key = left["key"].object();
    if (key::index_type(key) != key::IndexType::wildcard) return true;
    const auto projection = [&key](View spec) {
        const Element given = spec["wildcardProjection"];
        return key::WildcardProjection(key, given.missing() ? View() : given.object());
    };
    return projection(left) == projection(right);
}

bool same_signature(View left, View right) {
    return bson::equal(left["key"].object(), right["key"].object()) && same_optional_object(left, right, "collation") &&
           same_partial_filter(left, right) && left["unique"].truthy() == right["unique"].truthy() &&
           left["sparse"].truthy() == right["sparse"].truthy() && same_wildcard_projection(left, right);
}

// Everything that is neither part of the signature nor ignored.
bool same_options(View left, View right) {
    static constexpr std::array ignored{std::string_view("v"),
                                        std::string_view("ns"),
                                        std::string_view("name"),
                                        std::string_view("key"),
                                        std::string_view("background"),
                                        std::string_view("dropDups"),
                                        std::string_view("collation"),
                                        std::string_view("partialFilterExpression"),
                                        std::string_view("unique"),
                                        std::string_view("sparse"),
                                        std::string_view("wildcardProjection"),
                                        std::string_view("textIndexVersion"),
                                        std::string_view("2dsphereIndexVersion")};
    const auto covered_by = [](View some, View other) {
        for (const Element& option : some)
            if (std::find(ignored.begin(), ignored.end(), option.name()) == ignored.end() &&
                !bson::equal(option, other[option.name()]))
                return false;
        return true;
    };
    return covered_by(left, right) && covered_by(right, left);
}

}  // namespace

bool index_exists_already(View normalized, const std::vector<write::IndexStatePtr>& existing, const Namespace& ns) {
    const std::string_view name = normalized["name"].string();
    for (const write::IndexStatePtr& index : existing) {
        if (index->name() != name) continue;
        const std::string both = " Requested index: " + bson::debug_string(normalized) +
                                 ", existing index: " + bson::debug_string(index->spec().view());
        if (!same_signature(normalized, index->spec()))
            throw Error(ErrorCode::index_key_specs_conflict,
                        "An existing index has the same name as the requested index. When index names are not "
                        "specified, they are auto "
                        "generated and can cause conflicts. Please refer to our documentation." +
                            both);
        if (!same_options(normalized, index->spec()))
            throw Error(ErrorCode::index_options_conflict,
                        "An equivalent index already exists with the same name but different options." + both);
        return true;
    }
    for (const write::IndexStatePtr& index : existing) {
        if (!same_signature(normalized, index->spec())) continue;
        if (same_options(normalized, index->spec()))
            throw Error(ErrorCode::index_options_conflict,
                        "Index already exists with a different name: " + index->name());
        throw Error(ErrorCode::index_options_conflict,
                    "An equivalent index already exists with a different name and options. Requested index: " +
                        bson::debug_string(normalized) +
                        ", existing index: " + bson::debug_string(index->spec().view()));
    }
    if (existing.size() >= indexes_max)
        throw Error(ErrorCode::cannot_create_index, "add index fails, too many indexes for " + ns.full() +
                                                        " key:" + bson::debug_string(normalized["key"]));
    return false;
}

}  // namespace ixora::command
