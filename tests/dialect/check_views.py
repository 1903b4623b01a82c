#!/usr/bin/env python3
"""Random chains of memref views under a put: canonicalize must keep every address, in order.

usage: check_views.py --opt BUILD/bin/airlite-opt [--seed N] [--count N]

Each program takes a view of a view ... of a buffer and sends it into a channel, whole or by lists
of its own. The addresses that the program names, counted in the base buffer, are computed here;
those of the canonicalized put must be the same ones in the same order.
"""
import itertools
import math
import random
import re
import sys

from random_programs import canonicalize, parse_arguments


class View:
    """Shape, strides and offset of what has been made so far, and the lines that make it."""

    def __init__(self, rng):
        self.rng = rng
        self.shape = [rng.choice([1, 2, 3, 4, 6, 8]) for _ in range(rng.randint(1, 3))]
        self.strides = row_major(self.shape)
        self.offset = 0
        self.name = "%b"
        self.base = (list(self.shape), list(self.strides))
        self.lines = []

    def type(self):
        offset = f", offset: {self.offset}" if self.offset else ""
        shape = "".join(f"{size}x" for size in self.shape)
        return f"memref<{shape}f32, strided<{self.strides}{offset}>>"

    def become(self, op, arguments, shape, strides, offset, word="to"):
        before, source = self.type(), self.name
        self.shape, self.strides, self.offset = shape, strides, offset
        self.name = f"%v{len(self.lines)}"
        self.lines.append(
            f"{self.name} = memref.{op} {source}{arguments} : {before} {word} {self.type()}")

    def subview(self):
        offsets, sizes, steps = [], [], []
        for size in self.shape:
            step = self.rng.choice([1, 1, 1, 2, 3])
            part = self.rng.randint(1, max(1, (size - 1) // step + 1))
            offsets.append(self.rng.randint(0, size - 1 - (part - 1) * step))
            sizes.append(part)
            steps.append(step)
        offset = self.offset + dot(offsets, self.strides)
        strides = [a * b for a, b in zip(self.strides, steps)]
        reduce = self.rng.random() < 0.5
        kept = [i for i, size in enumerate(sizes) if size != 1 or not reduce]
        self.become("subview", f"{offsets} {sizes} {steps}", [sizes[i] for i in kept],
                    [strides[i] for i in kept], offset)

    def transpose(self):
        order = list(range(len(self.shape)))
        self.rng.shuffle(order)
        dims = ", ".join(f"d{i}" for i in range(len(order)))
        results = ", ".join(f"d{i}" for i in order)
        self.become("transpose", f" ({dims}) -> ({results})", [self.shape[i] for i in order],
                    [self.strides[i] for i in order], self.offset)

    def expand_shape(self):
        groups, shape, strides = [], [], []
        for size, stride in zip(self.shape, self.strides):
            inner = self.rng.choice([x for x in range(1, size + 1) if size % x == 0])
            parts = [size // inner, inner] if self.rng.random() < 0.5 else [size]
            groups.append(list(range(len(shape), len(shape) + len(parts))))
            strides += [stride * inner, stride] if len(parts) == 2 else [stride]
            shape += parts
        if shape:
            self.become("expand_shape", f" {groups} output_shape {shape}", shape, strides,
                        self.offset, "into")

    def collapse_shape(self):
        groups = [[0]]
        for i in range(1, len(self.shape)):
            joins = self.strides[i - 1] == self.strides[i] * self.shape[i]
            if joins and self.rng.random() < 0.7:
                groups[-1].append(i)
            else:
                groups.append([i])
        if len(self.shape) > 1:
            shape = [math.prod(self.shape[i] for i in group) for group in groups]
            strides = [self.strides[group[-1]] for group in groups]
            self.become("collapse_shape", f" {groups}", shape, strides, self.offset, "into")


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def row_major(shape):
    return [math.prod(shape[i + 1:]) for i in range(len(shape))]


def addresses(offset, sizes, strides):
    return [offset + dot(at, strides) for at in itertools.product(*map(range, sizes))]


def make_program(number, rng):
    """Text of one function, the addresses that it sends, and shape and strides of its buffer."""
    view = View(rng)
    head = f"func.func @f{number}(%b: {view.type()}) {{"
    for _ in range(rng.randint(1, 4)):
        rng.choice([view.subview, view.transpose, view.expand_shape, view.collapse_shape])()
    lists, wanted = "[] [] []", addresses(view.offset, view.shape, view.strides)
    if view.shape and rng.random() < 0.5:
        rank = rng.randint(1, 4)
        offsets = [rng.randint(0, 3) for _ in range(rank)]
        sizes = [rng.randint(1, 3) for _ in range(rank)]
        strides = [rng.choice([0, 1, 2, 4, 8] + view.strides) for _ in range(rank)]
        lists = f"{offsets} {sizes} {strides}"
        wanted = addresses(view.offset + dot(offsets, strides), sizes, strides)
    put = f"air.channel.put @c[] ({view.name}{lists}) : ({view.type()})"
    return "\n".join([head, *view.lines, put, "return", "}"]), wanted, view.base


def sent(function, base):
    """The addresses that the put of a canonicalized function names; None when it keeps a view."""
    match = re.search(r"put +@c\[\] \((%\w+)\[(.*?)\] \[(.*?)\] \[(.*?)\]\)", function)
    if match.group(1) != "%arg0":
        return None
    offsets, sizes, strides = ([int(x) for x in text.split(",")] if text else []
                               for text in match.groups()[1:])
    if not sizes:
        return addresses(0, *base)
    return addresses(dot(offsets, strides), sizes, strides)


def main():
    options = parse_arguments(__doc__)
    rng = random.Random(options.seed)
    programs = [make_program(i, rng) for i in range(options.count)]
    text = "air.channel @c []\n" + "\n".join(program[0] for program in programs)
    functions = canonicalize(options.opt, text)
    for (source, wanted, base), function in zip(programs, functions, strict=True):
        if sent(function, base) != wanted:
            sys.exit(f"other addresses than {wanted}:\n{source}\nbecomes @f{function}")
    print(f"{len(programs)} programs send what they sent before")


if __name__ == "__main__":
    main()
