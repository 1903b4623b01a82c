#!/usr/bin/env python3
"""Measures the recipe air-npu on a 4 x 4 matmul and on many copies of it in one module.

usage: bench/recipe.py --bin BUILD/bin [--repeat N] [--copies 1,10,50,200]

The program is the GEMM of the case study: 512 x 512 x 1024 in i32, a herd of 4 x 4, tiles of 32 x 32 x
32. A run reads the text, runs every pass (and verifies after each, as users do) and drops the result.
The cheapest of N runs counts, in processor time. Output: Markdown tables for docs/performance.md.
"""
import argparse
import pathlib
import re
import resource
import subprocess
import tempfile

PROGRAM = """func.func @matmul{n}(%a: memref<512x1024xi32>, %b: memref<1024x512xi32>, %c: memref<512x512xi32>) {{
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%c : memref<512x512xi32>)
  linalg.matmul ins(%a, %b : memref<512x1024xi32>, memref<1024x512xi32>)
      outs(%c : memref<512x512xi32>)
  return
}}
"""
RECIPE = "--pipeline=air-npu{herd=4,4 l1-tile=32,32,32 l2-tile=0,0,256}"


def measure(tool, program):
    """Processor seconds of a run, and those of each pass."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([tool, program, RECIPE, "--emit=none", "--timing"], capture_output=True,
                          text=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    passes = {name: float(seconds)
              for seconds, name in re.findall(r"^ *([\d.]+) s \(.*?\)  (\S+)$", done.stderr, re.M)}
    return (after.ru_utime + after.ru_stime) - (before.ru_utime + before.ru_stime), passes


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--bin", required=True, type=pathlib.Path)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--copies", default="1,10,50,200")
    arguments = parser.parse_args()
    copies = [int(text) for text in arguments.copies.split(",")]
    totals, tables = {}, {}
    with tempfile.TemporaryDirectory() as folder:
        for count in copies:
            program = pathlib.Path(folder) / f"{count}.mlir"
            program.write_text("".join(PROGRAM.format(n=n) for n in range(count)))
            runs = [measure(arguments.bin / "airlite-opt", program) for _ in range(arguments.repeat)]
            totals[count], tables[count] = min(runs, key=lambda run: run[0])
    print("| copies | all, ms | ms per copy |\n|---|---|---|")
    for count in copies:
        print(f"| {count} | {totals[count] * 1e3:.1f} | {totals[count] * 1e3 / count:.2f} |")
    print("\n| pass (all its runs together), ms | " + " | ".join(f"{n} copies" for n in copies) + " |")
    print("|---" * (len(copies) + 1) + "|")
    for name in tables[copies[-1]]:
        print(f"| {name} | " + " | ".join(f"{tables[n].get(name, 0) * 1e3:.2f}" for n in copies) + " |")


if __name__ == "__main__":
    main()
