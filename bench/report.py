#!/usr/bin/env python3
"""Writes RESULTS.md from what the benchmark programs measured: report.py FOLDER --command TEXT."""
import argparse
import datetime
import json
import pathlib
import re
import subprocess

STORIES = {
    "point_id": "`{_id: k}`",
    "user_eq": "`{userId: k}`, 20 documents",
    "user_status": "`{userId: k, status: \"paid\"}`, two indexes",
    "range_limit": "`{tenant, createdAt: range}`, sort, limit 20",
    "multikey": "`{\"items.sku\": s}`",
    "elem_match": "`{items: {$elemMatch: {sku: s, qty: {$gte: 8}}}}`",
    "count_range": "count of `{tenant, createdAt: range}`, covered",
    "count_in": "count of `{status: {$in: [2 of 5]}}`, covered",
    "prefix": "`{\"address.city\": /^C07/}`",
    "scan": "`{total: {$gt: 5000}}`, no index",
    "top10": "sort `{total: -1}`, limit 10, no index",
}
AGGREGATIONS = {
    "group": "`$group` by tenant with sums",
    "unwind": "`$unwind`, `$group` by sku, `$sort`",
    "lookup": "`$unwind`, `$lookup` of products, `$group`",
    "tree": "`$graphLookup` over a tree of 100,000 nodes",
    "top10": "`$sort`, `$limit` 10",
}
# Whose time, and how many times ixora's it should be at least.
AGGREGATION_PEERS = {"sqlite": ("SQLite", 3), "mingo": ("mingo", 10), "duckdb_json": ("DuckDB on JSON", 1),
                     "duckdb_columns": ("DuckDB on columns", None)}
COMMANDS = "command"
PREPARED = "prepared"


class Measured:
    """The medians of one program at one size: nanoseconds of CPU time, counters, and the context."""

    def __init__(self, path):
        data = json.loads(path.read_text())
        self.context = data["context"]
        unit = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}
        self.rows = {}
        for row in data["benchmarks"]:
            if row.get("aggregate_name") != "median":
                continue
            row["nanos"] = row["cpu_time"] * unit[row["time_unit"]]
            self.rows[row["run_name"]] = row

    def nanos(self, name):
        return self.rows[name]["nanos"] if name in self.rows else None

    def per_item(self, name):
        row = self.rows[name]
        return row["nanos"] / row.get("items", 1)


def time_text(nanos):
    if nanos is None:
        return ""
    for limit, divisor, unit in ((1e3, 1, "ns"), (1e6, 1e3, "us"), (1e9, 1e6, "ms")):
        if nanos < limit:
            value = nanos / divisor
            return f"{value:.2f} {unit}" if value < 10 else f"{value:.1f} {unit}" if value < 100 else f"{value:.0f} {unit}"
    return f"{nanos / 1e9:.2f} s"


def ratio_text(ratio):
    return f"{ratio:.2f}" if ratio < 10 else f"{ratio:.0f}"


def count_text(value):
    return f"{value:,.0f}" if value >= 100 or value == int(value) else f"{value:.1f}"


def stories_table(measured):
    lines = ["| story | ixora | rows | keys | docs | prepared | as a command | hand-written | SQLite | times hand-written "
             "| SQLite's time / ixora's |", "| --- | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: |"]
    for story, text in STORIES.items():
        row = measured.rows[f"{story}/ixora"]
        ixora, hand, sqlite = (measured.nanos(f"{story}/{who}") for who in ("ixora", "hand", "sqlite"))
        lines.append("| " + " | ".join([
            text, time_text(ixora), count_text(row["rows"]), count_text(row["keys"]), count_text(row["docs"]),
            time_text(measured.nanos(f"{story}/{PREPARED}")), time_text(measured.nanos(f"{story}/{COMMANDS}")), time_text(hand), time_text(sqlite), ratio_text(ixora / hand),
            ratio_text(sqlite / ixora)]) + " |")
    return lines


def aggregation_ratios(by_peer, name):
    """(peer, its time, its time over ixora's) of those that took part."""
    ixora = by_peer["ixora"].nanos(f"{name}/ixora")
    for peer, m in by_peer.items():
        if peer != "ixora":
            nanos = m.nanos(f"{name}/{peer}")
            yield peer, nanos, nanos / ixora


def aggregations_table(by_peer):
    peers = [peer for peer in by_peer if peer != "ixora"]
    lines = ["| aggregation | ixora | " + " | ".join(f"{AGGREGATION_PEERS[peer][0]} | / ixora" for peer in peers) + " |",
             "| --- | --: |" + " --: | --: |" * len(peers)]
    for name, text in AGGREGATIONS.items():
        cells = [f"{time_text(nanos)} | {ratio_text(ratio)}" for _, nanos, ratio in aggregation_ratios(by_peer, name)]
        lines.append(f"| {text} | {time_text(by_peer['ixora'].nanos(f'{name}/ixora'))} | " + " | ".join(cells) + " |")
    return lines


def aggregation_aims(aggregations):
    for size, by_peer in aggregations.items():
        for name, text in AGGREGATIONS.items():
            for peer, _, ratio in aggregation_ratios(by_peer, name):
                who, least = AGGREGATION_PEERS[peer]
                if least is not None:
                    aim = f"at least {least} times {who}'s rate" if least > 1 else f"ahead of {who}"
                    yield f"{size:,} orders: {text} {aim}", f"{ratio_text(ratio)} times", ratio >= least


def parts_table(all_parts):
    sizes = list(all_parts)
    lines = ["| part | " + " | ".join(f"{size:,}" for size in sizes) + " |", "| --- |" + " --: |" * len(sizes)]
    for name in sorted(all_parts[sizes[0]].rows):
        lines.append(f"| {name} | " + " | ".join(time_text(all_parts[size].per_item(name)) for size in sizes) + " |")
    return lines


def aims(stories, parts):
    """(aim, measured, met) for each size."""
    for size, m in stories.items():
        def ratio(story, upper, lower, m=m):
            return m.nanos(f"{story}/{upper}") / m.nanos(f"{story}/{lower}")

        at = f"{size:,} orders: "
        value = ratio("scan", "ixora", "hand")
        yield at + "collection scan within 2.5 times the raw walk", f"{value:.2f} times", value <= 2.5
        row = m.rows["count_range/ixora"]
        per_key = row["nanos"] / row["rows"]
        value = ratio("count_range", "ixora", "store")
        yield (at + "covered count within 4 times the store's cursor with one memcmp per key",
               f"{value:.2f} times ({per_key:.2f} ns per key, parsing and planning included)", value <= 4)
        value = ratio("count_range", "sqlite", "ixora")
        yield at + "covered count ahead of SQLite", f"{value:.2f} times its rate", value > 1
        for story, text in (("range_limit", "range + limit"), ("multikey", "multikey")):
            value = ratio(story, "sqlite", "ixora")
            yield at + f"{text} at least 3 times SQLite's rate", f"{value:.2f} times", value >= 3
        if size <= 100_000:
            value = ratio("elem_match", "sqlite", "ixora")
            yield at + "`$elemMatch` ahead of SQLite's side table", f"{value:.2f} times its rate", value > 1
        value = ratio("elem_match", "ixora", "hand")
        yield at + "`$elemMatch` within 1.4 times hand-written code", f"{value:.2f} times", value <= 1.4
        value = ratio("point_id", "ixora", "sqlite")
        yield (at + "point query with parsing and planning within 2 times SQLite's prepared statement", f"{value:.2f} times",
               value <= 2)
        value = ratio("user_eq", "sqlite", "ixora")
        planned = int(m.rows["user_eq/ixora"].get("planned", 0))
        yield (at + "warm userId query (20 documents) including parsing at least 5 times SQLite's prepared one",
               f"{value:.2f} times its rate, planned {planned} times", value >= 5)
        value = ratio("point_id", "sqlite", PREPARED)
        yield at + "`_id` through a prepared find at least 3 times SQLite's rate", f"{value:.2f} times", value >= 3
        value = int(m.context["resident_bytes"]) / int(m.context["bson_bytes"])
        yield at + "memory at most 1.6 times the BSON with five indexes beside `_id`", f"{value:.2f} times", value <= 1.6
    for size, m in parts.items():
        for name, text in (("plan_range", "that share an index"), ("plan_two_indexes", "that have an index each")):
            value = m.nanos(name) / m.nanos("store_point_lookup")
            yield (f"{size:,} orders: planning two predicates {text}, 5 indexes, within 20 times one look-up in the store",
                   f"{value:.1f} times", value <= 20)
        value = m.nanos("plan_four_predicates_ten_indexes") / m.nanos("plan_two_indexes")
        yield (f"{size:,} orders: planning four predicates over 10 indexes at most 3 times two predicates over 5",
               f"{value:.2f} times", value <= 3)


def instruction_lines(path):
    if not path.exists():
        return []
    lines = ["", "## Instructions per query", "", "Counted by callgrind with 10,000 orders; a growth of 10 % is a warning.", "",
             "| story | instructions | stored | |", "| --- | --: | --: | --- |"]
    for story, found in json.loads(path.read_text()).items():
        stored = "" if found["stored"] is None else f"{found['stored']:,}"
        lines.append(f"| {story} | {found['instructions']:,} | {stored} | {'**more than stored**' if found['warning'] else ''} |")
    return lines


def processor():
    match = re.search(r"^model name\s*:\s*(.*)$", pathlib.Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    return match.group(1) if match else "unknown"


def compiler():
    return subprocess.run(["c++", "--version"], capture_output=True, text=True, check=True).stdout.splitlines()[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--command", default="")
    arguments = parser.parse_args()

    def measured(program):
        paths = arguments.folder.glob(f"{program}-*.json")
        by_size = {int(path.stem.split("-")[1]): Measured(path) for path in paths}
        return dict(sorted(by_size.items()))

    stories, parts = measured("stories"), measured("parts")
    aggregations = {size: {"ixora": m, "sqlite": m} for size, m in measured("aggregations").items()}
    for peer in AGGREGATION_PEERS:
        for size, m in measured(peer).items():
            aggregations[size][peer] = m
    context = next(iter(stories.values())).context
    lines = ["# Benchmark results", "",
             "Written by `bench/report.py`; do not edit.", "",
             f"- Date: {datetime.datetime.now(datetime.timezone.utc):%Y-%m-%d %H:%M} UTC",
             f"- Processor: {processor()}, {context['num_cpus']} cores, load average at the start "
             + ", ".join(f"{load:.1f}" for load in context["load_avg"]),
             f"- Compiler: {compiler()}, -O2; SQLite {context['sqlite']}",
             f"- Command: `{arguments.command}`", "",
             "Times are CPU time of one thread, medians of shuffled repetitions. Read the ratios: all contestants of a size run in one "
             "process. Every contestant gives the same rows (checked before timing) and only looks at their sizes. ixora's times "
             "contain parsing the filter, planning it where no earlier query of its form has left a plan, and executing it; "
             "SQLite's statements are prepared, and so are the finds of the column \"prepared\". \"As a command\" is "
             "`run_command` with a reply document.", "",
             "## Aims", "", "| aim | measured | |", "| --- | --- | --- |"]
    all_aims = [*aims(stories, parts), *aggregation_aims(aggregations)]
    lines += [f"| {aim} | {value} | {'met' if met else '**not met**'} |" for aim, value, met in all_aims]
    for size, m in stories.items():
        bson_bytes, resident = int(m.context["bson_bytes"]), int(m.context["resident_bytes"])
        lines += ["", f"## {size:,} orders", ""]
        lines += stories_table(m)
        lines += ["", f"Loading took {float(m.context['load_ns_per_document']) / 1000:.2f} us per document with all indexes in place, "
                  f"and {resident / 1e6:.0f} MB for {bson_bytes / 1e6:.0f} MB of BSON."]
    for size, by_peer in aggregations.items():
        lines += ["", f"## Aggregations over {size:,} orders", ""] + aggregations_table(by_peer)
        lines += ["", f"One walk over the orders, hand-written: {time_text(by_peer['ixora'].nanos('walk/hand'))}."]
    lines += ["", "## Parts", "", "Per key, document or query."
              " `tree_step_and_compare` is the store's cursor with one memcmp per key.", ""]
    lines += parts_table(parts)
    lines += instruction_lines(arguments.folder / "instructions.json")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
