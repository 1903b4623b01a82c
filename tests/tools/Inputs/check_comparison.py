#!/usr/bin/env python3
"""Compares the sums of airlite-compare --format=json with those of the two files."""
import json
import re
import sys


def record(path):
    text = open(path).read()
    page = re.search(r'id="record">(.*?)</script>', text, re.S)
    return json.loads(page.group(1) if page else text)


def sums(path):
    runs = record(path)["runs"]
    cores = [(run, core) for run in runs for core in run["statistics"]["cores"]]
    time = sum(run["cycles"] for run, _ in cores)
    return {
        "cycles": sum(run["cycles"] for run in runs),
        "instructions": sum(core["bundles"] for _, core in cores),
        "DDR read, bytes": sum(run["statistics"]["ddr"]["read"]["bytes"] for run in runs),
        "DDR write, requests": sum(run["statistics"]["ddr"]["write"]["requests"] for run in runs),
        "cores: runs": sum(core["cycles"].get("runs", 0) for _, core in cores) / time,
        "cores: waits for lock": sum(core["cycles"].get("waits for lock", 0) for _, core in cores) / time,
    }


comparison = json.load(open(sys.argv[1]))
assert comparison["format"] == "airlite-run-comparison" and comparison["version"] == 1
rows = {row["name"]: row for row in comparison["tables"][0]["rows"]}
a, b = sums(sys.argv[2]), sums(sys.argv[3])
for name in a:
    row = rows[name]
    assert abs(row["a"] - a[name]) < 1e-9 * a[name] and abs(row["b"] - b[name]) < 1e-9 * b[name], (name, row, a, b)
    assert abs(row["ratio"] - b[name] / a[name]) < 1e-9, row
print("the sums are those of the records")
print("cycles of B are more:", rows["cycles"]["ratio"] > 1.5)
print("the same instructions:", rows["instructions"]["ratio"] == 1)
print("tables:", ", ".join(table["title"] for table in comparison["tables"]))
