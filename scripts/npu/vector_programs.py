#!/usr/bin/env python3
"""Random programs whose cores compute with vectors, of shapes and types that the vector unit has and has not.

usage: vector_programs.py SEED      (prints the program of this number)

A program is a herd of one core with two buffers of 12 x 32 elements in its memory: it reads %a, and reads and
writes %c. scripts/prove_npu.py --vectors N runs N of them.
"""
import random
import sys

ROWS, COLUMNS = 12, 32
INTEGERS, FLOATS = ("i8", "i16", "i32"), ("f32", "bf16")
SHAPES = [(1,), (3,), (5,), (8,), (16,), (32,), (2, 3), (4, 4), (3, 8), (2, 16)]
BINARY = {True: ("arith.addf", "arith.subf", "arith.mulf", "arith.maximumf", "arith.minimumf", "arith.maxnumf"),
          False: ("arith.addi", "arith.subi", "arith.muli", "arith.andi", "arith.ori", "arith.xori", "arith.minsi",
                  "arith.maxui", "arith.maxsi")}
UNARY = {True: ("math.exp", "math.tanh", "math.sqrt", "math.log", "math.floor", "arith.negf", "math.absf", "math.sin"),
         False: ("math.absi", "math.ctpop", "math.ctlz")}
KINDS = {True: ("add", "mul", "maximumf", "minnumf"), False: ("add", "mul", "minsi", "maxui", "and", "xor")}


def vector(shape, element):
    return f"vector<{'x'.join(map(str, shape))}x{element}>"


def product(shape):
    count = 1
    for size in shape:
        count *= size
    return count


class Program:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.element = self.random.choice(INTEGERS + FLOATS)
        self.is_float = self.element in FLOATS
        self.lines, self.count, self.depth = [], 0, 0
        self.vectors, self.scalars = [], []  # (name, shape), name

    def fresh(self):
        self.count += 1
        return f"%v{self.count}"

    def emit(self, line):
        self.lines.append("        " + "  " * self.depth + line)

    def make(self, text, shape):
        """An op with a vector of this shape as its result."""
        name = self.fresh()
        self.emit(f"{name} = {text}")
        self.vectors.append((name, shape))

    def vector_of(self, shape):
        return vector(shape, self.element)

    def pick(self, shape=None):
        """A vector, of this shape; it is read when there is none."""
        fitting = [v for v in self.vectors if shape in (None, v[1])]
        if not fitting or self.random.random() < 0.3:
            self.read(shape or self.random.choice(SHAPES))
            return self.vectors[-1]
        return self.random.choice(fitting)

    def scalar(self):
        return self.random.choice(self.scalars)

    def fits(self, shape):
        rows, columns = (1, *shape)[-2:]
        return rows <= ROWS and columns <= COLUMNS

    def place(self, shape):
        """Constants at which a vector of this shape fits, aligned or not."""
        rows, columns = (1, *shape)[-2:]
        row = self.random.randrange(ROWS - rows + 1)
        column = self.random.choice([0, self.random.randrange(COLUMNS - columns + 1)])
        return f"%c{row}", f"%c{column}"

    # -- Ops ------------------------------------------------------------------------------------------------------

    def read(self, shape):
        memory, kind = self.random.choice(["%a", "%c"]), self.random.randrange(3) if self.fits(shape) else 1
        place = self.place(shape) if kind != 1 else ("%c0", "%c0")
        at, types = f"{memory}[{place[0]}, {place[1]}]", f"memref<{ROWS}x{COLUMNS}x{self.element}, 2 : i32>"
        if kind == 0:
            return self.make(f"vector.load {at} : {types}, {self.vector_of(shape)}", shape)
        if kind == 1:  # may leave the memory
            at = f"{memory}[%c{self.random.randrange(ROWS)}, %c{self.random.randrange(COLUMNS)}]"
        self.make(f"vector.transfer_read {at}, {self.scalar()} : {types}, {self.vector_of(shape)}", shape)

    def write(self):
        (name, shape), memory = self.pick(), "%c"
        types = f"memref<{ROWS}x{COLUMNS}x{self.element}, 2 : i32>"
        if not self.fits(shape) or self.random.random() < 0.4:
            at = f"{memory}[%c{self.random.randrange(ROWS)}, %c{self.random.randrange(COLUMNS)}]"
            return self.emit(f"vector.transfer_write {name}, {at} : {self.vector_of(shape)}, {types}")
        place = self.place(shape)
        self.emit(f"vector.store {name}, {memory}[{place[0]}, {place[1]}] : {types}, {self.vector_of(shape)}")

    def binary(self):
        name, shape = self.pick()
        other = self.pick(shape)[0]
        self.make(f"{self.random.choice(BINARY[self.is_float])} {name}, {other} : {self.vector_of(shape)}", shape)

    def unary(self):
        name, shape = self.pick()
        self.make(f"{self.random.choice(UNARY[self.is_float])} {name} : {self.vector_of(shape)}", shape)

    def select(self):
        name, shape = self.pick()
        other, mask = self.pick(shape)[0], self.fresh()
        compare = "arith.cmpf olt" if self.is_float else "arith.cmpi " + self.random.choice(["slt", "ult", "ne"])
        self.emit(f"{mask} = {compare}, {name}, {other} : {self.vector_of(shape)}")
        if self.random.random() < 0.3:
            mixed = self.fresh()
            self.emit(f"{mixed} = arith.xori {mask}, {mask} : {vector(shape, 'i1')}")
            mask = mixed
        self.make(f"arith.select {mask}, {other}, {self.pick(shape)[0]} : {vector(shape, 'i1')}, "
                  f"{self.vector_of(shape)}", shape)

    def broadcast(self):
        shape = self.random.choice(SHAPES)
        if len(shape) == 2 and self.random.random() < 0.5:
            row = self.pick(shape[1:])[0]
            return self.make(f"vector.broadcast {row} : {self.vector_of(shape[1:])} to {self.vector_of(shape)}",
                             shape)
        self.make(f"vector.broadcast {self.scalar()} : {self.element} to {self.vector_of(shape)}", shape)

    def reshape(self):
        name, shape = self.pick()
        if len(shape) == 2 and self.random.random() < 0.5:
            turned = shape[::-1]
            return self.make(f"vector.transpose {name}, [1, 0] : {self.vector_of(shape)} to "
                             f"{self.vector_of(turned)}", turned)
        flat = (product(shape),) if len(shape) == 2 else (1, *shape)
        self.make(f"vector.shape_cast {name} : {self.vector_of(shape)} to {self.vector_of(flat)}", flat)

    def extract(self):
        name, shape = self.pick()
        position, result = [self.random.randrange(size) for size in shape], self.fresh()
        self.emit(f"{result} = vector.extract {name}{position} : {self.element} from {self.vector_of(shape)}")
        self.scalars.append(result)

    def insert(self):
        name, shape = self.pick()
        position = [self.random.randrange(size) for size in shape]
        self.make(f"vector.insert {self.scalar()}, {name}{position} : {self.element} into {self.vector_of(shape)}",
                  shape)

    def slice(self):
        name, shape = self.pick()
        sizes = [self.random.randint(1, size) for size in shape]
        offsets = [self.random.randint(0, size - part) for size, part in zip(shape, sizes)]
        part = tuple(sizes)
        attributes = f"{{offsets = {offsets}, sizes = {sizes}, strides = {[1] * len(shape)}}}"
        self.make(f"vector.extract_strided_slice {name} {attributes} : {self.vector_of(shape)} to "
                  f"{self.vector_of(part)}", part)
        attributes = f"{{offsets = {offsets}, strides = {[1] * len(shape)}}}"
        self.make(f"vector.insert_strided_slice {self.vectors[-1][0]}, {self.pick(shape)[0]} {attributes} : "
                  f"{self.vector_of(part)} into {self.vector_of(shape)}", shape)

    def shuffle(self):
        name, shape = self.pick((self.random.choice([3, 5, 8, 16]),))
        other = self.pick(shape)[0]
        mask = [self.random.randrange(2 * shape[0]) for _ in range(self.random.randint(1, 6))]
        self.make(f"vector.shuffle {name}, {other} {mask} : {self.vector_of(shape)}, {self.vector_of(shape)}",
                  (len(mask),))

    def reduce(self):
        name, shape = self.pick()
        result, kind = self.fresh(), self.random.choice(KINDS[self.is_float])
        if len(shape) == 1:
            self.emit(f"{result} = vector.reduction <{kind}>, {name} : {self.vector_of(shape)} into {self.element}")
        else:
            self.emit(f"{result} = vector.multi_reduction <{kind}>, {name}, {self.scalar()} [0, 1] : "
                      f"{self.vector_of(shape)} to {self.element}")
        self.scalars.append(result)

    def contract(self):
        m, n, k = (self.random.randint(1, 4) for _ in range(3))
        left, right, start = self.pick((m, k))[0], self.pick((k, n))[0], self.pick((m, n))[0]
        self.make("vector.contract {indexing_maps = [#left, #right, #out], iterator_types = [\"parallel\", "
                  f"\"parallel\", \"reduction\"], kind = #vector.kind<add>}} {left}, {right}, {start} : "
                  f"{self.vector_of((m, k))}, {self.vector_of((k, n))} into {self.vector_of((m, n))}", (m, n))

    def loop(self):
        if self.depth:
            return
        shapes = [self.random.choice(SHAPES) for _ in range(self.random.randint(1, 2))]
        starts = [self.pick(shape)[0] for shape in shapes]
        types = ", ".join(map(self.vector_of, shapes))
        carried, name = [self.fresh() for _ in shapes], self.fresh()
        inits = ", ".join(f"{c} = {s}" for c, s in zip(carried, starts))
        self.emit(f"{name}:{len(shapes)} = scf.for {self.fresh()} = %c0 to %c3 step %c1 iter_args({inits}) -> "
                  f"({types}) {{")
        outside = list(self.vectors), list(self.scalars)
        self.vectors += list(zip(carried, shapes))
        self.depth += 1
        for _ in range(self.random.randint(1, 3)):
            self.step()
        # One of the same shape: the loop may exchange them.
        yielded = ", ".join(self.pick(shape)[0] for shape in shapes)
        self.emit(f"scf.yield {yielded} : {types}")
        self.depth -= 1
        self.emit("}")
        self.vectors, self.scalars = outside
        self.vectors += [(f"{name}#{i}", shape) for i, shape in enumerate(shapes)]

    def step(self):
        steps = [self.binary] * 5 + [self.unary, self.select, self.broadcast, self.reshape, self.extract, self.insert, self.slice,
                                     self.shuffle, self.reduce, self.contract, self.write, self.loop]
        self.random.choice(steps)()

    def text(self):
        zero = "1.5" if self.is_float else "3"
        self.emit(f"%s = memref.load %a[%c1, %c2] : memref<{ROWS}x{COLUMNS}x{self.element}, 2 : i32>")
        self.emit(f"%pad = arith.constant {zero} : {self.element}")
        self.scalars = ["%s", "%pad"]
        for _ in range(self.random.randint(2, 7)):
            self.step()
        for _ in range(self.random.randint(1, 2)):
            self.write()
        self.emit(f"memref.store {self.scalar()}, %c[%c2, %c3] : memref<{ROWS}x{COLUMNS}x{self.element}, 2 : i32>")
        return wrapped("\n".join(self.lines), self.element)


def wrapped(body, element):
    """The body in a herd of one core."""
    host, core = f"memref<{ROWS}x{COLUMNS}x{element}>", f"memref<{ROWS}x{COLUMNS}x{element}, 2 : i32>"
    constants = "\n".join(f"        %c{i} = arith.constant {i} : index" for i in range(COLUMNS))
    types = ", ".join([host] * 2)
    copies = "\n".join(f"        air.dma_memcpy_nd (%{m}[] [] [], %h{m}[] [] []) : ({core}, {host})" for m in "ac")
    buffers = "\n".join(f"        %{m} = memref.alloc() : {core}" for m in "ac")
    frees = "\n".join(f"        memref.dealloc %{m} : {core}" for m in "ac")
    return f"""#left = affine_map<(m, n, k) -> (m, k)>
#right = affine_map<(m, n, k) -> (k, n)>
#out = affine_map<(m, n, k) -> (m, n)>
func.func @main(%arg0: {host}, %arg1: {host}) {{
  %one = arith.constant 1 : index
  air.launch (%lx) in (%ls = %one) args(%la = %arg0, %lc = %arg1) : {types} {{
    air.segment @segment args(%sa = %la, %sc = %lc) : {types} {{
      %single = arith.constant 1 : index
      air.herd @herd tile(%x, %y) in (%nx = %single, %ny = %single) args(%ha = %sa, %hc = %sc) : {types} {{
{constants}
{buffers}
{copies}
{body}
        air.dma_memcpy_nd (%hc[] [] [], %c[] [] []) : ({host}, {core})
{frees}
      }}
    }}
  }}
  return
}}
"""


def generate(seed):
    return Program(seed).text()


if __name__ == "__main__":
    print(generate(int(sys.argv[1])), end="")
