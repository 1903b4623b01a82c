#!/usr/bin/env python3
"""Measures airlite-opt beside mlir-opt on the same programs, and each phase of airlite by itself.

usage: bench/run.py --bin BUILD/bin [--bench BUILD/bench/airlite_bench_ir_speed]
                    [--mlir-opt mlir-opt-19] [--repeat N] [--keep DIR]

Programs, in the generic form without any op that mlir-opt does not know how to skip over
(unregistered dialects are allowed in both tools):
  gemm      examples/matmul/matmul.mlir
  gemm200   200 copies of it
  synth10k, synth100k, synth1m
            functions of arithmetic, loops, loads and stores: 10 k, 100 k and 1 M ops
Both tools read, verify and print the generic form, on one thread. Runs are interleaved and the
cheapest of N counts, in processor time, which other work on the machine disturbs least.
Output: Markdown tables, as docs/performance.md keeps them.
"""
import argparse
import json
import multiprocessing
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent

PROGRAMS = ("gemm", "gemm200", "synth10k", "synth100k", "synth1m")

FUNCTION = """func.func @f{n}(%m: memref<64x64xf32>, %v: i32, %x: f32) -> i32 {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0 : i32
  %seven = arith.constant 7 : i32
  scf.for %i = %c0 to %c64 step %c1 {{
    %one = arith.constant 1 : index
    %next = arith.addi %i, %one : index
    %same = arith.addi %i, %c0 : index
    scf.for %j = %c0 to %c64 step %one {{
      %a = memref.load %m[%same, %j] : memref<64x64xf32>
      %b = memref.load %m[%same, %j] : memref<64x64xf32>
      %p = arith.mulf %a, %x : f32
      %q = arith.addf %p, %b : f32
      memref.store %q, %m[%i, %j] : memref<64x64xf32>
    }}
  }}
  %s0 = arith.addi %v, %zero : i32
  %s1 = arith.muli %s0, %seven : i32
  %s2 = arith.muli %v, %seven : i32
  %s3 = arith.addi %s1, %s2 : i32
  %s4 = arith.addi %seven, %zero : i32
  %s5 = arith.addi %s3, %s4 : i32
  return %s5 : i32
}}
"""
OPS_PER_FUNCTION = 27  # with the two implicit scf.yield and func.func


def generic(opt, text):
    done = subprocess.run([opt, "--print-generic"], input=text, capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr)
    return done.stdout


def copies(module, count):
    """`count` copies of the functions of a generic module, each under a name of its own."""
    lines = module.splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith('"builtin.module"'))
    head, body, tail = lines[:start + 1], lines[start + 1:-1], lines[-1:]
    out = list(head)
    for n in range(count):
        out += [line.replace('sym_name = "main"', f'sym_name = "main{n}"') for line in body]
    return "\n".join(out + tail) + "\n"


def make_programs(opt, folder):
    """Writes the programs. Runs as a process of its own: what a process has held counts as the peak
    memory of the children that it forks."""
    gemm = generic(opt, (ROOT / "examples/matmul/matmul.mlir").read_text())
    texts = {"gemm": gemm, "gemm200": copies(gemm, 200)}
    for name, ops in (("synth10k", 10_000), ("synth100k", 100_000), ("synth1m", 1_000_000)):
        count = ops // OPS_PER_FUNCTION
        texts[name] = generic(opt, "".join(FUNCTION.format(n=n) for n in range(count)))
    for name, text in texts.items():
        (folder / f"{name}.mlir").write_text(text)


def run_once(command):
    """Processor seconds and peak memory in MB of one run; its output is thrown away."""
    with open(os.devnull, "wb") as sink:
        process = subprocess.Popen(command, stdout=sink, stderr=subprocess.PIPE)
        message = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{' '.join(map(str, command))}: {message.decode()}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def compare(tools, passes, path, repeat):
    """Fastest run and smallest peak of each tool; the runs take turns."""
    best = {name: (float("inf"), float("inf")) for name in tools}
    for _ in range(repeat):
        for name, command in tools.items():
            seconds, megabytes = run_once([*command, *passes, path])
            best[name] = (min(best[name][0], seconds), min(best[name][1], megabytes))
    return best


def compare_tools(options, paths):
    tools = {
        "airlite": [options.bin / "airlite-opt", "--allow-unregistered", "--print-generic"],
        "mlir": [options.mlir_opt, "--allow-unregistered-dialect", "--mlir-print-op-generic",
                 "--mlir-disable-threading"],
    }
    print("| program | work | airlite-opt ms | mlir-opt ms | times as fast | airlite MB | mlir MB |")
    print("|---|---|---:|---:|---:|---:|---:|")
    work = {"parse + print": [], "canonicalize": ["--canonicalize"], "cse": ["--cse"],
            "canonicalize + cse": ["--canonicalize", "--cse"]}
    for program, path in paths.items():
        for name, passes in work.items():
            best = compare(tools, passes, path, options.repeat)
            (ours, our_mb), (theirs, their_mb) = best["airlite"], best["mlir"]
            print(f"| {program} | {name} | {ours * 1000:.1f} | {theirs * 1000:.1f} | "
                  f"{theirs / ours:.2f} | {our_mb:.0f} | {their_mb:.0f} |", flush=True)


def measure_phases(options, paths):
    done = subprocess.run([options.bench, "--benchmark_format=json", "--benchmark_min_time=0.2",
                           *paths.values()], capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr)
    print("\n| phase | program | ms | million ops/s | MB/s |")
    print("|---|---|---:|---:|---:|")
    for row in json.loads(done.stdout)["benchmarks"]:
        if row.get("error_occurred"):
            sys.exit(f"{row['name']}: {row['error_message']}")
        phase, program = row["name"].split("/")
        speed = row.get("bytes_per_second")
        print(f"| {phase} | {program.removesuffix('.mlir')} | {row['real_time']:.2f} | "
              f"{row['items_per_second'] / 1e6:.2f} | {f'{speed / 1e6:.0f}' if speed else ''} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", required=True, type=pathlib.Path)
    parser.add_argument("--bench", type=pathlib.Path)
    parser.add_argument("--mlir-opt", default="mlir-opt-19")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--keep", type=pathlib.Path, help="write the programs here and keep them")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.keep or pathlib.Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        maker = multiprocessing.Process(target=make_programs,
                                        args=(options.bin / "airlite-opt", folder))
        maker.start()
        maker.join()
        paths = {name: folder / f"{name}.mlir" for name in PROGRAMS}
        compare_tools(options, paths)
        if options.bench:
            measure_phases(options, paths)


if __name__ == "__main__":
    main()
