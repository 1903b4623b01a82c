#!/usr/bin/env python3
"""Random linalg programs through the recipe air-gpu, and AIR programs, on the host twin, against the interpreter.

usage: prove_gpu.py [--programs N] [--air N] [--seed N] [--target GPU ...] [--jobs N] [--keep DIR] BIN

BIN is the folder of the tools of a build with the GPU backend. N programs (gpu/linalg_programs.py) are compiled for
a GPU each (all in turn without --target), and run on this machine with random inputs, work-items in an order of their
own; integers have to be those of the interpreter, floats within a bound for their types. Every kernel is compiled to an
object as well. Of AIR programs (npu/tile_programs.py and npu/air_programs.py in turn, N in all) every bit has to be the interpreter's;
those that a GPU refuses ("not supported", too large) are counted. Prints each that fails, and what happened how often; exit code 1 when
one failed. --keep has the programs that failed.
"""
import argparse
import collections
import concurrent.futures
import pathlib
import random
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE / "gpu"), str(HERE / "npu")]
import air_programs
import linalg_programs
import tile_programs

TARGETS = ("gfx942", "gfx90a", "gfx1100", "gfx1201")
LIMIT = 600  # seconds for one run


def run(command):
    try:
        return subprocess.run([str(c) for c in command], capture_output=True, text=True, timeout=LIMIT)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, -1, "", f"no end after {LIMIT} s")


def prove(bin_dir, number, seed, target, keep):
    """What came of a program: "same", or a text that begins with BROKEN."""
    rng = random.Random(seed * 1_000_003 + number)
    program = linalg_programs.make(rng)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "program.mlir"
        path.write_text(program.text)
        steps = [[bin_dir / "airlite-run", path, f"--target={target}", f"--init=random:{number}", f"--order=random:{number}",
                  "--compare=interp", "--expect-rtol", program.bound, "--expect-atol", program.bound],
                 [bin_dir / "airlite-compile", path, f"--target={target}", "-o", f"{folder}/out"]]
        for step in steps:
            done = run(step)
            if done.returncode and "there is no air.launch to compile" in done.stderr:
                return "nothing to compute"
            if done.returncode:
                if keep:
                    keep.mkdir(parents=True, exist_ok=True)
                    (keep / f"{seed}_{number}_{target}.mlir").write_text(program.text)
                what = (done.stderr or done.stdout).strip().replace(folder, "").split("\n")
                return (f"BROKEN {number} {target} {'+'.join(program.ops)}: {pathlib.Path(step[0]).name} exit "
                        f"{done.returncode}: {' | '.join(what[:3])[:300]}")
    return "same"


def prove_air(bin_dir, number, seed, target, keep):
    """The same of an AIR program: "same", "refused", "none" (the program does not end), or a text that begins with BROKEN."""
    maker = (tile_programs, air_programs)[number % 2]
    text = maker.generate(seed * 1_000_003 + number)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "program.mlir"
        path.write_text(text)
        name, arguments = re.search(r"func\.func @(\w+)\((.*?)\)", text, re.S).groups()
        outputs = [f"{i}={folder}/{i}.npy" for i in range(arguments.count("%"))]
        same = ["--function", name, f"--init=random:{number}"]
        right = run([bin_dir / "airlite-run", path, "--on=interp", *same] + [x for o in outputs for x in ("--output", o)])
        if right.returncode:
            return "none"
        done = run([bin_dir / "airlite-run", path, f"--target={target}", "--exact", f"--order=random:{number}", *same] +
                   [x for o in outputs for x in ("--expect", o)])
        if done.returncode == 0:
            return "same"
        if re.search(r"error: .*(not supported|bytes of LDS|not all work-items)", done.stderr):
            return "refused"
        if keep:
            keep.mkdir(parents=True, exist_ok=True)
            (keep / f"air_{seed}_{number}_{target}.mlir").write_text(text)
        return f"BROKEN AIR program {number} {target}: exit {done.returncode}: {(done.stderr or done.stdout).strip()[:300]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=int, default=100)
    parser.add_argument("--air", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--target", action="append")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("bin", type=pathlib.Path)
    options = parser.parse_args()
    targets = options.target or TARGETS
    counts = collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        made = [pool.submit(prove, options.bin, i, options.seed, targets[i % len(targets)], options.keep)
                for i in range(options.programs)]
        made += [pool.submit(prove_air, options.bin, i, options.seed, targets[i % len(targets)], options.keep)
                 for i in range(options.air)]
        for each in made:
            outcome = each.result()
            counts[outcome.split()[0]] += 1
            if outcome.startswith("BROKEN"):
                print(outcome, flush=True)
    print(", ".join(f"{n} {what}" for what, n in counts.items()))
    return 1 if counts["BROKEN"] else 0


if __name__ == "__main__":
    sys.exit(main())
