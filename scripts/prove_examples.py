#!/usr/bin/env python3
"""The examples of examples/npu through the recipe, with several herds, in many schedules.

usage: prove_examples.py [--schedules N] [--jobs N] BIN

BIN is the folder of the tools of a build. After each pass of the recipe the functions have to compute
what they did, in N schedules on two sets of arguments, and the checker has to be silent at the end.
Exit code 1 when one does not.
"""
import argparse
import concurrent.futures
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
HERDS = ("4,4", "2,2", "1,4", "4,1")
TOO_LONG = ("attention.mlir",)  # for the interpreter; attention_small is the same, smaller


def prove(arguments, program, herd):
    command = [arguments.bin / "airlite-opt", program, f"--pipeline=air-npu{{herd={herd}}}", "--check-each",
               f"--check-schedules={arguments.schedules}", "--air-verify-program", "--emit=none", "--remarks"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=arguments.scratch)
    not_compared = [line for line in done.stderr.splitlines() if "is not compared" in line]
    good = done.returncode == 0 and not not_compared
    print(f"{'as it should be' if good else 'FAILS'}: {program.name}, herd {herd}", flush=True)
    if not good:
        print(done.stderr)
    return good


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("bin", type=pathlib.Path)
    parser.add_argument("--schedules", type=int, default=20)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    arguments.bin = arguments.bin.resolve()
    arguments.scratch = "/tmp"
    programs = [program for program in sorted((ROOT / "examples" / "npu").glob("*.mlir"))
                if program.name not in TOO_LONG]
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        jobs = [pool.submit(prove, arguments, program, herd) for program in programs for herd in HERDS]
        good = [job.result() for job in jobs]
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
