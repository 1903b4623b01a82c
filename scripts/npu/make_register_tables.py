#!/usr/bin/env python3
"""Renew backends/npu/device/RegisterTables.inc, the register map of AIE2 and AIE2P.

usage: make_register_tables.py REGISTERS.json [-o FILE]

REGISTERS.json is the project's database of registers (schema airlite-regdb-1), which is not part of the
repository (docs/hardware/README.md, "The big tables"): AMD's register reference AM025 cross-checked with the
register names of aie-rt; AIE2P has the second source alone. Registers that differ in a number only (DMA_BD0_3, DMA_BD1_3, ...) become one row with a stride, and
equal lists of fields are written once.
"""
import argparse
import json
import re

KINDS = (("Core", ("core", "memory")), ("Mem", ("memtile",)), ("Shim", ("shim_noc", "shim_pl")))
GENERATIONS = (("aie2", 1), ("aie2p", 2))
# AM025 puts these at offsets that belong to other registers; aie-rt has them elsewhere (unresolved).
DOUBTFUL = {"Core_Q0", "Core_Q1", "Core_Q2", "Core_Q3"}


def registers(facts, modules):
    """{(offset, name, width, fields): generations}, generations as a bit mask."""
    found = {}
    for generation, bit in GENERATIONS:
        taken, names = set(), set()
        for module in modules:
            for row in facts["devices"][generation]["modules"][module]["registers"]:
                if row["name"] in DOUBTFUL:
                    continue
                if row["offset"] in taken:
                    raise SystemExit(f"{generation} {module}: two registers at {row['offset']:#x}")
                taken.add(row["offset"])
                # A core tile has two modules with registers of the same name: the second is Mem_NAME.
                name = f"Mem_{row['name']}" if row["name"] in names else row["name"]
                names.add(name)
                fields = tuple((f["name"], f["lsb"], f["width"]) for f in sorted(row["fields"], key=lambda f: f["lsb"]))
                key = (row["offset"], name, row["width"], fields)
                found[key] = found.get(key, 0) | bit
    return found


def patterns(name):
    """Each way to replace one number of the name by '#', with that number."""
    for match in re.finditer(r"\d+", name):
        if match.group() == str(int(match.group())):
            yield name[:match.start()] + "#" + name[match.end():], int(match.group())


def fold(found):
    """Rows (offset, stride, first, count, name, width, fields, generations), the longest series first."""
    series = {}
    for (offset, name, width, fields), mask in found.items():
        for pattern, number in patterns(name):
            series.setdefault((pattern, width, fields, mask), []).append((number, offset, name))
    rows, done = [], set()
    for (pattern, width, fields, mask), members in sorted(series.items(), key=lambda s: -len(s[1])):
        members = sorted(m for m in members if (m[1], m[2], width, fields) not in done)
        start = 0
        while start < len(members):
            end = start + 1
            while end < len(members) and members[end][0] == members[end - 1][0] + 1 and (
                    end == start + 1 or members[end][1] - members[end - 1][1] == members[start + 1][1] - members[start][1]):
                end += 1
            if end - start > 1 and members[start + 1][1] > members[start][1]:
                run = members[start:end]
                rows.append((run[0][1], run[1][1] - run[0][1], run[0][0], len(run), pattern, width, fields, mask))
                done |= {(m[1], m[2], width, fields) for m in run}
            start = end
    for (offset, name, width, fields), mask in found.items():
        if (offset, name, width, fields) not in done:
            rows.append((offset, 0, 0, 1, name, width, fields, mask))
    return sorted(rows, key=lambda r: (r[0], r[7]))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("facts")
    parser.add_argument("-o", default="backends/npu/device/RegisterTables.inc")
    arguments = parser.parse_args()
    with open(arguments.facts) as handle:
        facts = json.load(handle)
    lists, fields_text, tables = {}, [], []
    for kind, modules in KINDS:
        lines = []
        for offset, stride, first, count, name, width, fields, mask in fold(registers(facts, modules)):
            if fields not in lists:
                lists[fields] = sum(len(f) for f in lists)
                fields_text += [f'{{"{n}", {lsb}, {w}}},' for n, lsb, w in fields]
            lines.append(f'{{0x{offset:05X}, 0x{stride:X}, {first}, {count}, {mask}, {width}, {lists[fields]}, '
                         f'{len(fields)}, "{name}"}},')
        tables.append((kind, lines))
    with open(arguments.o, "w") as out:
        out.write("// Made by scripts/npu/make_register_tables.py: renew it there. Sources: AM025 cross-checked with\n"
                  "// the register names of aie-rt (AIE2), those of aie-rt alone (AIE2P).\n\n"
                  "constexpr FieldRow fieldRows[] = {\n")
        out.write("".join(f"    {line}\n" for line in fields_text) + "};\n")
        for kind, lines in tables:
            out.write(f"\nconstexpr RegisterRow rows{kind}[] = {{\n" + "".join(f"    {line}\n" for line in lines) + "};\n")


if __name__ == "__main__":
    main()
