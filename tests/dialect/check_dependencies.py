#!/usr/bin/env python3
"""Random token graphs: canonicalize must keep every ordering that memory needs.

usage: check_dependencies.py --opt BUILD/bin/airlite-opt [--seed N] [--count N]

Each program is a run of puts (they read a buffer), gets (they write one) and joins with random
dependencies. Two transfers that touch one buffer, one of them writing, and that tokens put in an
order before must be in that order after. Each transfer has a channel of its own, so that channels
order nothing.
"""
import random
import re
import subprocess
import sys

from random_programs import canonicalize, parse_arguments


def make_program(number, rng, loop):
    """Text of one function, and for each transfer its buffer and whether it writes."""
    buffers = rng.randint(1, 4)
    arguments = ", ".join(f"%m{i}: memref<8xf32>" for i in range(buffers))
    lines, transfers, tokens = [], {}, []
    if loop:
        lines.append("%w = air.wait_all async")
        lines.append("%l = scf.for %i = %x to %y step %y iter_args(%t = %w) "
                     "-> (!air.async.token) {")
        tokens.append("%t")
    for i in range(rng.randint(2, 9)):
        waits = ", ".join(rng.sample(tokens, min(len(tokens), rng.randint(0, 3))))
        head = f"%t{i} = air.{{}} async" + (f" [{waits}]" if waits else "")
        tokens.append(f"%t{i}")
        kind = rng.choice(["wait_all", "channel.put", "channel.get", "channel.get"])
        if kind == "wait_all":
            lines.append(head.format(kind))
            continue
        buffer = rng.randrange(buffers)
        transfers[i] = (buffer, kind == "channel.get")
        lines.append(head.format(kind) +
                     f" @c{i}[] (%m{buffer}[] [] []) {{n = {i} : i32}} : (memref<8xf32>)")
    if loop:
        lines += [f"scf.yield {rng.choice(tokens)} : !air.async.token", "}"]
    text = [f"func.func @f{number}({arguments}, %x: index, %y: index) {{", *lines, "return", "}"]
    return "\n".join(text), transfers


class Graph:
    """What each transfer of a printed function comes after, in its own run and in earlier ones."""

    def __init__(self, text):
        self.waits, self.number, self.ends = {}, {}, {}
        self.argument = self.yielded = None
        for line in text.splitlines():
            self.read(line)

    def read(self, line):
        op = re.search(r"(%\w+) = air\.(?:wait_all|channel\.\w+) async +(?:\[(.*?)\])?", line)
        loop = re.search(r"iter_args\((%\w+) = ", line)
        end = re.search(r"scf\.yield (%\w+)", line)
        if loop:
            self.argument = loop.group(1)
        elif end:
            self.yielded = end.group(1)
        elif op:
            self.waits[op.group(1)] = (op.group(2) or "").split(", ") if op.group(2) else []
            number = re.search(r"n = (\d+)", line)
            if number:
                self.number[op.group(1)] = int(number.group(1))

    def before(self, token):
        """Numbers of the transfers that come before `token` in its run, and whether the end of the
        run before does."""
        found, work, after_run = set(), [token], False
        while work:
            for earlier in self.waits.get(work.pop(), []):
                after_run |= earlier == self.argument
                if earlier in self.waits and earlier not in found:
                    found.add(earlier)
                    work.append(earlier)
        return {self.number[t] for t in found if t in self.number}, after_run

    def orders(self):
        """Pairs (earlier, later, runs between): 0 in one run, 1 for the run after."""
        pairs = set()
        at_end = set()
        if self.yielded in self.waits:
            at_end = self.before(self.yielded)[0] | {self.number.get(self.yielded, -1)}
        for token, later in self.number.items():
            earlier, after_run = self.before(token)
            pairs |= {(one, later, 0) for one in earlier}
            pairs |= {(one, later, 1) for one in at_end if after_run and one >= 0}
        # What comes before something of its run that comes before the next run.
        for one, two, runs in list(pairs):
            if runs == 0:
                pairs |= {(one, later, 1) for first, later, n in list(pairs) if n and first == two}
                # A transfer comes after itself in the run before: one channel, in order.
                pairs.add((one, two, 1))
        return pairs


def long_chain(rounds):
    """Where everything waits for what came before: the time must not grow faster than the text."""
    lines = ["func.func @f(%m: memref<8xf32>, %k: memref<8xf32>) {", "%t0 = air.wait_all async"]
    for i in range(rounds):
        lines.append(f"%g{i} = air.channel.get async [%t{i}] @a[] (%m[] [] []) : (memref<8xf32>)")
        lines.append(f"%h{i} = air.channel.get async [%t{i}] @b[] (%k[] [] []) : (memref<8xf32>)")
        lines.append(f"%p{i} = air.channel.put async [%g{i}, %h{i}] @a[] (%m[] [] []) : "
                     "(memref<8xf32>)")
        lines.append(f"%t{i + 1} = air.wait_all async [%p{i}, %h{i}]")
    return "\n".join([*lines, "return", "}"])


def needed(orders, transfers):
    def conflict(a, b):
        return transfers[a][0] == transfers[b][0] and (transfers[a][1] or transfers[b][1])
    return {pair for pair in orders if pair[0] != pair[1] and conflict(pair[0], pair[1])}


def main():
    options = parse_arguments(__doc__)
    rng = random.Random(options.seed)
    programs = [make_program(i, rng, loop=i % 2 == 1) for i in range(options.count)]
    text = "\n".join(program[0] for program in programs)
    dropped = 0
    functions = canonicalize(options.opt, text)
    for (source, transfers), function in zip(programs, functions, strict=True):
        before, after = Graph(source).orders(), Graph(function).orders()
        lost = needed(before, transfers) - after
        dropped += len(before - after)
        if lost:
            sys.exit(f"lost (earlier, later, runs between) {sorted(lost)}:\n{source}\n"
                     f"becomes @f{function}")
    if dropped == 0:
        sys.exit("nothing was simplified: this test tests nothing")
    subprocess.run([options.opt, "--canonicalize", "--emit=none"], input=long_chain(3000),
                   text=True, check=True, timeout=60)
    print(f"{len(programs)} programs keep what memory needs, {dropped} other orders went")


if __name__ == "__main__":
    main()
