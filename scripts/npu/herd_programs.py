#!/usr/bin/env python3
"""Random loops in a herd on memory of its core, of elements or of vectors, as people write them.

usage: herd_programs.py SEED      (prints the program of this number)

A core gets %a and %b, and gets and sends %z and %w, all of ROWS x COLUMNS elements. Between that come loops one after the other:
elementwise ops, products, sums along rows and columns, of vectors by vector.load or by views and transfers, with sums that loops
carry, that lie in memory or that are reduced to one element; stores on conditions; and reads of what is stored nearby.
scripts/prove_npu.py --herds N runs N.
"""
import random
import sys

UNARY_FLOAT = ("arith.negf", "math.absf")


class Writer:
    def __init__(self, seed):
        rng = self.rng = random.Random(seed)
        self.element = rng.choice(["i8", "i16", "i32", "i32", "f32", "bf16"])
        self.is_float = self.element[0] != "i"
        self.lanes = rng.choice([4, 8, 16, 16, 32])
        self.rows = rng.choice([1, 3, 4, 8, 16])
        self.columns = self.lanes * rng.choice([1, 2, 3, 4])
        self.lines, self.numbers, self.depth = [], 0, 0
        self.memory = f"memref<{self.rows}x{self.columns}x{self.element}, 2 : i32>"

    # -- Lines --------------------------------------------------------------------------------------------------------

    def say(self, text):
        self.lines.append("      " + "  " * self.depth + text)

    def add(self, text):
        self.numbers += 1
        self.say(f"%v{self.numbers} = {text}")
        return f"%v{self.numbers}"

    def index(self, value):
        return self.add(f"arith.constant {value} : index")

    def number(self, value):
        return self.add(f"arith.constant {value}{'.0' if self.is_float else ''} : {self.element}")

    def vector(self):
        return f"vector<{self.lanes}x{self.element}>"

    def open(self, count, step=1, carried=()):
        """A loop; its variable, and the names of what it carries."""
        low, high, by = self.index(0), self.index(count), self.index(step)
        self.numbers += 1
        name, names = f"%i{self.numbers}", [f"%k{self.numbers}_{n}" for n in range(len(carried))]
        text = f"scf.for {name} = {low} to {high} step {by}"
        if carried:
            pairs = ", ".join(f"{inside} = {init}" for inside, (init, _) in zip(names, carried))
            text = f"%r{self.numbers}:{len(carried)} = {text} iter_args({pairs}) -> ({', '.join(t for _, t in carried)})"
        self.say(text + " {")
        self.depth += 1
        return name, names, f"%r{self.numbers}"

    def open_rows(self):
        """A loop over rows; some wait in it for nothing, so that it is not read as a whole."""
        name = self.open(self.rows)
        if self.rng.random() < 0.3:
            self.say("air.wait_all")
        return name

    def close(self, values=()):
        if values:
            self.say(f"scf.yield {', '.join(v for v, _ in values)} : {', '.join(t for _, t in values)}")
        self.depth -= 1
        self.say("}")

    # -- Values -------------------------------------------------------------------------------------------------------

    def compute(self, values, type_):
        """Some arithmetic on values of a type."""
        suffix = "f" if self.is_float else "i"
        for _ in range(self.rng.randint(1, 3)):
            a, b = self.rng.choice(values), self.rng.choice(values)
            kind = self.rng.randrange(6)
            if kind < 3:
                made = self.add(f"arith.{self.rng.choice(['add', 'sub', 'mul'])}{suffix} {a}, {b} : {type_}")
            elif kind == 3:
                made = self.add(f"arith.{'maximumf' if self.is_float else 'maxsi'} {a}, {b} : {type_}")
            elif kind == 4 and self.is_float:
                made = self.add(f"{self.rng.choice(UNARY_FLOAT)} {a} : {type_}")
            else:
                compare = "cmpf olt" if self.is_float else "cmpi slt"
                mask = self.add(f"arith.{compare}, {a}, {b} : {type_}")
                mask_type = type_.replace(self.element, "i1") if "vector" in type_ else "i1"
                types = f"{mask_type}, {type_}" if "vector" in type_ else type_
                made = self.add(f"arith.select {mask}, {a}, {b} : {types}")
            values = [*values, made]
        return values[-1]

    def load(self, memory, i, j):
        return self.add(f"memref.load {memory}[{i}, {j}] : {self.memory}")

    def view(self, memory, i, j):
        row = f"memref<{self.lanes}x{self.element}, strided<[1], offset: ?>, 2 : i32>"
        return self.add(f"memref.subview {memory}[{i}, {j}] [1, {self.lanes}] [1, 1] : {self.memory} to {row}"), row

    def read(self, memory, i, j):
        kind = self.rng.randrange(3)
        if kind == 0:
            return self.add(f"vector.load {memory}[{i}, {j}] : {self.memory}, {self.vector()}")
        padding = self.number(0)
        if kind == 1:
            inside = self.rng.choice(["{in_bounds = [true]} ", ""])
            return self.add(f"vector.transfer_read {memory}[{i}, {j}], {padding} {inside}: {self.memory}, "
                            f"{self.vector()}")
        part, type_ = self.view(memory, i, j)
        zero = self.index(0)
        return self.add(f"vector.transfer_read {part}[{zero}], {padding} {{in_bounds = [true]}} : {type_}, {self.vector()}")

    def write(self, value, memory, i, j):
        kind = self.rng.randrange(3)
        if kind == 0:
            return self.say(f"vector.store {value}, {memory}[{i}, {j}] : {self.memory}, {self.vector()}")
        if kind == 1:
            return self.say(f"vector.transfer_write {value}, {memory}[{i}, {j}] {{in_bounds = [true]}} : {self.vector()}, "
                            f"{self.memory}")
        part, type_ = self.view(memory, i, j)
        zero = self.index(0)
        self.say(f"vector.transfer_write {value}, {part}[{zero}] {{in_bounds = [true]}} : {self.vector()}, {type_}")

    def source(self):
        return self.rng.choice(["%a", "%b", "%a", "%b", "%z", "%w"])

    def sink(self):
        return self.rng.choice(["%z", "%z", "%w"])

    # -- Loops --------------------------------------------------------------------------------------------------------

    def elements(self):
        """Elementwise, maybe on a condition, maybe of an element nearby."""
        near = self.rng.random() < 0.3 and self.columns > 2
        i, _, _ = self.open_rows()
        j, _, _ = self.open(self.columns - (1 if near else 0))
        at = self.add(f"arith.addi {j}, {self.index(1)} : index") if near else j
        values = [self.load(self.source(), i, j), self.load(self.source(), i, at), self.number(self.rng.randint(1, 5))]
        result, target = self.compute(values, self.element), self.sink()
        place = at if near and self.rng.random() < 0.3 else j
        if self.rng.random() < 0.25:
            compare = "cmpf olt" if self.is_float else "cmpi slt"
            self.say(f"%q{self.numbers} = arith.{compare}, {values[0]}, {values[1]} : {self.element}")
            self.say(f"scf.if %q{self.numbers} {{")
            self.say(f"  memref.store {result}, {target}[{i}, {place}] : {self.memory}")
            self.say("}")
        else:
            self.say(f"memref.store {result}, {target}[{i}, {place}] : {self.memory}")
        self.close()
        self.close()

    def vectors(self):
        """The same of vectors, maybe with one that was just stored."""
        i, _, _ = self.open_rows()
        j, _, _ = self.open(self.columns, self.lanes)
        values = [self.read(self.source(), i, j), self.read(self.source(), i, j)]
        if self.rng.random() < 0.5:
            values.append(self.add(f"vector.broadcast {self.number(self.rng.randint(1, 5))} : {self.element} to "
                                   f"{self.vector()}"))
        result, target = self.compute(values, self.vector()), self.sink()
        self.write(result, target, i, j)
        if self.rng.random() < 0.4:
            again = self.read(target, i, j)
            self.write(self.compute([again, *values], self.vector()), self.sink(), i, j)
        self.close()
        self.close()

    def sums(self):
        """Of rows, by a number or a vector that the loop carries; the sum of the lanes comes last."""
        add = f"arith.{self.rng.choice(['add', 'add', 'maximum' if self.is_float else 'maxs'])}" + \
            ("f" if self.is_float else "i")
        i, _, _ = self.open_rows()
        first = self.number(0)
        zero = self.index(0)
        if self.rng.random() < 0.5:
            j, carried, result = self.open(self.columns, 1, [(first, self.element)])
            value = self.compute([self.load(self.source(), i, j), self.load("%a", i, j)], self.element)
            self.close([(self.add(f"{add} {carried[0]}, {value} : {self.element}"), self.element)])
            total = result + "#0"
        else:
            start = self.add(f"vector.broadcast {first} : {self.element} to {self.vector()}")
            j, carried, result = self.open(self.columns, self.lanes, [(start, self.vector())])
            value = self.compute([self.read(self.source(), i, j), self.read("%b", i, j)], self.vector())
            self.close([(self.add(f"{add} {carried[0]}, {value} : {self.vector()}"), self.vector())])
            kind = "add" if "add" in add else "maximumf" if self.is_float else "maxsi"
            total = self.add(f"vector.reduction <{kind}>, {result}#0 : {self.vector()} into {self.element}")
        self.say(f"memref.store {total}, {self.sink()}[{i}, {zero}] : {self.memory}")
        self.close()

    def columns_of(self):
        """Sums of columns in the first row of memory, by vectors or elements."""
        zero, target = self.index(0), self.sink()
        add = "arith.addf" if self.is_float else "arith.addi"
        i, _, _ = self.open_rows()
        if self.rng.random() < 0.5:
            j, _, _ = self.open(self.columns, self.lanes)
            total = self.add(f"{add} {self.read(target, zero, j)}, {self.read(self.source(), i, j)} : {self.vector()}")
            self.write(total, target, zero, j)
        else:
            j, _, _ = self.open(self.columns)
            total = self.add(f"{add} {self.load(target, zero, j)}, {self.load(self.source(), i, j)} : {self.element}")
            self.say(f"memref.store {total}, {target}[{zero}, {j}] : {self.memory}")
        self.close()
        self.close()

    def scaled(self):
        """Rows times a sum of their vectors."""
        i, _, _ = self.open_rows()
        zero = self.index(0)
        kind = "add" if self.rng.random() < 0.7 else "maximumf" if self.is_float else "maxsi"
        total = self.add(f"vector.reduction <{kind}>, {self.read('%a', i, zero)} : {self.vector()} into {self.element}")
        factor = self.add(f"vector.broadcast {total} : {self.element} to {self.vector()}")
        j, _, _ = self.open(self.columns, self.lanes)
        self.write(self.compute([factor, self.read(self.source(), i, j)], self.vector()), self.sink(), i, j)
        self.close()
        self.close()

    def product(self):
        """z[i, j] += a[i, k] * b[k, j], as far as there are rows of b."""
        size = min(self.rows, self.columns)
        mul, add = ("arith.mulf", "arith.addf") if self.is_float else ("arith.muli", "arith.addi")
        i, _, _ = self.open_rows()
        j, _, _ = self.open(self.columns)
        k, _, _ = self.open(size)
        part = self.add(f"{mul} {self.load('%a', i, k)}, {self.load('%b', k, j)} : {self.element}")
        total = self.add(f"{add} {self.load('%z', i, j)}, {part} : {self.element}")
        self.say(f"memref.store {total}, %z[{i}, {j}] : {self.memory}")
        for _ in range(3):
            self.close()

    def contract(self):
        """The same by vectors of several rows, each a product of matrices."""
        size = min(self.rows, self.columns)
        m, k = self.divisor(self.rows), self.divisor(size)
        n = self.divisor(self.columns)
        zero = self.number(0)

        def read(memory, i, j, rows, columns):
            return self.add(f"vector.transfer_read {memory}[{i}, {j}], {zero} {{in_bounds = [true, true]}} : {self.memory}, "
                            f"{matrix(rows, columns)}")

        def matrix(rows, columns):
            return f"vector<{rows}x{columns}x{self.element}>"
        i, _, _ = self.open(self.rows, m)
        j, _, _ = self.open(self.columns, n)
        at, _, _ = self.open(size, k)
        left, right, old = read("%a", i, at, m, k), read("%b", at, j, k, n), read("%z", i, j, m, n)
        maps = ", ".join(f"affine_map<(i, j, k) -> ({dims})>" for dims in ("i, k", "k, j", "i, j"))
        total = self.add(f"vector.contract {{indexing_maps = [{maps}], iterator_types = [\"parallel\", \"parallel\", "
                         f"\"reduction\"], kind = #vector.kind<add>}} {left}, {right}, {old} : {matrix(m, k)}, "
                         f"{matrix(k, n)} into {matrix(m, n)}")
        self.say(f"vector.transfer_write {total}, %z[{i}, {j}] {{in_bounds = [true, true]}} : {matrix(m, n)}, {self.memory}")
        for _ in range(3):
            self.close()

    def divisor(self, size):
        return self.rng.choice([d for d in range(1, min(size, 8) + 1) if size % d == 0])

    def program(self):
        for _ in range(self.rng.randint(1, 4)):
            self.rng.choice([self.elements, self.vectors, self.vectors, self.sums, self.columns_of, self.scaled,
                             self.product, self.contract])()
        body = "\n".join(self.lines)
        outer = f"memref<{self.rows}x{self.columns}x{self.element}>"
        names = ["a", "b", "z", "w"]

        def bound(to, of):
            return ", ".join(f"%{to}{n} = %{of}{n}" for n in names)
        types = ", ".join([outer] * 4)
        moves = "\n".join(f"      %{n} = memref.alloc() : {self.memory}\n"
                          f"      air.dma_memcpy_nd (%{n}[] [] [], %h{n}[] [] []) : ({self.memory}, {outer})" for n in names)
        back = "\n".join(f"      air.dma_memcpy_nd (%h{n}[] [] [], %{n}[] [] []) : ({outer}, {self.memory})"
                         for n in ("z", "w"))
        return (f"func.func @main({', '.join(f'%g{n}: {outer}' for n in names)}) {{\n"
                f"  air.launch () in () args({bound('l', 'g')}) : {types} {{\n"
                f"  air.segment args({bound('s', 'l')}) : {types} {{\n"
                f"    %one = arith.constant 1 : index\n"
                f"    air.herd tile (%tx, %ty) in (%sx = %one, %sy = %one) args({bound('h', 's')}) : {types} {{\n"
                f"{moves}\n{body}\n{back}\n    }}\n  }}\n  }}\n  return\n}}\n")


def generate(seed):
    return Writer(seed).program()


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    print(generate(int(sys.argv[1])), end="")
