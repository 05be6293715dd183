#!/usr/bin/env bash
# run.sh BUILD_FOLDER [SIZE...]: runs all benchmarks and writes bench/RESULTS.md. Times are CPU time, medians of repetitions
# whose order is shuffled, so that the contestants of a story share whatever else the machine does. With NODE_PATH naming a
# node_modules folder that has mingo and @duckdb/node-api these take part in the aggregations.
set -euo pipefail
build=$(cd "$1" && pwd)
shift
cd "$(dirname "$0")"
sizes=("$@")
[ ${#sizes[@]} -gt 0 ] || sizes=(100000 1000000)
results=$build/bench/results
mkdir -p "$results"
rm -f "$results"/*.json

options=(--benchmark_repetitions="${IXORA_BENCH_REPETITIONS:-7}" --benchmark_min_time="${IXORA_BENCH_MIN_TIME:-0.1}"
         --benchmark_enable_random_interleaving=true --benchmark_report_aggregates_only=true --benchmark_out_format=json)
for size in "${sizes[@]}"; do
    for program in stories parts aggregations; do
        echo "bench_$program with $size orders"
        "$build/bench/bench_$program" --orders="$size" "${options[@]}" \
            --benchmark_out="$results/$program-$size.json" >"$results/$program-$size.txt"
    done
    [ -n "${NODE_PATH:-}" ] || continue
    "$build/bench/bench_aggregations" --orders="$size" "$results/data"
    for peer in mingo duckdb_json duckdb_columns; do
        echo "$peer with $size orders"
        node aggregation_peers.mjs "$peer" "$results/data" "$results/$peer-$size.json" 3
    done
    rm -rf "$results/data"
done
python3 instruction_counts.py "$build/bench/bench_one_query" --out "$results/instructions.json"
python3 report.py "$results" --command "./run bench" >RESULTS.md
echo "bench/RESULTS.md is written"
