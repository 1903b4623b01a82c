#!/usr/bin/env python3
"""Blocks of networks on a simulated NPU, from linalg text: cycles of their launches, beside those of the products alone.

usage: blocks.py --bin DIR [--target npu1|npu2] [--check] [NAME...]

Each program of examples/blocks, or those named, is compiled without options and run on the simulator with the
starts of transfers and DDR. `products` is what all cores (16 of npu1, 32 of npu2) would take for the multiply-adds alone, at 256 a cycle and
core of i8 and 128 of bf16, on npu2 512 and 64. With --check the result of each is compared with the interpreter, bit by bit, which takes a minute or two.
Exit code 1: one does not compile, or differs.
"""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Multiply-adds a cycle and core, and cores.
RATES = {"npu1": {"i8": 256, "bf16": 128}, "npu2": {"i8": 512, "bf16": 64}}
CORES = {"npu1": 16, "npu2": 32}
# Multiply-adds of each block, and of what.
WORK = {
    "attention": (2 * 1024 * 1024 * 64, "bf16"),
    "bottleneck": (14 * 14 * (256 * 64 + 9 * 64 * 64 + 64 * 256), "i8"),
    "cnn": (8 * (16 * 16 * 9 * 8 * 32 + 8 * 8 * 9 * 32 * 64 + 1024 * 16), "i8"),
    "llama_attention": (3 * 256 * 288 * 288 + 2 * 6 * 256 * 256 * 48, "bf16"),
    "mlp": (128 * 256 * 512 + 128 * 512 * 128, "i8"),
    "swiglu": (3 * 256 * 256 * 512, "bf16"),
}


def run(args: list) -> subprocess.CompletedProcess:
    return subprocess.run([str(arg) for arg in args], capture_output=True, text=True)


def measure(tools: pathlib.Path, program: pathlib.Path, target: str) -> list:
    """Cycles of each launch."""
    with tempfile.TemporaryDirectory() as folder:
        compiled = run([tools / "airlite-compile", program, f"--target={target}", "-o", folder])
        if compiled.returncode:
            sys.exit(f"{program}: {compiled.stderr}")
        stats = run([tools / "airlite-run", "--on=sim", "--stats", "--init=random:1", folder])
    return [int(cycles) for cycles in re.findall(r"^(\d+) cycles", stats.stdout, re.M)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True, type=pathlib.Path, help="folder of the tools")
    parser.add_argument("--target", default="npu1", choices=list(CORES))
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
        launches = [cycles for cycles in measure(options.bin, program, options.target) if cycles]
        work, element = WORK[name]
        products = work / RATES[options.target][element] / CORES[options.target]
        row = f"| {name} | {len(launches)} | {sum(launches):,} | {products:,.0f} | {products / sum(launches):.0%} |"
        if options.check:
            compared = run([options.bin / "airlite-run", "--on=sim", f"--target={options.target}", "--compare=interp",
                            "--init=random:1", program])
            isSame = "bit by bit" in compared.stdout + compared.stderr
            wrong |= not isSame
            row += " bit by bit |" if isSame else " DIFFERS |"
        print(row, flush=True)
    return int(wrong)


if __name__ == "__main__":
    sys.exit(main())
