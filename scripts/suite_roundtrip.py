#!/usr/bin/env python3
"""How many inputs of an outside test suite airlite-opt reads and reprints to a fixed point.

usage: suite_roundtrip.py --suite DIR/mlir/test --opt BUILD/bin/airlite-opt [-v]

A file counts when it has a RUN line of air-opt and no other tool but FileCheck and the like (and is
not XFAIL), when every `// -----` piece parses, verifies and prints, and when printing the print
again, or its JSON form, gives the same bytes. Pieces that are wrong on purpose (they expect an
error) must fail with exit code 1; they count as read. With -v the first error of each failing file
is printed.
"""
import argparse
import collections
import concurrent.futures
import pathlib
import re
import subprocess

OTHER_TOOLS = ("air-runner", "air-translate", "aircc", "aie-opt", "clang", " opt ", "llc")


def counts(path, text):
    runs = re.findall(r"//\s*RUN:(.*)", text)
    joined = " ".join(runs)
    if not runs or "air-opt" not in joined or "XFAIL" in text:
        return False
    return not any(tool in joined for tool in OTHER_TOOLS)


def run(opt, text, extra=()):
    done = subprocess.run([opt, *extra], input=text.encode(), capture_output=True, timeout=60)
    return done.returncode, done.stdout, done.stderr.decode(errors="replace")


def check(opt, path):
    text = path.read_text()
    # A fuller check than the runner's: each piece on its own.
    for piece in re.split(r"^// -----[ \t]*$", text, flags=re.M):
        code, out, err = run(opt, piece)
        if "expected-error" in piece or code == 1 and ("not air-opt" in text):
            if code not in (0, 1):
                return f"exit code {code}"
            continue
        if code != 0:
            lines = [line for line in err.splitlines() if "error:" in line]
            return lines[0] if lines else f"exit code {code}"
        again = run(opt, out.decode())
        if again[0] != 0 or again[1] != out:
            return "no fixed point: " + (again[2].splitlines() or ["text differs"])[0]
        as_json = run(opt, piece, ["--emit=json"])[1].decode()
        back = run(opt, as_json)
        if back[0] != 0 or back[1] != out:
            return "JSON loses something: " + (back[2].splitlines() or ["text differs"])[0]
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--suite", required=True, type=pathlib.Path)
    parser.add_argument("--opt", required=True)
    parser.add_argument("-v", action="store_true")
    options = parser.parse_args()
    files = [p for p in sorted(options.suite.rglob("*.mlir")) if counts(p, p.read_text())]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = list(pool.map(lambda p: check(options.opt, p), files))
    good = sum(r is None for r in results)
    reasons = collections.Counter()
    for path, result in zip(files, results):
        if result is None:
            continue
        reasons[re.sub(r"^.*?error: ", "", result)[:90]] += 1
        if options.v:
            print(f"{path.relative_to(options.suite)}: {result}")
    for reason, number in reasons.most_common(40):
        print(f"{number:4d} {reason}")
    print(f"{good} of {len(files)} files are read and reprinted to a fixed point")


if __name__ == "__main__":
    main()
