#!/usr/bin/env python3
"""Runs one group of the conformance suites against `ixora run` and fails where a rate falls below its recorded floor.

    run.py GROUP PATH_TO_IXORA
"""
import json, os, subprocess, sys, tempfile

here = os.path.dirname(os.path.abspath(__file__))
group_name, program = sys.argv[1], sys.argv[2]
with open(os.path.join(here, "floors.json"), encoding="utf-8") as f:
    group = json.load(f)[group_name]
with tempfile.TemporaryDirectory() as directory:
    rates_file = os.path.join(directory, "rates.json")
    not_judged = os.path.join(directory, "not_judged.txt")
    with open(not_judged, "w", encoding="utf-8") as out:
        for name in ("data/known-diff-7.0.txt", "known_differences.txt", "counted_out.txt"):
            with open(os.path.join(here, name), encoding="utf-8") as part:
                out.writelines(line for line in part if "# open:" not in line)
    script = group.get("script", "compare.py")
    command = [sys.executable, os.path.join(here, script), "--engine", program + " run", "--suite", group["suites"], "--json", rates_file]
    if script == "compare.py":
        command += ["--known-diff", not_judged]
    if "ids" in group:
        command += ["--ids", os.path.join(here, group["ids"])]
    subprocess.run(command, check=False)  # its exit status says that some case failed; the floors decide here
    with open(rates_file, encoding="utf-8") as f:
        total = json.load(f)["total"]
failed = False
for metric, floor in group["floors"].items():
    good, of = total.get(metric, [0, 0])
    rate = 100.0 * good / of if of else 0.0
    below = rate < floor
    failed |= below
    print("%-14s %7.2f %%  floor %6.2f %%%s" % (metric, rate, floor, "  BELOW" if below else ""))
sys.exit(1 if failed else 0)
