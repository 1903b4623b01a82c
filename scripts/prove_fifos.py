#!/usr/bin/env python3
"""Random designs with object FIFOs, as bytes on the simulated array: they compute what the interpreter does.

usage: prove_fifos.py [--count N] [--seed N] [--keep DIR] BIN

Each design sends objects from the host through one to three stages. A stage is a core, or two or three cores that each take a
part of every object from a memory tile, which joins what they make. Memory tiles pass objects on in between; neighbours share
memory, others have DMAs. Depths, sizes, element types, how many objects a core takes at a time, and whether its loop ends are
random. A stage multiplies by one number and adds another one. Some designs hang, since neighbours take different numbers of
objects: they have to be refused so, and to hang when they are compiled all the same. Exit code 1 when a result differs, or a
design is refused for another reason, but that it has too many locks, descriptors, DMA channels or bytes.
"""
import argparse
import pathlib
import random
import subprocess
import sys
import tempfile

MAX = 9223372036854775807
FULL = ("does not fit", "locks", "descriptors", "channels", "bytes", "BD")


class Design:
    """`end` is where the objects are so far: a tile, and the FIFOs that bring them there when it is a memory tile (several: each
    a part, at these offsets)."""

    def __init__(self, rng):
        self.rng = rng
        self.element = rng.choice(("i32", "i32", "i16", "i8"))
        self.unit = {"i32": 1, "i16": 2, "i8": 4}[self.element]  # elements of a word
        self.length = self.unit * rng.choice((4, 8, 12, 24))
        self.objects = rng.choice((2, 4, 6, 12))
        self.tiles, self.fifos, self.cores, self.stages, self.first = {}, [], [], [], None
        self.places = [(c, r) for c in range(4) for r in range(2, 6)]
        rng.shuffle(self.places)
        self.columns = rng.sample(range(4), 4)  # of memory tiles that are free
        self.end = (self.tile(rng.randint(0, 3), 0), [], [])
        for _ in range(rng.randint(1, 3)):
            if rng.random() < 0.35 and len(self.columns) >= 2:
                self.split_stage()
            else:
                self.core_stage()
        self.last = self.send(self.tile(rng.randint(0, 3), 0), self.length)[0]
        self.text = self.make_text()

    def tile(self, col, row):
        return self.tiles.setdefault((col, row), f"%t{col}_{row}")

    def core_tile(self):
        """Often above or below the core before: they share memory."""
        at = next((place for place, name in self.tiles.items() if name == self.end[0]), None)
        close = [p for p in self.places if at and p[0] == at[0] and abs(p[1] - at[1]) == 1]
        place = close[0] if close and self.rng.random() < 0.6 else self.places[-1]
        self.places.remove(place)
        return self.tile(*place)

    def fifo(self, source, target, length):
        name, depths = f"f{len(self.fifos)}", [self.rng.randint(1, 4)] * 2
        if self.rng.random() < 0.5:
            depths = [self.rng.randint(1, 4), self.rng.randint(1, 4)]
        depth = f"{depths[0]} : i32" if depths[0] == depths[1] else str(depths)
        self.fifos.append(f"aie.objectfifo @{name}({source}, {{{target}}}, {depth}) : "
                          f"!aie.objectfifo<memref<{length}x{self.element}>>")
        self.first = self.first or name
        return name, depths

    def link(self, ins, outs, offsets_in, offsets_out):
        ins, outs = (", ".join("@" + name for name in names) for names in (ins, outs))
        self.fifos.append(f"aie.objectfifo.link [{ins}] -> [{outs}]({offsets_in} {offsets_out})")

    def send(self, target, length):
        """The next FIFO from where the objects are."""
        source, names, offsets = self.end
        name, depths = self.fifo(source, target, length)
        if names:
            self.link(names, [name], offsets, [])
        elif self.cores and self.cores[-1]["out"] is None:
            self.cores[-1].update(out=name, out_depth=depths[0])
        return name, depths

    def to_memory_tile(self):
        tile = self.tile(self.columns.pop(), 1)
        name, _ = self.send(tile, self.length)
        self.end = (tile, [name], [])

    def core_stage(self):
        if not self.end[1] and len(self.columns) > 2 and self.rng.random() < 0.4:
            self.to_memory_tile()
        tile = self.core_tile()
        name, depths = self.send(tile, self.length)
        factor, term = self.rng.randint(-5, 5), self.rng.randint(-9, 9)
        self.cores.append({"tile": tile, "in": name, "in_depth": depths[1], "out": None, "length": self.length,
                           "factor": factor, "term": term})
        self.stages.append([(0, self.length, factor, term)])
        self.end = (tile, [], [])

    def split_stage(self):
        if len(self.end[1]) != 1:
            self.to_memory_tile()
        if not self.columns:
            return
        tile, (name,), _ = self.end
        joiner = self.tile(self.columns.pop(), 1)
        count = self.rng.randint(2, 3)
        cuts = sorted(self.rng.sample(range(1, self.length // self.unit), count - 1))
        bounds = [0, *(cut * self.unit for cut in cuts), self.length]
        ins, outs, parts = [], [], []
        for begin, end in zip(bounds, bounds[1:]):
            core = self.tile(*self.places.pop())
            one, depths_in = self.fifo(tile, core, end - begin)
            two, depths_out = self.fifo(core, joiner, end - begin)
            factor, term = self.rng.randint(-5, 5), self.rng.randint(-9, 9)
            self.cores.append({"tile": core, "in": one, "in_depth": depths_in[1], "out": two, "out_depth": depths_out[0],
                               "length": end - begin, "factor": factor, "term": term})
            ins.append(one)
            outs.append(two)
            parts.append((begin, end, factor, term))
        self.link([name], ins, [], bounds[:-1])
        self.stages.append(parts)
        self.end = (joiner, outs, bounds[:-1])

    def core_text(self, core):
        rng = self.rng
        most = min(core["in_depth"], core["out_depth"])
        at_once = rng.choice([m for m in range(1, most + 1) if self.objects % m == 0])
        rounds = self.objects // at_once
        kind = f"memref<{core['length']}x{self.element}>"
        view = f"!aie.objectfifosubview<{kind}>"
        endless = rng.random() < 0.4
        lines = [f"aie.core({core['tile']}) {{", "  %c0 = arith.constant 0 : index", "  %c1 = arith.constant 1 : index",
                 f"  %n = arith.constant {core['length']} : index",
                 f"  %rounds = arith.constant {MAX if endless else rounds} : index",
                 f"  %k = arith.constant {core['factor']} : {self.element}", f"  %t = arith.constant {core['term']} : {self.element}",
                 "  scf.for %r = %c0 to %rounds step %c1 {",
                 f"    %a = aie.objectfifo.acquire @{core['in']}(Consume, {at_once}) : {view}",
                 f"    %b = aie.objectfifo.acquire @{core['out']}(Produce, {at_once}) : {view}"]
        for i in range(at_once):
            lines += [f"    %x{i} = aie.objectfifo.subview.access %a[{i}] : {view} -> {kind}",
                      f"    %y{i} = aie.objectfifo.subview.access %b[{i}] : {view} -> {kind}",
                      f"    scf.for %i = %c0 to %n step %c1 {{", f"      %v = memref.load %x{i}[%i] : {kind}",
                      f"      %w = arith.muli %v, %k : {self.element}", f"      %u = arith.addi %w, %t : {self.element}",
                      f"      memref.store %u, %y{i}[%i] : {kind}", "    }"]
        lines += [f"    aie.objectfifo.release @{core['in']}(Consume, {at_once})",
                  f"    aie.objectfifo.release @{core['out']}(Produce, {at_once})", "  }", "  aie.end", "}"]
        return lines

    def make_text(self):
        size = self.objects * self.length
        whole = f"memref<{self.objects}x{self.length}x{self.element}>"
        lines = ["aie.device(npu1) @random {"]
        lines += [f"  {name} = aie.tile({col}, {row})" for (col, row), name in self.tiles.items()]
        lines += ["  " + line for line in self.fifos]
        for core in self.cores:
            lines += ["  " + line for line in self.core_text(core)]
        lines += [f"  aie.runtime_sequence @run(%in: {whole}, %out: {whole}) {{",
                  f"    aiex.npu.dma_memcpy_nd(%out[0, 0, 0, 0][1, 1, 1, {size}][0, 0, 0, 1]) {{id = 1 : i64, metadata = @{self.last}}} : {whole}",
                  f"    aiex.npu.dma_memcpy_nd(%in[0, 0, 0, 0][1, 1, 1, {size}][0, 0, 0, 1]) {{id = 0 : i64, metadata = @{self.first}}} : {whole}",
                  f"    aiex.npu.dma_wait {{symbol = @{self.last}}}", "  }", "}"]
        return "\n".join(lines) + "\n"

    def reference(self):
        whole = f"memref<{self.objects}x{self.length}x{self.element}>"
        lines = [f"func.func @main(%in: {whole}, %out: {whole}) {{", f"  memref.copy %in, %out : {whole} to {whole}"]
        number = 0
        for parts in self.stages:
            for begin, end, factor, term in parts:
                number += 1
                lines += [f"  %k{number} = arith.constant {factor} : {self.element}", f"  %t{number} = arith.constant {term} : {self.element}",
                          f"  affine.for %o = 0 to {self.objects} {{", f"    affine.for %i = {begin} to {end} {{",
                          f"      %v = affine.load %out[%o, %i] : {whole}", f"      %w = arith.muli %v, %k{number} : {self.element}",
                          f"      %u = arith.addi %w, %t{number} : {self.element}", f"      affine.store %u, %out[%o, %i] : {whole}",
                          "    }", "  }"]
        return "\n".join([*lines, "  return", "}"]) + "\n"


def check(tools, folder, design):
    """'same', 'full', 'hangs', or what is wrong."""
    (folder / "design.mlir").write_text(design.text)
    (folder / "reference.mlir").write_text(design.reference())

    def run(*command):
        return subprocess.run([str(part) for part in command], cwd=folder, capture_output=True, text=True, timeout=300)
    made = run(tools / "airlite-compile", "design.mlir", "--target=npu1", "-o", "out")
    if made.returncode != 0:
        error = next((line for line in made.stderr.splitlines() if "error:" in line), made.stderr)
        if "would hang" in error:
            run(tools / "airlite-compile", "--no-verify-program", "design.mlir", "--target=npu1", "-o", "out")
            ran = run(tools / "airlite-run", "--on=sim", "out", "--init=random:5")
            return "hangs" if "the design hangs" in ran.stderr else f"false alarm: {error}"
        return "full" if made.returncode == 1 and any(word in error for word in FULL) else f"refused: {error}"
    for steps in ([], ["--reverse-tiles"]):
        ran = run(tools / "airlite-run", "--on=sim", "out", "--init=random:5", "--output", "0=in.npy", "--output", "1=out.npy", *steps)
        if ran.returncode != 0:
            return f"does not run: {ran.stderr[:400]}"
        same = run(tools / "airlite-run", "reference.mlir", "--on=interp", "--input", "0=in.npy", "--expect", "1=out.npy")
        if same.returncode != 0:
            return f"differs: {same.stderr[:400]}"
    return "same"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=pathlib.Path, help="keeps designs with findings here")
    options = parser.parse_args()
    tools, counts, findings = options.bin.resolve(), {"same": 0, "full": 0, "hangs": 0}, 0
    for number in range(options.seed, options.seed + options.count):
        with tempfile.TemporaryDirectory() as folder:
            design = Design(random.Random(number))
            outcome = check(tools, pathlib.Path(folder), design)
            if outcome in counts:
                counts[outcome] += 1
                continue
            findings += 1
            print(f"seed {number}: {outcome}")
            if options.keep:
                options.keep.mkdir(parents=True, exist_ok=True)
                (options.keep / f"{number}.mlir").write_text(design.text)
    print(f"{counts['same']} designs compute what the interpreter does, {counts['hangs']} hang, as was said, {counts['full']} do not "
          f"fit, {findings} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
