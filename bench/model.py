#!/usr/bin/env python3
"""Compares the performance model of the NPU with the simulator: cycles, their ratio, and what each took.

usage: bench/model.py --bin BUILD/bin [--random COUNT:SEED] [--large] [--filter RE] [--target npu1|npu2]
                      [--within PERCENT] [FILE ...]

Without files: the programs and designs of examples/. --random adds COUNT programs of each kind (products of matrices,
elementwise ops, softmax) with sizes and types by SEED; --large adds products of 512 to 2048 a side. Each program is run by
`airlite-run --on=sim` and by `--on=model`. The times are those of the run alone, without compiling, which both do.
Exit code 1 when a ratio is further from 1 than --within (default: 15 percent).
"""
import argparse
import math
import pathlib
import random
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
SUMS = {"i8": "i32", "i16": "i32", "bf16": "f32", "f32": "f32"}


def zero(element):
    return "0" if element.startswith("i") else "0.0"


def product(element, m, n, k):
    left, right, out = (f"memref<{a}x{b}x{t}>" for a, b, t in ((m, k, element), (k, n, element), (m, n, SUMS[element])))
    return (f"func.func @main(%a: {left}, %b: {right}, %c: {out}) {{\n"
            f"  %z = arith.constant {zero(SUMS[element])} : {SUMS[element]}\n"
            f"  linalg.fill ins(%z : {SUMS[element]}) outs(%c : {out})\n"
            f"  linalg.matmul ins(%a, %b : {left}, {right}) outs(%c : {out})\n  return\n}}\n")


def elementwise(element, rows, columns, op):
    kind = f"memref<{rows}x{columns}x{element}>"
    letter = "i" if element.startswith("i") else "f"
    maximum = "arith.maxsi" if letter == "i" else "arith.maximumf"
    bodies = {"add": f"%r = arith.add{letter} %x, %y : {element}", "max": f"%r = {maximum} %x, %y : {element}",
              "exp": f"%r = math.exp %x : {element}"}
    return f"""#map = affine_map<(i, j) -> (i, j)>
func.func @main(%a: {kind}, %b: {kind}, %c: {kind}) {{
  linalg.generic {{indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]}}
      ins(%a, %b : {kind}, {kind}) outs(%c : {kind}) {{
    ^bb0(%x: {element}, %y: {element}, %z: {element}):
      {bodies[op]}
      linalg.yield %r : {element}
  }}
  return
}}
"""


def softmax(element, rows, columns):
    kind = f"memref<{rows}x{columns}x{element}>"
    return (f"func.func @main(%a: {kind}, %b: {kind}) {{\n"
            f"  linalg.softmax dimension(1) ins(%a : {kind}) outs(%b : {kind})\n  return\n}}\n")


def random_programs(count, seed):
    choose = random.Random(seed)
    for _ in range(count):
        element = choose.choice(["i8", "i16", "bf16", "f32"])
        m, n, k = (8 * choose.randint(1, 48) for _ in range(3))
        yield f"product {element} {m}x{n}x{k}", product(element, m, n, k)
    for _ in range(count):
        element = choose.choice(["i8", "i16", "i32", "bf16", "f32"])
        op = choose.choice(["add", "max"] if element.startswith("i") else ["add", "max", "exp"])
        rows, columns = choose.randint(1, 512), 4 * choose.randint(1, 128)
        yield f"{op} {element} {rows}x{columns}", elementwise(element, rows, columns, op)
    for _ in range(count):
        element, rows, columns = choose.choice(["bf16", "f32"]), choose.randint(1, 256), 16 * choose.randint(1, 32)
        yield f"softmax {element} {rows}x{columns}", softmax(element, rows, columns)


def large_programs():
    for element, size in (("i8", 512), ("i16", 512), ("bf16", 512), ("i8", 1024), ("i16", 1024), ("bf16", 1024),
                          ("i8", 2048)):
        yield f"product {element} {size}^3", product(element, size, size, size)
    yield "add i8 1024x1024", elementwise("i8", 1024, 1024, "add")
    yield "exp bf16 1024x1024", elementwise("bf16", 1024, 1024, "exp")


def run(options, place, path):
    """Cycles and seconds of the run; a text where it fails."""
    command = [options.bin / "airlite-run", f"--on={place}", f"--target={options.target}", "--timing", "-v", path]
    if place == "sim":
        command.append("--init=zero")
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=options.limit)
    except subprocess.TimeoutExpired:
        return f"{place} takes more than {options.limit} s"
    found = re.search(r"(\d+) cycles on", done.stdout + done.stderr)
    seconds = re.search(r"([\d.]+) s  run$", done.stderr, re.M)
    if done.returncode == 0 and found:
        return int(found.group(1)), float(seconds.group(1))
    errors = [line for line in done.stderr.splitlines() if "error" in line]
    return f"{place}: {(errors or ['?'])[0]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--random", metavar="COUNT:SEED")
    parser.add_argument("--large", action="store_true")
    parser.add_argument("--filter", default="")
    parser.add_argument("--target", default="npu1")
    parser.add_argument("--within", type=float, default=15, help="percent")
    parser.add_argument("--limit", type=int, default=1800, help="seconds for one program")
    options = parser.parse_args()
    programs = [(path.name, path) for path in options.files]
    if not options.files and not options.random and not options.large:
        designs = [path for path in (ROOT / "examples/npu_designs").glob("*.mlir") if path.name != "kernel.mlir"]
        programs = [(f"{path.parent.name}/{path.name}", path) for path in
                    sorted([*(ROOT / "examples/npu").glob("*.mlir"), *designs])]
    with tempfile.TemporaryDirectory() as folder:
        texts = list(random_programs(*map(int, options.random.split(":")))) if options.random else []
        for number, (name, text) in enumerate(texts + (list(large_programs()) if options.large else [])):
            path = pathlib.Path(folder) / f"p{number}.mlir"
            path.write_text(text)
            programs.append((name, path))
        return compare(options, [one for one in programs if re.search(options.filter, one[0])])


def compare(options, programs):
    print("| program | simulator | model | model / simulator | simulator, s | model, s |\n|---|---:|---:|---:|---:|---:|")
    ratios, outside = [], 0
    for name, path in programs:
        real, guess = run(options, "sim", path), run(options, "model", path)
        wrong = next((one for one in (real, guess) if isinstance(one, str)), None)
        if wrong:
            outside += isinstance(real, tuple)
            print(f"| {name} | fails: {wrong} |", flush=True)
            continue
        ratios.append(guess[0] / real[0])
        mark = "" if abs(ratios[-1] - 1) <= options.within / 100 else " (!)"
        outside += bool(mark)
        print(f"| {name} | {real[0]:,} | {guess[0]:,} | {ratios[-1]:.3f}{mark} | {real[1]:.3f} | {guess[1]:.3f} |",
              flush=True)
    if ratios:
        mean = math.exp(sum(abs(math.log(ratio)) for ratio in ratios) / len(ratios)) - 1
        print(f"\n{len(ratios)} programs: {min(ratios):.3f} to {max(ratios):.3f}, {100 * mean:.2f} % apart on average, "
              f"{outside} outside of {options.within:g} %")
    return 1 if outside or not ratios else 0


if __name__ == "__main__":
    sys.exit(main())
