#!/usr/bin/python3
"""Measures matrix products on the whole simulated array, beside what bounds them and what was published.

usage: bench/npu_gemm.py --bin BUILD/bin [--sizes 512,300x200x100] [--random COUNT:SEED:STEP] [--types i8,i16,bf16]
                         [--accumulate] [--target npu1|npu2] [--sim-timing NAME=N]... [--jobs N]

A program is C = A * B (with --accumulate C += A * B), compiled for all of an NPU without flags and run with random
operands. A size is N or MxNxK: rows and columns of C, and the length of its sums. --random adds COUNT sizes of up to
512 a side that are multiples of STEP. The result is compared with numpy: integers bit by bit, bf16 with a relative bound, since its sums are those of the matrix
unit. Printed are the cycles of the run with its launch; their share of the peak of all cores; the least cycles that the
products, the words of C at the shims (4 bytes a cycle and column) and the requests to DDR that the program made take;
and the best published share of the peak at 4096^3 (docs/hardware/gemm_facts.md).
"""
import argparse
import concurrent.futures
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np

ROWS = 4
COLUMNS = {"npu1": 4, "npu2": 8}
# Multiply-adds a cycle and core of npu2, which multiplies no matrices of bf16; nothing is published for i16.
RATES_OF_NPU2 = {"i8": (512, "42 %"), "i8-i8": (512, "64.5 %"), "i16": (128, ""), "i16-i16": (128, "")}
# type of the operands: of the result, multiply-adds a cycle and core, published share of the peak
TYPES = {
    "i8": ("i32", 256, "54-56 %"),
    "i8-i8": ("i8", 256, "80-82.5 % (rounds between blocks)"),
    "i16": ("i32", 64, "79 %"),
    "i16-i16": ("i16", 64, ""),
    "bf16": ("f32", 128, "49 % (compiler), 77 % (hand)"),
    "bf16-bf16": ("bf16", 128, "77 % (hand)"),
}
NUMPY = {"i8": np.int8, "i16": np.int16, "i32": np.int32, "f32": np.float32}
BITS = {"i8": 8, "i16": 16, "i32": 32, "f32": 32, "bf16": 16}


def to_bf16(values):
    """The nearest bf16, ties to even, as bits."""
    bits = values.astype(np.float32).view(np.uint32)
    return ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16).astype(np.uint16)


def from_bf16(bits):
    return (bits.astype(np.uint32) << 16).view(np.float32)


def save(path, bits, element):
    np.save(path, bits.view("V2") if element == "bf16" else bits)


def operand(element, shape, random):
    if element == "bf16":
        bits = to_bf16(random.uniform(-1, 1, shape))
        return bits, from_bf16(bits)
    values = random.integers(-8, 8, shape).astype(NUMPY[element])
    return values, values


def is_right(found, expected, element, k):
    """A sum of bf16 is rounded after each step of a core, so only its size is known here: the interpreter has its bits."""
    if element == "bf16":
        found = from_bf16(found.view(np.uint16))
    if element in ("bf16", "f32"):
        bound, least = (2.0 ** -6, max(1, 2 * k ** 0.5)) if element == "bf16" else (1e-3, 1)
        return bool(np.all(np.abs(found - expected) <= bound * np.maximum(least, np.abs(expected))))
    return np.array_equal(found, expected.astype(np.int64).astype(NUMPY[element]))


def program(element, result, size, accumulate):
    m, n, k = size
    left, right, target = f"memref<{m}x{k}x{element}>", f"memref<{k}x{n}x{element}>", f"memref<{m}x{n}x{result}>"
    zero = "0" if result.startswith("i") else "0.0"
    fill = "" if accumulate else (f"  %zero = arith.constant {zero} : {result}\n"
                                  f"  linalg.fill ins(%zero : {result}) outs(%c : {target})\n")
    return (f"func.func @main(%a: {left}, %b: {right}, %c: {target}) {{\n{fill}"
            f"  linalg.matmul ins(%a, %b : {left}, {right}) outs(%c : {target})\n  return\n}}\n")


def parse_size(text):
    extents = [int(extent) for extent in text.split("x")]
    return tuple(extents * 3 if len(extents) == 1 else extents)


def random_sizes(text):
    count, seed, step = (int(part) for part in text.split(":"))
    random = np.random.default_rng(seed)
    return [tuple(int(extent) * step for extent in random.integers(1, 512 // step + 1, 3)) for _ in range(count)]


def measure(options, name, size):
    element = name.split("-")[0]
    result, rate, published = TYPES[name]
    columns = COLUMNS[options.target]
    if options.target == "npu2":
        rate, published = RATES_OF_NPU2[name]
    m, n, k = size
    title = f"{name} into {result}, {'x'.join(str(extent) for extent in size)}"
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        random = np.random.default_rng(1)
        (a, left), (b, right) = operand(element, (m, k), random), operand(element, (k, n), random)
        save(folder / "a.npy", a, element), save(folder / "b.npy", b, element)
        (folder / "p.mlir").write_text(program(element, result, size, options.accumulate))
        command = [options.bin / "airlite-run", "--on=sim", f"--target={options.target}", "--stats", folder / "p.mlir", "--input", f"0={folder}/a.npy",
                   "--input", f"1={folder}/b.npy", "--output", f"2={folder}/c.npy"]
        for one in options.timing:
            command += ["--sim-timing", one]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=options.limit)
        except subprocess.TimeoutExpired:
            return f"| {title} | fails: runs for more than {options.limit} seconds |"
        if done.returncode:
            return f"| {title} | fails: {done.stderr.strip().splitlines()[0] if done.stderr else '?'} |"
        found = np.load(folder / "c.npy")
    expected = left.astype(np.float64) @ right.astype(np.float64)
    # A product whose rows are not whole words has launches that copy them first.
    launches = [int(count) for count in re.findall(r"^(\d+) cycles", done.stdout, re.M)]
    cycles, ddr = sum(launches), {"read": 0.0, "write": 0.0}
    shares = re.findall(r"DDR (read|write): busy ([\d.]+)%", done.stdout)
    for i, (way, share) in enumerate(shares):
        ddr[way] += float(share) * launches[i // 2] / 100
    ideal = m * n * k / rate / (ROWS * columns)
    words = m * n * BITS[result] / 32 / columns
    verdict = "" if is_right(found, expected, result, k) else " WRONG"
    return (f"| {title}{verdict} | {cycles:,} | {100 * ideal / cycles:.0f} % | {ideal:,.0f} | "
            f"{words:,.0f} | {ddr['read']:,.0f} | {ddr['write']:,.0f} | {published} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--sizes")
    parser.add_argument("--random")
    parser.add_argument("--types")
    parser.add_argument("--target", default="npu1", choices=list(COLUMNS))
    parser.add_argument("--accumulate", action="store_true")
    parser.add_argument("--sim-timing", dest="timing", action="append", default=[])
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--limit", type=int, default=1800, help="seconds for one program")
    options = parser.parse_args()
    options.types = options.types or ("i8,i16,bf16" if options.target == "npu1" else "i8,i16")
    unknown = set(options.types.split(",")) - set(TYPES if options.target == "npu1" else RATES_OF_NPU2)
    if unknown:
        parser.error(f"{options.target} has no products of {', '.join(sorted(unknown))}")
    sizes = random_sizes(options.random) if options.random else []
    text = options.sizes or ("" if sizes else "512,1024")
    sizes = [parse_size(size) for size in text.split(",") if size] + sizes
    cases = [(name, size) for size in sizes for name in options.types.split(",")]
    print("| program | cycles | of the peak | products | C at the shims | DDR reads | DDR writes | published, 4096^3 |")
    print("|---|---:|---:|---:|---:|---:|---:|---|")
    isRight = True
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for row in pool.map(lambda case: measure(options, *case), cases):
            print(row, flush=True)
            isRight = isRight and "WRONG" not in row and "fails" not in row
    return 0 if isRight else 1


if __name__ == "__main__":
    sys.exit(main())
