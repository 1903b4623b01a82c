#!/usr/bin/env python3
"""Small changes of programs, through the tools as a user runs them: nothing may crash, hang or fail inside.

usage: fuzz_tools.py [--seconds N] [--seed N] [--limit SECONDS] [--memory MIB] [--jobs N] [--keep DIR] BIN FILE...

Each round takes one of the files, changes numbers, types, names, lines or bytes of it, and runs one of the commands below on
the result. A tool may do what is asked (0), refuse it (1) or refuse the command line (2). Any other exit code, an
"internal error", and a run that takes longer than the limit are findings, which are kept with their command line. The seed
decides everything, so a finding can be made again. Exit code 1 when there is one.
"""
import argparse
import concurrent.futures
import os
import pathlib
import random
import re
import resource
import subprocess
import sys
import tempfile
import time

COMMANDS = (
    ("airlite-opt", "{}", "--canonicalize", "--cse", "--emit=none"),
    ("airlite-opt", "{}", "--air-verify-program=resources=memory device=npu1", "--emit=none"),
    ("airlite-opt", "{}", "--pipeline=air-npu", "--emit=none"),
    ("airlite-opt", "{}", "--air-fit-herds=cores=1,1 stage=L1", "--emit=none"),
    ("airlite-opt", "{}", "--air-channel-to-dma", "--emit=none"),
    ("airlite-opt", "{}", "--air-channel-to-l2", "--emit=none"),
    ("airlite-opt", "{}", "--air-segment-work-to-herds", "--air-split-channels-by-launch", "--air-merge-segments", "--air-relay-gets", "--emit=none"),
    ("airlite-opt", "{}", "--air-fit-herds=work-items=1024", "--emit=none"),
    ("airlite-run", "{}", "--on=interp", "--init=random:1", "--max-steps=100000"),
    ("airlite-compile", "{}", "--target=npu1", "-o", "{out}"),
    ("airlite-compile", "{}", "--target=gfx942", "-o", "{out}"),
)
NUMBERS = ("0", "1", "2", "3", "7", "64", "-1", "1024", "65536", "2147483647", "4294967296", "9223372036854775807",
           "-9223372036854775808")
TYPES = ("i1", "i8", "i16", "i32", "i64", "bf16", "f16", "f32", "f64", "index", "vector<16xi32>", "!air.async.token")


def change_number(text, rng):
    places = list(re.finditer(r"(?<![\w%@#^.])-?\d+", text))
    return substitute(text, rng, places, lambda _: rng.choice(NUMBERS))


def change_type(text, rng):
    places = list(re.finditer(r"\b(?:i1|i8|i16|i32|i64|bf16|f16|f32|f64|index)\b", text))
    return substitute(text, rng, places, lambda _: rng.choice(TYPES))


def change_value(text, rng):
    names = re.findall(r"%\w+", text)
    places = list(re.finditer(r"%\w+", text))
    return substitute(text, rng, places, lambda _: rng.choice(names))


def change_op(text, rng):
    places = list(re.finditer(r"\b(?:air|arith|memref|scf|affine|linalg|func)\.[\w.]+", text))
    names = [place[0] for place in places]
    return substitute(text, rng, places, lambda _: rng.choice(names))


def change_dimensions(text, rng):
    places = list(re.finditer(r"memref<[^>]*>|\[[^\]\n]*\]", text))
    whats = [place[0] for place in places]
    return substitute(text, rng, places, lambda old: rng.choice(whats))


def substitute(text, rng, places, made):
    if not places:
        return text
    place = rng.choice(places)
    return text[:place.start()] + made(place[0]) + text[place.end():]


def change_lines(text, rng):
    lines = text.split("\n")
    a, b = rng.randrange(len(lines)), rng.randrange(len(lines))
    kind = rng.randrange(3)
    if kind == 0:
        del lines[a]
    elif kind == 1:
        lines.insert(a, lines[b])
    else:
        lines[a], lines[b] = lines[b], lines[a]
    return "\n".join(lines)


def change_bytes(text, rng):
    at = rng.randrange(len(text) + 1)
    return text[:at] + rng.choice(("", "\0", "%", "<", "{", "}", "(", "[", "x", "9", "\u20ac")) + text[at + rng.randrange(3):]


CHANGES = (change_number, change_number, change_number, change_type, change_value, change_op, change_dimensions, change_lines,
           change_bytes)


def run(command, limit, memory):
    def bound():
        resource.setrlimit(resource.RLIMIT_AS, (memory << 20, memory << 20))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True, preexec_fn=bound)
    try:
        output, _ = process.communicate(timeout=limit)
        return process.returncode, output.decode(errors="replace")
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return None, f"did not end in {limit} s"


def attempt(arguments, folder, number):
    rng = random.Random(arguments.seed * 1000003 + number)
    source = pathlib.Path(rng.choice(arguments.files))
    text = source.read_text()
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        text = rng.choice(CHANGES)(text, rng)
    path = folder / f"fuzz_{arguments.seed}_{number}.mlir"
    path.write_text(text)
    words = [word.replace("{out}", str(folder / f"out_{number}")).replace("{}", str(path)) for word in rng.choice(COMMANDS)]
    function = re.search(r"func\.func @(\w+)", text)
    if words[0] == "airlite-run" and function:
        words.append(f"--function={function[1]}")
    code, output = run([os.path.join(arguments.bin, words[0]), *words[1:]], arguments.limit, arguments.memory)
    if code in (0, 1, 2) and "internal error" not in output:
        path.unlink()
        return None
    return f"{source.name}: exit {code}: {' '.join(words)}\n    " + output[-600:].strip().replace("\n", "\n    ")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("bin")
    parser.add_argument("files", nargs="+")
    parser.add_argument("--seconds", type=int, default=600)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=int, default=60, help="of one run")
    parser.add_argument("--memory", type=int, default=4096, help="MiB of one run")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--keep", help="a folder for the programs of findings")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary, concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        folder = pathlib.Path(arguments.keep or temporary)
        folder.mkdir(parents=True, exist_ok=True)
        end, number, findings = time.time() + arguments.seconds, 0, 0
        while time.time() < end:
            for finding in pool.map(lambda n: attempt(arguments, folder, n), range(number, number + 40)):
                if finding:
                    findings += 1
                    print(finding, flush=True)
            number += 40
    print(f"{number} runs, {findings} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
