#!/usr/bin/env python3
"""Random windows over images: convolutions with one filter, depthwise ones, pooling.

usage: window_programs.py SEED      (prints the program of this number)

One op: linalg.conv_1d or conv_2d, depthwise_conv_2d or pooling with channels inside or outside, or a linalg.generic of one window with
a body of its own; of any element, with windows of 1 to 7 elements that move by one to eight, and images of 1 to 70 rows and columns, on
results that are cleared before it or not. scripts/prove_npu.py --windows N runs N.
"""
import random
import sys

SUMS = {"i8": ["i32", "i32", "i8"], "i16": ["i32", "i16"], "i32": ["i32"], "f32": ["f32"], "bf16": ["f32", "bf16"]}
PAIR = "tensor<2xi64>"


def memref(shape, element):
    return f"memref<{'x'.join(map(str, [*shape, element]))}>"


class Writer:
    def __init__(self, seed):
        rng = self.rng = random.Random(seed)
        self.element = rng.choice(["i8", "i8", "i16", "i32", "f32", "bf16"])
        self.sum = rng.choice(SUMS[self.element])
        self.window = [rng.choice([1, 2, 3, 3, 5, 7]) for _ in range(2)]
        self.steps = [rng.choice([1, 1, 1, 2, 2, 3, 4, 8]) for _ in range(2)]
        self.dilations = [rng.choice([1, 1, 1, 2]) for _ in range(2)]
        self.size = [rng.choice([rng.randint(1, 12), rng.randint(8, 70)]) for _ in range(2)]  # of results
        self.channels = rng.choice([1, 3, 8, 16, 20, 32, 48, 64])
        self.images = rng.choice([1, 1, 2])

    def plain(self):
        """The window moves by one element."""
        self.steps, self.dilations = [1, 1], [1, 1]

    def image(self):
        """How large one with these results is."""
        return [(size - 1) * step + (window - 1) * dilation + 1
                for size, step, window, dilation in zip(self.size, self.steps, self.window, self.dilations)]

    def op(self):
        """Name, attributes, shapes of image, filter and results."""
        kind = self.rng.choice(["conv_1d", "conv_2d", "conv_2d", "nhwc", "nchw", "pooling_nhwc", "pooling_nchw"])
        if kind == "conv_1d":
            length = self.size[0] * 7 + self.size[1]
            return kind, False, [length + self.window[0] - 1], self.window[:1], [length]
        if kind == "conv_2d":
            self.plain()
            return kind, False, self.image(), self.window, self.size
        inside = kind.endswith("nhwc")

        def channels(shape):
            return [*shape, self.channels] if inside else [self.channels, *shape]
        if kind.startswith("pooling"):
            self.sum = self.rng.choice([self.element, self.element, self.sum])
            kind += self.rng.choice(["_max", "_min", "_sum"] if inside else ["_max", "_sum"])
            filter_ = self.window
        else:
            filter_ = channels(self.window)
            kind = f"depthwise_conv_2d_{kind}_{'hwc' if inside else 'chw'}"
        return kind, True, [self.images, *channels(self.image())], filter_, [self.images, *channels(self.size)]

    def widened(self, name):
        if self.element == self.sum:
            return name, []
        op = "arith.extsi" if self.element[0] == "i" else "arith.extf"
        return name + "w", [f"{name}w = {op} {name} : {self.element} to {self.sum}"]

    def generic(self):
        """Of one window, with a body of its own."""
        suffix, largest = ("i", "maxsi") if self.sum[0] == "i" else ("f", "maximumf")
        op = self.rng.choice([f"arith.mul{suffix}", f"arith.sub{suffix}", f"arith.{largest}"])
        (x, widen_x), (y, widen_y) = self.widened("%x"), self.widened("%y")
        body = [*widen_x, *widen_y, f"%p = {op} {x}, {y} : {self.sum}",
                f"%q = arith.add{suffix} %s, %p : {self.sum}", f"linalg.yield %q : {self.sum}"]
        down, right = (" + ".join([f"{step} * {loop}", f"{dilation} * {inner}"])
                       for step, dilation, loop, inner in zip(self.steps, self.dilations, "ab", "cd"))
        maps = [f"({down}, {right})", "(c, d)", "(a, b)"]
        types = [memref(self.image(), self.element), memref(self.window, self.element), memref(self.size, self.sum)]
        lines = ["linalg.generic {indexing_maps = ["
                 + ", ".join(f"affine_map<(a, b, c, d) -> {result}>" for result in maps)
                 + '], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}',
                 f"    ins(%a, %w : {types[0]}, {types[1]}) outs(%c : {types[2]}) {{",
                 f"^bb0(%x: {self.element}, %y: {self.element}, %s: {self.sum}):",
                 *("  " + line for line in body), "}"]
        return types, lines

    def named(self):
        name, has_steps, *shapes = self.op()
        types = [memref(shapes[0], self.element), memref(shapes[1], self.element), memref(shapes[2], self.sum)]
        attributes = ""
        if has_steps:
            attributes = (f"{{dilations = dense<[{self.dilations[0]}, {self.dilations[1]}]> : {PAIR}, "
                          f"strides = dense<[{self.steps[0]}, {self.steps[1]}]> : {PAIR}}} ")
        return types, [f"linalg.{name} {attributes}ins(%a, %w : {types[0]}, {types[1]}) outs(%c : {types[2]})"]

    def program(self):
        types, lines = self.generic() if self.rng.random() < 0.15 else self.named()
        if self.rng.random() < 0.7:
            zero = "0" if self.sum[0] == "i" else "0.0"
            lines = [f"%zero = arith.constant {zero} : {self.sum}",
                     f"linalg.fill ins(%zero : {self.sum}) outs(%c : {types[2]})", *lines]
        arguments = ", ".join(f"%{name}: {type_}" for name, type_ in zip("awc", types))
        body = "\n".join("  " + line for line in lines)
        return f"func.func @main({arguments}) {{\n{body}\n  return\n}}\n"


def generate(seed):
    return Writer(seed).program()


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    print(generate(int(sys.argv[1])), end="")
