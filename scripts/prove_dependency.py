#!/usr/bin/env python3
"""Programs that run in the interpreter still run, with the same results, after each dependency pass.

usage: prove_dependency.py [--random N] [--tiles N] [--seed S] [--schedules N] BIN FILE_OR_FOLDER...

Each program of the files (and N random ones, and N of scripts/npu/tile_programs.py) goes through the pipelines below with --check-each, which
runs it before and after each pass. Programs that a pass refuses with an error are counted and say nothing, as are those
that the checker refuses (air-verify-program: a race may end in any way). Exit code 1 when a pass changes what
another program computes, hangs, or ends with an internal error.
"""
import argparse
import collections
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "npu"))
import tile_programs  # noqa: E402

# keep-channel-order: without it, transfers through one end of a channel may overtake each other, as
# docs/passes.md says.
DEPENDENCY = ["--air-dependency=keep-channel-order"]
PIPELINES = [
    DEPENDENCY + ["--air-dependency-canonicalize", "--canonicalize", "--cse"],
    DEPENDENCY + ["--air-dependency-schedule-opt"],
    ["--air-dma-to-channel"] + DEPENDENCY + ["--air-dependency-canonicalize"],
    DEPENDENCY + ["--air-dma-to-channel", "--air-isolate-async-dma-loop-nests"],
    DEPENDENCY + ["--air-isolate-async-dma-loop-nests", "--air-loop-fusion", "--air-fuse-channels"],
]


def programs(arguments, folder):
    for name in arguments.files:
        path = pathlib.Path(name)
        found = sorted(path.rglob("*.mlir")) + sorted(path.rglob("*.air")) if path.is_dir() else [path]
        yield from (([str(file)], str(file)) for file in found if "Inputs" not in file.parts)
    for seed in range(arguments.seed, arguments.seed + arguments.random):
        yield [f"--generate={seed}"], f"--generate={seed}"
    for seed in range(arguments.seed, arguments.seed + arguments.tiles):
        path = pathlib.Path(folder) / f"tile{seed}.mlir"
        path.write_text(tile_programs.generate(seed))
        yield [str(path)], f"tile_programs.py {seed}"


def outcome(arguments, source, pipeline):
    command = [f"{arguments.bin}/airlite-opt", *source, "--check-each", f"--check-schedules={arguments.schedules}",
               "--no-effect-count", "--crash-reproducer=/dev/null", "-o", "/dev/null", *pipeline]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=arguments.timeout)
    except subprocess.TimeoutExpired:
        return "took too long", ""
    if done.returncode == 0:
        return "same", ""
    if "changes what" not in done.stderr and done.returncode == 1:
        return "refused", ""
    checked = subprocess.run([*command[:1], *source, "--air-verify-program", "--split-input-file", "--emit=none"],
                             capture_output=True, text=True)
    return ("changed" if checked.returncode == 0 else "wrong as it is"), done.stderr


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("bin")
    parser.add_argument("files", nargs="*")
    parser.add_argument("--random", type=int, default=0, metavar="N")
    parser.add_argument("--tiles", type=int, default=0, metavar="N")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--schedules", type=int, default=4)
    parser.add_argument("--timeout", type=int, default=20)
    arguments = parser.parse_args()
    counts = collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        for source, name in programs(arguments, folder):
            for pipeline in PIPELINES:
                kind, text = outcome(arguments, source, pipeline)
                counts[kind] += 1
                if kind == "changed":
                    print(f"{name} {' '.join(pipeline)}\n{text}", flush=True)
    print(", ".join(f"{count} {kind}" for kind, count in sorted(counts.items())))
    return 1 if counts["changed"] or not counts["same"] else 0


if __name__ == "__main__":
    sys.exit(main())
