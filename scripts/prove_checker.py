#!/usr/bin/env python3
"""How many wrong programs the checker finds, class by class, and whether it blames right ones (docs/checking.md).

usage: prove_checker.py [--wrong N] [--only CLASS]... [--right N] [--seed N] [--schedules N] [--jobs N] [--keep DIR] BIN

Right programs are random ones of three styles: cores that copy for themselves (air.dma_memcpy_nd, this file), channels
(scripts/npu/air_programs.py), and tiles, reductions, products and pipelines (scripts/npu/tile_programs.py). Each wrong one is a right one with one mistake of a class, made in its text. The checker is
`airlite-opt --air-verify-program` for npu1. What a mutant does is known without it: mistakes about memory levels and
resources, and transfers that data decides about, are wrong by the rules of the device; all others are wrong when the interpreter sees them fail, hang, leave
their memory, hand out what nobody wrote, or give two results in so many schedules. Other mutants are not counted as wrong;
those that are reported are the last column: two cores that write equal values to one place, or what so few schedules do not
show. Exit code 1 for a class with less than 98 % found, or a right program that is blamed.
"""
import argparse
import collections
import concurrent.futures
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "npu"))
import air_programs  # noqa: E402
import tile_programs  # noqa: E402

CHECK = ("--air-verify-program=resources=memory device=npu1", "--emit=none")
TYPES = ("i8", "i16", "i32", "bf16", "f32")
OF_DEVICE = ("memory level", "resources")  # wrong by the rules of the device, whatever happens; the verifier may see it, too
RULES = (*OF_DEVICE, "decided by data")


# -- Right programs whose cores copy for themselves ---------------------------------------------------


class CopyProgram:
    """A herd in a segment in a launch: each core has rows of its own, in a loop, perhaps by way of L2."""

    def __init__(self, rng):
        self.type = rng.choice(TYPES)
        self.inputs = rng.randint(1, 2)
        self.columns, self.rows = rng.choice(((1, 1), (2, 1), (1, 2), (2, 2), (4, 1)))
        self.rounds = rng.randint(1, 3)
        self.length = rng.choice((4, 8, 12, 16, 32))
        self.by_l2 = rng.random() < 0.4
        self.halves = rng.random() < 0.3  # a row is filled by two copies
        self.sums = rng.random() < 0.4    # a buffer is filled with zeros first, and added to
        self.tokens = rng.random() < 0.4
        self.lines = []

    def add(self, indent, text):
        self.lines.append("  " * indent + text)

    def hierarchy(self, indent, head, names, new, types):
        args = ", ".join(f"%{b} = %{a}" for a, b in zip(names, new))
        self.add(indent, f"{head} args({args}) : {types} {{")

    def text(self):
        total = self.columns * self.rows * self.rounds
        host, row = f"memref<{total}x{self.length}x{self.type}>", f"memref<{self.length}x{self.type}, 2>"
        near = host[:-1] + ", 1>" if self.by_l2 else host
        names = [f"in{i}" for i in range(self.inputs)] + ["out"]
        arguments = ", ".join(f"%{name}: {host}" for name in names)
        self.add(0, f"func.func @main({arguments}) {{")
        self.hierarchy(1, "air.launch () in ()", names, [f"l_{n}" for n in names], ", ".join([host] * len(names)))
        self.hierarchy(2, "air.segment @s", [f"l_{n}" for n in names], [f"s_{n}" for n in names],
                       ", ".join([host] * len(names)))
        self.add(3, f"%columns = arith.constant {self.columns} : index")
        self.add(3, f"%rows = arith.constant {self.rows} : index")
        outer = [f"s_{n}" for n in names]
        if self.by_l2:
            outer = [f"m_{n}" for n in names]
            for name in names:
                self.add(3, f"%m_{name} = memref.alloc() : {near}")
            for name in names[:-1]:
                self.add(3, f"air.dma_memcpy_nd (%m_{name}[] [] [], %s_{name}[] [] []) : ({near}, {host})")
        self.hierarchy(3, "air.herd @h tile (%x, %y) in (%nx = %columns, %ny = %rows)", outer, [f"h_{n}" for n in names],
                       ", ".join([near] * len(names)))
        self.core(names, near, row)
        self.add(3, "}")
        if self.by_l2:
            self.add(3, f"air.dma_memcpy_nd (%s_out[] [] [], %m_out[] [] []) : ({host}, {near})")
            for name in names:
                self.add(3, f"memref.dealloc %m_{name} : {near}")
        for indent in (2, 1):
            self.add(indent, "}")
        self.add(1, "return")
        self.add(0, "}")
        return "\n".join(self.lines) + "\n"

    def copy(self, indent, token, wait, near, row, name, to_core, offset, size):
        """Of `size` elements from `offset` of a row."""
        core = f"%b_{name}[] [] []" if size == self.length else f"%b_{name}[%o{offset}] [%s{size}] [%c1]"
        rest = f"%h_{name}[%r, %o{offset}] [%c1, %s{size}] [%length, %c1]"
        sides = (core, rest, row, near) if to_core else (rest, core, near, row)
        head = f"%{token} = air.dma_memcpy_nd async [{wait}]" if self.tokens else "air.dma_memcpy_nd"
        self.add(indent, f"{head} ({sides[0]}, {sides[1]}) : ({sides[2]}, {sides[3]})")

    def core(self, names, near, row):
        half = self.length // 2
        parts = ((0, half), (half, half)) if self.halves and half * {"i8": 1, "i16": 2, "bf16": 2}.get(self.type, 4) % 4 == 0 \
            else ((0, self.length),)
        for name, value in (("c0", 0), ("c1", 1), ("length", self.length), ("rounds", self.rounds), ("cy", self.rows)):
            self.add(4, f"%{name} = arith.constant {value} : index")
        for value in sorted({offset for offset, _ in parts} | {0}):
            self.add(4, f"%o{value} = arith.constant {value} : index")
        for value in sorted({size for _, size in parts} | {self.length}):
            self.add(4, f"%s{value} = arith.constant {value} : index")
        self.add(4, "%i0 = arith.muli %x, %cy : index")
        self.add(4, "%core = arith.addi %i0, %y : index")
        self.add(4, "%first = arith.muli %core, %rounds : index")
        self.add(4, "scf.for %k = %c0 to %rounds step %c1 {")
        self.add(5, "%r = arith.addi %first, %k : index")
        for name in names:
            self.add(5, f"%b_{name} = memref.alloc() : {row}")
        tokens = []
        for name in names[:-1]:
            for number, (offset, size) in enumerate(parts):
                token = f"t_{name}_{number}"
                self.copy(5, token, "", near, row, name, True, offset, size)
                tokens.append(f"%{token}")
        if self.tokens:
            self.add(5, f"air.wait_all [{', '.join(tokens)}]")
        is_float = self.type in ("bf16", "f32")
        add = "arith.addf" if is_float else "arith.addi"
        if self.sums:
            zero = f"{0.0 if is_float else 0}"
            self.add(5, f"%zero = arith.constant {zero} : {self.type}")
            self.add(5, f"linalg.fill ins(%zero : {self.type}) outs(%b_out : {row})")
        self.add(5, "scf.for %e = %c0 to %length step %c1 {")
        value = None
        for name in names[:-1] + (["out"] if self.sums else []):
            self.add(6, f"%v_{name} = memref.load %b_{name}[%e] : {row}")
            if value:
                self.add(6, f"%a_{name} = {add} {value}, %v_{name} : {self.type}")
            value = f"%a_{name}" if value else f"%v_{name}"
        self.add(6, f"memref.store {value}, %b_out[%e] : {row}")
        self.add(5, "}")
        self.copy(5, "t_out", "", near, row, "out", False, 0, self.length)
        if self.tokens:
            self.add(5, "air.wait_all [%t_out]")
        for name in names:
            self.add(5, f"memref.dealloc %b_{name} : {row}")
        self.add(4, "}")


def right_program(seed):
    if seed % 3 == 0:
        return tile_programs.generate(seed)
    return CopyProgram(random.Random(seed)).text() if seed % 3 == 1 else air_programs.generate(seed)


# -- Mistakes -----------------------------------------------------------------------------------------
# Each takes the lines of a program and a random source, and gives the lines with one mistake, or None
# where there is no place for it.


def pick(rng, lines, pattern):
    places = [i for i, line in enumerate(lines) if re.search(pattern, line)]
    return rng.choice(places) if places else None


def replaced(lines, at, *new):
    return lines[:at] + list(new) + lines[at + 1:]


def constant_grows(lines, rng):
    """A bound, size or offset is larger."""
    at = pick(rng, lines, r"arith\.constant \d+ : index")
    if at is None:
        return None
    more = rng.choice((1, 2, 4, 16))
    return replaced(lines, at, re.sub(r"constant (\d+)", lambda m: f"constant {int(m[1]) + more}", lines[at]))


def memory_shrinks(lines, rng):
    """A buffer has one row or element less."""
    at = pick(rng, lines, r"%\w+ = memref\.alloc\(\) : memref<\d+x")
    if at is None:
        return None
    old = re.search(r"memref<(\d+)x([^>]*)>", lines[at])
    if int(old[1]) < 2:
        return None
    name = re.search(r"%(\w+) =", lines[at])[1]
    new = f"memref<{int(old[1]) - 1}x{old[2]}>"
    result = []
    for line in lines:
        uses = re.search(rf"%{name}\b", line)
        # Only where all memory of the line has this type can the type be told apart from others.
        if uses and old[0] in line and "air.herd" not in line:
            if line.count(old[0]) > len(re.findall(rf"%{name}\b", line)):
                return None
            line = line.replace(old[0], new)
        elif uses and "air.herd" in line:
            return None
        result.append(line)
    return result


def fill_is_gone(lines, rng):
    """What brings a value into a buffer is gone."""
    at = pick(rng, lines, r"linalg\.fill|memref\.store|air\.dma_memcpy_nd \(%[bm]_in")
    return None if at is None else lines[:at] + lines[at + 1:]


def copy_is_shorter(lines, rng):
    """A copy into a core brings fewer elements: both sides of it are smaller."""
    at = pick(rng, lines, r"air\.dma_memcpy_nd.* \(%b_in\d\[%o\d+\] \[%s\d+\]")
    if at is not None:
        return replaced(lines, at, re.sub(r"%s\d+\]", "%c1]", lines[at]))
    at = pick(rng, lines, r"scf\.for %e = %c0 to %length")
    return None if at is None else replaced(lines, at, lines[at].replace("%c0 to", "%c1 to"))


def sides_differ(lines, rng):
    """One side of a copy has more or fewer elements than the other one."""
    at = pick(rng, lines, r"air\.dma_memcpy_nd.* \[%c1, %s\d+\]")
    if at is None:
        return None
    return replaced(lines, at, re.sub(r"\[%c1, %s(\d+)\]", rng.choice(("[%c1, %c1]", r"[%rounds, %s\1]")), lines[at]))


def core_uses_far_memory(lines, rng):
    """A core loads or stores L2 or L3 itself."""
    at = pick(rng, lines, r"%v_in\d = memref\.load")
    name = re.search(r"%b_(in\d)", lines[at])[1] if at is not None else None
    host = next((m[1] for line in lines for m in [re.search(rf"%h_{name}\[.* : \(.*(memref<[^)]*>)\)", line)] if m), None)
    if at is None or not host:
        return None
    line = re.sub(r"%b_in\d\[%e\] : .*", f"%h_{name}[%r, %e] : {host}", lines[at])
    return replaced(lines, at, line)


def core_allocates_l2(lines, rng):
    """Memory of a core is in L2."""
    at = pick(rng, lines, r"%b_in\d = memref\.alloc")
    if at is None:
        return None
    name = re.search(r"%(b_in\d)", lines[at])[1]
    old = re.search(r"memref<[^>]*, 2>", lines[at])[0]
    new = old.replace(", 2>", ", 1>")
    return [line.replace(old, new, 1) if re.search(rf"%{name}\b", line) and
            len(re.findall(re.escape(old), line)) == 1 else line for line in lines]


def core_holds_too_much(lines, rng):
    """A core has more memory than 64 KiB."""
    at = pick(rng, lines, r"^ {6,}.* = memref\.alloc\(\) : memref<.*, 2>")
    if at is None:
        return None
    indent = re.match(r" *", lines[at])[0]
    size = rng.choice((65537, 70000, 131072))
    name = f"%huge{rng.randint(0, 99)}"
    end = next(i for i in range(at, len(lines)) if re.match(rf"{indent[2:]}\}}|{indent}scf\.yield|{indent}air\.\w*_terminator", lines[i]))
    made = [f"{indent}{name} = memref.alloc() : memref<{size}xi8, 2>"]
    freed = [f"{indent}memref.dealloc {name} : memref<{size}xi8, 2>"]
    return lines[:at] + made + lines[at:end] + freed + lines[end:]


def segment_holds_too_much(lines, rng):
    """A segment has more memory than the memory tiles."""
    at = pick(rng, lines, r"air\.herd ")
    if at is None:
        return None
    indent = re.match(r" *", lines[at])[0]
    size = rng.choice((2097153, 2500000, 4194304))
    return lines[:at] + [f"{indent}%huge = memref.alloc() : memref<{size}xi8, 1>"] + lines[at:]


def transfer_is_gone(lines, rng):
    """A put or get that blocks is gone, or one whose token nothing needs."""
    places = [i for i, line in enumerate(lines) if "air.channel.put @" in line or "air.channel.get @" in line]
    if not places:
        return None
    at = rng.choice(places)
    return lines[:at] + lines[at + 1:]


def transfer_is_doubled(lines, rng):
    places = [i for i, line in enumerate(lines) if re.match(r" *air\.channel\.(put|get) @", line)]
    if not places:
        return None
    at = rng.choice(places)
    return lines[:at + 1] + lines[at:]


def transfers_change_places(lines, rng):
    """A put comes before the get that it waits for, or the other way round."""
    blocking = re.compile(r" *air\.channel\.(put|get) @")
    places = [i for i in range(len(lines) - 1)
              if blocking.match(lines[i]) and blocking.match(lines[i + 1])
              and re.match(r" *", lines[i])[0] == re.match(r" *", lines[i + 1])[0]]
    if not places:
        return None
    at = rng.choice(places)
    return lines[:at] + [lines[at + 1], lines[at]] + lines[at + 2:]


def cores_write_the_same(lines, rng):
    """The id of a core is left out of where it writes."""
    at = pick(rng, lines, r"%core = arith\.addi %i0, %y|%i0 = arith\.muli %x, %cy")
    if at is None:
        return None
    gone = "%x" if "%x" in lines[at] else "%y"
    return replaced(lines, at, lines[at].replace(gone, "%c0"))


def cores_write_one_row(lines, rng):
    """All cores write the rows of the first one."""
    at = pick(rng, lines, r"\(%h_out\[%r, ")
    if at is None or not re.search(r"arith\.constant [2-4] : index", "\n".join(lines[:12])):
        return None
    return replaced(lines, at, lines[at].replace("%h_out[%r, ", "%h_out[%k, "))


def id_is_gone(lines, rng):
    """The id of a core is left out of an offset."""
    places = [(i, name) for i, line in enumerate(lines) for name in re.findall(r"%[xy]\d+\b", line)
              if "arith.muli" in line or "affine.apply" in line]
    if not places:
        return None
    at, name = rng.choice(places)
    indent = re.match(r" *", lines[at])[0]
    gone = re.sub(rf"{name}\b", "%no_id", lines[at])
    return replaced(lines, at, f"{indent}%no_id = arith.constant 0 : index", gone)


def condition_moves(lines, rng):
    """A core more or less takes a branch."""
    at = pick(rng, lines, r"arith\.cmpi (slt|sgt|eq),")
    if at is None:
        return None
    other = {"slt": "sle", "sgt": "sge", "eq": "ne"}
    return replaced(lines, at, re.sub(r"cmpi (\w+),", lambda m: f"cmpi {other[m[1]]},", lines[at]))


def wait_is_gone(lines, rng):
    """Nothing waits where tokens were waited for."""
    at = pick(rng, lines, r"^ *air\.wait_all \[%")
    return None if at is None else lines[:at] + lines[at + 1:]


def token_is_gone(lines, rng):
    """An op no longer waits for another one."""
    places = [i for i, line in enumerate(lines) if re.search(r"(async|wait_all|put|get|execute) \[%", line)]
    if not places:
        return None
    at = rng.choice(places)
    head, tokens, tail = re.match(r"(.*?(?:async|wait_all|put|get|execute) \[)(%[^\]]*)(\].*)", lines[at]).groups()
    tokens = tokens.split(", ")
    tokens.pop(rng.randrange(len(tokens)))
    if not tokens and "wait_all [" in lines[at] and "=" not in lines[at]:
        return lines[:at] + lines[at + 1:]
    return replaced(lines, at, head + ", ".join(tokens) + tail)


def freed_too_early(lines, rng):
    """Memory is freed in front of its last use."""
    at = pick(rng, lines, r"memref\.dealloc %\w+")
    if at is None:
        return None
    name = re.search(r"dealloc (%\w+)", lines[at])[1]
    indent = re.match(r" *", lines[at])[0]
    uses = [i for i in range(at) if re.search(rf"{name}\b", lines[i]) and re.match(rf"{indent}\S", lines[i])
            and "memref.alloc" not in lines[i]]
    if not uses:
        return None
    return lines[:uses[-1]] + [lines[at]] + lines[uses[-1]:at] + lines[at + 1:]


def transfer_goes_elsewhere(lines, rng):
    """A put or get names another place of its channel."""
    places = [i for i, line in enumerate(lines) if re.search(r"channel\.(put|get)\b.*@\w+\[%", line)]
    rng.shuffle(places)
    for at in places:
        names = re.search(r"@\w+\[(%[^\]]*)\]", lines[at])[1].split(", ")
        known = [(name, re.match(rf" *{re.escape(name)} = arith\.constant (\d+) : index", line))
                 for name in names for line in lines[:at]]
        known = [(name, int(found[1])) for name, found in known if found]
        if not known:
            continue
        name, value = rng.choice(known)
        indent = re.match(r" *", lines[at])[0]
        other = value + 1 if value == 0 else value - 1
        moved = re.sub(rf"(@\w+\[[^\]]*?){re.escape(name)}\b", r"\1%elsewhere", lines[at], count=1)
        return lines[:at] + [f"{indent}%elsewhere = arith.constant {other} : index", moved] + lines[at + 1:]
    return None


def transfer_repeats(lines, rng):
    """A put or get stands in a loop of two rounds."""
    places = [i for i, line in enumerate(lines) if re.match(r" *air\.channel\.(put|get)  ?@", line)]
    if not places:
        return None
    at = rng.choice(places)
    indent = re.match(r" *", lines[at])[0]
    numbers = [f"{indent}%rep{value} = arith.constant {value} : index" for value in (0, 1, 2)]
    return lines[:at] + numbers + [f"{indent}scf.for %rep = %rep0 to %rep2 step %rep1 {{", lines[at], f"{indent}}}"] + lines[at + 1:]


def indent_of(line):
    return re.match(r" *", line)[0]


def types_differ(lines, rng):
    """A put sends as many elements as before, of another width."""
    at = pick(rng, lines, r"channel\.put.*\(%\w+\[\] \[\] \[\]\) : \(memref<")
    if at is None:
        return None
    shape, element, level = re.search(r"memref<([\dx]+x)(\w+)(, \d)?>", lines[at]).groups()
    width = {"i8": 8, "i16": 16, "bf16": 16}.get(element, 32)
    other = rng.choice([t for t, w in (("i8", 8), ("i16", 16), ("i32", 32)) if w != width])
    indent, made = indent_of(lines[at]), f"memref<{shape}{other}{level or ''}>"
    put = re.sub(r"%\w+\[\] \[\] \[\]\) : .*", f"%other[] [] []) : ({made})", lines[at])
    return replaced(lines, at, f"{indent}%other = memref.alloc() : {made}", f"{indent}%other_zero = arith.constant 0 : {other}",
                    f"{indent}linalg.fill ins(%other_zero : {other}) outs(%other : {made})", put)


def one_core_fills(lines, rng):
    """Only the first core of a herd fills what all of its cores use."""
    at = pick(rng, lines, r"^ *linalg\.fill|^ *air\.dma_memcpy_nd \(%[bm]_in")
    herd = next((i for i in range(at or 0, -1, -1) if "air.herd" in lines[i]), None)
    if at is None or herd is None or len(indent_of(lines[herd])) >= len(indent_of(lines[at])):
        return None
    ids = re.search(r"tile *\((%\w+), (%\w+)\)", lines[herd]).groups()
    indent = indent_of(lines[at])
    return replaced(lines, at, f"{indent}%fill_id = arith.addi {ids[0]}, {ids[1]} : index", f"{indent}%fill_zero = arith.constant 0 : index",
                    f"{indent}%fill_first = arith.cmpi eq, %fill_id, %fill_zero : index", f"{indent}scf.if %fill_first {{",
                    lines[at], f"{indent}}}")


def data_decides(lines, rng):
    """A core does not send where the square of an element is 49: no number that is tried shows it."""
    at = pick(rng, lines, r"^ *air\.channel\.put .*memref<[\dx]+xi(8|16|32), 2>")
    if at is None:
        return None
    memory, kind = re.search(r"\((%\w+)\[", lines[at])[1], re.search(r"memref<[^>]*>", lines[at])[0]
    element, rank = re.search(r"xi(\d+),", kind)[1], kind.count("x")
    indent = indent_of(lines[at])
    zeros = ", ".join(["%data_zero"] * rank)
    return replaced(lines, at, f"{indent}%data_zero = arith.constant 0 : index", f"{indent}%data = memref.load {memory}[{zeros}] : {kind}",
                    f"{indent}%data_square = arith.muli %data, %data : i{element}", f"{indent}%data_49 = arith.constant 49 : i{element}",
                    f"{indent}%data_is = arith.cmpi ne, %data_square, %data_49 : i{element}", f"{indent}scf.if %data_is {{",
                    lines[at], f"{indent}}}")


MISTAKES = {
    "bounds": (constant_grows, memory_shrinks, sides_differ),
    "unwritten": (fill_is_gone, copy_is_shorter),
    "memory level": (core_uses_far_memory, core_allocates_l2),
    "resources": (core_holds_too_much, segment_holds_too_much),
    "deadlock": (transfer_is_gone, transfer_is_doubled, transfers_change_places, condition_moves),
    "places": (transfer_goes_elsewhere, transfer_repeats),
    "race": (cores_write_the_same, cores_write_one_row, id_is_gone),
    "token": (token_is_gone, freed_too_early, wait_is_gone),
    "mixed types": (types_differ,),
    "one core fills": (one_core_fills,),
    "decided by data": (data_decides,),
}


# -- Judging ------------------------------------------------------------------------------------------


def run(command, limit=60):
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit)
        return done.returncode, done.stdout + done.stderr
    except subprocess.TimeoutExpired:
        return None, "did not end"


def verifies(bin_dir, path):
    return run([f"{bin_dir}/airlite-opt", path, "--emit=none"])[0] == 0


def is_reported(bin_dir, path):
    code, output = run([f"{bin_dir}/airlite-opt", path, *CHECK])
    return code != 0, output


def is_wrong(bin_dir, path, schedules):
    """Whether a run fails, or two runs differ."""
    function = re.search(r"func\.func @(\w+)", path.read_text())[1]
    code, _ = run([f"{bin_dir}/airlite-run", path, "--on=interp", f"--function={function}", "--init=random:1",
                   f"--schedules={schedules}", "--max-steps=2000000"], 120)
    return code != 0


def mutant(seed, name):
    """A wrong program of the class, made of the first right one that has room for it."""
    rng = random.Random(f"{name} {seed}")
    for attempt in range(50):
        text = right_program(rng.randrange(1 << 30))
        lines = rng.choice(MISTAKES[name])(text.splitlines(), rng)
        if lines and lines != text.splitlines():
            return "\n".join(lines) + "\n"
    return None


def judge_mutant(arguments, folder, seed, name):
    text = mutant(seed, name)
    if not text:
        return "none", ""
    path = folder / f"{name.replace(' ', '_')}_{seed}.mlir"
    path.write_text(text)
    if not verifies(arguments.bin, path):  # then it is no mistake that the checker is asked about
        return ("found" if name in OF_DEVICE else "none"), ""
    reported, _ = is_reported(arguments.bin, path)
    if name in RULES or is_wrong(arguments.bin, path, arguments.schedules):
        return ("found" if reported else "missed"), str(path)
    return ("doubtful" if reported else "right"), str(path)


def judge_right(arguments, folder, seed):
    path = folder / f"right_{seed}.mlir"
    path.write_text(right_program(seed))
    reported, output = is_reported(arguments.bin, path)
    wrong = seed % 10 == 0 and is_wrong(arguments.bin, path, 4)
    if not reported and not wrong:
        path.unlink()
        return None
    return f"{path}: " + ("does not run" if wrong else output)


def count_wrong(arguments, folder, pool):
    good = True
    print("| class | wrong | found | missed | never seen to fail, but reported |\n|---|---|---|---|---|")
    for name in arguments.only or MISTAKES:
        counts, shown = collections.Counter(), []
        jobs = [pool.submit(judge_mutant, arguments, folder, arguments.seed + i, name) for i in range(arguments.wrong)]
        for job in jobs:
            verdict, path = job.result()
            counts[verdict] += 1
            if verdict in ("missed", "doubtful"):
                shown.append(f"{verdict}: {path}")
            elif path:
                os.unlink(path)
        wrong = counts["found"] + counts["missed"]
        print(f"| {name} | {wrong} | {counts['found']} | {counts['missed']} | {counts['doubtful']} |", flush=True)
        if arguments.keep:
            print("\n".join(shown), file=sys.stderr)
        good = good and counts["found"] >= 0.98 * wrong
    return good


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("bin")
    parser.add_argument("--wrong", type=int, default=100, help="mutants of each class")
    parser.add_argument("--only", action="append", choices=MISTAKES, help="this class; may be given again")
    parser.add_argument("--right", type=int, default=10000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--schedules", type=int, default=40, help="of each mutant, in the interpreter")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--keep", help="a folder for the programs that were missed or are doubtful; they are named, too")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary, concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        folder = pathlib.Path(arguments.keep or temporary)
        folder.mkdir(parents=True, exist_ok=True)
        good = count_wrong(arguments, folder, pool) if arguments.wrong else True
        blamed = [text for text in pool.map(lambda seed: judge_right(arguments, folder, seed),
                                            range(arguments.seed, arguments.seed + arguments.right)) if text]
    print("\n".join(blamed))
    print(f"{arguments.right} right programs, {len(blamed)} blamed")
    return 0 if good and not blamed else 1


if __name__ == "__main__":
    sys.exit(main())
