#!/usr/bin/env python3
"""Measures kernels on one core of the simulated NPU, with their data in L1.

usage: bench/core_kernels.py --bin BUILD/bin [--filter RE] [--target npu1|npu2]

Each kernel is one or more structured ops on buffers of a core, in a loop of 1 and of 21 rounds; a twentieth of the difference
in cycles is what one round takes, with its own start and end. Printed are cycles, multiply-adds per cycle, the
bound (the matrix unit's products: one instruction per cycle) and the best that is published for the shape
(docs/hardware/gemm_facts.md sections 2, 3 and 6). The result of every run is compared with the interpreter's.
"""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

PRODUCT = """
#a = affine_map<(m, n, k, r, t, s) -> (k, m, r, s)>
#b = affine_map<(m, n, k, r, t, s) -> (n, k, s, t)>
#c = affine_map<(m, n, k, r, t, s) -> (n, m, r, t)>
air.channel @a [1]
air.channel @b [1]
air.channel @c [1]
func.func @main(%a: {A}>, %b: {B}>, %c: {C}>) {{
  air.launch () in () args(%la = %a, %lb = %b, %lc = %c) : {A}>, {B}>, {C}> {{
    %0 = air.channel.put async @a[] (%la[] [] []) : ({A}>)
    %1 = air.channel.put async @b[] (%lb[] [] []) : ({B}>)
    %2 = air.channel.get async @c[] (%lc[] [] []) : ({C}>)
    %3 = air.segment @s async {{
      %one = arith.constant 1 : index
      air.herd @h tile (%x, %y) in (%sx = %one, %sy = %one) {{
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %rounds = arith.constant {rounds} : index
        %zero = arith.constant {zero} : {sum}
        %ma = memref.alloc() : {A}, 2>
        %mb = memref.alloc() : {B}, 2>
        %mc = memref.alloc() : {C}, 2>
        air.channel.get @a[] (%ma[] [] []) : ({A}, 2>)
        air.channel.get @b[] (%mb[] [] []) : ({B}, 2>)
        linalg.fill ins(%zero : {sum}) outs(%mc : {C}, 2>)
        scf.for %round = %c0 to %rounds step %c1 {{
          linalg.generic {{indexing_maps = [#a, #b, #c], iterator_types =
              ["parallel", "parallel", "reduction", "parallel", "parallel", "reduction"]{depth}}}
              ins(%ma, %mb : {A}, 2>, {B}, 2>) outs(%mc : {C}, 2>) {{
          ^bb0(%p: {left}, %q: {right}, %o: {sum}):
            %e = arith.{extend} %p : {left} to {sum}
            %f = arith.{extend} %q : {right} to {sum}
            %g = arith.mul{kind} %e, %f : {sum}
            %h = arith.add{kind} %o, %g : {sum}
            linalg.yield %h : {sum}
          }}
        }}
        air.channel.put @c[] (%mc[] [] []) : ({C}, 2>)
        memref.dealloc %ma : {A}, 2>
        memref.dealloc %mb : {B}, 2>
        memref.dealloc %mc : {C}, 2>
      }}
    }}
    air.wait_all [%0, %1, %2, %3]
  }}
  return
}}
"""

ROWS = """
{maps}
air.channel @a [1]
air.channel @c [1]
func.func @main(%a: {A}>, %c: {C}>) {{
  air.launch () in () args(%la = %a, %lc = %c) : {A}>, {C}> {{
    %0 = air.channel.put async @a[] (%la[] [] []) : ({A}>)
    %1 = air.channel.get async @c[] (%lc[] [] []) : ({C}>)
    %2 = air.segment @s async {{
      %one = arith.constant 1 : index
      air.herd @h tile (%x, %y) in (%sx = %one, %sy = %one) {{
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %rounds = arith.constant {rounds} : index
        %ma = memref.alloc() : {A}, 2>
        %mc = memref.alloc() : {C}, 2>
{buffers}
        air.channel.get @a[] (%ma[] [] []) : ({A}, 2>)
        scf.for %round = %c0 to %rounds step %c1 {{
{ops}
        }}
        air.channel.put @c[] (%mc[] [] []) : ({C}, 2>)
        memref.dealloc %ma : {A}, 2>
        memref.dealloc %mc : {C}, 2>
      }}
    }}
    air.wait_all [%0, %1, %2]
  }}
  return
}}
"""


def generic(maps, kinds, ins, out, body):
    """ins and out: (value, type); body: arith on %x0, %x1 .. and the old %o, ending in %r."""
    arguments = ", ".join(f"%x{i}: {element(type)}" for i, (_, type) in enumerate(ins)) + f", %o: {element(out[1])}"
    return f"""          linalg.generic {{indexing_maps = [{', '.join(maps)}], iterator_types = [{', '.join(f'"{k}"' for k in kinds)}]}}
              ins({', '.join(v for v, _ in ins)} : {', '.join(t for _, t in ins)}) outs({out[0]} : {out[1]}) {{
          ^bb0({arguments}):
            {(chr(10) + '            ').join(body)}
            linalg.yield %r : {element(out[1])}
          }}"""


def element(type):
    return re.sub(r"memref<(\d+x)*|[,>].*", "", type)


def elementwise(shape, source, result, body):
    """One op on all elements of a buffer."""
    a, c = f"memref<{shape}x{source}", f"memref<{shape}x{result}"
    return a, c, "", generic(["#row", "#row"], ["parallel"], [("%ma", f"{a}, 2>")], ("%mc", f"{c}, 2>"), body)


def per_row(rows, columns, steps, temporaries):
    """Steps over a matrix of bf16 and numbers of its rows: (inputs, output, kinds, body)."""
    matrix, row = f"memref<{rows}x{columns}xbf16", f"memref<{rows}xf32"
    types = {"%ma": f"{matrix}, 2>", "%mc": f"{matrix}, 2>"} | {name: f"{row}, 2>" for name in temporaries}
    buffers = "\n".join(f"        {name} = memref.alloc() : {row}, 2>" for name in temporaries)
    maps = {"%ma": "#matrix", "%mc": "#matrix"}
    ops = []
    for step in steps:
        if len(step) == 2:
            name, number = step
            ops.append(f"          %n{len(ops)} = arith.constant {number} : f32\n          linalg.fill ins(%n{len(ops)} : f32) "
                       f"outs({name} : {types[name]})")
            continue
        inputs, output, kind, body = step
        ops.append(generic([maps.get(v, "#ofRow") for v in inputs + [output]], ["parallel", kind],
                           [(v, types[v]) for v in inputs], (output, types[output]), body))
    return matrix, matrix, buffers, "\n".join(ops)


WIDE = "%w = arith.extf %x0 : bf16 to f32"
SOFTMAX = [("%m", "0xFF800000"), (["%ma"], "%m", "reduction", [WIDE, "%r = arith.maximumf %w, %o : f32"]),
           (["%ma", "%m"], "%mc", "parallel", [WIDE, "%d = arith.subf %w, %x1 : f32", "%e = arith.truncf %d : f32 to bf16",
                                               "%r = math.exp %e : bf16"]),
           ("%s", "0.0"), (["%mc"], "%s", "reduction", [WIDE, "%r = arith.addf %w, %o : f32"]),
           (["%mc", "%s"], "%mc", "parallel", [WIDE, "%q = arith.divf %w, %x1 : f32", "%r = arith.truncf %q : f32 to bf16"])]
SHARE = "%h = arith.constant 0.00390625 : f32"
LAYER_NORM = [("%m", "0.0"), (["%ma"], "%m", "reduction", [WIDE, "%r = arith.addf %w, %o : f32"]),
              ("%s", "0.0"),
              (["%ma", "%m"], "%s", "reduction",
               [WIDE, SHARE, "%n = arith.mulf %x1, %h : f32", "%d = arith.subf %w, %n : f32",
                "%q = arith.mulf %d, %d : f32", "%r = arith.addf %q, %o : f32"]),
              (["%ma", "%m", "%s"], "%mc", "parallel",
               [WIDE, SHARE, "%e = arith.constant 1.0e-5 : f32", "%n = arith.mulf %x1, %h : f32",
                "%v = arith.mulf %x2, %h : f32", "%u = arith.addf %v, %e : f32", "%k = math.rsqrt %u : f32",
                "%d = arith.subf %w, %n : f32", "%g = arith.mulf %d, %k : f32", "%r = arith.truncf %g : f32 to bf16"])]
GELU = ["%h = arith.constant 0.5 : bf16", "%one1 = arith.constant 1.0 : bf16", "%k = arith.constant 0.70703125 : bf16",
        "%p = arith.mulf %x0, %k : bf16", "%q = math.erf %p : bf16", "%t = arith.addf %q, %one1 : bf16",
        "%u = arith.mulf %x0, %h : bf16", "%r = arith.mulf %u, %t : bf16"]

# name: what makes the program, elements, cycles per element that the units allow, best published
OTHERS = {
    "i16 times a constant, 1,024": (elementwise("1024", "i16", "i16", ["%k = arith.constant 77 : i16",
                                                                       "%r = arith.muli %x0, %k : i16"]), 1024, 1 / 16, "72 (pipelined, by hand)"),
    "bf16 ReLU, 1,024": (elementwise("1024", "bf16", "bf16", ["%z = arith.constant 0.0 : bf16",
                                                              "%r = arith.maximumf %x0, %z : bf16"]), 1024, 1 / 16, ""),
    "bf16 x + x, 1,024": (elementwise("1024", "bf16", "bf16", ["%r = arith.addf %x0, %x0 : bf16"]), 1024, 1 / 16, ""),
    "bf16 tanh, 1,024": (elementwise("1024", "bf16", "bf16", ["%r = math.tanh %x0 : bf16"]), 1024, 1 / 8, "0.59 an element (compiler, tables)"),
    "bf16 exp, 1,024": (elementwise("1024", "bf16", "bf16", ["%r = math.exp %x0 : bf16"]), 1024, 1 / 8, ""),
    "bf16 GELU, 1,024": (elementwise("1024", "bf16", "bf16", GELU), 1024, 1 / 8, ""),
    "bf16 softmax, 8 rows of 256": (per_row(8, 256, SOFTMAX, ["%m", "%s"]), 2048, 1 / 4, ""),
    "bf16 layer norm, 8 rows of 256": (per_row(8, 256, LAYER_NORM, ["%m", "%s"]), 2048, 3 / 16, ""),
}
MAPS = """#row = affine_map<(i) -> (i)>
#matrix = affine_map<(i, j) -> (i, j)>
#ofRow = affine_map<(i, j) -> (i)>"""

# Elements of A and B: the tile of the unit of npu2. Of bf16: the lanes of sixteen instructions, one sum after the other.
TILES_OF_NPU2 = {"i8": (8, 8, 8), "i16": (8, 2, 8), "bf16": (2, 16, 32)}
BLOCKS_OF_NPU2 = (8, 8, 8)

# name: m, n, k, elements of A, B and C, the tile of the unit of npu1, best published cycles there
KERNELS = {
    "i8 x i8 -> i32, 64^3": (64, 64, 64, "i8", "i8", "i32", (4, 8, 8), "2584 (compiler, silicon)"),
    "i8 x i8 -> i32, 64x128x64": (64, 128, 64, "i8", "i8", "i32", (4, 8, 8), ""),
    "i8 x i8 -> i32, 32x64x128": (32, 64, 128, "i8", "i8", "i32", (4, 8, 8), ""),
    "i8 x i8 -> i32, 16x16x64": (16, 16, 64, "i8", "i8", "i32", (4, 8, 8), ""),
    "i16 x i16 -> i32, 64^3": (64, 64, 64, "i16", "i16", "i32", (4, 4, 4), "4096 ideal"),
    "i16 x i16 -> i32, 32^3": (32, 32, 32, "i16", "i16", "i32", (4, 4, 4), ""),
    "bf16 x bf16 -> f32, 64^3": (64, 64, 64, "bf16", "bf16", "f32", (4, 8, 4), "5407 (compiler, silicon)"),
    "bf16 x bf16 -> f32, 64x128x32": (64, 128, 32, "bf16", "bf16", "f32", (4, 8, 4), "2048 ideal"),
    "bf16 x bf16 -> f32, 32^3": (32, 32, 32, "bf16", "bf16", "f32", (4, 8, 4), "282 (by hand, silicon)"),
    "bf16 x bf16 -> f32, 12x20x40": (12, 20, 40, "bf16", "bf16", "f32", (4, 8, 4), ""),
    "i16 x i16 -> i32, 12x20x36": (12, 20, 36, "i16", "i16", "i32", (4, 4, 4), ""),
}


def kernels_of(target):
    """Those of npu2 that its tiles divide; nothing is published of them."""
    if target == "npu1":
        return KERNELS
    found = {title: (m, n, k, left, right, total, TILES_OF_NPU2[left], "") for title, (m, n, k, left, right, total, _, _)
             in KERNELS.items() if m % 8 == 0 and n % 8 == 0}
    for m, n, k in [(64, 64, 64), (32, 32, 256)]:
        found[f"bf16 in blocks -> f32, {m}x{n}x{k}"] = (m, n, k, "bf16", "bf16", "f32", BLOCKS_OF_NPU2, "")
    return found


def multiply_adds(kernel, target):
    """Of one instruction."""
    _, _, _, left, _, _, (r, s, t), _ = kernel
    return 64 if target == "npu2" and left == "bf16" and (r, s, t) != BLOCKS_OF_NPU2 else r * s * t


def sums_of(kernel, target):
    """The attributes of a product of floats (docs/npu_core_ir.md)."""
    _, _, _, left, _, _, tile, _ = kernel
    if left != "bf16":
        return ""
    if target == "npu1":
        return ", air.sum_depth = 8 : i64"
    return ", air.sum_depth = 8 : i64, air.block_floats" if tile == BLOCKS_OF_NPU2 else ", air.sum_depth = 1 : i64"


def program(kernel, rounds, target="npu1"):
    m, n, k, left, right, total, (r, s, t), _ = kernel
    isFloat = "f" in total
    areBlocks = tuple((r, s, t)) == BLOCKS_OF_NPU2 and left == "bf16"
    text = PRODUCT.replace("(n, k, s, t)>", "(n, k, t, s)>") if areBlocks else PRODUCT
    return text.format(
        A=f"memref<{k // s}x{m // r}x{r}x{s}x{left}", B=f"memref<{n // t}x{k // s}x{s}x{t}x{right}",
        C=f"memref<{n // t}x{m // r}x{r}x{t}x{total}", left=left, right=right, sum=total, rounds=rounds,
        depth=sums_of(kernel, target), extend="extf" if isFloat else "extsi", kind="f" if isFloat else "i", zero="0.0" if isFloat else "0")


def program_of_rows(kernel, rounds, _=""):
    a, c, buffers, ops = kernel
    return ROWS.format(maps=MAPS, A=a, C=c, buffers=buffers, ops=ops, rounds=rounds)


def cycles(arguments, text, folder):
    source = folder / "kernel.mlir"
    source.write_text(text)
    done = subprocess.run([arguments.bin / "airlite-run", "--on=sim", f"--target={arguments.target}", "--compare=interp",
                           "--init=random:1", "--stats", source], capture_output=True, text=True)
    found = re.search(r"^(\d+) cycles", done.stdout, re.M)
    if done.returncode or not found:
        sys.exit(f"core_kernels.py: {source} failed:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return int(found.group(1))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--filter", default="")
    parser.add_argument("--target", default="npu1", choices=["npu1", "npu2"])
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        products(arguments, folder)
        others(arguments, folder)


def difference(arguments, make, kernel, folder):
    """Cycles of one round: of short ones many, so that the core and not the launch takes longest."""
    def of(rounds):
        return cycles(arguments, make(kernel, rounds, arguments.target), folder)

    if (took := (of(21) - of(1)) / 20) > 500:
        return took
    return (of(401) - of(201)) / 200


def others(arguments, folder):
    print("\n| kernel | cycles | cycles per element | the units allow | best known |")
    print("|---|---:|---:|---:|---|")
    for title, (kernel, elements, least, best) in OTHERS.items():
        if not re.search(arguments.filter, title):
            continue
        took = difference(arguments, program_of_rows, kernel, folder)
        if arguments.target == "npu2":
            least, best = "", ""  # known of npu1
        else:
            least = f"{least:.3f}"
        print(f"| {title} | {took:.0f} | {took / elements:.3f} | {least} | {best} |", flush=True)


def products(arguments, folder):
    print("| kernel | cycles | multiply-adds per cycle | bound, cycles | of the bound | best known |")
    print("|---|---:|---:|---:|---:|---|")
    for title, kernel in kernels_of(arguments.target).items():
        if not re.search(arguments.filter, title):
            continue
        m, n, k, _, _, _, _, best = kernel
        took = difference(arguments, program, kernel, folder)
        bound = m * n * k // multiply_adds(kernel, arguments.target)
        print(f"| {title} | {took:.0f} | {m * n * k / took:.1f} | {bound} | {bound / took:.0%} | {best} |", flush=True)


if __name__ == "__main__":
    main()
