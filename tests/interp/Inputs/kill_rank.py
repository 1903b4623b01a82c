#!/usr/bin/env python3
"""Ends ranks of a program that runs for ever, and the tool itself, and says what is left.

usage: kill_rank.py processes|mpi AIRLITE_RUN PROGRAM    runs its function @endless
"""
import os
import re
import signal
import subprocess
import sys
import time

RANKS = 4


MPIRUN = ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", str(RANKS)]


def start(how, tool, program):
    """The tool or mpirun, and the process of each rank."""
    command = [tool, program, "--on=interp", "--function=endless", f"--ranks={how}", "-v"]
    run = subprocess.Popen(MPIRUN * (how == "mpi") + command, stderr=subprocess.PIPE, text=True)
    ranks = {}
    while len(ranks) < RANKS:
        line = run.stderr.readline()
        assert line, "the tool ended before all ranks were there"
        if found := re.search(r"rank (\d+) is process (\d+)", line):
            ranks[int(found[1])] = int(found[2])
    return run, ranks


def is_there(process):
    try:
        with open(f"/proc/{process}/stat") as stat:
            return stat.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def named_memory():
    """Shared memory with a name that could be ours, or Open MPI's."""
    words = ("airlite", "vader", "ompi", "pmix")
    return {name for name in os.listdir("/dev/shm") if any(word in name for word in words)}


def left_of(ranks):
    """How many still run, after some time to end."""
    for _ in range(200):
        left = sum(is_there(process) for process in ranks.values())
        if left == 0:
            return 0
        time.sleep(0.05)
    return left


def ended(what, rank, how):
    """The run one rank of which was ended, its ranks, and what it said."""
    run, ranks = start(*what)
    os.kill(ranks[rank], how)
    try:
        _, text = run.communicate(timeout=30)
        return run, ranks, text
    except subprocess.TimeoutExpired:
        run.kill()
        run.communicate()
        return None


def end_rank(what, rank, how, word):
    # On a busy machine mpirun itself has missed the end of a rank, once in some hundred runs; our own tool must not.
    tries = 3 if what[0] == "mpi" else 1
    run, ranks, text = next(filter(None, (ended(what, rank, how) for _ in range(tries))))
    print(f"rank {rank} {word}: exit code {run.returncode}, {left_of(ranks)} processes left")
    print(text)


def main():
    what = sys.argv[1:]
    before = named_memory()
    end_rank(what, 2, signal.SIGKILL, "killed")
    end_rank(what, 1, signal.SIGABRT, "aborted")  # AddressSanitizer takes SIGSEGV for itself
    run, ranks = start(*what)
    run.kill()
    run.wait()
    print(f"the tool killed: {left_of(ranks)} processes left")
    print(f"in /dev/shm: {sorted(named_memory() - before)}")


if __name__ == "__main__":
    main()
