#include "ixora/command/view.hpp"

#include <algorithm>
#include <map>

#include "ixora/base/error.hpp"
#include "ixora/bson/builder.hpp"
#include "ixora/command/catalog.hpp"

namespace ixora::command {

namespace {

constexpr int depth_max = 20;

// Walks the views below a new one and above it.
class ViewGraph {
public:
    ViewGraph(const Catalog& catalog, const ViewDefinition& added) : catalog_(catalog), added_(added) {
        for (const ViewPtr& view : catalog.views(added.ns.database))
            if (view->ns.collection != added.ns.collection)
                for (const std::string& name : view->reads) readers_[name].push_back(view->ns.collection);
        for (const std::string& name : added.reads) readers_[name].push_back(added.ns.collection);
    }

    // Levels of views from `view` down.
    int depth_below(const ViewDefinition& view) {
        enter(view.ns.collection);
        check_collation(view);
        int deepest = 0;
        for (const std::string& name : view.reads)
            if (const ViewPtr next = find(name))
                deepest = std::max(deepest, once(below_, name, [&] { return depth_below(*next); }));
        path_.pop_back();
        return deepest + 1;
    }
    // Levels of views from `name` up.
    int height_above(const std::string& name) {
        enter(name);
        int highest = 0;
        check_collation(*find(name));
        for (const std::string& reader : readers_[name])
            highest = std::max(highest, once(above_, reader, [&] { return height_above(reader); }));
        path_.pop_back();
        return highest + 1;
    }

private:
    ViewPtr find(const std::string& name) const {
        if (name == added_.ns.collection) return std::make_shared<ViewDefinition>(added_);
        return catalog_.find_view({added_.ns.database, name});
    }
    void check_collation(const ViewDefinition& view) const {
        if (!bson::same_collation(view.collator.get(), added_.collator.get()))
            throw Error(ErrorCode::option_not_supported_on_view,
                        "View " + added_.ns.full() + " has conflicting collation with view " + view.ns.full());
    }
    void enter(const std::string& name) {
        const auto seen = std::find(path_.begin(), path_.end(), name);
        const bool cycle = seen != path_.end();
        path_.push_back(name);
        if (!cycle) return;
        std::string text = "View cycle detected: " + added_.ns.full();
        for (const std::string& on_path : path_) text += " => " + added_.ns.database + "." + on_path;
        throw Error(ErrorCode::graph_contains_cycle, text);
    }
    template <class Count>
    static int once(std::map<std::string, int>& known, const std::string& name, Count&& count) {
        const auto found = known.find(name);
        if (found != known.end()) return found->second;
        const int levels = count();
        known.emplace(name, levels);
        return levels;
    }

    const Catalog& catalog_;
    const ViewDefinition& added_;
    std::map<std::string, std::vector<std::string>> readers_;
    std::map<std::string, int> below_;
    std::map<std::string, int> above_;
    std::vector<std::string> path_;  // the views on the way
};

}  // namespace

bson::Document ViewDefinition::options() const {
    bson::Builder out;
    out.append("viewOn", on);
    out.open_array("pipeline");
    for (const bson::Document& stage : pipeline) out.append(stage);
    out.close();
    if (collator) out.append("collation", collator->spec());
    return out.finish();
}

ResolvedView resolve_view(const Catalog& catalog, const ViewDefinition& view) {
    ResolvedView resolved;
    if (view.collator) {
        resolved.collation = view.collator->spec();
    } else {
        bson::Builder simple;
        simple.append("locale", "simple");
        resolved.collation = simple.finish();
    }
    std::vector<ViewPtr> levels{std::make_shared<ViewDefinition>(view)};
    while (const ViewPtr next = catalog.find_view({view.ns.database, levels.back()->on})) {
        if (levels.size() == depth_max)
            throw Error(ErrorCode::view_depth_limit_exceeded,
                        "View depth too deep or view cycle detected; maximum depth is " + std::to_string(depth_max));
        levels.push_back(next);
    }
    resolved.collection = levels.back()->on;
    for (auto level = levels.rbegin(); level != levels.rend(); ++level)
        resolved.pipeline.insert(resolved.pipeline.end(), (*level)->pipeline.begin(), (*level)->pipeline.end());
    return resolved;
}

void check_view_graph(const Catalog& catalog, const ViewDefinition& view) {
    ViewGraph graph(catalog, view);
    const int levels = graph.depth_below(view) + graph.height_above(view.ns.collection) - 1;
    if (levels > depth_max)
        throw Error(ErrorCode::view_depth_limit_exceeded,
                    "View depth limit exceeded; maximum depth is " + std::to_string(depth_max));
}

void refuse_view(const Namespace& ns) {
    throw Error(ErrorCode::command_not_supported_on_view, "Namespace " + ns.full() + " is a view, not a collection");
}

}  // namespace ixora::command
