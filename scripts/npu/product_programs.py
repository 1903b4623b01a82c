#!/usr/bin/env python3
"""Random sums of products of all layouts, sizes and types that a core multiplies.

usage: product_programs.py SEED      (prints the program of this number)

A program is one linalg op, a product of matrices, vectors or batches or a convolution, with sizes from 1 to 130 and
at most 300,000 multiply-adds, on a sum that is cleared before it or not. scripts/prove_npu.py --products N runs N.
"""
import random
import sys

MOST = 300_000  # multiply-adds
# elements of the factors and of the sum, and the zero of that
TYPES = [("i8", "i32", "0"), ("i16", "i32", "0"), ("i32", "i32", "0"), ("bf16", "f32", "0.0"), ("f32", "f32", "0.0"),
         ("i8", "i8", "0"), ("i16", "i16", "0"), ("i8", "i16", "0"), ("bf16", "bf16", "0.0")]
MIXED = [("i16", "i8", "i32"), ("i8", "i16", "i32"), ("i32", "i16", "i32"), ("i8", "i32", "i32")]
# the shapes of A, B and C as sizes m, n, k, b
OPS = {
    "linalg.matmul": ("mk", "kn", "mn"),
    "linalg.matmul_transpose_a": ("km", "kn", "mn"),
    "linalg.matmul_transpose_b": ("mk", "nk", "mn"),
    "linalg.batch_matmul": ("bmk", "bkn", "bmn"),
    "linalg.matvec": ("mk", "k", "m"),
    "linalg.vecmat": ("k", "kn", "n"),
}


def memref(shape, element):
    return f"memref<{'x'.join(map(str, shape))}x{element}>"


def size(rng):
    """Round ones as often as odd ones."""
    return rng.choice([rng.randint(1, 130), 4 * rng.randint(1, 32), 8 * rng.randint(1, 16), rng.choice([16, 32, 64])])


def product(rng):
    op, shapes = rng.choice(list(OPS.items()))
    while True:
        sizes = {"m": size(rng), "n": size(rng), "k": size(rng), "b": rng.randint(1, 4)}
        count = 1
        for letter in set("".join(shapes)):
            count *= sizes[letter]
        if count <= MOST:
            return op, "", [[sizes[letter] for letter in shape] for shape in shapes]


def convolution(rng):
    while True:
        height, width, depth, filters = rng.randint(1, 16), rng.randint(1, 16), rng.randint(1, 24), rng.randint(1, 24)
        down, right, stride = rng.randint(1, 3), rng.randint(1, 3), rng.randint(1, 2)
        if height * width * depth * filters * down * right <= MOST:
            break
    attributes = f" {{dilations = dense<1> : vector<2xi64>, strides = dense<{stride}> : vector<2xi64>}}"
    image = [1, (height - 1) * stride + down, (width - 1) * stride + right, depth]
    return "linalg.conv_2d_nhwc_hwcf", attributes, [image, [down, right, depth, filters], [1, height, width, filters]]


def generate(seed):
    rng = random.Random(seed)
    left, total, zero = rng.choice(TYPES)
    right = left
    if rng.random() < 0.1:
        (left, right, total), zero = rng.choice(MIXED), "0"
    op, attributes, shapes = convolution(rng) if rng.random() < 0.2 else product(rng)
    a, b, c = memref(shapes[0], left), memref(shapes[1], right), memref(shapes[2], total)
    clear = f"  %zero = arith.constant {zero} : {total}\n  linalg.fill ins(%zero : {total}) outs(%c : {c})\n"
    return (f"func.func @main(%a: {a}, %b: {b}, %c: {c}) {{\n{clear if rng.random() < 0.7 else ''}"
            f"  {op}{attributes} ins(%a, %b : {a}, {b}) outs(%c : {c})\n  return\n}}\n")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    print(generate(int(sys.argv[1])), end="")
