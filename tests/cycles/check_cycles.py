#!/usr/bin/env python3
"""Cycles of programs on the simulated NPU, beside those on record: what makes one slower is noticed at once.

usage: check_cycles.py BIN [--bless] [NAME...]

cycles.json has a number for each program, or FILE:FUNCTION: the cycles of all its launches, with the starts of their transfers and DDR. A program
that takes more than 2 % more or less fails. --bless writes what is now; read the difference before you commit it.
Exit code 1: one fails, or does not run.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
RECORD = HERE / "cycles.json"
TOLERANCE = 0.02

PRODUCT = """func.func @main(%a: memref<{m}x{k}x{element}>, %b: memref<{b}x{element}>, %c: memref<{m}x{n}x{sum}>) {{
{fill}  {op} ins(%a, %b : memref<{m}x{k}x{element}>, memref<{b}x{element}>) outs(%c : memref<{m}x{n}x{sum}>)
  return
}}
"""

BIAS = """func.func @main(%a: memref<{m}x{k}x{element}>, %b: memref<{b}x{element}>, %bias: memref<{n}x{sum}>, %c: memref<{m}x{n}x{sum}>) {{
{fill}  {op} ins(%a, %b : memref<{m}x{k}x{element}>, memref<{b}x{element}>) outs(%c : memref<{m}x{n}x{sum}>)
  linalg.generic {{indexing_maps = [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}}
      ins(%bias : memref<{n}x{sum}>) outs(%c : memref<{m}x{n}x{sum}>) {{
  ^bb0(%add: {sum}, %product: {sum}):
    %with = arith.{add} %product, %add : {sum}
    linalg.yield %with : {sum}
  }}
  return
}}
"""

FILL = """  %zero = arith.constant {zero} : {sum}
  linalg.fill ins(%zero : {sum}) outs(%c : memref<{m}x{n}x{sum}>)
"""

UPDATE = """func.func @main(%a: memref<{shape}>, %c: memref<{shape}>) {{
  linalg.add ins(%a, %c : memref<{shape}>, memref<{shape}>) outs(%c : memref<{shape}>)
  return
}}
"""

VECTOR = """func.func @main(%a: memref<{m}x{k}x{element}>, %x: memref<{k}x{element}>, %c: memref<{m}x{sum}>) {{
  %zero = arith.constant {zero} : {sum}
  linalg.fill ins(%zero : {sum}) outs(%c : memref<{m}x{sum}>)
  linalg.matvec ins(%a, %x : memref<{m}x{k}x{element}>, memref<{k}x{element}>) outs(%c : memref<{m}x{sum}>)
  return
}}
"""

SOFTMAX = """func.func @main(%a: memref<{shape}>, %y: memref<{shape}>) {{
  linalg.softmax dimension(1) ins(%a : memref<{shape}>) outs(%y : memref<{shape}>)
  return
}}
"""


def text_of(name: str) -> str:
    """The program `name`: a file of examples/ or tests/npu/run/, a product 'MxNxK TYPE' or 'MxNxK TYPE-RESULT', the same after 'add ' for a
    product that adds to its result, after 'bias ' with a bias of columns, after 'transposed ' with a transposed right factor, 'MxK TYPE' for a product with a vector, 'softmax MxNxTYPE', or 'update MxNxTYPE' for an addition in place."""
    for folder in ("examples", "tests/npu/run"):
        file = ROOT / folder / f"{name}.mlir"
        if file.exists():
            return file.read_text()
    if name.startswith("softmax "):
        return SOFTMAX.format(shape=name.split()[1])
    if name.startswith("update "):
        return UPDATE.format(shape=name.split()[1])
    *kinds, size, element = name.split()
    kind = kinds[0] if kinds else ""
    element, _, result = element.partition("-")
    sums = ("i32", "0") if element.startswith("i") else ("f32", "0.0")
    if size.count("x") == 1:
        m, k = size.split("x")
        return VECTOR.format(m=m, k=k, element=element, sum=sums[0], zero=sums[1])
    m, n, k = size.split("x")
    result = result or sums[0]
    fill = "" if kind == "add" else FILL.format(m=m, n=n, sum=result, zero=sums[1])
    is_transposed = kind == "transposed"
    return (BIAS if kind == "bias" else PRODUCT).format(
        m=m,
        n=n,
        k=k,
        b=f"{n}x{k}" if is_transposed else f"{k}x{n}",
        op="linalg.matmul_transpose_b" if is_transposed else "linalg.matmul",
        element=element,
        sum=result,
        fill=fill,
        add="addi" if result.startswith("i") else "addf",
    )


def measure(tools: pathlib.Path, name: str) -> int:
    program, _, target = name.partition(" on ")
    program, _, function = program.partition(":")
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "program.mlir"
        file.write_text(text_of(program))
        command = [tools / "airlite-run", "--on=sim", "--stats", "--init=random:1", f"--target={target or 'npu1'}", file]
        if function:
            command.append(f"--function={function}")
        done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{name}: {done.stderr}")
    return sum(int(cycles) for cycles in re.findall(r"^(\d+) cycles", done.stdout + done.stderr, re.M))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin", type=pathlib.Path, help="folder of the tools")
    parser.add_argument("--bless", action="store_true", help="write what is now into cycles.json")
    parser.add_argument("names", nargs="*", metavar="NAME")
    options = parser.parse_intermixed_args()
    record = json.loads(RECORD.read_text())
    unknown = [name for name in options.names if name not in record]
    if unknown:
        parser.error(f"cycles.json has no '{unknown[0]}'")
    failed = False
    for name in options.names or list(record):
        before, now = record[name], measure(options.bin, name)
        is_off = abs(now - before) > TOLERANCE * before
        failed |= is_off
        how = "slower" if now > before else "faster: bless it"
        print(f"{name}: {now:,} cycles" + (f", on record {before:,}: {how}" if is_off else ""), flush=True)
        record[name] = now
    if options.bless:
        RECORD.write_text(json.dumps(record, indent=2) + "\n")
    return int(failed and not options.bless)


if __name__ == "__main__":
    sys.exit(main())
