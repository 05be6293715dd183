#include "index_file.hpp"

#include <algorithm>
#include <array>

#include "data_file.hpp"
#include "ixora/base/error.hpp"
#include "ixora/bson/builder.hpp"
#include "ixora/bson/debug_string.hpp"
#include "ixora/key/key_pattern.hpp"

namespace ixora::tool {

namespace {

using bson::Element;
using bson::View;

// Servers keep whatever option an index was once created with; these are the ones that matter to a plan.
bool shapes_plans(std::string_view option) {
    static constexpr std::array options{
        std::string_view("key"),
        std::string_view("name"),
        std::string_view("partialFilterExpression"),
        std::string_view("collation"),
        std::string_view("wildcardProjection"),
        std::string_view("weights"),
        std::string_view("default_language"),
        std::string_view("language_override"),
        std::string_view("textIndexVersion"),
        std::string_view("2dsphereIndexVersion"),
        std::string_view("bits"),
        std::string_view("min"),
        std::string_view("max"),
    };
    return std::find(options.begin(), options.end(), option) != options.end();
}

bool is_flag(std::string_view option) { return option == "unique" || option == "sparse" || option == "hidden"; }

bool is_id_key(View key) {
    return key.field_count() == 1 && key.front().name() == "_id" && key.front().is_number() &&
           key.front().to_double() > 0;
}

// The definition as createIndexes takes it. Old servers print `v: 0` or 1, `ns` and flags of any type.
bson::Document normalized(View spec) {
    bson::Builder out;
    for (const Element& option : spec) {
        if (shapes_plans(option.name()))
            out.append_element(option);
        else if (is_flag(option.name()) && option.truthy())
            out.append(option.name(), true);
        else if (option.name() == "v" && option.is_number() && option.to_double() == 1)
            out.append("v", 1);
    }
    if (!spec.contains("name")) out.append("name", key::default_index_name(spec["key"].object()));
    return out.finish();
}

class IndexReader {
public:
    explicit IndexReader(const std::string& path) : text_(read_text_file(path)) { file_.path = path; }

    IndexFile read() {
        bool empty = true;
        parse_documents(file_.path, text_, [&](View document, std::size_t line) {
            empty = false;
            take(document, line);
        });
        // An empty collection of a server prints [].
        if (empty && text_.find('[') == std::string::npos) throw fail(1, "no index definitions");
        return std::move(file_);
    }

private:
    // One index, or a reply that holds a list of them.
    void take(View document, std::size_t line) {
        const Element cursor = document["cursor"];
        if (cursor.is_object() && cursor.object()["firstBatch"].is_array()) {
            take_list(cursor.object()["firstBatch"].object(), line);
            if (cursor.object()["id"].to_int64() != 0)
                file_.notes.emplace_back("the cursor was not read to its end, so indexes may be missing");
        } else if (document["indexes"].is_array()) {
            if (const Element name = document["collectionName"]; name.is_string()) file_.collection = name.string();
            if (const Element options = document["options"]; options.is_object()) take_options(options.object(), line);
            take_list(document["indexes"].object(), line);
        } else if (document.contains("ok") && !document["ok"].truthy()) {
            throw fail(line, "an error reply: " + bson::debug_string(document["errmsg"]));
        } else {
            take_index(document, line);
        }
    }

    void take_list(View list, std::size_t line) {
        for (const Element& member : list) {
            if (!member.is_object())
                throw fail(line, "expected an index definition, not " + bson::debug_string(member));
            const Element name = definition_in(member.object())["name"];
            take_index(member.object(), name.is_string() ? line_of(name.string(), line) : line);
        }
    }

    void take_options(View options, std::size_t line) {
        if (const Element collation = options["collation"]; collation.is_object())
            file_.collation = bson::Document(collation.object());
        if (const Element clustered = options["clusteredIndex"]; clustered.is_object())
            take_clustered(clustered.object(), line);
        if (options.contains("viewOn")) throw fail(line, "a view has no indexes of its own");
    }

    void take_clustered(View definition, std::size_t line) {
        bson::Builder out;
        out.append("key", definition["key"]);
        out.append("unique", true);
        out.append("name", definition["name"]);
        file_.clustered_by = ListedIndex{out.finish(), line};
    }

    // $indexStats and listIndexes with build information wrap the definition.
    static View definition_in(View document) {
        const Element inner = document["spec"];
        return inner.is_object() ? inner.object() : document;
    }

    void take_index(View document, std::size_t line) {
        const View spec = definition_in(document);
        if (!spec["key"].is_object())
            throw fail(line,
                       "expected an index definition with a key pattern in `key`, not " + bson::debug_string(document));
        if (spec["clustered"].truthy()) return take_clustered(spec, line);
        if (is_id_key(spec["key"].object())) {
            if (const Element collation = spec["collation"]; collation.is_object())
                file_.collation = bson::Document(collation.object());
            return;
        }
        file_.indexes.push_back({normalized(spec), line});
    }

    // Members of a list carry no positions: the line of the name in quotes will do, since names are unique.
    std::size_t line_of(std::string_view name, std::size_t start_line) const {
        for (const char quote : {'"', '\''}) {
            const std::size_t at = text_.find(quote + std::string(name) + quote);
            if (at != std::string::npos)
                return 1 + static_cast<std::size_t>(
                               std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
        }
        return start_line;
    }

    Error fail(std::size_t line, const std::string& reason) const {
        return Error(ErrorCode::failed_to_parse, file_.path + ": line " + std::to_string(line) + ": " + reason);
    }

    std::string text_;
    IndexFile file_;
};

}  // namespace

IndexFile read_index_file(const std::string& path) { return IndexReader(path).read(); }

}  // namespace ixora::tool
