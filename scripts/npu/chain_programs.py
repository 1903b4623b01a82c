"""Random products of matrices with elementwise ops after them, as linalg on memrefs.

generate(seed) is the text of a program: a product in one of the layouts of linalg, of 8 to 200 a side, then up to
three ops that add a row, a column or a matrix, clamp, scale, shift, convert, in place or into other memory. Some
keep a result between them for the host, some come in another order of dimensions. What all of it computes is said by
the program alone.
"""
import random

# operands, sums that the program asks for
TYPES = [("i8", "i32"), ("i8", "i32"), ("i8", "i8"), ("i8", "i16"), ("i16", "i32"), ("i16", "i16"), ("i32", "i32"),
         ("bf16", "f32"), ("bf16", "bf16"), ("f32", "f32")]
BITS = {"i8": 8, "i16": 16, "i32": 32, "bf16": 16, "f32": 32}


def is_float(element):
    return element in ("bf16", "f32")


class Program:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.arguments, self.lines, self.names = [], [], 0

    def name(self):
        self.names += 1
        return f"%v{self.names}"

    def memref(self, shape, element):
        return f"memref<{'x'.join(map(str, shape))}x{element}>"

    def argument(self, shape, element):
        name = f"%a{len(self.arguments)}"
        self.arguments.append(f"{name}: {self.memref(shape, element)}")
        return name

    def local(self, shape, element):
        name = self.name()
        self.lines.append(f"{name} = memref.alloc() : {self.memref(shape, element)}")
        return name

    def constant(self, value, element):
        name = self.name()
        self.lines.append(f"{name} = arith.constant {value} : {element}")
        return name

    def side(self, kind):
        if kind == "odd":
            return self.random.randint(5, 60) * 2
        return self.random.randint(1, 25) * 8

    def dims(self, kind):
        """The dimensions of the result that a row, a column or a matrix has."""
        rank = len(self.shape)
        return {"row": [rank - 1], "column": [rank - 2], "matrix": list(range(rank))}[kind]

    def product(self):
        pick = self.random
        element, sums = pick.choice(TYPES)
        kind = pick.choice(["even", "even", "even", "odd"])
        self.m, self.n, k = self.side(kind), self.side(kind), self.side("even")
        left, right, name = [self.m, k], [k, self.n], "linalg.matmul"
        form = pick.choice(["plain", "plain", "b", "batch"])
        self.shape = [self.m, self.n]
        if form == "b":
            right, name = [self.n, k], "linalg.matmul_transpose_b"
        if form == "batch":
            batch = pick.randint(2, 3)
            left, right, name = [batch, *left], [batch, *right], "linalg.batch_matmul"
            self.shape = [batch, *self.shape]
        a, b = self.argument(left, element), self.argument(right, element)
        self.element, self.is_last_local = sums, pick.random() < 0.7
        self.value = (self.local if self.is_last_local else self.argument)(self.shape, sums)
        output = f"outs({self.value} : {self.memref(self.shape, sums)})"
        begin = pick.choice(["zero", "zero", "zero", "row", "matrix", "column"])
        if begin == "zero":
            zero = self.constant("0.0" if is_float(sums) else "0", sums)
            self.lines.append(f"linalg.fill ins({zero} : {sums}) {output}")
        else:
            dims = self.dims(begin)
            shape = [self.shape[i] for i in dims]
            self.generic([(self.argument(shape, sums), shape, sums, dims)], self.value, sums,
                         lambda names, old: [f"linalg.yield {names[0]} : {sums}"])
        self.lines.append(f"{name} ins({a}, {b} : {self.memref(left, element)}, {self.memref(right, element)}) {output}")

    def generic(self, inputs, target, element, body):
        """`inputs`: name, shape, element, dimensions. The body gets their names and may yield anything."""
        rank = len(self.shape)
        loops = ", ".join(f"d{i}" for i in range(rank))
        maps = [f"affine_map<({loops}) -> ({', '.join(f'd{i}' for i in dims)})>" for _, _, _, dims in inputs]
        maps.append(f"affine_map<({loops}) -> ({loops})>")
        names = [self.name() for _ in inputs]
        args = ", ".join(f"{name}: {kind}" for name, (_, _, kind, _) in zip(names, inputs))
        old = self.name()
        kinds = ", ".join(['"parallel"'] * rank)
        self.lines.append(f"linalg.generic {{indexing_maps = [{', '.join(maps)}], iterator_types = [{kinds}]}}")
        if inputs:
            self.lines.append("  ins(" + ", ".join(name for name, _, _, _ in inputs) + " : "
                              + ", ".join(self.memref(shape, kind) for _, shape, kind, _ in inputs) + ")")
        self.lines.append(f"  outs({target} : {self.memref(self.shape, element)}) {{")
        self.lines.append(f"^bb0({args}{', ' if args else ''}{old}: {element}):")
        self.lines += ["  " + line for line in body(names, old)]
        self.lines.append("}")

    def follower(self, is_last):
        pick, rank = self.random, len(self.shape)
        every = list(range(rank))
        kind = pick.choice(["row", "row", "column", "matrix", "clamp", "scale", "convert"])
        result = self.element
        if kind == "convert":
            smaller = {"i32": ["i8", "i16"], "i16": ["i8"], "f32": ["bf16"]}.get(self.element)
            if not smaller:
                kind = "clamp"
            else:
                result = pick.choice(smaller)
        other = None
        if kind in ("row", "column", "matrix"):
            dims = self.dims(kind)
            shape = [self.shape[i] for i in dims]
            other = (self.argument(shape, self.element), shape, self.element, dims)
        in_place = result == self.element and pick.random() < 0.4 and not (is_last and self.is_last_local)
        target = self.value if in_place else None
        if not in_place:
            keeps_local = not is_last and pick.random() < 0.7
            target = (self.local if keeps_local else self.argument)(self.shape, result)
            is_local = keeps_local
        else:
            is_local = self.is_last_local
        own = (self.value, self.shape, self.element, every)
        inputs = ([] if in_place else [own]) + ([other] if other else [])
        suffix = "f" if is_float(self.element) else "i"

        def body(names, old):
            mine = old if in_place else names[0]
            out = self.name()
            if other:
                yield f"{out} = arith.add{suffix} {mine}, {names[-1]} : {self.element}"
            elif kind == "scale":
                factor = self.name()
                yield f"{factor} = arith.constant {'0.5' if suffix == 'f' else '3'} : {self.element}"
                yield f"{out} = arith.mul{suffix} {mine}, {factor} : {self.element}"
            elif kind == "convert" and suffix == "f":
                yield f"{out} = arith.truncf {mine} : {self.element} to {result}"
            elif kind == "convert":
                shift, least, most, low, high = (self.name() for _ in range(5))
                shifted = self.name()
                bound = 2 ** (BITS[result] - 1)
                yield f"{shift} = arith.constant {pick_shift} : {self.element}"
                yield f"{least} = arith.constant {-bound} : {self.element}"
                yield f"{most} = arith.constant {bound - 1} : {self.element}"
                yield f"{shifted} = arith.shrsi {mine}, {shift} : {self.element}"
                yield f"{low} = arith.maxsi {shifted}, {least} : {self.element}"
                yield f"{high} = arith.minsi {low}, {most} : {self.element}"
                yield f"{out} = arith.trunci {high} : {self.element} to {result}"
            else:
                zero = self.name()
                yield f"{zero} = arith.constant {'0.0' if suffix == 'f' else '0'} : {self.element}"
                yield f"{out} = arith.max{'imumf' if suffix == 'f' else 'si'} {mine}, {zero} : {self.element}"
            yield f"linalg.yield {out} : {result}"

        pick_shift = pick.randint(1, 7)
        self.generic(inputs, target, result, body)
        self.value, self.element, self.is_last_local = target, result, is_local

    def text(self):
        self.product()
        count = self.random.randint(0, 3)
        if self.is_last_local:
            count = max(1, count)
        for i in range(count):
            self.follower(i + 1 == count)
        body = "\n".join("  " + line for line in self.lines)
        return f"func.func @main({', '.join(self.arguments)}) {{\n{body}\n  return\n}}\n"


def generate(seed):
    return Program(seed).text()


if __name__ == "__main__":
    import sys
    print(generate(int(sys.argv[1])), end="")
