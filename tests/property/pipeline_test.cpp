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

// Stages that raise no errors on any document and whose result does not depend on the order of rows.
class PipelineGenerator {
public:
    explicit PipelineGenerator(Generator& random) : random_(random) {}

    bson::Document pipeline() {
        bson::Builder out;
        out.open_array("pipeline");
        const std::size_t count = 1 + random_.below(5);
        for (std::size_t i = 0; i < count; ++i) stage(out);
        out.close();
        return out.finish();
    }

private:
    std::string path() {
        static const std::vector<std::string> paths = {"a", "b", "c", "d", "a.b", "b.c", "z", "_id"};
        return random_.pick(paths);
    }
    std::string top_level() {
        static const std::vector<std::string> names = {"a", "b", "c", "d", "z"};
        return random_.pick(names);
    }

    void stage(bson::Builder& out) {
        out.open_object();
        switch (random_.below(9)) {
            case 0:
            case 1:
            case 2: match(out); break;
            case 3: project(out); break;
            case 4: add_fields(out); break;
            case 5:
                out.open_object("$unwind");
                out.append("path", "$" + path());
                out.append("preserveNullAndEmptyArrays", random_.one_in(2));
                out.close();
                break;
            case 6: group(out); break;
            case 7: sort(out); break;
            default: out.append("$unset", top_level()); break;
        }
        out.close();
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
        if (random_.one_in(3)) out.append("_id", 0);
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
    }

    void sort(bson::Builder& out) {
        out.open_object("$sort");
        out.append(top_level(), random_.one_in(2) ? 1 : -1);
        out.close();
    }

    Generator& random_;
};

struct Rows {
    std::int64_t error = 0;
    std::vector<bson::Document> documents;
};

Rows run(Database& database, const bson::Document& pipeline) {
    bson::Builder command;
    command.append("aggregate", "c");
    command.append_all(pipeline);
    command.open_object("cursor");
    command.append("batchSize", 1000);
    command.close();
    command.append("$db", "test");
    const bson::Document reply = database.run_command(command.finish());
    Rows rows;
    if (!reply["ok"].truthy()) {
        rows.error = reply["code"].to_int64();
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
            REQUIRE(same(optimised, written));
        }
    }
}
