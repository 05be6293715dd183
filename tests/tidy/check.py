#!/usr/bin/env python3
"""House rules as a test: include direction between layers, line length, file heads, file size, words that must not stay.

    check.py REPOSITORY
"""
import os, re, sys

root = sys.argv[1]
# What each layer may include (docs/architecture.md). A layer may always include itself.
order = ["base", "bson", "key", "mql", "plan", "stage", "pipeline", "write", "explain", "command", "wire"]
allowed = {layer: set(order[: i + 1]) for i, layer in enumerate(order)}
allowed["store"] = {"base", "bson", "key", "store"}
for layer in order[order.index("stage"):]:
    allowed[layer].add("store")
source_folders = {"keystring": ("base", "bson", "key"), "planner": ("mql", "plan"), "exec": ("store", "stage", "pipeline", "write", "explain", "command", "wire")}

line_max, file_max = 120, 450
markers = re.compile(r"\b(" + "|".join(["TO" + "DO", "FIX" + "ME", "XX" + "X", "HA" + "CK"]) + r")\b")
problems = []


def layer_of(path):
    parts = path.split("/")
    if parts[:2] == ["include", "ixora"]:
        return parts[2] if len(parts) > 3 else None
    if parts[0] in source_folders and len(parts) > 2:
        return parts[1]
    return None


def sources():
    for top in ("include", "keystring", "planner", "exec", "tools", "tests", "examples", "bench"):
        for folder, _, names in os.walk(os.path.join(root, top)):
            for name in names:
                if name.endswith((".hpp", ".cpp")):
                    yield os.path.relpath(os.path.join(folder, name), root)


headers, included = set(), set()
for path in sorted(sources()):
    with open(os.path.join(root, path), encoding="utf-8") as f:
        text = f.read()
    lines = text.split("\n")
    layer = layer_of(path)
    if path.startswith("include/"):
        headers.add(path[len("include/"):])
    if path.endswith(".hpp") and not lines[0].startswith("// "):
        problems.append(path + ": a header starts with one sentence that says what it is for")
    if path.split("/")[0] in source_folders and len(path.split("/")) == 2:
        problems.append(path + ": no source lies directly in a top folder")
    if len(lines) > file_max and not path.startswith("tests/"):
        problems.append("%s: %d lines; a file this long holds two ideas" % (path, len(lines)))
    for number, line in enumerate(lines, 1):
        where = "%s:%d" % (path, number)
        # A test may quote long input or output as it is.
        if len(line) > line_max and not (path.startswith("tests/") and '"' in line):
            problems.append("%s: %d columns" % (where, len(line)))
        if markers.search(line):
            problems.append(where + ": leftover marker")
        if line.rstrip() != line:
            problems.append(where + ": trailing white space")
        match = re.match(r'\s*#include "ixora/(?:(\w+)/)?', line)
        if not match:
            continue
        included.add(re.search(r'"(ixora/[^"]+)"', line).group(1))
        if layer and match.group(1) and match.group(1) not in allowed[layer]:
            problems.append("%s: %s may not include %s" % (where, layer, match.group(1)))
for header in sorted(headers - included - {"ixora/ixora.hpp"}):
    problems.append(header + ": nobody includes it")
for problem in problems:
    print(problem)
print("%d problems" % len(problems))
sys.exit(1 if problems else 0)
