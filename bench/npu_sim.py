#!/usr/bin/env python3
"""Measures the simulator of the NPU: cycles of tiles that do something, per second of one processor core.

usage: bench/npu_sim.py --bin BUILD/bin [--repeat N]

Each program is compiled once and its files are run on the simulated array; the time of a run with the
same files that is stopped after one cycle (`--cycles=1`: loading, arguments) is taken off. Counted are
cycles in which a core executes a bundle (from `--stats`), so waiting and idle tiles add nothing to the
rate; what they cost is in the time. The last row runs one core's program on an array of one column and
of four: idle tiles should cost nothing. Output: a Markdown table for docs/npu_sim.md.
"""
import argparse
import pathlib
import re
import resource
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAMS = ("examples/npu_designs/matmul_one_core.mlir", "examples/npu_designs/matmul_4x4.mlir",
            "examples/npu/matmul_i32.mlir", "examples/npu/matmul_i8.mlir", "examples/npu/softmax.mlir",
            "examples/npu/elementwise.mlir")
ONE_CORE = PROGRAMS[0]


def processor_seconds(command, repeat):
    """The cheapest of some runs, and what the last one printed. Stopping early is not a failure here."""
    best = float("inf")
    for _ in range(repeat):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(command, capture_output=True, text=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        best = min(best, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return best, done


def measure(arguments, program, out, target="npu1"):
    """Cycles, cycles of cores at work, and seconds of simulation."""
    subprocess.run([arguments.bin / "airlite-compile", f"--target={target}", program, "-o", out],
                   capture_output=True, check=True)
    run = [arguments.bin / "airlite-run", "--on=sim", out, "--init=random:1"]
    seconds, _ = processor_seconds(run, arguments.repeat)
    start, _ = processor_seconds(run + ["--cycles=1"], arguments.repeat)
    _, told = processor_seconds(run + ["--stats"], 1)
    told.check_returncode()
    cycles = busy = 0
    for line in told.stdout.splitlines():
        if found := re.match(r"(\d+) cycles$", line):
            cycles += int(found[1])
            last = int(found[1])
        if found := re.match(r" *\(\d+,\d+\) core: runs ([\d.]+)%", line):
            busy += last * float(found[1]) / 100
    return cycles, busy, seconds - start


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--bin", required=True, type=pathlib.Path)
    parser.add_argument("--repeat", type=int, default=3)
    arguments = parser.parse_args()
    print("| program | cycles | of cores at work | seconds | tile-cycles per second |\n|---|---:|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for program in PROGRAMS:
            cycles, busy, seconds = measure(arguments, ROOT / program, folder / pathlib.Path(program).stem)
            print(f"| {pathlib.Path(program).stem} | {cycles:,} | {busy:,.0f} | {seconds:.2f} | "
                  f"{busy / seconds / 1e6:.1f} M |")
        wide = measure(arguments, ROOT / ONE_CORE, folder / "wide")[2]
        narrow = measure(arguments, ROOT / ONE_CORE, folder / "narrow", "npu1_1col")[2]
    print(f"\nOne core's program on four columns takes {wide / narrow:.2f} times what it takes on one.")


if __name__ == "__main__":
    main()
