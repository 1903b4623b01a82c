#!/usr/bin/env python3
"""A reader of the JSON form that was written against docs/airlite-ir.schema.json alone. It walks
every program under the given paths that airlite-opt reads and checks what the schema promises in
words: numbers of values are different in the whole file, uses resolve to definitions that they can
see, successors name blocks of their own region. Where the schema says how an object looks, the
members are taken from the schema, so that a member that is added there and not here is an error.

  walk_json.py --opt BIN/airlite-opt --schema docs/airlite-ir.schema.json PATH...

(check_schema.py validates documents against the schema and tests that they read back.)
Exit code: 0 all as expected, 1 something differs.
"""

import json
import re
import sys
import tempfile

from programs import parse_arguments, pieces, run_opt

# What this reader knows of each object. `known_members` compares it with the schema.
MEMBERS = {
    "op": {"op", "loc", "results", "operands", "successors", "attributes", "regions"},
    "region": {"blocks"},
    "block": {"args", "ops"},
    "result": {"id", "type"},
    "argument": {"id", "type", "loc"},
}


class Problem(Exception):
    pass


def known_members(schema):
    for name, members in MEMBERS.items():
        stated = set(schema["$defs"][name]["properties"])
        if stated != members:
            raise Problem(f"the schema says {sorted(stated)} for '{name}', not {sorted(members)}")


class Value:
    def __init__(self, number, kind, region):
        self.number, self.type, self.region, self.uses = number, kind, region, 0


class Region:
    """A region in the tree: its op's name, and the region around it."""

    def __init__(self, op, parent):
        self.op, self.parent = op, parent

    def sees(self, other):
        region = self
        while region is not None and region is not other:
            region = region.parent
        return region is other


class Walker:
    def __init__(self):
        self.values = {}
        self.pending = []  # uses: (number, region, place)
        self.ops = 0

    def document(self, document):
        if document["format"] != "airlite-ir" or document["version"] != 1:
            raise Problem("another format or version")
        top = Region(None, None)
        self.op(document["module"], top, 0, "/module")
        for number, region, place in self.pending:
            self.resolve(number, region, place)

    def resolve(self, number, region, place):
        value = self.values.get(number)
        if value is None:
            raise Problem(f"{place}: use of value {number}, which nothing defines")
        if not region.sees(value.region):
            raise Problem(f"{place}: value {number} is defined in a region that the use is not in")
        value.uses += 1

    def define(self, entry, region, place):
        if not entry["type"]:
            raise Problem(f"{place}: no type")
        if entry["id"] in self.values:
            raise Problem(f"{place}: value {entry['id']} is defined twice")
        self.values[entry["id"]] = Value(entry["id"], entry["type"], region)

    def op(self, op, region, num_blocks, place):
        self.ops += 1
        dialect, dot, name = op["op"].partition(".")
        if not (dialect and dot and name):
            raise Problem(f"{place}: '{op['op']}' is not a full name")
        for i, number in enumerate(op.get("operands", [])):
            self.pending.append((number, region, f"{place}/operands/{i}"))
        for i, successor in enumerate(op.get("successors", [])):
            if successor >= num_blocks:
                raise Problem(f"{place}/successors/{i}: the region has {num_blocks} blocks")
            if successor == 0:
                raise Problem(f"{place}/successors/{i}: a branch to the entry block")
        for i, result in enumerate(op.get("results", [])):
            self.define(result, region, f"{place}/results/{i}")
        self.segments(op, place)
        for i, inside in enumerate(op.get("regions", [])):
            self.region(inside, Region(op["op"], region), f"{place}/regions/{i}")

    def segments(self, op, place):
        for member in ("operands", "results"):
            sizes = member[:-1] + "SegmentSizes"
            text = op.get("attributes", {}).get(sizes)
            if text is None:
                continue
            found = re.fullmatch(r"array<i32(?:: ([-0-9, ]+))?>", text)
            if not found:
                continue  # an attribute of that name that says something else
            total = sum(int(size) for size in (found.group(1) or "0").split(","))
            if total != len(op.get(member, [])):
                raise Problem(f"{place}: {sizes} sums up to {total}")

    def region(self, region, scope, place):
        blocks = region["blocks"]
        for i, block in enumerate(blocks):
            for k, argument in enumerate(block.get("args", [])):
                self.define(argument, scope, f"{place}/blocks/{i}/args/{k}")
            for k, op in enumerate(block.get("ops", [])):
                self.op(op, scope, len(blocks), f"{place}/blocks/{i}/ops/{k}")


# (what is wrong, an op inside the module): the walker has to notice each.
WRONG = [
    ("a use of nothing", {"op": "a.b", "operands": [7]}),
    ("a value twice", {"op": "a.b", "results": [{"id": 1, "type": "i1"}, {"id": 1, "type": "i1"}]}),
    ("a use of what is inside", {"op": "a.b", "operands": [1], "regions": [
        {"blocks": [{"args": [{"id": 1, "type": "i1"}]}]}]}),
    ("a branch to nowhere", {"op": "a.b", "successors": [3]}),
    ("no dialect", {"op": "ab"}),
    ("wrong segments", {"op": "a.b", "attributes": {"operandSegmentSizes": "array<i32: 1, 0>"}}),
]


def unnoticed():
    for what, op in WRONG:
        document = {"format": "airlite-ir", "version": 1, "module": {
            "op": "builtin.module", "regions": [{"blocks": [{"ops": [op]}]}]}}
        try:
            Walker().document(document)
            yield what
        except Problem:
            pass


def main():
    options = parse_arguments(__doc__)
    known_members(options.schema)
    failures = list(unnoticed())
    for what in failures:
        print(f"FAIL: the walker does not notice {what}")
    programs = ops = uses = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, path in pieces(options.paths, folder):
            emitted = run_opt(options.opt, path, "--emit=json")
            if emitted.returncode:
                continue  # a test of an error
            walker = Walker()
            try:
                walker.document(json.loads(emitted.stdout))
            except Problem as problem:
                failures.append(name)
                print(f"FAIL: {name}: {problem}")
            programs, ops, uses = programs + 1, ops + walker.ops, uses + len(walker.pending)
    print(f"{programs} programs, {ops} operations, {uses} uses, {len(failures)} failures")
    return 1 if failures or not programs else 0


if __name__ == "__main__":
    sys.exit(main())
