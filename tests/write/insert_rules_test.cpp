// What insert completes and refuses (update.md sections 10 and 11).
#include "ixora/write/insert_rules.hpp"

#include "catch.hpp"
#include "ixora/bson/builder.hpp"
#include "ixora/bson/extended_json.hpp"
#include "ixora/bson/validate.hpp"
#include "ixora/mql/shell.hpp"

using namespace ixora;
using namespace ixora::literals;

namespace {

// A document with `depth` levels.
bson::Document nested(int depth) {
    bson::Builder out;
    out.append("_id", 1);
    for (int i = 1; i < depth; ++i) out.open_object("a");
    for (int i = 1; i < depth; ++i) out.close();
    return out.finish();
}

int code_of(bson::View document) {
    try {
        write::prepare_insert(document, 7);
        return 0;
    } catch (const Error& error) {
        return error.code();
    }
}

}  // namespace

TEST_CASE("a document with its _id in front is stored byte for byte") {
    const bson::Document document = "{_id: 1, b: 2, a: {ts: Timestamp(0, 0)}}"_bson;
    CHECK(same_bytes(write::prepare_insert(document, 7).view(), document.view()));
}

TEST_CASE("Timestamp(0, 0) is replaced at top level only, and never in _id") {
    const bson::Document stored =
        write::prepare_insert("{_id: Timestamp(0, 0), t: Timestamp(0, 0), n: {t: Timestamp(0, 0)}}"_bson, 99);
    CHECK(stored["_id"].timestamp() == 0);
    CHECK(stored["t"].timestamp() == 99);
    CHECK(stored["n"].object()["t"].timestamp() == 0);
}

TEST_CASE("nesting: 180 levels are stored, 181 are not, arrays and scopes count") {
    CHECK(code_of(nested(180)) == 0);
    CHECK(code_of(nested(181)) == 15);
    CHECK(code_of(nested(5000)) == 15);
    CHECK(write::nesting_depth("{a: [[1]]}"_bson) == 3);
}

TEST_CASE("documents past 16 MiB are refused") {
    bson::Builder out;
    out.append("_id", 1);
    out.append("text", std::string(bson::document_size_max - 64, 'x'));
    CHECK(code_of(out.finish()) == 0);
    out.append("_id", 1);
    out.append("text", std::string(bson::document_size_max, 'x'));
    CHECK(code_of(out.finish()) == 10334);
}
