#!/usr/bin/env python3
"""Prints how large our example programs are beside those of a publication, by Halstead's metrics.

usage: program_sizes.py [--json]

The publication is the paper on MLIR-AIR (table 2), which measured with the tool radon. What counts there, and so
here: operators are those of arithmetic, comparison and logic; operands are what they combine. With h1 and h2
different operators and operands, and N1 and N2 of all, vocabulary is h1 + h2, difficulty h1 / 2 * N2 / h2, and effort
difficulty * (N1 + N2) * log2(vocabulary). Calls, subscripts and statements do not count: the numbers say how much
arithmetic a program does on its indices. Measured are the functions with @airlite.jit of examples/python.
"""
import argparse
import ast
import json
import math
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[1] / "examples" / "python"

# Vocabulary, difficulty and effort that the paper states; None: it has no such program. All in bf16, and those of
# MLIR-AIR and MLIR-AIE, but for the first, without their kernels, which are in C++.
PUBLISHED = {
    "matrix_scalar_add": {"Triton": (10, 1.25, 62.29), "MLIR-AIR": (14, 1.64, 112.14), "MLIR-AIE": (13, 1.5, 83.26)},
    "eltwise_binaryop": {"Triton": (12, 1.4, 105.40), "MLIR-AIR": (11, 1.50, 62.27), "MLIR-AIE": (23, 3.579, 825.67)},
    "softmax": {"Triton": (14, 2.4, 164.48), "MLIR-AIR": (11, 1.50, 62.27), "MLIR-AIE": (18, 4.615, 692.85)},
    "matmul": {"Triton": (86, 5.73, 5410.33), "MLIR-AIR": (78, 3.68, 4713.03), "MLIR-AIE": (107, 13.46, 32040.15)},
}
# Our program for each, and its two functions.
OURS = {
    "matrix_scalar_add": ("matrix_scalar_add.py", "add_one", "add_one_by_hand"),
    "eltwise_binaryop": ("vector_add.py", "add", "add_by_hand"),
    "softmax": ("softmax.py", "softmax", "softmax_by_hand"),
    "matmul": ("matmul.py", "product", "product_by_hand"),
}


class Counter(ast.NodeVisitor):
    """Operators and operands of a piece of Python."""

    def __init__(self):
        self.operators, self.operands = [], []

    def add(self, operators, operands):
        self.operators += [type(each).__name__ for each in operators]
        self.operands += [_name(each) for each in operands]

    def visit_BinOp(self, node):
        self.add([node.op], [node.left, node.right])
        self.generic_visit(node)

    def visit_UnaryOp(self, node):
        self.add([node.op], [node.operand])
        self.generic_visit(node)

    def visit_BoolOp(self, node):
        self.add([node.op], node.values)
        self.generic_visit(node)

    def visit_AugAssign(self, node):
        self.add([node.op], [node.target, node.value])
        self.generic_visit(node)

    def visit_Compare(self, node):
        self.add(node.ops, [*node.comparators, node.left])
        self.generic_visit(node)


def _name(node):
    """What makes two operands the same: a name, an attribute, a number; else each is one of its own."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return node.attr
    if isinstance(node, ast.Constant):
        return repr(node.value)
    return f"node {id(node)}"


def halstead(tree):
    """(vocabulary, difficulty, effort) of a tree of Python."""
    counter = Counter()
    counter.visit(tree)
    different = len(set(counter.operators)), len(set(counter.operands))
    vocabulary, length = sum(different), len(counter.operators) + len(counter.operands)
    if not different[1]:
        return 0, 0.0, 0.0
    difficulty = different[0] / 2 * len(counter.operands) / different[1]
    return vocabulary, difficulty, difficulty * length * math.log2(vocabulary)


def measure(file, function):
    tree = ast.parse((FOLDER / file).read_text())
    found = next(node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == function)
    return halstead(found)


def table():
    """{design: {who: (vocabulary, difficulty, effort)}}"""
    return {design: {**PUBLISHED[design], "airlite.api, a function": measure(file, function),
                     "airlite.api, by hand": measure(file, by_hand)}
            for design, (file, function, by_hand) in OURS.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true", help="the numbers as JSON")
    if parser.parse_args().json:
        return print(json.dumps(table(), indent=2))
    print("| design | program | vocabulary | difficulty | effort |\n|---|---|---|---|---|")
    for design, rows in table().items():
        for who, (vocabulary, difficulty, effort) in rows.items():
            print(f"| {design} | {who} | {vocabulary} | {difficulty:.2f} | {effort:.1f} |")
    return None


if __name__ == "__main__":
    main()
