#!/usr/bin/env python3
"""Measures whole programs on the simulated NPU, and finds those that the vector unit does not help.

usage: bench/programs.py --bin BUILD/bin [--target npu2] [--filter RE] [--exact] [--jobs N]

Each program is a function with one or two structured ops, as a user writes them, compiled for all of npu1 (or --target) and run with
random arguments; its result is the interpreter's. Printed are the cycles of the run with its launch, the cycles of the
core that worked longest, multiply-adds or elements per cycle and core at work, and what one core can do at most: the
products of the matrix unit of npu1, or the lanes of one load, whichever the program needs. A row far below that is a
cliff: some loop of it stays scalar (airlite-compile --remarks says which, and why).
"""
import argparse
import concurrent.futures
import pathlib
import re
import subprocess
import sys
import tempfile

BYTES = {"i8": 1, "i16": 2, "i32": 4, "f32": 4, "bf16": 2}
PRODUCTS = {("i8", "i8"): 256, ("i16", "i8"): 128, ("i16", "i16"): 64, ("i32", "i32"): 16, ("bf16", "bf16"): 128,
            ("f32", "f32"): 21}


def memref(shape, element):
    return f"memref<{'x'.join(map(str, shape))}x{element}>" if shape else f"memref<{element}>"


def function(arguments, body):
    listed = ", ".join(f"%a{i}: {type}" for i, type in enumerate(arguments))
    return f"func.func @main({listed}) {{\n{body}\n  return\n}}\n"


def named(op, inputs, output, attributes=""):
    """A named op on memory, accumulating into its output."""
    names = [f"%a{i}" for i in range(len(inputs))]
    return function(inputs + [output], f"  {op} {attributes} ins({', '.join(names)} : {', '.join(inputs)}) "
                                       f"outs(%a{len(inputs)} : {output})")


def generic(loops, kinds, operands, body):
    """operands: (indices, shape, element), the last one is the result; body: lines that end in %r."""
    maps = ", ".join(f"affine_map<({loops}) -> ({indices})>" for indices, _, _ in operands)
    types = [memref(shape, element) for _, shape, element in operands]
    names = [f"%a{i}" for i in range(len(types))]
    block = ", ".join(f"%x{i}: {element}" for i, (_, _, element) in enumerate(operands))
    iterators = ", ".join(f'"{"parallel" if kind == "p" else "reduction"}"' for kind in kinds)
    return function(types, f"""  linalg.generic {{indexing_maps = [{maps}], iterator_types = [{iterators}]}}
      ins({', '.join(names[:-1])} : {', '.join(types[:-1])}) outs({names[-1]} : {types[-1]}) {{
    ^bb0({block}):
      {body}
      linalg.yield %r : {operands[-1][2]}
  }}""")


def matmul(left, right, total, m=64, n=64, k=64):
    return named("linalg.matmul", [memref([m, k], left), memref([k, n], right)], memref([m, n], total)), \
        m * n * k, PRODUCTS.get((left, right), 1)


def elementwise(source, result, body, rows=64, columns=256, inputs=1):
    operands = [("i, j", [rows, columns], source)] * inputs + [("i, j", [rows, columns], result)]
    widest = max(BYTES[source] * inputs / 2, BYTES[result])
    return generic("i, j", "pp", operands, body), rows * columns, 32 // widest


def rows(element, total, body, shape=(64, 256)):
    """A reduction of each row."""
    return generic("i, j", "pr", [("i, j", shape, element), ("i", shape[:1], total)], body), \
        shape[0] * shape[1], 64 // BYTES[element]


def columns(element, total, body, shape=(64, 256)):
    return generic("j, i", "pr", [("i, j", shape, element), ("j", shape[1:], total)], body), \
        shape[0] * shape[1], 64 // BYTES[element]


def pool(op, element, window, stride, height=18, width=18, channels=32):
    out = [(size - window) // stride + 1 for size in (height, width)]
    attributes = f"{{strides = dense<{stride}> : vector<2xi64>, dilations = dense<1> : vector<2xi64>}}"
    return named(op, [memref([1, height, width, channels], element), memref([window, window], element)],
                 memref([1, *out, channels], element), attributes), \
        out[0] * out[1] * channels * window * window, 32 // BYTES[element]


def convolution(op, source, filter_shape, result_shape, element, total, products):
    return named(op, [memref(source, element), memref(filter_shape, element)], memref(result_shape, total)), \
        products, PRODUCTS[(element, element)]


def softmax(element, shape=(64, 256)):
    type = memref(shape, element)
    return function([type, type], f"  linalg.softmax dimension(1) ins(%a0 : {type}) outs(%a1 : {type})"), \
        shape[0] * shape[1], 1


def chain(element, lines):
    return elementwise(element, element, "\n      ".join(lines))


def gelu(e):
    return chain(e, [f"%h = arith.constant 0.5 : {e}", f"%o = arith.constant 1.0 : {e}",
                     f"%s = arith.constant 0.70703125 : {e}", f"%p = arith.mulf %x0, %s : {e}",
                     f"%q = math.erf %p : {e}", f"%t = arith.addf %q, %o : {e}", f"%u = arith.mulf %x0, %h : {e}",
                     f"%r = arith.mulf %u, %t : {e}"])


def silu(e):
    return chain(e, [f"%o = arith.constant 1.0 : {e}", f"%n = arith.negf %x0 : {e}", f"%q = math.exp %n : {e}",
                     f"%d = arith.addf %q, %o : {e}", f"%r = arith.divf %x0, %d : {e}"])


REQUANTISE = """%f = arith.constant 77 : i32
      %h = arith.constant 16384 : i32
      %s = arith.constant 15 : i32
      %l = arith.constant -128 : i32
      %g = arith.constant 127 : i32
      %p = arith.muli %x0, %f : i32
      %q = arith.addi %p, %h : i32
      %t = arith.shrsi %q, %s : i32
      %u = arith.maxsi %t, %l : i32
      %v = arith.minsi %u, %g : i32
      %r = arith.trunci %v : i32 to i8"""


def programs():
    for types in [("i8", "i8", "i32"), ("i16", "i16", "i32"), ("bf16", "bf16", "f32"), ("f32", "f32", "f32"),
                  ("i32", "i32", "i32"), ("i8", "i8", "i8"), ("i16", "i16", "i16"), ("bf16", "bf16", "bf16"),
                  ("i16", "i8", "i32")]:
        yield f"matmul {' '.join(types)} 64^3", matmul(*types)
    yield "matmul bf16 bf16 f32 50x70x90", matmul("bf16", "bf16", "f32", 50, 70, 90)
    yield "matmul f32 f32 f32 50x70x90", matmul("f32", "f32", "f32", 50, 70, 90)
    for types in [("i8", "i32"), ("bf16", "f32"), ("f32", "f32"), ("i32", "i32")]:
        yield f"matvec {' '.join(types)} 128x256", (
            named("linalg.matvec", [memref([128, 256], types[0]), memref([256], types[0])], memref([128], types[1])),
            128 * 256, 32 // BYTES[types[0]])
    for e in ("i8", "i16", "i32"):
        yield f"add {e}", elementwise(e, e, f"%r = arith.addi %x0, %x1 : {e}", inputs=2)
        yield f"multiply {e}", elementwise(e, e, f"%r = arith.muli %x0, %x1 : {e}", inputs=2)
        yield f"relu {e}", chain(e, [f"%z = arith.constant 0 : {e}", f"%r = arith.maxsi %x0, %z : {e}"])
        yield f"shift right {e}", chain(e, [f"%z = arith.constant 3 : {e}", f"%r = arith.shrsi %x0, %z : {e}"])
        yield f"unsigned maximum {e}", elementwise(e, e, f"%r = arith.maxui %x0, %x1 : {e}", inputs=2)
    yield "divide i32 by 7", chain("i32", ["%z = arith.constant 7 : i32", "%r = arith.divsi %x0, %z : i32"])
    for e in ("f32", "bf16"):
        yield f"add {e}", elementwise(e, e, f"%r = arith.addf %x0, %x1 : {e}", inputs=2)
        yield f"multiply {e}", elementwise(e, e, f"%r = arith.mulf %x0, %x1 : {e}", inputs=2)
        yield f"relu {e}", chain(e, [f"%z = arith.constant 0.0 : {e}", f"%r = arith.maximumf %x0, %z : {e}"])
        yield f"exp {e}", chain(e, [f"%r = math.exp %x0 : {e}"])
        yield f"tanh {e}", chain(e, [f"%r = math.tanh %x0 : {e}"])
        yield f"divide {e}", elementwise(e, e, f"%r = arith.divf %x0, %x1 : {e}", inputs=2)
        yield f"rsqrt {e}", chain(e, [f"%r = math.rsqrt %x0 : {e}"])
        yield f"gelu {e}", gelu(e)
        yield f"silu {e}", silu(e)
        yield f"softmax {e}", softmax(e)
        yield f"sum of rows {e}", rows(e, e, f"%r = arith.addf %x0, %x1 : {e}")
        yield f"maximum of rows {e}", rows(e, e, f"%r = arith.maximumf %x0, %x1 : {e}")
        yield f"sum of columns {e}", columns(e, e, f"%r = arith.addf %x0, %x1 : {e}")
    for a, b in [("i8", "i16"), ("i8", "i32"), ("i16", "i32")]:
        yield f"extend {a} {b}", elementwise(a, b, f"%r = arith.extsi %x0 : {a} to {b}")
        yield f"truncate {b} {a}", elementwise(b, a, f"%r = arith.trunci %x0 : {b} to {a}")
    yield "i32 to f32", elementwise("i32", "f32", "%r = arith.sitofp %x0 : i32 to f32")
    yield "f32 to i32", elementwise("f32", "i32", "%r = arith.fptosi %x0 : f32 to i32")
    yield "i8 to bf16", elementwise("i8", "bf16", "%r = arith.sitofp %x0 : i8 to bf16")
    yield "f32 to bf16", elementwise("f32", "bf16", "%r = arith.truncf %x0 : f32 to bf16")
    yield "requantise i32 i8", elementwise("i32", "i8", REQUANTISE)
    for e in ("i8", "i16", "i32"):
        yield f"sum of rows {e}", rows(e, "i32", f"%r = arith.addi %{'x0' if e == 'i32' else 'w'}, %x1 : i32"
                                       if e == "i32" else f"%w = arith.extsi %x0 : {e} to i32\n"
                                                          "      %r = arith.addi %w, %x1 : i32")
        yield f"maximum of rows {e}", rows(e, e, f"%r = arith.maxsi %x0, %x1 : {e}")
        yield f"sum of columns {e}", columns(e, e, f"%r = arith.addi %x0, %x1 : {e}")
    for e in ("i8", "f32", "bf16"):
        yield f"max pooling 2x2/2 {e}", pool("linalg.pooling_nhwc_max", e, 2, 2)
        yield f"max pooling 3x3/1 {e}", pool("linalg.pooling_nhwc_max", e, 3, 1)
    yield "sum pooling 2x2/2 f32", pool("linalg.pooling_nhwc_sum", "f32", 2, 2)
    for e, t in (("i8", "i32"), ("bf16", "f32"), ("f32", "f32")):
        yield f"conv 3x3 {e}", convolution("linalg.conv_2d_nhwc_hwcf", [1, 18, 18, 16], [3, 3, 16, 32],
                                           [1, 16, 16, 32], e, t, 16 * 16 * 32 * 9 * 16)
        yield f"depthwise conv 3x3 {e}", (
            named("linalg.depthwise_conv_2d_nhwc_hwc", [memref([1, 18, 18, 32], e), memref([3, 3, 32], e)],
                  memref([1, 16, 16, 32], t)), 16 * 16 * 32 * 9, 64 // BYTES[e])
        yield f"conv 1d {e}", (named("linalg.conv_1d", [memref([1030], e), memref([7], e)], memref([1024], t)),
                               1024 * 7, 64 // BYTES[e])
    for e in ("i8", "i32", "f32", "bf16"):
        yield f"transpose {e}", (function([memref([64, 128], e), memref([128, 64], e)],
                                          f"  linalg.transpose ins(%a0 : {memref([64, 128], e)}) "
                                          f"outs(%a1 : {memref([128, 64], e)}) permutation = [1, 0]"), 8192, 32 // BYTES[e])
    yield "dot f32", (named("linalg.dot", [memref([1024], "f32"), memref([1024], "f32")], memref([], "f32")), 1024, 16)
    yield "dot i32", (named("linalg.dot", [memref([1024], "i32"), memref([1024], "i32")], memref([], "i32")), 1024, 16)
    yield "batch matmul f32", (named("linalg.batch_matmul", [memref([4, 32, 32], "f32")] * 2, memref([4, 32, 32], "f32")),
                               4 * 32 ** 3, 21)


def run(command, limit):
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=limit)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, -1, "", f"error: no end after {limit} s")


def measure(arguments, folder, title, program):
    source, items, limit = program
    path = pathlib.Path(folder) / (re.sub(r"\W+", "_", title) + ".mlir")
    path.write_text(source)
    command = [arguments.bin / "airlite-run", "--on=sim", "--compare=interp", "--init=random:1", "--stats", path]
    command.append(f"--target={arguments.target}")
    done = run(command + (["--exact"] if arguments.exact else []), arguments.limit)
    cycles = re.findall(r"^(\d+) cycles", done.stdout, re.M)
    if done.returncode or not cycles:
        error = re.search(r"error: .*", done.stderr)
        return f"| {title} | {error[0][:120] if error else 'exit ' + str(done.returncode)} | | | |"
    cores = [[round(int(length) * float(share) / 100)
              for share in re.findall(r"^ *\(\d+,[2-9]\) core: runs ([0-9.]+)%", part, re.M)]
             for length, part in zip(cycles, re.split(r"^\d+ cycles", done.stdout, flags=re.M)[1:])]
    busy = sum(max(part, default=0) for part in cores)
    at_work = max((sum(1 for work in part if work) for part in cores), default=0)
    total = sum(map(int, cycles))
    rate = items / (busy * at_work) if busy and at_work else 0
    return f"| {title} | {total} | {busy} | {rate:.3g} | {limit:g} |"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--target", default="npu1", help="npu1, npu2 or a part of one")
    parser.add_argument("--filter", default="")
    parser.add_argument("--exact", action="store_true")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--limit", type=float, default=60, help="seconds for one program")
    arguments = parser.parse_args()
    print("| program | cycles | of the busiest core | per cycle and core | at most |")
    print("|---|---:|---:|---:|---:|")
    chosen = [(title, program) for title, program in programs() if re.search(arguments.filter, title)]
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool_:
        for row in pool_.map(lambda item: measure(arguments, folder, *item), chosen):
            print(row, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
