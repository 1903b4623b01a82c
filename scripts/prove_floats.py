#!/usr/bin/env python3
"""How far the float kernels of the NPU are from exact values: each is compiled, run on the simulated array, and compared
with double. Writes or compares docs/npu_floats.md, which has the table.

usage: prove_floats.py [--write] [--quick] [--filter RE] BIN

BIN is the folder of the tools of a build. Functions of one bf16 get all 65,536 of them, other kernels numbers of every
exponent and the range in which they change. An error above the bound that a kernel states, a NaN or an infinity for a
number, or a table that is not that of the page (--write renews it) gives exit code 1. --quick leaves out what takes
seconds to compile; CTest runs it so.
"""
import argparse
import concurrent.futures
import dataclasses
import functools
import math
import os
import pathlib
import random
import re
import struct
import subprocess
import sys
import tempfile
from typing import Callable

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "npu_floats.md"
TINY = 2.0 ** -126  # the least normal number
LARGEST = 3.3895e38  # of bf16; f32 above it is split into pieces that are infinite
COUNT = 65536


# -- Numbers ---------------------------------------------------------------------------------------

def float_of(bits):
    return struct.unpack("<f", struct.pack("<I", bits))[0]


BF16 = [float_of(bits << 16) for bits in range(1 << 16)]
SPECIALS = {"0": 0x00000000, "-0": 0x80000000, "inf": 0x7F800000, "-inf": 0xFF800000, "NaN": 0x7FC00000,
            "2^-130": 0x00080000, "3e38": 0x7F610000, "-3e38": 0xFF610000}


@functools.cache
def numbers(element):
    """All of bf16. Of f32 the specials, 60 of each exponent and sign, and the rest where functions change."""
    if element == "bf16":
        return list(BF16)
    rng = random.Random(1)
    bits = list(SPECIALS.values())
    for exponent in range(1, 255):
        for sign in (0, 1):
            mantissas = [0, 1, 0x7FFFFF] + [rng.getrandbits(23) for _ in range(57)]
            bits += [sign << 31 | exponent << 23 | mantissa for mantissa in mantissas]
    found = [float_of(number) for number in bits]
    return found + [rounded(rng.uniform(-90, 90) if i % 2 else rng.uniform(-6, 6), "f32") for i in range(COUNT - len(found))]


def rounded(value, element):
    """The nearest number of the type; to even, as a store does."""
    bits, = struct.unpack("<I", struct.pack("<f", value))
    if element == "bf16":
        bits = (bits + 0x7FFF + (bits >> 16 & 1)) & 0xFFFF0000
    return float_of(bits)


def bytes_of(values, element):
    if element == "f32":
        return struct.pack(f"<{len(values)}f", *values)
    return struct.pack(f"<{len(values)}H", *(struct.unpack("<I", struct.pack("<f", v))[0] >> 16 for v in values))


def write_array(path, values, shape, element):
    descr = {"f32": "<f4", "bf16": "<V2"}[element]
    header = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {tuple(shape)}, }}"
    header += " " * (63 - (10 + len(header)) % 64) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + bytes_of(values, element))


def read_array(path, element):
    data = path.read_bytes()
    body = data[10 + struct.unpack("<H", data[8:10])[0]:]
    if element == "f32":
        return struct.unpack(f"<{len(body) // 4}f", body)
    return [BF16[bits] for bits in struct.unpack(f"<{len(body) // 2}H", body)]


# -- Kernels ---------------------------------------------------------------------------------------

@dataclasses.dataclass
class Kernel:
    name: str
    element: str  # of the arguments and the result
    program: str
    inputs: list  # (values, shape) of each argument but the last, which is the result
    shape: tuple  # of the result
    exact: Callable  # the exact results, in order; None where nothing is asked
    bound: float  # binary logarithm of the largest error that is allowed
    measure: str  # what the error is a part of
    scale: Callable  # the number that is, from (index, exact)
    arguments: str  # which ones, for the table
    span: tuple = (0.0, LARGEST)  # sizes of arguments and results for which the bound holds
    slack: Callable = lambda index: TINY  # a further absolute error, of results that become subnormal
    isQuick: bool = True


def elementwise(element, arity, body, inner=None):
    """A program that computes %r from %x and %y for each element; with `inner`, in that type."""
    type = f"memref<{COUNT}x{element}>"
    names = ["x", "y"][:arity]
    inner = inner or element
    lines = [line.replace("TYPE", inner) for line in body]
    if inner != element:
        lines = [f"%{n} = arith.extf %{n}0 : {element} to {inner}" for n in names] + lines
        lines = [line.replace("%r =", "%w =") for line in lines] + [f"%r = arith.truncf %w : {inner} to {element}"]
        names = [f"{n}0" for n in names]
    text = "\n    ".join(lines)
    maps = ", ".join(["affine_map<(i) -> (i)>"] * (arity + 1))
    arguments = ", ".join(f"%a{i}: {type}" for i in range(arity + 1))
    return f"""func.func @main({arguments}) {{
  linalg.generic {{indexing_maps = [{maps}], iterator_types = ["parallel"]}}
      ins({', '.join(f'%a{i}' for i in range(arity))} : {', '.join([type] * arity)}) outs(%a{arity} : {type}) {{
  ^bb0({', '.join(f'%{n}: {element}' for n in names)}, %old: {element}):
    {text}
    linalg.yield %r : {element}
  }}
  return
}}
"""


def guarded(function):
    """Infinite where the function of Python overflows, NaN where it is not defined."""
    def value(*arguments):
        try:
            return function(*arguments)
        except OverflowError:
            return math.inf
        except (ValueError, ZeroDivisionError):
            return math.nan
    return value


ROOT_HALF = math.sqrt(0.5)
exp = guarded(math.exp)
ONE = "%one = arith.constant 1.0 : TYPE"
SIGMOID = [ONE, "%n = arith.negf %x : TYPE", "%e = math.exp %n : TYPE", "%d = arith.addf %e, %one : TYPE"]
GELU = ["%h = arith.constant 0.5 : TYPE", ONE, "%k = arith.constant 0.7071067811865476 : TYPE",
        "%p = arith.mulf %x, %k : TYPE", "%q = math.erf %p : TYPE", "%t = arith.addf %q, %one : TYPE",
        "%u = arith.mulf %x, %h : TYPE", "%r = arith.mulf %u, %t : TYPE"]
GELU_TANH = ["%h = arith.constant 0.5 : TYPE", "%c = arith.constant 0.044715 : TYPE",
             "%s = arith.constant 0.7978845608 : TYPE", ONE, "%q = arith.mulf %x, %x : TYPE",
             "%t = arith.mulf %q, %x : TYPE", "%u = arith.mulf %t, %c : TYPE", "%v = arith.addf %x, %u : TYPE",
             "%w0 = arith.mulf %v, %s : TYPE", "%z = math.tanh %w0 : TYPE", "%p = arith.addf %z, %one : TYPE",
             "%n = arith.mulf %p, %x : TYPE", "%r = arith.mulf %n, %h : TYPE"]


def gelu(x):
    return 0.5 * x * math.erfc(-x * ROOT_HALF)


def gelu_by_tanh(x):
    return 0.5 * x * (1 + math.tanh(0.7978845608 * (x + 0.044715 * x * x * x))) if abs(x) < 1e10 else max(x, 0.0)


# Products of pieces are right where the smallest piece is normal, and the sums of them finite.
PIECES = (2.0 ** -100, 2.0 ** 100)
FINITE = (0.0, LARGEST)
# name, body, exact value, span, measure, bounds of bf16, of bf16 by f32, and of f32; None: no such kernel
UNARY = [
    ("exp", ["%r = math.exp %x : TYPE"], exp, FINITE, "result", -7.8, None, -16),
    ("tanh", ["%r = math.tanh %x : TYPE"], math.tanh, FINITE, "result", -6.8, None, -16),
    ("erf", ["%r = math.erf %x : TYPE"], math.erf, FINITE, "1", -7.3, None, -17),
    ("square root", ["%r = math.sqrt %x : TYPE"], math.sqrt, PIECES, "result", -8, None, -20),
    ("1 / square root", ["%r = math.rsqrt %x : TYPE"], lambda x: 1 / math.sqrt(x), PIECES, "result", -8, None, -20),
    ("1 / x", [ONE, "%r = arith.divf %one, %x : TYPE"], lambda x: 1 / x, PIECES, "result", -8, None, -20),
    ("2^x", ["%r = math.exp2 %x : TYPE"], guarded(lambda x: 2.0 ** x), FINITE, "result", -7.7, None, -16),
    ("e^x - 1", ["%r = math.expm1 %x : TYPE"], guarded(math.expm1), FINITE, "result", -7.4, None, -14),
    ("log", ["%r = math.log %x : TYPE"], math.log, (TINY, LARGEST), "result", -7.8, None, -16),
    ("log2", ["%r = math.log2 %x : TYPE"], math.log2, (TINY, LARGEST), "result", -7.8, None, -16),
    ("log(1 + x)", ["%r = math.log1p %x : TYPE"], math.log1p, FINITE, "result", -7.8, None, -16),
    ("sine", ["%r = math.sin %x : TYPE"], math.sin, (0.0, 32.0), "1", -7.5, None, -16),
    ("cosine", ["%r = math.cos %x : TYPE"], math.cos, (0.0, 32.0), "1", -7.5, None, -16),
    ("x^0.75", ["%c = arith.constant 0.75 : TYPE", "%r = math.powf %x, %c : TYPE"], guarded(lambda x: x ** 0.75 if x > 0 else math.nan),
     PIECES, "result", -7.8, None, -12),
    ("sigmoid", SIGMOID + ["%r = arith.divf %one, %d : TYPE"], lambda x: 1 / (1 + exp(-x)), FINITE, "result", -6.8, -8, -16),
    ("SiLU", SIGMOID + ["%r = arith.divf %x, %d : TYPE"], lambda x: x / (1 + exp(-x)), FINITE, "result", -6.8, -8, -16),
    ("GELU by erf", GELU, gelu, FINITE, "x", -7.5, -8, -18),
    ("GELU by tanh", GELU_TANH, gelu_by_tanh, (0.0, 2.0 ** 40), "x", -7, -8, -19),
]
SLOW = re.compile(r"root|log|sine|x\^|e\^|2\^|SiLU|sigmoid|GELU|erf|tanh")  # of f32: seconds to compile


def unary(name, body, function, span, measure, element, inner, bound):
    values = numbers(element)
    value = guarded(function)
    scale = {"result": lambda i, e: abs(e), "1": lambda i, e: 1.0, "x": lambda i, e: abs(values[i])}[measure]
    title = name if not inner else f"{name}, in {inner}"
    return Kernel(title, element, elementwise(element, 1, body, inner), [(values, (COUNT,))], (COUNT,),
                  lambda: [value(x) for x in values], bound, {"result": "the result", "1": "1", "x": "x"}[measure], scale,
                  "all" if element == "bf16" else "of every exponent", span, lambda i: TINY * max(2.0, 2 * abs(values[i])),
                  not (SLOW.search(name) and (element == "f32" or inner)))


def binary(name, op, function, element, bound):
    x = numbers(element)
    y = list(x)
    random.Random(2).shuffle(y)
    value = guarded(function)
    return Kernel(name, element, elementwise(element, 2, [f"%r = arith.{op} %x, %y : TYPE"]),
                  [(x, (COUNT,)), (y, (COUNT,))], (COUNT,), lambda: [value(*pair) for pair in zip(x, y)], bound, "the result",
                  lambda i, e: abs(e), "65,536 pairs", PIECES)


# -- Rows and products -----------------------------------------------------------------------------

ROWS, COLUMNS = 64, 256
FEW = (32, 64)  # layer norm: the recipe does not place longer rows


def rows_of(element, rows_count, columns):
    """Rows as they come: near 0, wide, far from 0, nearly alike, with one large number, small ones, of two numbers."""
    rng = random.Random(3)
    pairs = [(rng.uniform(-4, 4), rng.uniform(-4, 4), rng.random()) for _ in range(rows_count)]
    kinds = [lambda: rng.uniform(-1, 1), lambda: rng.gauss(0, 4), lambda: 100 + rng.gauss(0, 1),
             lambda: rng.choice([0.5, 0.5078125]), lambda: rng.gauss(0, 1e-3), lambda: rng.uniform(-30, 30)]
    rows = [[rounded(kinds[r % len(kinds)](), element) for _ in range(columns)] for r in range(rows_count)]
    for r in range(0, rows_count, 5):
        rows[r][r] = 80.0
    for r in range(2, rows_count, 5):
        low, high, share = pairs[r]
        rows[r] = [rounded(low if rng.random() < share else high, element) for _ in range(columns)]
    return rows


STEP = """  linalg.generic {{indexing_maps = [{maps}], iterator_types = ["parallel", "{kind}"]}}
      ins({ins} : {types}) outs({out} : {type}) {{
  ^bb0({arguments}):
    {body}
    linalg.yield %r : {yields}
  }}
"""


class RowProgram:
    """Steps over a matrix %a0 with the result %a1, and numbers of its rows in f32."""

    def __init__(self, element, rows, columns):
        self.element, self.rows, self.lines = element, rows, []
        self.types = {name: f"memref<{rows}x{columns}x{element}>" for name in ("%a0", "%a1")}

    def numbers(self, name, start):
        self.types[name] = f"memref<{self.rows}xf32>"
        self.lines.append(f"  {name} = memref.alloc() : {self.types[name]}\n  {name}s = arith.constant {start} : f32\n"
                          f"  linalg.fill ins({name}s : f32) outs({name} : {self.types[name]})\n")

    def step(self, ins, out, kind, body):
        elements = [self.element if name in ("%a0", "%a1") else "f32" for name in ins + [out]]
        arguments = [f"%x{i}: {e}" for i, e in enumerate(elements[:-1])] + [f"%o: {elements[-1]}"]
        if self.element != "f32":  # all is computed in f32
            wide = [i for i, e in enumerate(elements[:-1]) if e != "f32"]
            body = [re.sub(r"%x(\d)", lambda m: f"%w{m[1]}" if int(m[1]) in wide else m[0], line) for line in body]
            body = [f"%w{i} = arith.extf %x{i} : {self.element} to f32" for i in wide] + body
            if elements[-1] != "f32":
                body = [line.replace("%r =", "%f =") for line in body] + [f"%r = arith.truncf %f : f32 to {self.element}"]
        maps = ", ".join("affine_map<(i, j) -> (i, j)>" if name in ("%a0", "%a1") else "affine_map<(i, j) -> (i)>"
                         for name in ins + [out])
        self.lines.append(STEP.format(maps=maps, kind=kind, ins=", ".join(ins), types=", ".join(self.types[n] for n in ins),
                                      out=out, type=self.types[out], arguments=", ".join(arguments),
                                      body="\n    ".join(body), yields=elements[-1]))

    def text(self):
        return (f"func.func @main(%a0: {self.types['%a0']}, %a1: {self.types['%a1']}) {{\n" + "".join(self.lines)
                + "  return\n}\n")


def softmax_program(element, rows, columns):
    type = f"memref<{rows}x{columns}x{element}>"
    return (f"func.func @main(%a0: {type}, %a1: {type}) {{\n  linalg.softmax dimension(1) ins(%a0 : {type}) outs(%a1 : {type})\n"
            "  return\n}\n")


def softmax(row):
    powers = [math.exp(x - max(row)) for x in row]
    return [power / math.fsum(powers) for power in powers]


def share(columns):
    return f"%h = arith.constant {1 / columns} : f32"


EPSILON = "%e = arith.constant 1.0e-5 : f32"


def layer_norm_program(element, rows, columns):
    program = RowProgram(element, rows, columns)
    program.numbers("%m", "0.0")
    program.step(["%a0"], "%m", "reduction", ["%r = arith.addf %x0, %o : f32"])
    program.numbers("%s", "0.0")
    program.step(["%a0", "%m"], "%s", "reduction",
                 [share(columns), "%n = arith.mulf %x1, %h : f32", "%d = arith.subf %x0, %n : f32",
                  "%q = arith.mulf %d, %d : f32", "%r = arith.addf %q, %o : f32"])
    program.step(["%a0", "%m", "%s"], "%a1", "parallel",
                 [share(columns), EPSILON, "%n = arith.mulf %x1, %h : f32", "%v = arith.mulf %x2, %h : f32",
                  "%u = arith.addf %v, %e : f32", "%k = math.rsqrt %u : f32", "%d = arith.subf %x0, %n : f32",
                  "%r = arith.mulf %d, %k : f32"])
    return program.text()


def layer_norm(row):
    mean = math.fsum(row) / len(row)
    variance = math.fsum((x - mean) ** 2 for x in row) / len(row)
    return [(x - mean) / math.sqrt(variance + 1e-5) for x in row]


def rms_norm_program(element, rows, columns):
    program = RowProgram(element, rows, columns)
    program.numbers("%s", "0.0")
    program.step(["%a0"], "%s", "reduction", ["%q = arith.mulf %x0, %x0 : f32", "%r = arith.addf %q, %o : f32"])
    program.step(["%a0", "%s"], "%a1", "parallel",
                 [share(columns), EPSILON, "%v = arith.mulf %x1, %h : f32", "%u = arith.addf %v, %e : f32",
                  "%k = math.rsqrt %u : f32", "%r = arith.mulf %x0, %k : f32"])
    return program.text()


def rms_norm(row):
    size = math.sqrt(math.fsum(y * y for y in row) / len(row) + 1e-5)
    return [x / size for x in row]


def by_rows(name, element, program, function, bound, measure, is_quick, shape=(ROWS, COLUMNS)):
    rows = rows_of(element, *shape)
    results = [function(row) for row in rows]
    scale = {"the result": lambda i, e: abs(e), "the result, at least 1": lambda i, e: max(1.0, abs(e)),
             "the largest of the row": lambda i, e: max(results[i // shape[1]])}[measure]
    return Kernel(name, element, program(element, *shape), [([x for row in rows for x in row], shape)], shape,
                  lambda: [y for row in results for y in row], bound, measure, scale, f"{shape[0]} rows of {shape[1]}",
                  isQuick=is_quick)


SIZE = 64


def product(element, bound):
    """Of matrices, with sums in f32; the error is a part of the sum of the sizes of the terms."""
    rng = random.Random(4)
    a, b = ([rounded(rng.gauss(0, 1) * 2.0 ** rng.randint(-6, 6), element) for _ in range(SIZE * SIZE)] for _ in "ab")
    types = [f"memref<{SIZE}x{SIZE}x{e}>" for e in (element, element, "f32")]
    sizes = [math.fsum(abs(a[i * SIZE + k] * b[k * SIZE + j]) for k in range(SIZE)) for i in range(SIZE) for j in range(SIZE)]

    def exact():
        return [math.fsum(a[i * SIZE + k] * b[k * SIZE + j] for k in range(SIZE)) for i in range(SIZE) for j in range(SIZE)]
    text = f"""func.func @main(%a0: {types[0]}, %a1: {types[1]}, %a2: {types[2]}) {{
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%a2 : {types[2]})
  linalg.matmul ins(%a0, %a1 : {types[0]}, {types[1]}) outs(%a2 : {types[2]})
  return
}}
"""
    return Kernel("product of matrices, f32 sums", element, text, [(a, (SIZE, SIZE)), (b, (SIZE, SIZE))], (SIZE, SIZE), exact,
                  bound, "the sum of the terms' sizes", lambda i, e: sizes[i], f"{SIZE}^3", isQuick=False)


def kernels():
    for name, body, function, span, measure, narrow, inner, wide in UNARY:
        yield unary(name, body, function, span, measure, "bf16", None, narrow)
        if inner is not None:
            yield unary(name, body, function, span, measure, "bf16", "f32", inner)
        yield unary(name, body, function, span, measure, "f32", None, wide)
    for name, op, function, narrow, wide in [("x * y", "mulf", lambda x, y: x * y, -8, -21),
                                             ("x / y", "divf", lambda x, y: x / y, -8, -20)]:
        yield binary(name, op, function, "bf16", narrow)
        yield binary(name, op, function, "f32", wide)
    for element, bounds in (("bf16", (-6.5, -7, -7.5)), ("f32", (-16, -18, -21))):
        isNarrow = element == "bf16"
        # x - max is rounded to bf16 before exp, so small results have large relative errors.
        yield by_rows("softmax", element, softmax_program, softmax, bounds[0],
                      "the largest of the row" if isNarrow else "the result", isNarrow)
        yield by_rows("layer norm", element, layer_norm_program, layer_norm, bounds[1], "the result, at least 1", isNarrow,
                      FEW)
        yield by_rows("RMS norm", element, rms_norm_program, rms_norm, bounds[2], "the result", isNarrow)
    yield product("bf16", -20)
    yield product("f32", -20)


# -- Running and judging ---------------------------------------------------------------------------

@dataclasses.dataclass
class Outcome:
    error: float = 0.0
    where: str = ""
    wrong: str = ""
    specials: dict = dataclasses.field(default_factory=dict)


def run(bin_dir, kernel):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "kernel.mlir").write_text(kernel.program)
        options = []
        for i, (values, shape) in enumerate(kernel.inputs):
            write_array(folder / f"{i}.npy", values, shape, kernel.element)
            options += ["--input", f"{i}={folder / f'{i}.npy'}"]
        last = len(kernel.inputs)
        element = "f32" if kernel.name.startswith("product") else kernel.element
        done = subprocess.run([bin_dir / "airlite-run", "--on=sim", *options, "--output", f"{last}={folder / 'r.npy'}",
                               folder / "kernel.mlir"], capture_output=True, text=True)
        if done.returncode:
            return done.stderr[-600:]
        return read_array(folder / "r.npy", element)


def judged(kernel, found):
    """Place, result and exact value, where arguments and result have the sizes for which the bound holds; a result of 0 has."""
    least, most = kernel.span
    columns = [list(map(abs, values)) for values, _ in kernel.inputs if len(values) == COUNT]
    exact = kernel.exact()
    sizes = [[abs(e) or least for e in exact]] if least else []
    small = map(min, *columns, *sizes) if len(columns + sizes) > 1 else (columns or [[least] * len(exact)])[0]
    large = map(max, *columns, *sizes) if len(columns + sizes) > 1 else (columns or [[most] * len(exact)])[0]
    for i, (value, e, low, high) in enumerate(zip(found, exact, small, large)):
        if e == e and least <= low and high <= most:
            yield i, value, e


def is_wrong_kind(found, exact):
    """NaN for a number, infinity for one of its type, a number beyond its type."""
    if math.isinf(found):
        return abs(exact) < 0.99 * LARGEST or found * exact < 0
    return found != found or abs(exact) > 1.01 * LARGEST


def judge(kernel, found):
    if isinstance(found, str):
        return Outcome(wrong=found)
    outcome = Outcome()
    first = kernel.inputs[0][0]
    for i, value, exact in judged(kernel, found):
        if is_wrong_kind(value, exact):
            outcome.wrong = outcome.wrong or f"{first[i]!r} gives {value!r}, not {exact!r}"
        elif math.isfinite(value) and abs(exact) < 0.99 * LARGEST:
            error = max(0.0, abs(value - exact) - kernel.slack(i)) / (kernel.scale(i, exact) or TINY)
            if error > outcome.error:
                outcome.error, outcome.where = error, f"{first[i]!r} gives {value!r}, not {exact!r}"
    if outcome.error > 2.0 ** kernel.bound and not outcome.wrong:
        outcome.wrong = f"error 2^{math.log2(outcome.error):.2f}, bound 2^{kernel.bound}: {outcome.where}"
    if len(kernel.inputs) == 1 and kernel.shape == (COUNT,):
        outcome.specials = {name: found[place(kernel, bits)] for name, bits in SPECIALS.items()}
    return outcome


def place(kernel, bits):
    """Where a special number is among the arguments."""
    return bits >> 16 if kernel.element == "bf16" else list(SPECIALS.values()).index(bits)


# -- The page --------------------------------------------------------------------------------------

def power(error):
    return f"2^{math.log2(error):.1f}" if error else "0"


def shown(value):
    if value != value:
        return "NaN"
    return f"{value:.3g}"


def row_of(kernel, outcome):
    least, most = kernel.span
    sizes = f", 2^{math.log2(least):g} to 2^{math.log2(most):g}" if least else ""
    if not least and most != LARGEST:
        sizes = f", up to 2^{math.log2(most):g}"
    return (f"| {kernel.name} | {kernel.element} | {kernel.arguments}{sizes} | {kernel.measure} | {power(outcome.error)} | "
            f"2^{kernel.bound:g} |")


def special_row(kernel, outcome):
    return f"| {kernel.name} | {kernel.element} | " + " | ".join(shown(outcome.specials[name]) for name in SPECIALS) + " |"


def page_of(results):
    text = PAGE.read_text()
    tables = {"errors": ["| kernel | type | arguments | error as a part of | largest error | bound |",
                         "|---|---|---|---|---:|---:|"] + [row_of(*result) for result in results],
              "specials": ["| kernel | type | " + " | ".join(SPECIALS) + " |", "|---" * (2 + len(SPECIALS)) + "|"]
                          + [special_row(*result) for result in results if result[1].specials]}
    for name, lines in tables.items():
        begin, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->"
        at = text.index(begin) + len(begin)
        text = text[:at] + "\n".join(lines) + "\n" + text[text.index(end):]
    return text


def missing_rows(results):
    text = PAGE.read_text()
    rows = [row_of(*result) for result in results] + [special_row(*result) for result in results if result[1].specials]
    return [row for row in rows if row not in text]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin", type=pathlib.Path)
    parser.add_argument("--write", action="store_true", help="renew the tables of the page")
    parser.add_argument("--quick", action="store_true", help="leave out what takes seconds to compile")
    parser.add_argument("--filter", default="", help="only kernels whose name and type match")
    arguments = parser.parse_args()
    chosen = [kernel for kernel in kernels() if (kernel.isQuick or not arguments.quick)
              and re.search(arguments.filter, f"{kernel.name} {kernel.element}")]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = list(pool.map(lambda kernel: run(arguments.bin.resolve(), kernel), chosen))
    results = [(kernel, judge(kernel, values)) for kernel, values in zip(chosen, found)]
    wrong = [f"{kernel.name} of {kernel.element}: {outcome.wrong}" for kernel, outcome in results if outcome.wrong]
    for kernel, outcome in results:
        print(row_of(kernel, outcome), outcome.where)
    if arguments.write and not arguments.quick and not arguments.filter:
        PAGE.write_text(page_of(results))
    elif not wrong:
        wrong = [f"{PAGE.relative_to(ROOT)} lacks the row (renew it with --write): {row}" for row in missing_rows(results)]
    print("\n".join(wrong) or f"{len(chosen)} kernels keep their bounds")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
