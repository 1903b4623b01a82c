#!/usr/bin/env python3
"""Random AIR programs of one core that computes with the ids of its launch.

usage: launch_programs.py SEED      (prints the program of this number)

A launch of one or two dimensions, in a loop of the host or not, whose instances each bring a tile to a core, which adds numbers made of
the ids of the launch to it; a launch of one dimension divides its id. scripts/prove_npu.py --launches N runs N.
"""
import random
import sys


def ids_of(flat, columns):
    """Lines that make the row and the column of tiles of a launch instance, and their names."""
    if not flat:
        return [], "%i", "%j"
    return [f"%across = arith.constant {columns} : index", "%row = arith.divui %i, %across : index",
            "%column = arith.remui %i, %across : index"], "%row", "%column"


def generate(seed):
    rng = random.Random(seed)
    down, across = rng.randint(1, 5), rng.randint(1, 5)
    rows, columns = rng.choice([4, 8, 16]), rng.choice([4, 8, 16])
    width, repeats, factor = across * columns, rng.choice([1, 1, 2, 3]), rng.randint(1, 9)
    flat = rng.random() < 0.5
    matrix = f"memref<{down * rows}x{width}xi32>"
    tile = f"memref<{rows}x{columns}xi32, 2>"
    sizes = [down * across] if flat else [down, across]
    names = ["%i", "%j"][:len(sizes)]
    space = ", ".join(f"{name}s = %size{k}" for k, name in enumerate(names))
    lines = [f"func.func @main(%a: {matrix}, %b: {matrix}) {{", "%zero = arith.constant 0 : index", "%one = arith.constant 1 : index",
             f"%factor = arith.constant {factor} : index", f"%repeats = arith.constant {repeats} : index",
             *(f"%size{k} = arith.constant {size} : index" for k, size in enumerate(sizes))]
    if repeats > 1:
        lines.append("scf.for %t = %zero to %repeats step %one {")
    more, row, column = ids_of(flat, across)
    lines += [
        f"air.launch ({', '.join(names)}) in ({space}) args(%x = %a, %y = %b, %k = %factor) : {matrix}, {matrix}, index {{", *more,
        f"%rows = arith.constant {rows} : index", f"%columns = arith.constant {columns} : index",
        f"%first = arith.muli {row}, %rows : index", f"%left = arith.muli {column}, %columns : index",
        f"%p = arith.addi {row}, %k : index", f"%q = arith.muli {column}, %k : index",
        f"air.segment @segment args(%sx = %x, %sy = %y, %sf = %first, %sl = %left, %sp = %p, %sq = %q) : "
        f"{matrix}, {matrix}, index, index, index, index {{",
        "%single = arith.constant 1 : index",
        f"air.herd @herd tile (%tx, %ty) in (%nx = %single, %ny = %single) args(%hx = %sx, %hy = %sy, %hf = %sf, %hl = %sl, %hp = %sp, "
        f"%hq = %sq) : {matrix}, {matrix}, index, index, index, index {{",
        "%z = arith.constant 0 : index", "%o = arith.constant 1 : index", f"%m = arith.constant {rows} : index",
        f"%n = arith.constant {columns} : index", f"%w = arith.constant {width} : index",
        f"%in = memref.alloc() : {tile}", f"%out = memref.alloc() : {tile}",
        f"air.dma_memcpy_nd (%in[] [] [], %hx[%hf, %hl] [%m, %n] [%w, %o]) : ({tile}, {matrix})",
        "scf.for %g = %z to %m step %o {", "scf.for %h = %z to %n step %o {",
        f"%e = memref.load %in[%g, %h] : {tile}", "%u = arith.addi %hp, %h : index", "%v = arith.muli %hq, %g : index",
        "%s = arith.addi %u, %v : index", "%c = arith.index_cast %s : index to i32", "%d = arith.addi %e, %c : i32",
        f"memref.store %d, %out[%g, %h] : {tile}", "}", "}",
        f"air.dma_memcpy_nd (%hy[%hf, %hl] [%m, %n] [%w, %o], %out[] [] []) : ({matrix}, {tile})",
        f"memref.dealloc %in : {tile}", f"memref.dealloc %out : {tile}", "}", "}", "}"]
    if repeats > 1:
        lines.append("}")
    return "\n".join([*lines, "return", "}"]) + "\n"


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    print(generate(int(sys.argv[1])), end="")
