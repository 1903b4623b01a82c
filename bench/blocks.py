#!/usr/bin/env python3
"""Blocks of networks on the simulated npu1, from linalg text: cycles of their launches, beside those of the products alone.

usage: blocks.py --bin DIR [--check] [NAME...]

Each program of examples/blocks, or those named, is compiled for npu1 without options and run on the simulator with the
starts of transfers and DDR. `products` is what all 16 cores would take for the multiply-adds alone, at 256 a cycle and core of i8
and 128 of bf16. With --check the result of each is compared with the interpreter, bit by bit, which takes a minute or two.
Exit code 1: one does not compile, or differs.
"""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
I8, BF16 = 256, 128  # multiply-adds a cycle and core
CORES = 16
# Multiply-adds of each block, and how many of them a core makes in a cycle.
WORK = {
    "attention": (2 * 1024 * 1024 * 64, BF16),
    "bottleneck": (14 * 14 * (256 * 64 + 9 * 64 * 64 + 64 * 256), I8),
    "cnn": (8 * (16 * 16 * 9 * 8 * 32 + 8 * 8 * 9 * 32 * 64 + 1024 * 16), I8),
    "llama_attention": (3 * 256 * 288 * 288 + 2 * 6 * 256 * 256 * 48, BF16),
    "mlp": (128 * 256 * 512 + 128 * 512 * 128, I8),
    "swiglu": (3 * 256 * 256 * 512, BF16),
}


def run(args: list) -> subprocess.CompletedProcess:
    return subprocess.run([str(arg) for arg in args], capture_output=True, text=True)


def measure(tools: pathlib.Path, program: pathlib.Path) -> list:
    """Cycles of each launch."""
    with tempfile.TemporaryDirectory() as folder:
        compiled = run([tools / "airlite-compile", program, "--target=npu1", "-o", folder])
        if compiled.returncode:
            sys.exit(f"{program}: {compiled.stderr}")
        stats = run([tools / "airlite-run", "--on=sim", "--stats", "--init=random:1", folder])
    return [int(cycles) for cycles in re.findall(r"^(\d+) cycles", stats.stdout, re.M)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True, type=pathlib.Path, help="folder of the tools")
    parser.add_argument("--check", action="store_true", help="compare with the interpreter")
    parser.add_argument("names", nargs="*", metavar="NAME")
    options = parser.parse_args()
    names = options.names or sorted(WORK)
    unknown = [name for name in names if name not in WORK]
    if unknown:
        parser.error(f"there is no block '{unknown[0]}': {', '.join(sorted(WORK))}")
    wrong = False
    print("| block | launches | cycles | products | of them |" + (" as the interpreter |" if options.check else ""))
    print("|---|---:|---:|---:|---:|" + ("---|" if options.check else ""))
    for name in names:
        program = ROOT / "examples/blocks" / f"{name}.mlir"
        launches = [cycles for cycles in measure(options.bin, program) if cycles]
        products = WORK[name][0] / WORK[name][1] / CORES
        row = f"| {name} | {len(launches)} | {sum(launches):,} | {products:,.0f} | {products / sum(launches):.0%} |"
        if options.check:
            compared = run([options.bin / "airlite-run", "--on=sim", "--compare=interp", "--init=random:1", program])
            isSame = "bit by bit" in compared.stdout + compared.stderr
            wrong |= not isSame
            row += " bit by bit |" if isSame else " DIFFERS |"
        print(row, flush=True)
    return int(wrong)


if __name__ == "__main__":
    sys.exit(main())
