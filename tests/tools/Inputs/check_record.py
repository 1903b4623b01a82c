#!/usr/bin/env python3
"""Says what is in a record of airlite-run, and whether its parts agree with each other."""
import json
import sys

record = json.load(open(sys.argv[1]))
assert record["format"] == "airlite-run-record" and record["version"] == 1


def cycles_of(track):
    """Cycles by the name of the state, from the slices and from the exact counts."""
    names, slices, exact, mixed = record["states"][track["kind"]], {}, {}, dict(track["mixed"])
    for number, (length, state) in enumerate(zip(track["lengths"], track["states"])):
        for part, cycles in mixed.get(number, [[state, length]]):
            slices[names[part]] = slices.get(names[part], 0) + cycles
    for state, _, cycles in track["exact"]:
        exact[names[state]] = exact.get(names[state], 0) + cycles
    return slices, exact


def agrees(run, track):
    slices, exact = cycles_of(track)
    lists = run["statistics"]["cores" if track["kind"] == "core" else "channels"]
    counted = next(one["cycles"] for one in lists
                   if [one["column"], one["row"]] == track["tile"]
                   and (track["kind"] == "core" or (one["direction"], one["channel"]) == (track["direction"], track["number"])))
    return slices == exact == counted


for number, run in enumerate(record["runs"]):
    tracks = run["tracks"]
    print(f"run {number}: {run['outcome']}, {run['cycles']} cycles")
    print("kinds:", *sorted({track["kind"] for track in tracks}))
    if all(sum(track["lengths"]) == run["cycles"] for track in tracks):
        print("every track lasts as long as the run")
    if all(agrees(run, track) for track in tracks if track["kind"] in ("core", "channel")):
        print("statistics agree with the tracks")
    lines = [record["sources"][run["files"][file]].split("\n")[line - 1] for file, line, _ in run["places"]]
    print("places are lines of the program:", len(lines) > 3 and all(line.strip() for line in lines))
    cores = run["statistics"]["cores"]
    print(f"products: {sum(core['products'] for core in cores)}, at most {max(core['most_products'] for core in cores)} in an instruction")
    resources = run.get("resources", {"flows": [], "tiles": []})
    print(f"flows: {len(resources['flows']) > 0}, buffers: {any(tile.get('buffers') for tile in resources['tiles'])}")
