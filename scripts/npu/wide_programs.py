#!/usr/bin/env python3
"""Random programs whose cores compute with integers of 64 bits, next to narrower ones.

usage: wide_programs.py SEED      (prints the program of this number)

A program is a herd of one core that reads %a and reads and writes %c, 12 x 32 elements of i64 each, in one function
or two. scripts/prove_npu.py --wide N runs N of them.
"""
import random
import sys

import vector_programs

WIDTHS = (8, 16, 32, 64)
PREDICATES = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
MEMORY = "memref<12x32xi64, 2 : i32>"


class Program:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines, self.count, self.depth = [], 0, 0
        self.pool = {width: [] for width in WIDTHS}

    def fresh(self):
        self.count += 1
        return f"%v{self.count}"

    def emit(self, line):
        self.lines.append("        " + "  " * self.depth + line)

    def any(self, width):
        return self.random.choice(self.pool[width][-8:])

    def make(self, width, text):
        name = self.fresh()
        self.emit(f"{name} = {text}")
        self.pool[width].append(name)
        return name

    def width(self):
        return self.random.choice((64, 64, 64, 8, 16, 32))

    # -- Statements -----------------------------------------------------------------------------------------------

    def binary(self):
        width = self.width()
        op = self.random.choice(["addi", "subi", "muli", "andi", "ori", "xori", "minsi", "maxsi", "minui", "maxui"])
        self.make(width, f"arith.{op} {self.any(width)}, {self.any(width)} : i{width}")

    def divide(self):
        """By what is not 0, and not -1 where that may overflow."""
        some, small = self.any(64), self.random.choice([8, 33, 57, 62])
        shift = self.make(64, f"arith.constant {small} : i64")
        small = self.make(64, f"arith.shrui {some}, {shift} : i64")
        one = self.make(64, "arith.constant 1 : i64")
        divisor = self.make(64, f"arith.ori {small}, {one} : i64")
        if self.random.random() < 0.3:
            far = self.make(64, f"arith.constant {self.random.choice([-3, -1000000007, 1 << 63])} : i64".replace(
                str(1 << 63), str(-(1 << 63))))
            divisor = far
        op = self.random.choice(["divui", "divsi", "remui", "remsi", "floordivsi", "ceildivsi", "ceildivui"])
        self.make(64, f"arith.{op} {self.any(64)}, {divisor} : i64")

    def shift(self):
        width, op = self.width(), self.random.choice(["shli", "shrui", "shrsi"])
        if self.random.random() < 0.5:
            by = self.make(width, f"arith.constant {self.random.randrange(width)} : i{width}")
        else:
            last = self.make(width, f"arith.constant {width - 1} : i{width}")
            by = self.make(width, f"arith.andi {self.any(width)}, {last} : i{width}")
        self.make(width, f"arith.{op} {self.any(width)}, {by} : i{width}")

    def convert(self):
        low, high = sorted(self.random.sample(WIDTHS, 2))
        if self.random.random() < 0.5:
            return self.make(low, f"arith.trunci {self.any(high)} : i{high} to i{low}")
        self.make(high, f"arith.{self.random.choice(['extsi', 'extui'])} {self.any(low)} : i{low} to i{high}")

    def select(self):
        width, other, condition = self.width(), self.width(), self.fresh()
        self.emit(f"{condition} = arith.cmpi {self.random.choice(PREDICATES)}, {self.any(width)}, {self.any(width)} : "
                  f"i{width}")
        if self.random.random() < 0.6 or self.depth > 1:
            return self.make(other, f"arith.select {condition}, {self.any(other)}, {self.any(other)} : i{other}")
        name, result = self.fresh(), self.any(64)
        self.emit(f"{name} = scf.if {condition} -> (i64) {{")
        self.inside(lambda: self.any(64), "i64")
        self.emit("} else {")
        self.emit(f"  scf.yield {result} : i64")
        self.emit("}")
        self.pool[64].append(name)

    def inside(self, value, types):
        kept = {width: list(names) for width, names in self.pool.items()}
        self.depth += 1
        for _ in range(self.random.randint(1, 3)):
            self.statement()
        self.emit(f"scf.yield {value()} : {types}")
        self.depth -= 1
        self.pool = kept

    def unary(self):
        op = self.random.choice(["absi", "ctlz", "cttz", "ctpop"])
        self.make(64, f"math.{op} {self.any(64)} : i64")

    def loop(self):
        if self.depth:
            return
        one, other, name = self.fresh(), self.fresh(), self.fresh()
        self.emit(f"{name}:2 = scf.for {self.fresh()} = %c0 to %c5 step %c1 iter_args({one} = {self.any(64)}, {other} = "
                  f"{self.any(32)}) -> (i64, i32) {{")
        kept = {width: list(names) for width, names in self.pool.items()}
        self.pool[64].append(one)
        self.pool[32].append(other)
        self.inside(lambda: f"{self.any(64)}, {self.any(32)}", "i64, i32")
        self.emit("}")
        self.pool = kept
        self.pool[64].append(f"{name}#0")
        self.pool[32].append(f"{name}#1")

    def load(self):
        at = f"%{self.random.choice('ac')}[%c{self.random.randrange(12)}, %c{self.random.randrange(32)}]"
        self.make(64, f"memref.load {at} : {MEMORY}")

    def store(self):
        at = f"%c[%c{self.random.randrange(12)}, %c{self.random.randrange(32)}]"
        self.emit(f"memref.store {self.any(64)}, {at} : {MEMORY}")

    def float(self):
        """To a float, a quarter of it, and back."""
        element, near, part = self.random.choice(["f32", "bf16"]), self.fresh(), self.fresh()
        self.emit(f"{near} = arith.{self.random.choice(['sitofp', 'uitofp'])} {self.any(64)} : i64 to {element}")
        self.emit(f"{part} = arith.mulf {near}, %quarter_{element} : {element}")
        self.make(64, f"arith.fptosi {part} : {element} to i64")

    def index(self):
        few = self.make(64, "arith.constant 7 : i64")
        some = self.make(64, f"arith.andi {self.any(64)}, {few} : i64")
        place = self.fresh()
        self.emit(f"{place} = arith.index_cast {some} : i64 to index")
        self.make(64, f"memref.load %a[{place}, %c3] : {MEMORY}")
        self.make(64, f"arith.index_cast {place} : index to i64")

    def call(self):
        self.make(64, f"func.call @g({self.any(64)}, {self.any(32)}) : (i64, i32) -> i64")

    def statement(self):
        choices = [self.binary] * 6 + [self.shift] * 3 + [self.convert] * 3 + [self.select] * 2 + [
            self.divide, self.unary, self.loop, self.load, self.load, self.store, self.store, self.index, self.float,
            self.call]
        self.random.choice(choices)()

    def text(self):
        for width in WIDTHS:
            self.make(width, f"arith.constant {self.random.choice([0, 1, -1, 100])} : i{width}")
        self.make(64, f"arith.constant {self.random.getrandbits(63)} : i64")
        for element in ("f32", "bf16"):
            self.emit(f"%quarter_{element} = arith.constant 0.25 : {element}")
        self.load()
        self.load()
        for _ in range(self.random.randint(4, 14)):
            self.statement()
        for _ in range(3):
            self.store()
        return vector_programs.wrapped("\n".join(self.lines), "i64") + """func.func private @g(%x: i64, %n: i32) -> i64 {
  %wide = arith.extsi %n : i32 to i64
  %sum = arith.muli %x, %wide : i64
  %next = arith.xori %sum, %x : i64
  return %next : i64
}
"""


def generate(seed):
    return Program(seed).text()


if __name__ == "__main__":
    print(generate(int(sys.argv[1])), end="")
