#!/usr/bin/env python3
"""Random loops around loads, arithmetic and stores, as people write them by hand.

usage: loop_programs.py SEED      (prints the program of this number)

A program has up to three loops (affine.for, affine.parallel) around one to three statements: stores of what is computed, sums and
extremes that a loop carries or that lie in memory, memory of a loop, conditionals. Indices are loop variables with offsets, steps,
backwards, sums of two (windows) and flat ones (row * columns + column). scripts/prove_npu.py --loops N runs N.
"""
import random
import sys

TYPES = ["i32", "i32", "i16", "i8", "f32", "bf16"]
MOST = 20_000  # rounds
NAMES = "ijk"


class Writer:
    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.element = self.rng.choice(TYPES)
        self.is_float = self.element in ("f32", "bf16")
        self.suffix = "f" if self.is_float else "i"
        self.shapes = {}  # of arrays: the least that holds all indices
        self.values = 0
        self.stack = []  # allocated before all loops
        while True:
            self.counts = {name: self.rng.choice([1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 24, 32])
                           for name in NAMES[:self.rng.randint(1, 3)]}
            rounds = 1
            for count in self.counts.values():
                rounds *= count
            if rounds <= MOST:
                break

    def name(self):
        self.values += 1
        return f"%v{self.values}"

    # -- Elements ---------------------------------------------------------------------------------

    def index(self, loop):
        """Of one loop: its text, and its greatest value."""
        last = self.counts[loop] - 1
        offset = self.rng.randint(1, 4)
        return self.rng.choices([(f"%{loop}", last), (f"%{loop} + {offset}", last + offset), (f"%{loop} * 2", 2 * last),
                                 (f"{last} - %{loop}", last), (f"%{loop} * 3 + 1", 3 * last + 1)],
                                weights=[60, 15, 8, 8, 9])[0]

    def indices(self, loops, mode):
        """Of some loops; the last two of them may be one index: a window, or a row and a column."""
        if mode == "plain" or len(loops) < 2:
            return [self.index(loop) for loop in loops]
        one, other = loops[-2:]
        if mode == "window":
            both = (f"%{one} + %{other}", self.counts[one] + self.counts[other] - 2)
        else:
            width = self.counts[other] + self.rng.choice([0, 0, 2])
            both = (f"%{one} * {width} + %{other}", (self.counts[one] - 1) * width + self.counts[other] - 1)
        return [self.index(loop) for loop in loops[:-2]] + [both]

    def access(self, array, indices):
        """The array gets as large as it has to be. None: it has other dimensions."""
        shape = self.shapes.setdefault(array, [0] * len(indices))
        if len(shape) != len(indices):
            return None
        for dim, (_, most) in enumerate(indices):
            shape[dim] = max(shape[dim], most + 1)
        return f"%{array}[{', '.join(text for text, _ in indices)}] : @{array}@"

    def load(self, lines, loops):
        chosen = [loop for loop in loops if self.rng.random() < 0.8] or [loops[0]]
        if self.rng.random() < 0.3:
            self.rng.shuffle(chosen)
        array = f"a{self.rng.randint(0, 2)}"
        access = self.access(array, self.indices(chosen, self.rng.choice(["plain", "plain", "flat", "window"])))
        if access is None:
            return None
        lines.append(f"{self.name()} = affine.load {access}")
        return f"%v{self.values}"

    # -- Arithmetic -------------------------------------------------------------------------------

    def binary(self, lines, a, b, names=("add", "sub", "mul", "max", "min")):
        name = self.rng.choice(names)
        op = {"max": "maximumf" if self.is_float else "maxsi",
              "min": "minimumf" if self.is_float else "minsi"}.get(name, name + self.suffix)
        lines.append(f"{self.name()} = arith.{op} {a}, {b} : {self.element}")
        return f"%v{self.values}"

    def expression(self, lines, loops):
        values = [value for value in (self.load(lines, loops) for _ in range(self.rng.randint(1, 3))) if value]
        value = values[0] if values else "%two"
        for other in values[1:]:
            value = self.binary(lines, value, other)
        if self.rng.random() < 0.3:
            value = self.binary(lines, value, "%two")
        if self.element == "i32" and self.rng.random() < 0.15:
            lines.append(f"{self.name()} = arith.index_cast %{loops[-1]} : index to i32")
            value = self.binary(lines, value, f"%v{self.values}")
        return value, values

    # -- Statements -------------------------------------------------------------------------------

    def store(self, value, array, indices):
        return f"affine.store {value}, {self.access(array, indices)}"

    def elementwise(self, loops, array):
        lines = []
        value, values = self.expression(lines, loops)
        place = self.place(loops)
        if self.rng.random() < 0.25 and values:
            compare = "cmpf ogt" if self.is_float else "cmpi sgt"
            condition = self.name()
            lines += [f"{condition} = arith.{compare}, {value}, %zero : {self.element}", f"scf.if {condition} {{",
                      "  " + self.store(value, array, place)]
            if self.rng.random() < 0.5:
                lines += ["} else {", "  " + self.store(values[0], array, place)]
            return lines + ["}"]
        lines.append(self.store(value, array, place))
        if self.rng.random() < 0.25:
            lines.append(self.store(self.binary(lines, value, "%two"), array + "x", place))
        return lines

    def place(self, loops):
        if self.rng.random() < 0.7:
            return [(f"%{loop}", self.counts[loop] - 1) for loop in loops]
        return self.indices(loops, self.rng.choice(["plain", "flat"]))

    def reduction(self, loops, inner, array):
        """A loop `inner` in `loops` adds up, or looks for the extreme."""
        total, own = f"%all_{array}", f"%own_{array}"
        body, kind = [], (self.rng.choice(["add", "add", "max"]),)
        value, _ = self.expression(body, loops + [inner])
        place = self.place(loops) if loops else [("0", 0)]
        head = f"affine.for %{inner} = 0 to {self.counts[inner]}"
        form = self.rng.choice(["carried", "in memory", "own memory"])
        if form == "carried":
            after = self.binary(body, "%sum", value, kind)
            lines = [f"{total} = {head} iter_args(%sum = %zero) -> {self.element} {{", *("  " + line for line in body),
                     f"  affine.yield {after} : {self.element}", "}"]
            if self.rng.random() < 0.3:
                return lines + [self.store(self.binary(lines, total, total, ("mul",)), array, place)]
            return lines + [self.store(total, array, place)]
        first = f"{own}[0] : memref<1x{self.element}>"
        where = first if form == "own memory" else self.access(array, place)
        before = self.name()
        body.append(f"{before} = affine.load {where}")
        body.append(f"affine.store {self.binary(body, before, value, kind)}, {where}")
        lines = [f"affine.store %zero, {where}"] if form == "own memory" or self.rng.random() < 0.6 else []
        if self.rng.random() < 0.1:  # once for all rounds: the last one counts
            lines.append(body.pop(-3))
        lines += [head + " {", *("  " + line for line in body), "}"]
        if form == "own memory":
            after = self.name()
            alloca = f"{own} = memref.alloca() : memref<1x{self.element}>"
            outside = self.rng.random() < 0.4  # of all loops, as compilers of C put it
            if outside:
                self.stack.append(alloca)
                self.in_order = True
            lines = [*([] if outside else [alloca]), *lines, f"{after} = affine.load {first}",
                     self.store(after, array, place)]
        return lines

    def nest(self, number):
        loops = list(self.counts)
        self.in_order = False  # rounds share memory
        inner = loops.pop() if self.rng.random() < 0.5 else None
        if inner:
            lines = self.reduction(loops, inner, f"o{number}")
        else:
            lines = self.elementwise(loops, f"o{number}")
        for loop in reversed(loops):
            count = self.counts[loop]
            head = f"affine.for %{loop} = 0 to {count}"
            if not self.in_order and self.rng.random() < 0.5:
                head = f"affine.parallel (%{loop}) = (0) to ({count})"
            lines = [head + " {", *("  " + line for line in lines), "}"]
        return lines

    def program(self):
        lines = [line for number in range(self.rng.choice([1, 1, 2, 3])) for line in self.nest(number)]
        zero, two = ("0.0", "2.0") if self.is_float else ("0", "2")
        text = "\n".join(["  " + line for line in [f"%zero = arith.constant {zero} : {self.element}",
                                                     f"%two = arith.constant {two} : {self.element}",
                                                     *self.stack, *lines]])
        types = {array: f"memref<{'x'.join(map(str, shape))}x{self.element}>" for array, shape in self.shapes.items()}
        for array, type_ in types.items():
            text = text.replace(f"@{array}@", type_)
        arguments = ", ".join(f"%{array}: {type_}" for array, type_ in types.items())
        return f"func.func @main({arguments}) {{\n{text}\n  return\n}}\n"


def generate(seed):
    return Writer(seed).program()


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    print(generate(int(sys.argv[1])), end="")
