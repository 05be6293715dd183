#include "pipelines.hpp"

using ixora::test::pipeline_error;
using ixora::test::run_pipeline;

namespace {

const char* rows = "[{_id: 1, p: 'x', v: 1}, {_id: 2, p: 'y', v: 5}, {_id: 3, p: 'x', v: 2}, {_id: 4, p: 'x', v: 4}]";

std::string window(const std::string& function) {
    return run_pipeline(rows, "[{$setWindowFields: {partitionBy: '$p', sortBy: {_id: 1}, output: {r: " + function +
                                  "}}}, {$project: {_id: 0, r: 1}}]");
}

}  // namespace

TEST_CASE("accumulators over windows of documents") {
    CHECK(window("{$sum: '$v'}") == R"({"r":7}{"r":7}{"r":7}{"r":5})");
    CHECK(window("{$sum: '$v', window: {documents: ['unbounded', 'current']}}") == R"({"r":1}{"r":3}{"r":7}{"r":5})");
    CHECK(window("{$push: '$v', window: {documents: [-1, 0]}}") == R"({"r":[1]}{"r":[1,2]}{"r":[2,4]}{"r":[5]})");
    CHECK(window("{$count: {}, window: {documents: [1, 2]}}") == R"({"r":2}{"r":1}{"r":0}{"r":0})");
}

TEST_CASE("windows by range") {
    CHECK(run_pipeline("[{v: 1}, {v: 2}, {v: 4}]",
                       "[{$setWindowFields: {sortBy: {v: 1}, output: {n: {$sum: '$v', window: {range: [-1, 0]}}}}}]") ==
          R"({"v":1,"n":1}{"v":2,"n":3}{"v":4,"n":4})");
    CHECK(pipeline_error("[{$setWindowFields: {sortBy: {a: 1}, output: {n: {$sum: 1, window: {range: [-1, 0]}}}}}]",
                         "[{a: 'x'}]") == 5429414);
}

TEST_CASE("ranks, shifts and fills") {
    CHECK(run_pipeline("[{v: 1}, {v: 1}, {v: 3}]",
                       "[{$setWindowFields: {sortBy: {v: 1}, output: {a: {$rank: {}}, b: {$denseRank: {}}, c: "
                       "{$documentNumber: {}}}}}]") ==
          R"({"v":1,"a":1,"b":1,"c":1}{"v":1,"a":1,"b":1,"c":2}{"v":3,"a":3,"b":2,"c":3})");
    CHECK(window("{$shift: {output: '$v', by: 1, default: 0}}") == R"({"r":2}{"r":4}{"r":0}{"r":0})");
    CHECK(run_pipeline("[{_id: 0, a: 1}, {_id: 1}, {_id: 4, a: 9}]",
                       "[{$fill: {sortBy: {_id: 1}, output: {a: {method: 'linear'}, b: {value: 7}}}}]") ==
          R"({"_id":0,"a":1,"b":7}{"_id":1,"a":3.0,"b":7}{"_id":4,"a":9,"b":7})");
    CHECK(run_pipeline("[{_id: 0, a: 1}, {_id: 1}]", "[{$fill: {sortBy: {_id: 1}, output: {a: {method: 'locf'}}}}]") ==
          R"({"_id":0,"a":1}{"_id":1,"a":1})");
}

TEST_CASE("derivative, integral and moving average") {
    const char* points = "[{_id: 0, v: 0}, {_id: 2, v: 4}]";
    CHECK(run_pipeline(points,
                       "[{$setWindowFields: {sortBy: {_id: 1}, output: {d: {$derivative: {input: '$v'}, window: "
                       "{documents: [-1, 0]}}}}}]") == R"({"_id":0,"v":0,"d":null}{"_id":2,"v":4,"d":2.0})");
    CHECK(run_pipeline(points,
                       "[{$setWindowFields: {sortBy: {_id: 1}, output: {d: {$integral: {input: '$v'}}}}}, "
                       "{$limit: 1}]") == R"({"_id":0,"v":0,"d":4.0})");
    CHECK(run_pipeline(points,
                       "[{$setWindowFields: {sortBy: {_id: 1}, output: {d: {$expMovingAvg: {input: '$v', N: "
                       "3}}}}}]") == R"({"_id":0,"v":0,"d":0.0}{"_id":2,"v":4,"d":2.0})");
}

TEST_CASE("derivative and integral refuse what has no slope or area") {
    const auto code = [](const std::string& row, const std::string& function) {
        return pipeline_error(
            "[{$setWindowFields: {sortBy: {s: 1}, output: {r: {" + function + ", window: {documents: [-1, 0]}}}}}]",
            "[{s: 1, v: 1}, " + row + "]");
    };
    for (const std::string input : {"'text'", "[1]", "{a: 1}", "null"}) {
        CAPTURE(input);
        const std::string row = "{s: 2, v: " + input + "}";
        CHECK(code(row, "$derivative: {input: '$v'}") == (input == "null" ? 5624903 : 14));
        CHECK(code(row, "$integral: {input: '$v'}") == 5423900);
    }
    CHECK(code("{s: 'x', v: 2}", "$derivative: {input: '$v'}") == 5624902);
    CHECK(code("{v: 2}", "$derivative: {input: '$v'}") == 5624902);
    CHECK(code("{s: 'x', v: 2}", "$integral: {input: '$v'}") == 5423900);
    CHECK(run_pipeline("[{s: 1, v: {$date: 1000}}, {s: 3, v: {$date: 9000}}]",
                       "[{$setWindowFields: {sortBy: {s: 1}, output: {r: {$derivative: {input: '$v'}, window: "
                       "{documents: [-1, 0]}}}}}, {$project: {r: 1}}]") == R"({"r":null}{"r":4000.0})");
}

TEST_CASE("window functions take an array as one argument, partitions none") {
    CHECK(window("{$push: ['$v'], window: {documents: [0, 0]}}") == R"({"r":[[1]]}{"r":[[2]]}{"r":[[4]]}{"r":[[5]]})");
    CHECK(window("{$sum: [1, 2]}") == R"({"r":0}{"r":0}{"r":0}{"r":0})");
    for (const std::string key : {"[]", "[1]", "{$literal: [1]}", "['$a']"}) {
        CAPTURE(key);
        CHECK(pipeline_error("[{$setWindowFields: {partitionBy: " + key + ", output: {r: {$sum: 1}}}}]", "[{a: 1}]") ==
              14);
    }
}

TEST_CASE("window errors") {
    const auto code = [](const std::string& function) {
        return pipeline_error("[{$setWindowFields: {sortBy: {a: 1}, output: {r: " + function + "}}}]");
    };
    CHECK(code("{$zz: 1}") == 9);
    CHECK(code("{$sum: 1, window: {documents: [1]}}") == 9);
    CHECK(code("{$sum: 1, window: {documents: [1, 0]}}") == 5339900);
    CHECK(code("{$rank: 5}") == 5371603);
    CHECK(pipeline_error("[{$setWindowFields: {output: {r: {$sum: 1, window: {documents: [0, 1]}}}}}]") == 5339901);
}

TEST_CASE("$densify fills a sequence") {
    CHECK(run_pipeline("[{n: 0, x: 1}, {n: 3}]", "[{$densify: {field: 'n', range: {step: 1, bounds: 'full'}}}]") ==
          R"({"n":0,"x":1}{"n":1}{"n":2}{"n":3})");
    CHECK(run_pipeline("[{n: 1}]", "[{$densify: {field: 'n', range: {step: 2, bounds: [0, 5]}}}]") ==
          R"({"n":0}{"n":1}{"n":2}{"n":4})");
    CHECK(run_pipeline("[{g: 1, n: 0}, {g: 1, n: 2}, {g: 2, n: 5}]",
                       "[{$densify: {field: 'n', partitionByFields: ['g'], range: {step: 1, bounds: 'partition'}}}]") ==
          R"({"g":1,"n":0}{"g":1,"n":1}{"g":1,"n":2}{"g":2,"n":5})");
    CHECK(pipeline_error("[{$densify: {field: 'n', range: {step: 0, bounds: 'full'}}}]") == 5733401);
    CHECK(pipeline_error("[{$densify: {field: 'n', range: {step: 1, bounds: 'partition'}}}]") == 5733408);
}

TEST_CASE("a window that loses rows takes values out of its running state") {
    const auto over = [](const std::string& documents, const std::string& function) {
        return run_pipeline(documents, "[{$setWindowFields: {sortBy: {_id: 1}, output: {r: " + function +
                                           "}}}, {$project: {_id: 0, r: 1}}]");
    };
    // The type is that of the numbers that are left.
    const std::string mixed = "[{_id: 1, v: 2.5}, {_id: 2, v: NumberLong(3)}, {_id: 3, v: 4}]";
    CHECK(over(mixed, "{$sum: '$v', window: {documents: ['current', 'unbounded']}}") == R"({"r":9.5}{"r":7}{"r":4})");
    CHECK(over(mixed, "{$avg: '$v', window: {documents: [0, 0]}}") == R"({"r":2.5}{"r":3.0}{"r":4.0})");
    const std::string infinite = "[{_id: 1, v: Infinity}, {_id: 2, v: NaN}, {_id: 3, v: 4}]";
    CHECK(over(infinite, "{$sum: '$v', window: {documents: [0, 1]}}") ==
          R"({"r":{"$numberDouble":"NaN"}}{"r":{"$numberDouble":"NaN"}}{"r":4})");
    // One value deviates by an int32 zero, and by a double one where nothing ever leaves.
    CHECK(over(mixed, "{$stdDevPop: '$v', window: {documents: [0, 0]}}") == R"({"r":0}{"r":0}{"r":0})");
    CHECK(over("[{_id: 1, v: 1}]", "{$stdDevPop: '$v', window: {documents: ['unbounded', 0]}}") == R"({"r":0.0})");
    CHECK(over(mixed, "{$stdDevSamp: '$v', window: {documents: [0, 0]}}") == R"({"r":null}{"r":null}{"r":null})");
    CHECK(over("[{_id: 1, v: [1, 2]}, {_id: 2, v: [3, 6]}, {_id: 3, v: 1}]",
               "{$covariancePop: ['$v.0', '$v'], window: {documents: [-1, 0]}}") ==
          R"({"r":null}{"r":null}{"r":null})");
    CHECK(over("[{_id: 1, x: 1}, {_id: 2, x: 3}, {_id: 3, x: 8}]",
               "{$covarianceSamp: ['$_id', '$x'], window: {documents: [-1, 0]}}") == R"({"r":null}{"r":1.0}{"r":2.5})");
    // Sets are sorted, of equal values the first comes out; the greatest is the last of equal ones.
    const std::string equal = "[{_id: 1, v: 3}, {_id: 2, v: 3.0}, {_id: 3, v: 1}]";
    CHECK(over(equal, "{$addToSet: '$v', window: {documents: ['current', 'unbounded']}}") ==
          R"({"r":[1,3]}{"r":[1,3.0]}{"r":[1]})");
    CHECK(over(equal, "{$max: '$v', window: {documents: [0, 1]}}") == R"({"r":3.0}{"r":3.0}{"r":1})");
    CHECK(over(equal, "{$min: '$missing', window: {documents: [0, 1]}}") == R"({"r":null}{"r":null}{"r":null})");
    // Rows before a window that starts late never enter it.
    CHECK(over(equal, "{$sum: '$v', window: {documents: [2, 3]}}") == R"({"r":1}{"r":0}{"r":0})");
}

TEST_CASE("$expMovingAvg gives decimals from the first one on, in later partitions too") {
    CHECK(run_pipeline("[{p: 1, v: 2}, {p: 1, v: NumberDecimal('4')}, {p: 2, v: 8}]",
                       "[{$setWindowFields: {partitionBy: '$p', sortBy: {v: 1}, output: {r: {$expMovingAvg: {input: "
                       "'$v', N: 1}}}}}, {$project: {r: 1}}]") ==
          R"({"r":2.0}{"r":{"$numberDecimal":"4"}}{"r":{"$numberDecimal":"8"}})");
}

TEST_CASE("what is wrong with n of a window shows while it is parsed") {
    CHECK(pipeline_error("[{$setWindowFields: {output: {r: {$firstN: {n: 0, input: '$a'}}}}}]", "[]") == 5787908);
}

TEST_CASE("$densify fills partitions up to given bounds behind the last row") {
    CHECK(
        run_pipeline("[{g: 1, n: 0}, {g: 2, n: 2}]",
                     "[{$densify: {field: 'n', partitionByFields: ['g'], range: {step: 1, bounds: [0, 4]}}}]") ==
        R"({"g":1,"n":0}{"g":2,"n":0}{"g":2,"n":1}{"g":2,"n":2}{"g":1,"n":1}{"g":1,"n":2}{"g":1,"n":3}{"g":2,"n":3})");
}
