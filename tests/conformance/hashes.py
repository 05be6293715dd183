#!/usr/bin/env python3
"""Holds queryHash and planCacheKey against the recorded explains: the bytes differ between the servers' versions, but
queries of one shape must have one hash, here as there.

    hashes.py --engine "CMD" --suite PATTERNS [--json RATES] [--verbose]

query-hash: cases whose hash is that of most cases with the same recorded hash; query-hash-apart: cases whose recorded
hash is that of most cases with the same hash here. plan-cache-key: the first for planCacheKey, collection by collection.
"""
import argparse, collections, fnmatch, glob, json, os

import compare

here = os.path.dirname(os.path.abspath(__file__))


def hashes(reply):
    """(queryHash, planCacheKey) of an explain reply; None where it has none or several."""
    units = [] if reply is None or compare.is_error(reply) else compare.units(reply)
    planner = units[0].get("queryPlanner") if len(units) == 1 else compare.Doc()
    return (planner.get("queryHash"), planner.get("planCacheKey")) if planner.has("queryHash") else None


def collect(path, engine):
    """(case id, namespace, recorded hashes, our hashes) of every explain of one suite."""
    suite = compare.Suite(path)
    if suite.mode == "reset":
        return
    suite.prepare(engine)
    for line in suite.lines[1:]:
        members = compare.raw_members(line)
        command = compare.parse(members["cmd"])
        for before in compare.raw_elements(members["pre"]) if "pre" in members else []:
            engine.ask(compare.with_db(before, suite.db))
        is_explain = compare.cmd_name(command) == "explain"
        if not is_explain and suite.mode != "sequence":
            continue
        got = engine.ask(compare.with_db(members["cmd"], suite.db))
        if got is None:
            raise SystemExit("the engine died at " + members["id"])
        recorded = hashes(compare.parse(members["reply"])) if is_explain else None
        ours = hashes(got) if is_explain else None
        if recorded and ours:
            yield json.loads(members["id"]), (suite.name, compare.target(command)), recorded, ours


def together(pairs):
    """Pairs (id, left, right): the ids whose right is not that of most with the same left."""
    groups = collections.defaultdict(lambda: collections.defaultdict(list))
    for case, left, right in pairs:
        groups[left][right].append(case)
    outsiders = []
    for rights in groups.values():
        most = max(rights.values(), key=len)
        for cases in rights.values():
            outsiders += [] if cases is most else cases
    return outsiders


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("--engine", required=True)
    arguments.add_argument("--suite", required=True)
    arguments.add_argument("--json")
    arguments.add_argument("--verbose", action="store_true")
    options = arguments.parse_args()
    wanted = options.suite.split(",")
    paths = [p for p in sorted(glob.glob(os.path.join(here, "data", "*.jsonl.gz")))
             if any(fnmatch.fnmatch(os.path.basename(p)[:-len(".jsonl.gz")], w) for w in wanted)]
    engine = compare.Engine(options.engine, 60)
    cases = [case for path in paths for case in collect(path, engine)]
    engine.stop()
    outsiders = {
        "query-hash": together((case, theirs[0], ours[0]) for case, _, theirs, ours in cases),
        "query-hash-apart": together((case, ours[0], theirs[0]) for case, _, theirs, ours in cases),
        "plan-cache-key": together((case, (where, theirs), ours) for case, where, theirs, ours in cases),
    }
    total = {metric: [len(cases) - len(cast_out), len(cases)] for metric, cast_out in outsiders.items()}
    for metric, (good, of) in total.items():
        print("%-18s %6d / %6d" % (metric, good, of))
        if options.verbose:
            print("  " + " ".join(sorted(outsiders[metric])))
    if options.json:
        with open(options.json, "w", encoding="utf-8") as f:
            json.dump({"total": total}, f)


if __name__ == "__main__":
    main()
