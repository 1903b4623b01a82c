#!/usr/bin/env python3
"""The proof by random programs of docs/checking.md, on all cores.

usage: prove.py [--programs N] [--mutants N] [--nests N] [--schedules N] [--seed N] [--jobs N] [--list] TESTS

TESTS is the program airlite_testing_tests of a build. Correct programs have to compute the same under
every schedule and after the passes, and the checker has to be silent. Mutants are counted: what they
do against what the checker says, as a table for docs/checking.md. Nests go through the recipe
(docs/recipe.md), which has to keep what they compute pass by pass. Exit code 1 when a program is not as
it should be.
"""
import argparse
import collections
import concurrent.futures
import os
import re
import subprocess
import sys

CHUNK = 50  # seeds of one process


def run(arguments, tag, seed, count):
    environment = dict(os.environ, AIRLITE_PROOF_RUNS=str(count), AIRLITE_PROOF_SEED=str(seed),
                       AIRLITE_PROOF_SCHEDULES=str(arguments.schedules),
                       AIRLITE_RECIPE_RUNS=str(count), AIRLITE_RECIPE_SEED=str(seed),
                       AIRLITE_RECIPE_SCHEDULES=str(arguments.nest_schedules))
    if arguments.list:
        environment["AIRLITE_PROOF_LIST"] = "1"
    done = subprocess.run([arguments.tests, tag], capture_output=True, text=True, env=environment)
    return done.returncode, done.stdout


def run_all(arguments, tag, total):
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        jobs = [pool.submit(run, arguments, tag, arguments.seed + at, min(CHUNK, total - at))
                for at in range(0, total, CHUNK)]
        for job in concurrent.futures.as_completed(jobs):
            yield job.result()


def prove(arguments):
    failed = programs = 0
    for code, output in run_all(arguments, "[proof]", arguments.programs):
        programs += sum(map(int, re.findall(r"^proof programs (\d+)", output, re.M)))
        if code:
            failed += 1
            print(output)
    print(f"{programs} programs: {'not ' if failed else ''}all as they should be")
    return failed == 0


def prove_nests(arguments):
    failed = nests = 0
    for code, output in run_all(arguments, "[nests]", arguments.nests):
        nests += sum(int(count) for count in re.findall(r"^proof nests (\d+)", output, re.M))
        if code:
            failed += 1
            print(output)
    print(f"{nests} nests: {'not ' if failed else ''}all compute the same after each pass of the recipe, "
          f"in {arguments.nest_schedules} schedules")
    return failed == 0


def count_mutants(arguments):
    cells = collections.OrderedDict()
    for code, output in run_all(arguments, "[mutants]", arguments.mutants):
        if code:
            print(output)
            return False
        for line in output.splitlines():
            if line.startswith(("missed", "alarm")):
                print(line)
            if not line.startswith("mutants "):
                continue
            kind, what, reported, silent = [part.strip() for part in line[len("mutants "):].split("|")]
            cell = cells.setdefault(kind, collections.OrderedDict()).setdefault(what, [0, 0])
            cell[0] += int(reported)
            cell[1] += int(silent)
    if not cells:
        return True
    whats = list(next(iter(cells.values())))
    print(f"\nReported of all, by what the interpreter shows in {arguments.schedules} schedules:\n")
    print("| mistake | " + " | ".join(whats) + " |")
    print("|---" * (len(whats) + 1) + "|")
    for kind, row in cells.items():
        print(f"| {kind} | " + " | ".join(f"{r} of {r + s}" for r, s in row.values()) + " |")
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("tests")
    parser.add_argument("--programs", type=int, default=10000)
    parser.add_argument("--mutants", type=int, default=500, help="programs to make mutants of")
    parser.add_argument("--nests", type=int, default=1000, help="linalg programs for the recipe")
    parser.add_argument("--nest-schedules", type=int, default=4, help="of each nest after each pass")
    parser.add_argument("--schedules", type=int, default=200, help="of each mutant")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--list", action="store_true", help="name the mutants that were missed and the "
                        "alarms about programs that never fail")
    arguments = parser.parse_args()
    good = prove(arguments) if arguments.programs else True
    if arguments.nests:
        good = prove_nests(arguments) and good
    if arguments.mutants:
        good = count_mutants(arguments) and good
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
