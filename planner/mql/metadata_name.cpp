#include "metadata_name.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "ixora/base/error.hpp"

namespace ixora::mql {

const MetadataName& parse_metadata_name(bson::Element argument) {
    static constexpr std::array<MetadataName, 10> names = {{
        {"sortKey", Metadata::sort_key},
        {"indexKey", Metadata::index_key},
        {"recordId", Metadata::record_id},
        {"randVal", Metadata::random_value},
        {"textScore", Metadata::unavailable, "text score"},
        {"geoNearDistance", Metadata::unavailable, "$geoNear distance"},
        {"geoNearPoint", Metadata::unavailable, "$geoNear point"},
        {"searchScore", Metadata::unavailable, "$search score"},
        {"searchHighlights", Metadata::unavailable, "$search highlights"},
        {"searchScoreDetails", Metadata::unavailable, "$search score details"},
    }};
    if (!argument.is_string()) throw Error(17307, "$meta only supports string arguments");
    const auto found = std::find_if(names.begin(), names.end(),
                                    [&argument](const MetadataName& known) { return known.name == argument.string(); });
    if (found == names.end()) throw Error(17308, "Unsupported argument to $meta: " + std::string(argument.string()));
    return *found;
}

}  // namespace ixora::mql
