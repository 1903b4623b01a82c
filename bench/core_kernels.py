#!/usr/bin/env python3
"""Measures kernels on one core of the simulated NPU, with their data in L1.

usage: bench/core_kernels.py --bin BUILD/bin [--filter RE]

Each kernel is a structured op on buffers of a core, in a loop of 1 and of 21 rounds; a twentieth of the difference
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

# name: m, n, k, elements of A, B and C, the tile of the unit, best published cycles
KERNELS = {
    "i8 x i8 -> i32, 64^3": (64, 64, 64, "i8", "i8", "i32", (4, 8, 8), "2584 (compiler, silicon)"),
    "i8 x i8 -> i32, 32x64x128": (32, 64, 128, "i8", "i8", "i32", (4, 8, 8), ""),
    "i8 x i8 -> i32, 16x16x64": (16, 16, 64, "i8", "i8", "i32", (4, 8, 8), ""),
    "i16 x i16 -> i32, 64^3": (64, 64, 64, "i16", "i16", "i32", (4, 4, 4), "4096 ideal"),
    "i16 x i16 -> i32, 32^3": (32, 32, 32, "i16", "i16", "i32", (4, 4, 4), ""),
    "bf16 x bf16 -> f32, 64^3": (64, 64, 64, "bf16", "bf16", "f32", (4, 8, 4), "5407 (compiler, silicon)"),
    "bf16 x bf16 -> f32, 32^3": (32, 32, 32, "bf16", "bf16", "f32", (4, 8, 4), "282 (by hand, silicon)"),
    "bf16 x bf16 -> f32, 12x20x40": (12, 20, 40, "bf16", "bf16", "f32", (4, 8, 4), ""),
    "i16 x i16 -> i32, 12x20x36": (12, 20, 36, "i16", "i16", "i32", (4, 4, 4), ""),
}


def program(kernel, rounds):
    m, n, k, left, right, total, (r, s, t), _ = kernel
    isFloat = "f" in total
    return PRODUCT.format(
        A=f"memref<{k // s}x{m // r}x{r}x{s}x{left}", B=f"memref<{n // t}x{k // s}x{s}x{t}x{right}",
        C=f"memref<{n // t}x{m // r}x{r}x{t}x{total}", left=left, right=right, sum=total, rounds=rounds,
        depth=f", air.sum_depth = {s} : i64" if isFloat else "", extend="extf" if isFloat else "extsi", kind="f" if isFloat else "i", zero="0.0" if isFloat else "0")


def cycles(arguments, kernel, rounds, folder):
    source = folder / "kernel.mlir"
    source.write_text(program(kernel, rounds))
    done = subprocess.run([arguments.bin / "airlite-run", "--on=sim", "--compare=interp", "--init=random:1", "--stats",
                           source], capture_output=True, text=True)
    found = re.search(r"^(\d+) cycles", done.stdout, re.M)
    if done.returncode or not found:
        sys.exit(f"core_kernels.py: {source} failed:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return int(found.group(1))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--filter", default="")
    arguments = parser.parse_args()
    print("| kernel | cycles | multiply-adds per cycle | bound, cycles | of the bound | best known |")
    print("|---|---:|---:|---:|---:|---|")
    with tempfile.TemporaryDirectory() as name:
        for title, kernel in KERNELS.items():
            if not re.search(arguments.filter, title):
                continue
            m, n, k, _, _, _, (r, s, t), best = kernel
            took = (cycles(arguments, kernel, 21, pathlib.Path(name)) -
                    cycles(arguments, kernel, 1, pathlib.Path(name))) / 20
            bound = m * n * k // (r * s * t)
            print(f"| {title} | {took:.0f} | {m * n * k / took:.1f} | {bound} | {bound / took:.0%} | {best} |", flush=True)


if __name__ == "__main__":
    main()
