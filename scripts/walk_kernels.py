#!/usr/bin/env python3
"""Writes docs/npu_kernels.md: the loops of the kernels that bench/core_kernels.py measures, as the core runs them.

usage: walk_kernels.py [--check] BIN

BIN is the folder of the tools of a build. Each kernel is compiled, its core is disassembled, and the hardware loop that
computes most on vectors is shown with what each slot does in it. With --check the page is not written but compared; exit
code 1 when it differs. What is shown is what the tools print; only the sentences between are written here.
"""
import collections
import dataclasses
import functools
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "bench"))
import core_kernels

PAGE = ROOT / "docs" / "npu_kernels.md"
FORMS = ROOT / "backends" / "npu" / "isa" / "aie2"
AROUND = 2  # bundles before and after the loop
ROUNDS = 21  # of the kernel in its program, as bench/core_kernels.py runs it
# Shapes that only differ in size from others have a row in the table and no listing.
WITHOUT_LISTING = re.compile(r"x16x|x64x|x20x")
SLOTS = [("load", "lda"), ("load", "ldb"), ("store", "st"), ("scalar", "x"), ("move", "mv"), ("vector", "vec")]
NOPS = {"nopa", "nopb", "nops", "nopx", "nopm", "nopxm", "nopv", "nop"}


@dataclasses.dataclass
class Bundle:
    address: int
    text: str
    slots: list  # six texts; empty where nothing issues


@dataclasses.dataclass
class Loop:
    first: int  # address of the first and of the last bundle
    last: int
    count: int
    bundles: list


@dataclasses.dataclass
class Kernel:
    title: str
    bundles: list
    loop: Loop
    remark: str
    size: int


def run(*command):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"walk_kernels.py: {' '.join(map(str, command))}:\n{done.stderr}")
    return done


@functools.cache
def slots_of_mnemonics():
    """The numbers of the slots that have an instruction of this name, from the tables of forms."""
    names = {"Lda": 0, "Ldb": 1, "St": 2, "Alu": 3, "Lng": 3, "Mv": 4, "Vec": 5}  # Lng takes x and mv
    slots = collections.defaultdict(set)
    for table in FORMS.glob("Forms*.inc"):
        for mnemonic, slot in re.findall(r'^\{"\w+", "(\S+)[^"]*",.*?Slot::(\w+)', table.read_text(), re.M | re.S):
            if slot in names:
                slots[mnemonic].add(names[slot])
    return slots


def places_of(parts, first=0):
    """Slots for instructions that are printed in the order of slots, from number `first` on; none where there are none."""
    if not parts:
        return []
    for slot in sorted(slots_of_mnemonics()[parts[0].split()[0]]):
        rest = places_of(parts[1:], slot + 1) if slot >= first else None
        if rest is not None:
            return [slot, *rest]
    return None


def slots_of(text):
    """The six slots of a bundle."""
    parts = [part.strip() for part in text.split(";")]
    parts = [part for part in parts if part not in NOPS]
    places = places_of(parts)
    if places is None:
        sys.exit(f"walk_kernels.py: no slots for '{text}'")
    slots = [""] * 6
    for place, part in zip(places, parts):
        slots[place] = part
    return slots


def bundles_of(disassembly):
    for line in disassembly.splitlines():
        found = re.match(r"  (\S.*?)\s*// ([0-9a-f]+): ", line)
        if found:
            yield Bundle(int(found[2], 16), found[1], slots_of(found[1]))


def loops_of(bundles):
    """Hardware loops, by the settings of ls, le and lc in the order of the code."""
    found = {}
    for bundle in bundles:
        for name, number in re.findall(r"movxm (ls|le|lc), #(-?\d+)", " ; ".join(bundle.slots)):
            found[name] = int(number)
        if len(found) == 3:
            body = [b for b in bundles if found["ls"] <= b.address <= found["le"]]
            yield Loop(found["ls"], found["le"], found["lc"], body)
            found = {}


def vector_ops(loop):
    """Instructions of a round that compute on vectors."""
    return sum(bool(re.match(r"v(?!ld|st)", slot)) for bundle in loop.bundles for slot in bundle.slots)


def remark_of(remarks, loop):
    """What the code generator says about a loop; it is known by its interval."""
    said = {text for text in re.findall(r"remark: (rounds begin .*)", remarks)
            if int(re.match(r"rounds begin (\d+)", text)[1]) == len(loop.bundles)}
    if not said:
        sys.exit(f"walk_kernels.py: no remark has the interval {len(loop.bundles)}:\n{remarks}")
    return max(said, key=lambda text: int(re.search(r"(\d+) (?:is|are) under way", text)[1]))


def compiled(bin_dir, title, text, folder):
    source = folder / "kernel.mlir"
    source.write_text(text)
    said = run(bin_dir / "airlite-compile", source, "--target=npu1", "--remarks", "-o", folder / "out")
    core, = (folder / "out").glob("core_*.elf")
    bundles = list(bundles_of(run(bin_dir / "airlite-inspect", "--disasm", core).stdout))
    loop = max(loops_of(bundles), key=lambda loop: (loop.count * vector_ops(loop), loop.count * len(loop.bundles)))
    return Kernel(title, bundles, loop, remark_of(said.stderr + said.stdout, loop), bundles[-1].address)


def kernels(bin_dir):
    programs = [(title, core_kernels.program(kernel, ROUNDS)) for title, kernel in core_kernels.KERNELS.items()]
    programs += [(title, core_kernels.program_of_rows(entry[0], ROUNDS))
                 for title, entry in core_kernels.OTHERS.items()]
    for title, text in programs:
        with tempfile.TemporaryDirectory() as folder:
            yield compiled(bin_dir, title, text, pathlib.Path(folder))


def kind_of(instruction):
    """`vlda` of an accumulator is another thing than one of a vector."""
    mnemonic, _, operands = instruction.partition(" ")
    if re.match(r"(vlda|vst)\b", mnemonic) and re.match(r"(am|bm|cm)", operands):
        return f"`{mnemonic}` (accumulator)"
    return f"`{mnemonic}`"


def slot_rows(loop):
    for number, (what, name) in enumerate(SLOTS):
        used = [bundle.slots[number] for bundle in loop.bundles if bundle.slots[number]]
        counts = collections.Counter(map(kind_of, used)).most_common()
        counts = sorted(counts, key=lambda pair: (-pair[1], pair[0]))
        if used:
            yield f"| {what} `{name}` | {len(used)} of {len(loop.bundles)} | {', '.join(f'{n} {kind}' for kind, n in counts)} |"


def listing(kernel):
    """The loop and the bundles around it, the slots in columns."""
    loop = kernel.loop
    at = [bundle.address for bundle in kernel.bundles]
    first, last = at.index(loop.first), at.index(loop.last)
    shown = kernel.bundles[max(first - AROUND, 0):last + 1 + AROUND]
    wide = shown[:-AROUND]  # all but those after the loop, which may be shorter
    widths = [max(len(bundle.slots[i]) for bundle in wide) for i in range(6)]
    for bundle in wide:
        mark = "   |" if loop.first < bundle.address < loop.last else ""
        mark = {loop.first: "ls >", loop.last: "le >"}.get(bundle.address, mark)
        texts = [slot.ljust(width) if slot else ".".ljust(width) for slot, width in zip(bundle.slots, widths) if width]
        yield f"{mark:4} {bundle.address:04x}  {'  '.join(texts)}".rstrip()
    for bundle in shown[-AROUND:]:
        used = [part for part in bundle.text.split(" ; ") if part not in NOPS]
        yield f"{'':4} {bundle.address:04x}  {' ; '.join(used) or 'nop'}"


def figures(kernel):
    numbers = re.match(r"rounds begin (\d+) cycles? after each other, (\d+) \w+ under way; slots allow (\d+), results (\d+)",
                       kernel.remark)
    return [int(number) for number in numbers.groups()]


def table(all_kernels):
    yield "| kernel | interval | slots allow | results allow | rounds under way | vector instructions in a round | bytes of code |"
    yield "|---|---:|---:|---:|---:|---:|---:|"
    for kernel in all_kernels:
        interval, stages, slots, results = figures(kernel)
        yield f"| {kernel.title} | {interval} | {slots} | {results} | {stages} | {vector_ops(kernel.loop)} | {kernel.size} |"


def section(kernel):
    interval, stages, slots, results = figures(kernel)
    yield ""
    yield f"## {kernel.title}"
    yield ""
    yield (f"The loop runs {kernel.loop.count} times, with {stages} round{'s' if stages > 1 else ''} under way. The interval is "
           f"{interval}; the slots allow {slots}, results that later rounds read allow {results}.")
    yield ""
    yield "| slot | used | for |"
    yield "|---|---:|---|"
    yield from slot_rows(kernel.loop)
    yield ""
    yield "```"
    yield from listing(kernel)
    yield "```"


def page(all_kernels):
    yield "# The loops of the kernels"
    yield ""
    yield "Written by `scripts/walk_kernels.py BIN` from what the tools print; do not edit. A test compares it."
    yield ""
    yield ("The kernels are those that `bench/core_kernels.py` measures ([performance.md](performance.md#kernels-of-one-core-2026-11-27) "
           "has their cycles). Each is compiled, its core is disassembled (`airlite-inspect --disasm`), and the hardware loop that computes "
           "most on vectors is shown. [npu_codegen.md](npu_codegen.md#loops) explains how it is made, [npu_isa.md](npu_isa.md) the instructions.")
    yield ""
    yield ("The *interval* is the number of cycles from the start of one round to the start of the next; the loop has as many bundles. "
           "It cannot be smaller than what the slots allow (the fullest slot), nor than what results allow that later rounds read.")
    yield ""
    yield from table(all_kernels)
    yield ""
    yield ("In the listings a line is a bundle, which issues in one cycle: its address, then the slots `lda`, `ldb`, `st`, `x`, `mv` and "
           "`vec`, as far as the loop uses them; `.` is an empty slot, and what several slots have is shown in the first. `ls >` marks the first bundle of the loop, `le >` the last. The "
           "bundles before begin the first rounds, those after end the last ones; bundles after the loop may be shorter and are not in "
           "columns.")
    for kernel in all_kernels:
        if not WITHOUT_LISTING.search(kernel.title):
            yield from section(kernel)


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--check"]
    if len(arguments) != 1 or arguments[0].startswith("-"):
        print(__doc__, file=sys.stderr)
        return 2
    text = "\n".join(page(list(kernels(pathlib.Path(arguments[0]).resolve())))) + "\n"
    if "--check" not in sys.argv:
        PAGE.write_text(text)
        return 0
    if PAGE.read_text() == text:
        return 0
    print(f"walk_kernels.py: {PAGE.relative_to(ROOT)} is not what the tools print; write it with scripts/walk_kernels.py BIN")
    return 1


if __name__ == "__main__":
    sys.exit(main())
