// A find projection as a trie of field names (spec: match.md section 9). Built by projection_parser.cpp, run by
// projection_apply.cpp.
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ixora/mql/projection.hpp"
#include "metadata_name.hpp"

namespace ixora::mql {

class ProjectionNode;

// {$slice: n} is skip 0, limit n, or skip -n, limit n.
struct ProjectionSlice {
    std::int64_t skip = 0;  // negative: from the end
    std::int64_t limit = 0;
};

// What one name of a node asks for.
struct ProjectionField {
    enum class Kind {
        path,  // more names below: `node`
        include,
        exclude,
        slice,       // keeps the value, cut if it is an array
        positional,  // includes the value, an array reduced to the element that matched
        elem_match,  // computed: the first matching element of the original array
        meta,        // computed from the row's metadata
        expression,  // computed from the row
    };

    std::string name;
    Kind kind = Kind::path;
    std::unique_ptr<ProjectionNode> node;
    ProjectionSlice slice;
    const MetadataName* meta = nullptr;
    std::unique_ptr<const Matcher> matcher;  // elem_match, over the whole document
    std::optional<Expression> expression;
    bool leads_to_positional = false;  // of a path

    bool computed() const noexcept {
        return kind == Kind::elem_match || kind == Kind::meta || kind == Kind::expression;
    }
    bool holds_computed() const noexcept;  // itself or below
};

class ProjectionNode {
public:
    const std::vector<ProjectionField>& fields() const noexcept { return fields_; }  // in order of the specification
    std::vector<ProjectionField>& fields() noexcept { return fields_; }              // neither names nor kinds change
    const ProjectionField* find(std::string_view name) const noexcept;
    ProjectionField* find(std::string_view name) noexcept {
        return const_cast<ProjectionField*>(std::as_const(*this).find(name));
    }
    // Needs a name that is not there yet.
    ProjectionField& add(std::string_view name);
    void erase(std::string_view name);

    // Fixes what follows from the whole tree; the members below are valid afterwards.
    void seal();
    bool holds_computed() const noexcept { return holds_computed_; }
    // How many fields the document itself provides.
    std::size_t stored_count() const noexcept { return stored_count_; }

private:
    struct NameHash {
        using is_transparent = void;
        std::size_t operator()(std::string_view name) const noexcept { return std::hash<std::string_view>()(name); }
    };
    void index_names();

    std::vector<ProjectionField> fields_;
    // Name to position, kept only for so many fields that looking at each would be slow.
    boost::unordered_flat_map<std::string, std::uint32_t, NameHash, std::equal_to<>> positions_;
    bool holds_computed_ = false;
    std::size_t stored_count_ = 0;
};

inline bool ProjectionField::holds_computed() const noexcept {
    return computed() || (node != nullptr && node->holds_computed());
}

struct ProjectionTree {
    ProjectionNode root;
    Projection::Type type = Projection::Type::exclusion;
    bool has_slice = false;
    bool has_elem_match = false;
    bool has_positional = false;
    bool has_meta = false;
    bool has_expression = false;
    std::uint32_t slot_count = 0;  // of the variables in its expressions
    std::unique_ptr<const Matcher> positional_matcher;
};

ProjectionTree parse_projection(bson::View spec, const ProjectionParseOptions& options);

// `details` is needed for positional ones.
void apply_projection(const ProjectionTree& tree, EvaluationContext& row, const MatchDetails* details,
                      bson::Builder& out);
void serialize_projection(const ProjectionTree& tree, ProjectionPurpose purpose, bson::Builder& out);

struct Projection::State {
    bson::Document spec;
    ProjectionPurpose purpose = ProjectionPurpose::find;
    ProjectionTree tree;
    ExpressionDependencies dependencies;
    std::vector<std::string> required_fields;
    bool requires_document = false;
    bool is_simple = false;

    // What is read, from the tree.
    void settle_needs();
};

}  // namespace ixora::mql
