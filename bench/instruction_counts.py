#!/usr/bin/env python3
"""Counts the instructions of three stories under callgrind and warns where one needs 10 % more than instruction_counts.json.

Instruction counts do not depend on what else the machine does, so a slower engine shows up even on a busy one.
  instruction_counts.py BENCH_ONE_QUERY [--out FILE]   compares; exit code 0 also with a warning
  instruction_counts.py BENCH_ONE_QUERY --store        makes the counts the new stored ones
"""
import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

STORED = pathlib.Path(__file__).with_name("instruction_counts.json")
STORIES = ["point_id", "range_limit", "scan"]
RUNS = 20  # of repeat() in one_query.cpp
TOLERANCE = 0.10


def count(program, story):
    with tempfile.TemporaryDirectory() as folder:
        command = ["valgrind", "--tool=callgrind", "--collect-atstart=no", "--toggle-collect=repeat",
                   f"--callgrind-out-file={folder}/out", program, story]
        subprocess.run(command, check=True, capture_output=True)
        text = pathlib.Path(folder, "out").read_text()
    return int(re.search(r"^(?:totals|summary): (\d+)", text, re.MULTILINE).group(1)) // RUNS


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--out")
    parser.add_argument("--store", action="store_true")
    arguments = parser.parse_args()
    if shutil.which("valgrind") is None:
        print("valgrind is not installed: instruction counts left out", file=sys.stderr)
        return
    counts = {story: count(arguments.program, story) for story in STORIES}
    stored = json.loads(STORED.read_text()) if STORED.exists() else {}
    result = {}
    for story, instructions in counts.items():
        before = stored.get(story)
        grown = before is not None and instructions > before * (1 + TOLERANCE)
        result[story] = {"instructions": instructions, "stored": before, "warning": grown}
        if grown and not arguments.store:
            print(f"warning: {story} needs {instructions} instructions, {instructions / before - 1:.0%} more than the "
                  f"stored {before}", file=sys.stderr)
    if arguments.store:
        STORED.write_text(json.dumps(counts, indent=2) + "\n")
    if arguments.out:
        pathlib.Path(arguments.out).write_text(json.dumps(result, indent=2) + "\n")


if __name__ == "__main__":
    main()
