// Runs commands written as shell text against a fresh database.
#pragma once

#include <string>
#include <string_view>

#include "catch.hpp"
#include "ixora/ixora.hpp"

namespace ixora::test {

class Commands {
public:
    // `text` is a command document without $db.
    bson::Document operator()(std::string_view text, std::string_view db = "test") {
        const bson::Document parsed = mql::parse_shell_document(text);
        bson::Builder command;
        command.append_all(parsed);
        command.append("$db", db);
        return database.run_command(command.finish());
    }
    // The reply of a command that must succeed.
    bson::Document ok(std::string_view text) {
        bson::Document reply = (*this)(text);
        INFO(text << " -> " << bson::to_json(reply, bson::JsonMode::relaxed));
        REQUIRE(reply["ok"].truthy());
        return reply;
    }
    std::int64_t code(std::string_view text) {
        const bson::Document reply = (*this)(text);
        return reply["ok"].truthy() ? 0 : reply["code"].to_int64();
    }
    std::string message(std::string_view text) { return std::string((*this)(text)["errmsg"].string()); }
    // The rows of a find's first batch as relaxed JSON, one after another.
    std::string rows(std::string_view find) { return batch(ok(find), "firstBatch"); }
    static std::string batch(bson::View reply, std::string_view name) {
        std::string out;
        for (const bson::Element& row : reply["cursor"].object()[name].object()) out += bson::to_json(row, bson::JsonMode::relaxed);
        return out;
    }

    Database database;
};

inline std::string json(bson::View document) { return bson::to_json(document, bson::JsonMode::relaxed); }
inline std::string json(bson::Element value) { return bson::to_json(value, bson::JsonMode::relaxed); }

// Names of a document's fields, in order, separated by blanks.
inline std::string field_names(bson::View document) {
    std::string out;
    for (const bson::Element& field : document) out += (out.empty() ? "" : " ") + std::string(field.name());
    return out;
}

}  // namespace ixora::test
