// Views: named pipelines over another collection or view (spec: commands.md section 5, explain.md 6.4).
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "ixora/bson/collator.hpp"
#include "ixora/bson/document.hpp"
#include "ixora/command/namespace.hpp"

namespace ixora::command {

class Catalog;

// Immutable; collMod puts another one in its place.
struct ViewDefinition {
    Namespace ns;
    std::string on;                        // a collection or view of the same database
    std::vector<bson::Document> pipeline;  // its stages
    bson::CollatorPtr collator;            // null: binary, whatever the collection has
    std::set<std::string> reads;           // `on` and what the stages read

    // As listCollections prints them: viewOn, pipeline, collation.
    bson::Document options() const;
};

using ViewPtr = std::shared_ptr<const ViewDefinition>;

// A view down to the collection below it.
struct ResolvedView {
    std::string collection;
    std::vector<bson::Document> pipeline;  // of the lowest view first
    bson::Document collation;              // a specification; {locale: "simple"} for none
};

// Throws ViewDepthLimitExceeded (165) past 20 levels.
ResolvedView resolve_view(const Catalog& catalog, const ViewDefinition& view);

// Whether the view fits in among the others: throws GraphContainsCycle (5), OptionNotSupportedOnView (167) for views of
// several collations, ViewDepthLimitExceeded (165).
void check_view_graph(const Catalog& catalog, const ViewDefinition& view);

// 166: for commands that want a collection.
[[noreturn]] void refuse_view(const Namespace& ns);

// The collection that lists the views of a database.
inline constexpr const char* views_collection = "system.views";

}  // namespace ixora::command
