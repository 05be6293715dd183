// An optimised pipeline over indexes gives what the same pipeline gives as it was written.
#include <algorithm>
#include <cstdlib>

#include "catch.hpp"
#include "generator.hpp"
#include "ixora/bson/compare.hpp"
#include "ixora/bson/extended_json.hpp"
#include "ixora/ixora.hpp"

namespace {

using namespace ixora;
using ixora::test::Generator;

// Stages that raise no errors on any document and whose result does not depend on an order of rows that nothing fixes.
class PipelineGenerator {
public:
    explicit PipelineGenerator(Generator& random) : random_(random) {}

    bson::Document pipeline() {
        has_unique_ids_ = true;
        is_ordered_ = false;
        groups_ = false;
        bson::Builder out;
        out.open_array("pipeline");
        const std::size_t count = 1 + random_.below(6);
        for (std::size_t i = 0; i < count; ++i) {
            out.open_object();
            stage(out);
            out.close();
        }
        out.close();
        return out.finish();
    }

private:
    std::string path() {
        static const std::vector<std::string> paths = {"a", "b", "c", "d", "a.b", "b.c", "z", "j.k", "_id"};
        return random_.pick(paths);
    }
    std::string top_level() {
        static const std::vector<std::string> names = {"a", "b", "c", "d", "z", "j"};
        return random_.pick(names);
    }

    void stage(bson::Builder& out) {
        switch (random_.below(20)) {
            case 0:
            case 1:
            case 2:
            case 3: return match(out);
            case 4: return out.append("$match", random_.filter());
            case 5: return match_expression(out);
            case 6:
            case 7: return project(out);
            case 8:
            case 9: return add_fields(out);
            case 10: return unwind(out, path());
            case 11: return group(out);
            case 12:
            case 13: return sort(out);
            case 14: return cut(out);
            case 15: return lookup(out);
            case 16: return replace_root(out);
            case 17: return redact(out);
            case 18: return rarely(out);
            default: return out.append("$unset", top_level());
        }
    }

    void unwind(bson::Builder& out, const std::string& what) {
        out.open_object("$unwind");
        out.append("path", "$" + what);
        out.append("preserveNullAndEmptyArrays", random_.one_in(2));
        if (random_.one_in(4)) out.append("includeArrayIndex", "z");
        out.close();
        has_unique_ids_ = false;
    }

    // $limit and $skip tell the same rows apart only if their order is fixed.
    void cut(bson::Builder& out) {
        if (!is_ordered_) return sort(out);
        out.append(random_.one_in(2) ? "$limit" : "$skip", static_cast<std::int32_t>(1 + random_.below(20)));
    }

    void lookup(bson::Builder& out) {
        if (random_.one_in(3)) return unwind(out, "j");
        out.open_object("$lookup");
        out.append("from", "o");
        out.append("as", random_.one_in(3) ? top_level() : "j");
        const bool has_pipeline = random_.one_in(2);
        if (!has_pipeline || random_.one_in(2)) {
            out.append("localField", path());
            out.append("foreignField", "k");
        }
        if (has_pipeline) {
            out.open_object("let");
            out.append("v", "$" + path());
            out.close();
            out.open_array("pipeline");
            out.open_object();
            out.open_object("$match");
            out.open_object("$expr");
            out.open_array("$lte");
            out.append("$k");
            out.append("$$v");
            for (int i = 0; i < 4; ++i) out.close();
            out.open_object();
            out.open_object("$sort");
            out.append("_id", 1);
            for (int i = 0; i < 3; ++i) out.close();
        }
        out.close();
    }

    void replace_root(bson::Builder& out) {
        out.open_object("$replaceRoot");
        out.open_object("newRoot");
        out.open_array("$mergeObjects");
        out.append("$$ROOT");
        out.open_object();
        out.append(top_level(), "$" + path());
        for (int i = 0; i < 4; ++i) out.close();
    }

    void redact(bson::Builder& out) {
        out.open_object("$redact");
        out.open_array("$cond");
        out.open_object();
        out.open_array("$gt");
        out.append("$" + top_level());
        out.append(static_cast<std::int32_t>(random_.below(5)));
        out.close();
        out.close();
        out.append("$$PRUNE");
        out.append("$$DESCEND");
        out.close();
        out.close();
    }

    void rarely(bson::Builder& out) {
        switch (random_.below(4)) {
            case 0:
                out.append("$unionWith", "o");
                has_unique_ids_ = false;
                is_ordered_ = false;
                return;
            case 1:
                out.open_object("$sample");
                out.append("size", 1000000);
                out.close();
                is_ordered_ = false;
                return;
            case 2:
                out.append("$sortByCount", "$" + path());
                return forget_order();
            default: return number_rows(out);
        }
    }

    void number_rows(bson::Builder& out) {
        if (!has_unique_ids_) return out.append("$unset", top_level());
        out.open_object("$setWindowFields");
        out.open_object("sortBy");
        out.append("_id", 1);
        out.close();
        out.open_object("output");
        out.open_object("z");
        out.open_object("$documentNumber");
        for (int i = 0; i < 4; ++i) out.close();
        is_ordered_ = true;
    }

    void match_expression(bson::Builder& out) {
        out.open_object("$match");
        out.open_object("$expr");
        static const std::vector<std::string> operators = {"$gt", "$lte", "$eq", "$ne"};
        out.open_array(random_.pick(operators));
        out.append("$" + path());
        if (random_.one_in(3))
            out.append("$" + path());
        else
            out.append(static_cast<std::int32_t>(random_.below(5)));
        for (int i = 0; i < 3; ++i) out.close();
    }

    void match(bson::Builder& out) {
        out.open_object("$match");
        const std::size_t count = 1 + random_.below(2);
        std::string last;
        for (std::size_t i = 0; i < count; ++i) {
            const std::string name = path();
            if (name == last) continue;
            last = name;
            static const std::vector<std::string> operators = {"$gt", "$lte", "$eq", "$ne"};
            out.open_object(name);
            if (random_.one_in(5))
                out.append("$exists", random_.one_in(2));
            else
                out.append(random_.pick(operators), static_cast<std::int32_t>(random_.below(5)));
            out.close();
        }
        out.close();
    }

    void project(bson::Builder& out) {
        out.open_object("$project");
        out.append(top_level(), 1);
        if (random_.one_in(2)) out.append("y", "$" + path());
        if (random_.one_in(3)) {
            out.append("_id", 0);
            has_unique_ids_ = false;
        }
        out.close();
    }

    void add_fields(bson::Builder& out) {
        out.open_object("$addFields");
        out.append("z", "$" + path());
        if (random_.one_in(2)) {
            out.open_array("y");
            out.append("$" + path());
            out.append(1);
            out.close();
        }
        out.close();
    }

    void group(bson::Builder& out) {
        out.open_object("$group");
        out.append("_id", "$" + path());
        out.open_object("a");
        if (random_.one_in(2))  // a sum of doubles depends on their order
            out.append("$sum", 1);
        else
            out.append(random_.one_in(2) ? "$min" : "$max", "$" + path());
        out.close();
        out.close();
        forget_order();
    }

    void forget_order() {
        groups_ = true;
        has_unique_ids_ = true;
        is_ordered_ = false;
    }

    void sort(bson::Builder& out) {
        out.open_object("$sort");
        // Arrays in both fields would be an error, for rows that an earlier $match may take away.
        if (!groups_ && random_.one_in(2)) out.append(top_level(), random_.one_in(2) ? 1 : -1);
        out.append("_id", random_.one_in(2) ? 1 : -1);
        out.close();
        is_ordered_ = has_unique_ids_;
    }

    Generator& random_;
    bool has_unique_ids_ = true;
    bool is_ordered_ = false;
    bool groups_ = false;  // an _id may be an array
};

struct Rows {
    std::int64_t error = 0;
    std::string message;
    std::vector<bson::Document> documents;
};

Rows run(Database& database, const bson::Document& pipeline) {
    bson::Builder command;
    command.append("aggregate", "c");
    command.append_all(pipeline);
    command.open_object("cursor");
    command.append("batchSize", 1000000);
    command.close();
    command.append("$db", "test");
    const bson::Document reply = database.run_command(command.finish());
    Rows rows;
    if (!reply["ok"].truthy()) {
        rows.error = reply["code"].to_int64();
        rows.message = reply["errmsg"].string();
        return rows;
    }
    for (const bson::Element& row : reply["cursor"].object()["firstBatch"].object())
        rows.documents.emplace_back(row.object());
    std::sort(rows.documents.begin(), rows.documents.end(),
              [](const bson::Document& left, const bson::Document& right) {
                  return bson::compare(left.view(), right.view()) < 0;
              });
    return rows;
}

bool same(const Rows& left, const Rows& right) {
    return left.error == right.error &&
           std::equal(left.documents.begin(), left.documents.end(), right.documents.begin(), right.documents.end(),
                      [](const bson::Document& one, const bson::Document& other) {
                          return bson::equal(one.view(), other.view());
                      });
}

// What only `rows` has.
std::string text(const Rows& rows, const Rows& other) {
    std::string out = rows.message + " " + std::to_string(rows.documents.size()) + " rows";
    for (const bson::Document& document : rows.documents)
        if (std::none_of(other.documents.begin(), other.documents.end(),
                         [&](const bson::Document& one) { return bson::equal(one.view(), document.view()); }))
            out += "\n    " + bson::to_json(document, bson::JsonMode::relaxed);
    return out;
}

void fill(Database& database, Generator& random) {
    auto collection = database.collection("c");
    for (int id = 0; id < 30; ++id) {
        const bson::Document document = random.document(id);
        collection.insert(document.view());
    }
    for (const char* key : {"a", "b", "a.b"}) {
        bson::Builder pattern;
        pattern.append(key, 1);
        collection.create_index(pattern.finish());
    }
    auto joined = database.collection("o");
    for (int id = 100; id < 108; ++id) {
        bson::Builder document;
        document.append("_id", id);
        if (id > 101) document.append("k", (id - 100) / 2);  // the index has the order of the collection
        joined.insert(document.finish());
    }
    if (random.one_in(2)) {
        bson::Builder pattern;
        pattern.append("k", 1);
        joined.create_index(pattern.finish());
    }
}

}  // namespace

TEST_CASE("an optimised pipeline gives the rows of the one as written") {
    const char* asked = std::getenv("IXORA_PROPERTY_RUNS");
    const std::size_t runs = asked != nullptr ? std::strtoul(asked, nullptr, 10) : 2000;
    for (std::size_t i = 0; i < runs;) {
        Generator random(0x9a17 + i);
        Database database;
        fill(database, random);
        PipelineGenerator pipelines(random);
        for (std::size_t k = 0; k < 50 && i < runs; ++k, ++i) {
            const bson::Document pipeline = pipelines.pipeline();
            Knobs knobs;
            database.set_knobs(knobs);
            const Rows optimised = run(database, pipeline);
            knobs.disablePipelineOptimization = true;
            database.set_knobs(knobs);
            const Rows written = run(database, pipeline);
            INFO(bson::to_json(pipeline, bson::JsonMode::relaxed) << " in world " << (i / 50) * 50);
            INFO("optimised: " << text(optimised, written) << "\nas written: " << text(written, optimised));
            REQUIRE(same(optimised, written));
        }
    }
}
