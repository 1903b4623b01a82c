#!/usr/bin/env python3
"""Random kernels of floats: chains of arithmetic and functions, conversions, and rows that are combined.

usage: float_programs.py SEED      (prints the program of this number)

A program is one to three linalg ops on f32 and bf16, with sizes from 1 to 130 and at most 8,192 numbers: elementwise
ones with operands of the same shape, of a row or of a column, and sums and extremes over rows or columns.
scripts/prove_npu.py --floats N runs N.
"""
import random
import sys

MOST = 8192  # numbers of a matrix
UNARY = ["math.exp", "math.tanh", "math.erf", "math.sqrt", "math.rsqrt", "math.absf", "arith.negf"]
BINARY = ["arith.addf", "arith.subf", "arith.mulf", "arith.divf", "arith.maximumf", "arith.minimumf", "arith.maxnumf",
          "arith.minnumf"]
PREDICATES = ["olt", "ogt", "ole", "oge", "oeq", "une"]
COMBINERS = ["arith.addf", "arith.maximumf", "arith.minnumf"]
MAPS = {"ij": "affine_map<(i, j) -> (i, j)>", "i": "affine_map<(i, j) -> (i)>", "j": "affine_map<(i, j) -> (j)>"}


class Body:
    """The body of an op: values by type, and their lines."""

    def __init__(self, rng, arguments):
        self.rng, self.values, self.lines = rng, dict(arguments), []

    def of(self, element):
        found = [name for name, type in self.values.items() if type == element]
        return self.rng.choice(found) if found else self.converted(element)

    def add(self, element, text):
        name = f"%v{len(self.lines)}"
        self.lines.append(f"      {name} = {text}")
        self.values[name] = element
        return name

    def converted(self, element):
        op, other = ("arith.extf", "bf16") if element == "f32" else ("arith.truncf", "f32")
        name = self.rng.choice([name for name, type in self.values.items() if type == other])
        return self.add(element, f"{op} {name} : {other} to {element}")

    def step(self):
        element = self.rng.choice(["f32", "f32", "bf16"])
        kind = self.rng.random()
        if kind < 0.3:
            return self.add(element, f"{self.rng.choice(UNARY)} {self.of(element)} : {element}")
        if kind < 0.4:
            number = self.rng.choice(["0.0", "0.5", "-1.0", "2.718281828", "0.1"])
            constant = self.add(element, f"arith.constant {number} : {element}")
            return self.add(element, f"{self.rng.choice(BINARY[:3])} {constant}, {self.of(element)} : {element}")
        if kind < 0.5:
            a, b = self.of(element), self.of(element)
            test = self.add("i1", f"arith.cmpf {self.rng.choice(PREDICATES)}, {a}, {b} : {element}")
            return self.add(element, f"arith.select {test}, {b}, {a} : {element}")
        return self.add(element, f"{self.rng.choice(BINARY)} {self.of(element)}, {self.of(element)} : {element}")

    def result(self, element):
        last = [name for name, type in self.values.items() if type == element]
        return last[-1] if last else self.converted(element)


def shape_of(name, rows, columns):
    return [{"i": rows, "j": columns}[letter] for letter in name]


def memref(shape, element):
    return f"memref<{'x'.join(map(str, shape))}x{element}>"


def size(rng):
    return rng.choice([rng.randint(1, 130), 8 * rng.randint(1, 16), rng.choice([16, 32, 64, 128])])


def generate(seed):
    rng = random.Random(seed)
    while True:
        rows, columns = size(rng), size(rng)
        if rows * columns <= MOST:
            break
    arguments, ops = [], []
    for number in range(rng.randint(1, 2)):
        reduces = rng.random() < 0.4
        names = ["ij"] + [rng.choice(["ij", "i", "j"]) for _ in range(rng.randint(0, 2))]
        kept = rng.choice(["i", "j"]) if reduces else "ij"
        inputs = [(name, rng.choice(["f32", "f32", "bf16"])) for name in names]
        total = "f32" if reduces else rng.choice(["f32", "bf16"])
        body = Body(rng, [(f"%x{i}", element) for i, (_, element) in enumerate(inputs)])
        for _ in range(rng.randint(1, 5)):
            body.step()
        value = body.result(total)
        if reduces:
            body.lines.append(f"      %sum = {rng.choice(COMBINERS)} {value}, %out : {total}")
            value = "%sum"
        first = len(arguments)
        arguments += [memref(shape_of(name, rows, columns), element) for name, element in inputs]
        arguments.append(memref(shape_of(kept, rows, columns), total))
        operands = [f"%a{first + i}" for i in range(len(inputs))]
        iterators = ", ".join('"parallel"' if letter in kept else '"reduction"' for letter in "ij")
        block = ", ".join([f"%x{i}: {element}" for i, (_, element) in enumerate(inputs)] + [f"%out: {total}"])
        ops.append(f"""  linalg.generic {{indexing_maps = [{', '.join(MAPS[name] for name in names + [kept])}], iterator_types = [{iterators}]}}
      ins({', '.join(operands)} : {', '.join(arguments[first:-1])}) outs(%a{len(arguments) - 1} : {arguments[-1]}) {{
    ^bb0({block}):
{chr(10).join(body.lines)}
      linalg.yield {value} : {total}
  }}""")
    listed = ", ".join(f"%a{i}: {type}" for i, type in enumerate(arguments))
    return f"func.func @main({listed}) {{\n{chr(10).join(ops)}\n  return\n}}\n"


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    print(generate(int(sys.argv[1])), end="")
