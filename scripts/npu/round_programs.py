#!/usr/bin/env python3
"""Random loops around work that no linalg op says; the rounds of most do not need each other.

usage: round_programs.py SEED      (prints the program of this number)

A loop over rows (scf.for, affine.for, scf.parallel, affine.parallel) around running sums, recurrences in place, tables, histograms, sorts,
rows of scratch memory, triangles, conditions, butterflies, quotients of indices, and searches that end early, or over all elements, with its variable divided or values carried on; of integers
and floats, on arrays of one to three dimensions, from any row on and over every second one.
scripts/prove_npu.py --rounds N runs N.
"""
import random
import sys


class Writer:
    def __init__(self, seed):
        rng = self.rng = random.Random(seed)
        self.element = rng.choice(["i8", "i16", "i32", "i32", "f32"])
        self.rows = rng.choice([rng.randint(2, 20), rng.randint(8, 100), 64])
        self.columns = rng.choice([4 * rng.randint(1, 20), 4 * rng.randint(1, 60), rng.randint(2, 70)])
        self.step = rng.choice([1, 1, 1, 2])
        self.first = rng.choice([0, 0, 0, 1, 4])
        self.isFlat = self.step == 1 and rng.random() < 0.2
        self.lines = []
        self.numbers = 0

    def size(self):
        """Rows of an array."""
        return self.first + self.step * self.rows + self.rng.choice([0, 0, 1, 3])

    def new(self):
        self.numbers += 1
        return f"%v{self.numbers}"

    def add(self, text):
        """A line with a new value, which it returns."""
        name = self.new()
        self.lines.append(f"{name} = {text}")
        return name

    def say(self, text):
        self.lines.append(text)

    def index(self, value):
        return self.add(f"arith.constant {value} : index")

    def number(self, value):
        text = f"{value}.0" if self.element == "f32" else str(value)
        return self.add(f"arith.constant {text} : {self.element}")

    def op(self, name, a, b):
        return self.add(f"arith.{name}{'f' if self.element == 'f32' else 'i'} {a}, {b} : {self.element}")

    def less(self, a, b):
        kind = "cmpf olt" if self.element == "f32" else "cmpi slt"
        return self.add(f"arith.{kind}, {a}, {b} : {self.element}")

    def array(self, name):
        """Type of an argument with rows."""
        return f"memref<{self.heights[name] * self.columns}x{self.element}>" if self.isFlat else \
            f"memref<{self.heights[name]}x{self.columns}x{self.element}>"

    def place(self, row, column):
        if not self.isFlat:
            return f"{row}, {column}"
        scaled = self.add(f"arith.muli {row}, %width : index")
        return self.add(f"arith.addi {scaled}, {column} : index")

    def load(self, name, row, column):
        place = self.place(row, column)
        return self.add(f"memref.load %{name}[{place}] : {self.array(name)}")

    def store(self, value, name, row, column):
        place = self.place(row, column)
        self.say(f"memref.store {value}, %{name}[{place}] : {self.array(name)}")

    def loop(self, low, high, body, carried=None):
        """An inner loop; `body(variable, carried)` returns what is carried on."""
        low, high, one = (bound if isinstance(bound, str) else self.index(bound) for bound in (low, high, 1))
        variable = self.new()
        if carried is None:
            self.say(f"scf.for {variable} = {low} to {high} step {one} {{")
            body(variable, None)
            self.say("}")
            return None
        inside, result = self.new(), self.new()
        self.say(f"{result} = scf.for {variable} = {low} to {high} step {one} iter_args({inside} = {carried}) -> ({self.element}) {{")
        self.say(f"scf.yield {body(variable, inside)} : {self.element}")
        self.say("}")
        return result

    def low_bits(self, value, mask):
        """An index from 0 to `mask`."""
        if self.element == "f32":
            value = self.add(f"arith.bitcast {value} : f32 to i32")
            bits = self.add(f"arith.constant {mask} : i32")
            value = self.add(f"arith.andi {value}, {bits} : i32")
            return self.add(f"arith.index_cast {value} : i32 to index")
        bits = self.number(mask)
        value = self.add(f"arith.andi {value}, {bits} : {self.element}")
        return self.add(f"arith.index_cast {value} : {self.element} to index")

    # What a round does with its row.

    def running(self, row):
        def body(column, total):
            total = self.op(self.rng.choice(["add", "sub"]), total, self.load("a", row, column))
            self.store(total, "b", row, column)
            return total
        self.loop(0, self.columns, body, self.number(0))

    def recurrence(self, row):
        def body(column, _):
            one = self.index(1)
            before = self.add(f"arith.subi {column}, {one} : index")
            self.store(self.op("add", self.load("b", row, before), self.load("a", row, column)), "b", row, column)
        self.loop(1, self.columns, body)

    def table(self, row):
        def body(column, _):
            at = self.low_bits(self.load("a", row, column), 15)
            value = self.add(f"memref.load %t[{at}] : memref<16x{self.element}>")
            self.store(value, "b", row, column)
        self.loop(0, self.columns, body)

    def histogram(self, row):
        most = 1
        while 2 * most <= self.columns:
            most *= 2
        def body(column, _):
            at = self.low_bits(self.load("a", row, column), most - 1)
            self.store(self.op("add", self.load("b", row, at), self.number(1)), "b", row, at)
        self.loop(0, self.columns, body)

    def sort(self, row):
        def passes(_, __):
            def body(column, ___):
                one = self.index(1)
                after = self.add(f"arith.addi {column}, {one} : index")
                a, b = self.load("b", row, column), self.load("b", row, after)
                is_less = self.less(b, a)
                self.store(self.add(f"arith.select {is_less}, {b}, {a} : {self.element}"), "b", row, column)
                self.store(self.add(f"arith.select {is_less}, {a}, {b} : {self.element}"), "b", row, after)
            self.loop(0, self.columns - 1, body)
        self.loop(0, self.rng.randint(1, 4), passes)

    def scratch(self, row):
        kind = f"memref<{self.columns}x{self.element}>"
        memory = self.add(f"memref.{self.rng.choice(['alloca', 'alloc'])}() : {kind}")
        isFreed = "alloc()" in self.lines[-1]
        def fill(column, total):
            total = self.op("add", total, self.load("a", row, column))
            self.say(f"memref.store {total}, {memory}[{column}] : {kind}")
            return total
        total = self.loop(0, self.columns, fill, self.number(1))
        def drain(column, _):
            last = self.index(self.columns - 1)
            turned = self.add(f"arith.subi {last}, {column} : index")
            value = self.add(f"memref.load {memory}[{turned}] : {kind}")
            self.store(self.op("sub", total, value), "b", row, column)
        self.loop(0, self.columns, drain)
        if isFreed:
            self.say(f"memref.dealloc {memory} : {kind}")

    def triangle(self, row):
        def body(column, _):
            def inner(other, total):
                return self.op("add", total, self.load("a", row, other))
            one = self.index(1)
            end = self.add(f"arith.addi {column}, {one} : index")
            self.store(self.loop(0, end, inner, self.number(0)), "b", row, column)
        self.loop(0, min(self.columns, 16), body)

    def condition(self, row):
        def body(column, _):
            a, b = self.load("a", row, column), self.load("b", row, column)
            self.say(f"scf.if {self.less(a, b)} {{")
            self.store(self.op("add", a, b), "b", row, column)
            if self.rng.random() < 0.5:
                self.say("} else {")
                self.store(self.number(3), "b", row, column)
            self.say("}")
        self.loop(0, self.columns, body)

    def butterfly(self, row):
        half = self.columns // 2
        def body(column, _):
            there = self.add(f"arith.addi {column}, {self.index(half)} : index")
            a, b = self.load("b", row, column), self.load("b", row, there)
            self.store(self.op("add", a, b), "b", row, column)
            self.store(self.op("sub", a, b), "b", row, there)
        self.loop(0, half, body)

    def quotient(self, row):
        by = self.rng.choice([2, 3, 4])
        def body(column, _):
            divisor = self.index(by)
            a = self.add(f"arith.{self.rng.choice(['divui', 'divsi', 'remui', 'floordivsi'])} {column}, {divisor} : index")
            self.store(self.load("a", row, a), "b", row, column)
        self.loop(0, self.columns, body)

    def search(self, row):
        zero = self.index(0)
        at, inside, after = self.new(), self.new(), self.new()
        self.say(f"{at} = scf.while ({inside} = {zero}) : (index) -> index {{")
        last = self.index(self.columns - 1)
        more = self.add(f"arith.cmpi ult, {inside}, {last} : index")
        small = self.less(self.load("a", row, inside), self.number(2))
        both = self.add(f"arith.andi {more}, {small} : i1")
        self.say(f"scf.condition({both}) {inside} : index")
        self.say("} do {")
        self.say(f"^bb0({after}: index):")
        one = self.index(1)
        self.say(f"scf.yield {self.add(f'arith.addi {after}, {one} : index')} : index")
        self.say("}")
        self.store(self.load("a", row, at), "b", row, at)

    def counted(self, row):
        """Rounds need each other: they count in one table."""
        table = f"memref<16x{self.element}>"
        def body(column, _):
            at = self.low_bits(self.load("a", row, column), 15)
            count = self.op("add", self.add(f"memref.load %t[{at}] : {table}"), self.number(1))
            self.say(f"memref.store {count}, %t[{at}] : {table}")
            self.store(count, "b", row, column)
        self.loop(0, self.columns, body)

    def flattened(self):
        """All elements by one loop, whose variable is divided: along rows or columns, by one divisor or by two."""
        self.isFlat, self.first, self.step = False, 0, 1
        self.heights = {name: self.rows for name in "ab"}
        count = self.rows * self.columns
        form = self.rng.choice(["scf.for", "scf.parallel", "affine.for", "affine.parallel"])
        by = self.rng.choice([self.columns, self.rows])
        half = by // 2 if by % 2 == 0 and by > 2 and self.rng.random() < 0.3 else 0
        if form.startswith("affine"):
            inner = f"%t mod {by}"
            if half:
                inner = f"((%t floordiv {half}) mod 2) * {half} + %t mod {half}"
            places = [f"%t floordiv {by}", inner]
            loop = f"affine.for %t = 0 to {count} {{" if form == "affine.for" else f"affine.parallel (%t) = (0) to ({count}) {{"
            self.say(loop)
        else:
            low, high, step = self.index(0), self.index(count), self.index(1)
            self.say(f"scf.for %t = {low} to {high} step {step} {{" if form == "scf.for" else
                     f"scf.parallel (%t) = ({low}) to ({high}) step ({step}) {{")
            divide = self.rng.choice(["divui", "divsi", "floordivsi"])
            rest = "remui" if divide == "divui" else "remsi"
            divisor = self.index(by)
            places = [self.add(f"arith.{divide} %t, {divisor} : index"), self.add(f"arith.{rest} %t, {divisor} : index")]
        if by == self.rows and by != self.columns:
            places.reverse()
        access = "affine" if form.startswith("affine") else "memref"
        place = ", ".join(places)
        value = self.add(f"{access}.load %a[{place}] : {self.array('a')}")
        if self.rng.random() < 0.5:
            value = self.op("add", value, self.add(f"{access}.load %b[{place}] : {self.array('b')}"))
        self.say(f"{access}.store {value}, %b[{place}] : {self.array('b')}")
        self.say("}")
        body = "\n".join("  " + line for line in self.lines)
        return (f"// flattened, {form}\n"
                f"func.func @main(%a: {self.array('a')}, %b: {self.array('b')}) {{\n{body}\n  return\n}}\n")

    def carried(self):
        """A long vector, from whose elements a loop carries values on."""
        length = self.rng.choice([64, 1000, 4096, 20000, 32768, 30030])
        vector = f"memref<{length}x{self.element}>"
        count = self.rng.choice([1, 2])
        starts = [self.number(self.rng.randint(0, 3)) for _ in range(count)]
        inside = [self.new() for _ in starts]
        types = ", ".join([self.element] * count)
        arguments = ", ".join(f"{name} = {start}" for name, start in zip(inside, starts))
        form = self.rng.choice(["scf.for", "affine.for"])
        if form == "scf.for":
            low, high, step = self.index(0), self.index(length), self.index(1)
            head = f"scf.for %t = {low} to {high} step {step}"
        else:
            head = f"affine.for %t = 0 to {length}"
        self.say(f"%last{':2' if count == 2 else ''} = {head} iter_args({arguments}) -> ({types}) {{")
        value = self.add(f"memref.load %a[%t] : {vector}")
        total = self.op(self.rng.choice(["add", "sub"]), inside[0], value)
        on = [total]
        if count == 2:
            less = self.less(inside[1], value)
            on.append(self.add(f"arith.select {less}, {value}, {inside[1]} : {self.element}"))
            total = self.op("sub", total, on[1])
        self.say(f"memref.store {total}, %b[%t] : {vector}")
        self.say(f"{form[:-4]}.yield {', '.join(on)} : {types}")
        self.say("}")
        body = "\n".join("  " + line for line in self.lines)
        return f"// carried, {form}\nfunc.func @main(%a: {vector}, %b: {vector}) {{\n{body}\n  return\n}}\n"

    def program(self):
        choice = self.rng.random()
        if choice < 0.2:
            return self.flattened()
        if choice < 0.3:
            return self.carried()
        kinds = [self.running, self.recurrence, self.table, self.histogram, self.sort, self.scratch, self.triangle,
                 self.condition, self.butterfly, self.quotient, self.search, self.counted]
        kind = self.rng.choice(kinds)
        if kind == self.counted:
            self.rows *= self.rng.choice([1, 2, 4])
        self.heights = {"a": self.size(), "b": self.size()}
        last = self.first + self.step * self.rows
        forms = ["scf.for", "affine.for", "scf.parallel", "affine.parallel"]
        form = self.rng.choice(forms[:2] if kind == self.counted else forms)
        if form.startswith("scf"):
            low, high, step = self.index(self.first), self.index(last), self.index(self.step)
            open_ = (f"scf.for %i = {low} to {high} step {step} {{" if form == "scf.for" else
                     f"scf.parallel (%i) = ({low}) to ({high}) step ({step}) {{")
        elif form == "affine.for":
            open_ = f"affine.for %i = {self.first} to {last} step {self.step} {{"
        else:
            open_ = f"affine.parallel (%i) = ({self.first}) to ({last}) step ({self.step}) {{"
        self.say(f"%width = arith.constant {self.columns} : index")
        self.say(open_)
        kind("%i")
        self.say("}")
        body = "\n".join("  " + line for line in self.lines)
        return (f"// {kind.__name__}, {form}\n"
                f"func.func @main(%a: {self.array('a')}, %b: {self.array('b')}, %t: memref<16x{self.element}>) {{\n"
                f"{body}\n  return\n}}\n")


def generate(seed):
    return Writer(seed).program()


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    print(generate(int(sys.argv[1])), end="")
