#!/usr/bin/env python3
"""Programs as bytes for the NPU, on the simulated array, against the interpreter.

usage: prove_npu.py [--nests N] [--vectors N] [--wide N] [--products N] [--chains N] [--floats N] [--tiles N] [--loops N]
                    [--windows N] [--rounds N] [--launches N] [--herds N] [--seed N] [--sets N] [--jobs N]
                    [--target NPU] [--host] [--air COUNT:SEED] [--keep DIR] BIN

BIN is the folder of the tools of a build. The programs of examples/npu and examples/npu_designs, and N random
linalg programs (airlite-opt --generate --generate-kind=nest), N with vectors in cores (npu/vector_programs.py) and N
with integers of 64 bits (npu/wide_programs.py) N products of all layouts and sizes (npu/product_programs.py), N products with elementwise ops after them (npu/chain_programs.py) N kernels of floats (npu/float_programs.py), N AIR programs of tiles (npu/tile_programs.py), N programs of loops (npu/loop_programs.py) N windows over images (npu/window_programs.py), N loops of rounds that do not need each other (npu/round_programs.py) N launches whose ids cores use (npu/launch_programs.py) and N loops in herds (npu/herd_programs.py) are
compiled; each that fits the array runs on
random inputs, the tiles stepped in both orders, on --target (npu1; npu2 or a part of either). Every result has to be that of the interpreter, bit by bit. What
does not fit has to be refused with a diagnostic, and not because it hangs, races or leaves its memory: all of them are right. With --host (a build with the GPU backend) the linalg programs are
compiled for this machine, too (airlite-run --on=host), with the same bits. With --air, only COUNT random AIR programs
from SEED on are compiled and run: those of npu/air_programs.py, and as many of airlite-opt --generate. What the
compiler refuses since it would hang is compiled without that check, and has to hang then. Prints what happened how often; exit code 1
when one differs, hangs, faults or crashes.
"""
import argparse
import collections
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "npu"))
import air_programs
import chain_programs
import float_programs
import herd_programs
import launch_programs
import loop_programs
import product_programs
import round_programs
import tile_programs
import vector_programs
import wide_programs
import window_programs

ROOT = pathlib.Path(__file__).resolve().parent.parent
TOO_LONG = ("attention.mlir",)  # for the interpreter; attention_small is the same, smaller
SAME = "bit by bit"
LIMIT = 1800  # seconds for one run


def run(command):
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=LIMIT)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, -1, "", f"no end after {LIMIT} s")


def refusal(bin_dir, program, target):
    """The diagnostic of a compiler that refuses, without its numbers; None when it compiles."""
    with tempfile.TemporaryDirectory() as folder:
        done = run([bin_dir / "airlite-compile", program, f"--target={target}", "-o", folder])
    if done.returncode == 0:
        return None
    found = re.search(r"error: (.*)", done.stderr)
    if done.returncode != 1 or not found:
        return f"BROKEN: exit {done.returncode}: {done.stderr[:300]}"
    return re.sub(r"\d+", "N", found[1])[:110]


def prove(bin_dir, program, sets, target):
    """What became of the program: 'same', why it was refused, or BROKEN and how."""
    why = refusal(bin_dir, program, target)
    if why:
        blamed = run([bin_dir / "airlite-opt", program, "--air-verify-program", "--emit=none"])
        return f"BROKEN: {program}: blamed: {blamed.stderr[:300]}" if blamed.returncode else why
    for number in range(sets):
        order = ["--reverse-tiles"] if number % 2 else []
        done = run([bin_dir / "airlite-run", "--on=sim", f"--target={target}", "--compare=interp",
                    f"--init=random:{number + 1}", *order, program])
        if done.returncode or SAME not in done.stdout:
            return f"BROKEN: {program}, --init=random:{number + 1} {order}: {done.stderr[:600]}"
    return "same"


# -- AIR programs -----------------------------------------------------------------------------------------------------

HANG = "the design would hang"


def prove_air(bin_dir, program, sets):
    """'same'; why it was refused; 'would hang', proved by the simulator; or BROKEN and how."""
    with tempfile.TemporaryDirectory() as folder:
        done = run([bin_dir / "airlite-compile", "--remarks", program, "--target=npu1", "-o", folder])
        if done.returncode == 0 and "progress is not checked" in done.stderr:
            return f"BROKEN: {program}: {re.search('progress is not checked.*', done.stderr)[0]}"
        found = re.search(r"error: (.*)", done.stderr)
        if done.returncode and (done.returncode != 1 or not found):
            return f"BROKEN: {program}: exit {done.returncode}: {done.stderr[:300]}"
        if done.returncode and HANG not in found[1]:
            return re.sub(r"\d+", "N", found[1])[:110]
        if done.returncode:
            return prove_hang(bin_dir, program, folder)
    for number in range(sets):
        order = ["--reverse-tiles"] if number % 2 else []
        done = run([bin_dir / "airlite-run", "--on=sim", "--compare=interp", "--function=f",
                    f"--init=random:{number + 1}", *order, program])
        if done.returncode or SAME not in done.stdout:
            return f"BROKEN: {program}, --init=random:{number + 1} {order}: {done.stderr[:600]}"
    return "same"


def prove_hang(bin_dir, program, folder):
    done = run([bin_dir / "airlite-compile", "--no-verify-program", program, "--target=npu1", "-o", folder])
    if done.returncode == 1 and "error: " in done.stderr:
        return "would hang, and is refused for something else without that check"
    done = run([bin_dir / "airlite-run", "--on=sim", "--init=random:1", "--cycles=20000000", folder])
    # A core that has no transfers may go round for ever beside parts that wait.
    hangs = done.returncode == 1 and re.search("the design (hangs|is not done)", done.stderr)
    return "would hang" if hangs else f"BROKEN: {program}: a false alarm: {done.stderr[:300]}"


def air_names(bin_dir, count, seed, folder):
    yield from generated("air", air_programs.generate, range(seed, seed + count), folder)
    for number in range(seed, seed + count):
        program = pathlib.Path(folder) / f"generated{number}.mlir"
        size = f"--generate-size={1 + number % 3}"
        program.write_text(run([bin_dir / "airlite-opt", f"--generate={number}", size]).stdout)
        yield program


def prove_all_air(arguments, bin_dir, folder, pool):
    count, seed = map(int, arguments.air.split(":"))
    programs = list(air_names(bin_dir, count, seed, folder))
    outcomes = list(pool.map(lambda program: prove_air(bin_dir, program, arguments.sets), programs))
    for outcome, number in collections.Counter(outcomes).most_common():
        print(f"{number:5}  {outcome}")
    return 1 if any(outcome.startswith("BROKEN") for outcome in outcomes) else 0


# -- Whole files ------------------------------------------------------------------------------------------------------


def results(bin_dir, program, where, number, folder):
    """The bytes of all arguments at the end; the diagnostic where there are none."""
    name, arguments = re.search(r"func\.func @(\w+)\((.*?)\)", program.read_text(), re.S).groups()
    files = [pathlib.Path(folder) / f"{where}{i}.npy" for i in range(len(re.findall(r"%\w+ *:", arguments)))]
    outputs = [part for i, file in enumerate(files) for part in ("--output", f"{i}={file}")]
    exact = ["--exact"] if where == "host" else []
    done = run([bin_dir / "airlite-run", f"--on={where}", f"--function={name}", f"--init=random:{number}", *outputs,
                *exact, program])
    return [file.read_bytes() for file in files] if done.returncode == 0 else done.stderr


def prove_host(bin_dir, program, sets):
    """Whether this machine computes the same: 'same', 'has channels', or BROKEN and how."""
    for number in range(1, sets + 1):
        with tempfile.TemporaryDirectory() as folder:
            host = results(bin_dir, program, "host", number, folder)
            if isinstance(host, str):
                return "has channels" if "air.channel in" in host else f"BROKEN: {program}: {host[:600]}"
            if host != results(bin_dir, program, "interp", number, folder):
                return f"BROKEN: {program}: --on=host differs, --init=random:{number}"
    return "same"


def examples():
    for folder in ("npu", "npu_designs"):
        yield from (program for program in sorted((ROOT / "examples" / folder).glob("*.mlir"))
                    if program.name not in TOO_LONG)


def nests(bin_dir, seeds, folder):
    for seed in seeds:
        program = pathlib.Path(folder) / f"nest{seed}.mlir"
        text = run([bin_dir / "airlite-opt", f"--generate={seed}", "--generate-kind=nest"]).stdout
        program.write_text(text)
        yield program


def generated(name, generate, seeds, folder):
    for seed in seeds:
        program = pathlib.Path(folder) / f"{name}{seed}.mlir"
        program.write_text(generate(seed))
        yield program


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("bin", type=pathlib.Path)
    parser.add_argument("--nests", type=int, default=100)
    parser.add_argument("--vectors", type=int, default=50)
    parser.add_argument("--wide", type=int, default=50)
    parser.add_argument("--products", type=int, default=50)
    parser.add_argument("--chains", type=int, default=50)
    parser.add_argument("--floats", type=int, default=50)
    parser.add_argument("--tiles", type=int, default=50)
    parser.add_argument("--loops", type=int, default=50)
    parser.add_argument("--windows", type=int, default=50)
    parser.add_argument("--rounds", type=int, default=50)
    parser.add_argument("--launches", type=int, default=50)
    parser.add_argument("--herds", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sets", type=int, default=2, help="of inputs for each program")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--target", default="npu1", metavar="NPU")
    parser.add_argument("--host", action="store_true", help="compiled for this machine, too")
    parser.add_argument("--air", metavar="COUNT:SEED", help="AIR programs only")
    parser.add_argument("--keep", metavar="DIR", help="where programs are written and stay")
    arguments = parser.parse_args()
    bin_dir = arguments.bin.resolve()
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        if arguments.keep:
            folder = arguments.keep
            pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
        if arguments.air:
            return prove_all_air(arguments, bin_dir, folder, pool)
        first = arguments.seed
        linalg = [*examples(), *nests(bin_dir, range(first, first + arguments.nests), folder)]
        programs = [*linalg,
                    *generated("vectors", vector_programs.generate, range(first, first + arguments.vectors), folder),
                    *generated("wide", wide_programs.generate, range(first, first + arguments.wide), folder),
                    *generated("product", product_programs.generate, range(first, first + arguments.products),
                               folder),
                    *generated("chain", chain_programs.generate, range(first, first + arguments.chains), folder),
                    *generated("float", float_programs.generate, range(first, first + arguments.floats), folder),
                    *generated("tile", tile_programs.generate, range(first, first + arguments.tiles), folder),
                    *generated("loops", loop_programs.generate, range(first, first + arguments.loops), folder),
                    *generated("windows", window_programs.generate, range(first, first + arguments.windows), folder),
                    *generated("rounds", round_programs.generate, range(first, first + arguments.rounds), folder),
                    *generated("launches", launch_programs.generate, range(first, first + arguments.launches), folder),
                    *generated("herds", herd_programs.generate, range(first, first + arguments.herds), folder)]
        outcomes = list(pool.map(lambda program: prove(bin_dir, program, arguments.sets, arguments.target), programs))
        on_host = list(pool.map(lambda program: prove_host(bin_dir, program, arguments.sets),
                                linalg if arguments.host else []))
    for program, outcome in zip(programs, outcomes):
        if outcome != "same" and program.parent.parent.name == "examples":
            print(f"{program.parent.name}/{program.name}: {outcome}")
    for outcome, count in collections.Counter(outcomes).most_common():
        print(f"{count:5}  {outcome}")
    for outcome, count in collections.Counter(on_host).most_common():
        print(f"{count:5}  on this machine: {outcome}")
    return 1 if any(outcome.startswith("BROKEN") for outcome in outcomes + on_host) else 0


if __name__ == "__main__":
    sys.exit(main())
