#!/usr/bin/env python3
"""Runs open.jsonl against `ixora run`. Every case must pass except those that pending.txt names, and those must fail.

    run.py PATH_TO_IXORA
"""
import os, re, subprocess, sys

here = os.path.dirname(os.path.abspath(__file__))
pending = {}
with open(os.path.join(here, "pending.txt"), encoding="utf-8") as f:
    for line in f:
        if line.strip() and not line.startswith("#"):
            case, feature = line.split(None, 1)
            pending[case] = feature.strip()
done = subprocess.run([sys.executable, os.path.join(here, "check.py"), "--engine", sys.argv[1] + " run", "-v"],
                      stdout=subprocess.PIPE, text=True)
if done.returncode not in (0, 1):
    sys.exit("the run itself failed with status %d" % done.returncode)
failed, unexpected = set(), False
for line in done.stdout.split("\n"):
    case = re.match(r"(ok|FAIL)\s+(\S+)", line)
    if case:
        unexpected = case[1] == "FAIL" and case[2] not in pending
        if case[1] == "FAIL":
            failed.add(case[2])
    if unexpected:
        print(line)
print(done.stdout.strip().split("\n")[-1])
for case in sorted(set(pending) - failed):
    print("%s passes: take it out of pending.txt (%s)" % (case, pending[case]))
sys.exit(0 if failed == set(pending) else 1)
