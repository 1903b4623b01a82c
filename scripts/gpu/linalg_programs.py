"""Random programs of linalg ops one after the other, as models have them: products, convolutions, softmax,
norms, attention, elementwise ops, reductions, transposes; odd sizes, batches, several element types.

make(random) -> Program: its text, and the difference from the interpreter that its floats may have.
"""
import dataclasses

SIZES = (1, 2, 3, 5, 7, 8, 15, 16, 17, 31, 32, 33, 48, 63, 64, 65, 80)
FLOATS = ("f32", "f32", "f16", "bf16")
FLOAT8 = ("f8E4M3FN", "f8E5M2", "f8E4M3FNUZ", "f8E5M2FNUZ")
BOUND = {"f32": 2e-4, "f16": 1e-2, "bf16": 6e-2, "i32": 0, "i8": 0}


@dataclasses.dataclass
class Program:
    text: str
    bound: float  # relative and absolute, of every result
    ops: list


@dataclasses.dataclass
class Tensor:
    name: str
    shape: tuple
    element: str
    layout: str = ""  # of a part of other memory

    def type(self):
        return "memref<" + "".join(f"{n}x" for n in self.shape) + self.element + self.layout + ">"


def dims(count):
    return [f"d{i}" for i in range(count)]


def affine(count, results):
    return f"affine_map<({', '.join(dims(count))}) -> ({', '.join(results)})>"


class Maker:
    """Builds one program. Each op_* takes the tensor that the ops before made, and returns its own."""

    def __init__(self, random):
        self.random = random
        self.lines, self.arguments, self.ops = [], [], []
        self.names = 0
        self.element = random.choice(FLOATS)

    def name(self):
        self.names += 1
        return f"%v{self.names}"

    def argument(self, shape, element=None):
        made = Tensor(f"%a{len(self.arguments)}", tuple(shape), element or self.element)
        self.arguments.append(made)
        return made

    def alloc(self, shape, element=None):
        made = Tensor(self.name(), tuple(shape), element or self.element)
        self.lines.append(f"  {made.name} = memref.alloc() : {made.type()}")
        return made

    def constant(self, value, element):
        name = self.name()
        self.lines.append(f"  {name} = arith.constant {value} : {element}")
        return name

    def fill(self, tensor, value="0.0"):
        if tensor.element[0] == "i":
            value = str(int(float(value)))
        number = self.constant(value, tensor.element)
        self.lines.append(f"  linalg.fill ins({number} : {tensor.element}) outs({tensor.name} : {tensor.type()})")

    def generic(self, inputs, output, maps, iterators, body):
        """`body` has the lines for %x0 ..., the last defines %r."""
        count = len(iterators)
        texts = [affine(count, m) for m in maps]
        kinds = ", ".join(f'"{k}"' for k in iterators)
        ins = ""
        if inputs:
            ins = f" ins({', '.join(t.name for t in inputs)} : {', '.join(t.type() for t in inputs)})"
        arguments = ", ".join([f"%x{i}: {t.element}" for i, t in enumerate(inputs)] + [f"%o: {output.element}"])
        self.lines.append(f"  linalg.generic {{indexing_maps = [{', '.join(texts)}], iterator_types = [{kinds}]}}{ins}"
                          f" outs({output.name} : {output.type()}) {{")
        self.lines.append(f"  ^bb0({arguments}):")
        self.lines += ["    " + line for line in body]
        self.lines += [f"    linalg.yield %r : {output.element}", "  }"]

    # -- Ops -------------------------------------------------------------------------------------------

    def op_product(self, x):
        """A batch of one or of several, any of the named forms."""
        n, wide = self.random.choice(SIZES), self.random.random() < 0.5
        m, k = x.shape[-2:]
        weight = x.element
        if weight[0] != "i" and self.random.random() < 0.3:
            weight = self.random.choice(FLOAT8 if weight == "f32" else FLOAT8 + ("f32",))
            wide = wide or weight == "f32"
        if len(x.shape) == 3:
            form = self.random.choice(("batch_matmul", "batch_matmul_transpose_b"))
            w = self.argument((x.shape[0], n, k) if "transpose_b" in form else (x.shape[0], k, n), weight)
            shape = (x.shape[0], m, n)
        else:
            form = self.random.choice(("matmul", "matmul_transpose_b"))
            w = self.argument((n, k) if "transpose_b" in form else (k, n), weight)
            shape = (m, n)
        isNarrow = x.element.startswith("f8")
        wider = {"f16": "f32", "bf16": "f32", "i8": "i32"}.get(x.element, "f32" if isNarrow else x.element)
        element = wider if wide or isNarrow else x.element
        made = self.alloc(shape, element)
        self.fill(made)
        self.lines.append(f"  linalg.{form} ins({x.name}, {w.name} : {x.type()}, {w.type()}) outs({made.name} : {made.type()})")
        return self.scaled(made, k) if element[0] != "i" else made

    def scaled(self, x, count):
        """Divided by about the square root of `count`, in place, so that values stay near one."""
        number = self.constant(f"{max(1, count) ** -0.5:.4f}", x.element)
        names = dims(len(x.shape))
        self.generic([], x, [names], ["parallel"] * len(names), [f"%r = arith.mulf %o, {number} : {x.element}"])
        return x

    def op_unary(self, x):
        e = x.element
        if e[0] == "i":
            return x
        one, zero = self.constant("1.0", e), self.constant("0.0", e)
        body = self.random.choice((
            [f"%r = arith.maximumf %x0, {zero} : {e}"], [f"%r = math.tanh %x0 : {e}"], [f"%r = math.exp %x0 : {e}"],
            [f"%n = arith.negf %x0 : {e}", f"%p = math.exp %n : {e}", f"%q = arith.addf %p, {one} : {e}",
             f"%r = arith.divf %x0, %q : {e}"],
            [f"%n = math.absf %x0 : {e}", f"%q = arith.addf %n, {one} : {e}", f"%r = math.rsqrt %q : {e}"],
            [f"%n = math.absf %x0 : {e}", f"%r = math.sqrt %n : {e}"]))
        names = dims(len(x.shape))
        made = self.alloc(x.shape, e)
        self.generic([x], made, [names, names], ["parallel"] * len(names), body)
        return made

    def op_binary(self, x):
        """A residual, a bias of columns, a number for each row, in place or not."""
        names = dims(len(x.shape))
        kept = self.random.choice((names, names[-1:], names[:-1]))
        other = self.argument([x.shape[names.index(n)] for n in kept], x.element)
        kind = self.random.choice(("add", "sub", "mul"))
        op = f"arith.{kind}" + ("i" if x.element[0] == "i" else "f")
        if self.random.random() < 0.5:
            self.generic([other], x, [kept, names], ["parallel"] * len(names), [f"%r = {op} %o, %x0 : {x.element}"])
            return x
        made = self.alloc(x.shape, x.element)
        self.generic([x, other], made, [names, kept, names], ["parallel"] * len(names),
                     [f"%r = {op} %x0, %x1 : {x.element}"])
        return made

    def op_convert(self, x):
        if x.element[0] == "i":
            return x
        to = self.random.choice([f for f in ("f32", "f16", "bf16") if f != x.element])
        names = dims(len(x.shape))
        widths = {"f16": 16, "bf16": 16, "f32": 32}
        narrow, wide = widths[to], widths.get(x.element, 8)
        if narrow == wide:
            body = [f"%w = arith.extf %x0 : {x.element} to f32", f"%r = arith.truncf %w : f32 to {to}"]
        else:
            body = [f"%r = arith.{'extf' if narrow > wide else 'truncf'} %x0 : {x.element} to {to}"]
        made = self.alloc(x.shape, to)
        self.generic([x], made, [names, names], ["parallel"] * len(names), body)
        return made

    def op_softmax(self, x):
        if x.element[0] == "i":
            return x
        made = self.alloc(x.shape, x.element)
        self.lines.append(f"  linalg.softmax dimension({len(x.shape) - 1}) ins({x.name} : {x.type()})"
                          f" outs({made.name} : {made.type()})")
        return made

    def reduced(self, x, dim, kind):
        """Over one dimension: sum, or the greatest."""
        names = dims(len(x.shape))
        kept = [n for i, n in enumerate(names) if i != dim]
        made = self.alloc([s for i, s in enumerate(x.shape) if i != dim], x.element)
        isInt = x.element[0] == "i"
        self.fill(made, "0.0" if kind == "sum" else "-128.0")
        op = {"sum": "arith.addi" if isInt else "arith.addf", "max": "arith.maxsi" if isInt else "arith.maximumf"}[kind]
        iterators = ["reduction" if i == dim else "parallel" for i in range(len(names))]
        self.generic([x], made, [names, kept], iterators, [f"%r = {op} %x0, %o : {x.element}"])
        return made

    def op_norm(self, x):
        """Minus the greatest of each row, or divided by the root of the mean square."""
        names = dims(len(x.shape))
        if x.element[0] == "i" or self.random.random() < 0.4:
            most = self.reduced(x, len(names) - 1, "max")
            made = self.alloc(x.shape, x.element)
            op = "arith.subi" if x.element[0] == "i" else "arith.subf"
            self.generic([x, most], made, [names, names[:-1], names], ["parallel"] * len(names),
                         [f"%r = {op} %x0, %x1 : {x.element}"])
            return made
        e = x.element
        sums = self.alloc(x.shape[:-1], e)
        self.fill(sums)
        over, tiny = self.constant(f"{1 / x.shape[-1]:.6f}", e), self.constant("1.0e-2", e)
        self.generic([x], sums, [names, names[:-1]], ["parallel"] * (len(names) - 1) + ["reduction"],
                     [f"%s = arith.mulf %x0, %x0 : {e}", f"%t = arith.mulf %s, {over} : {e}",
                      f"%r = arith.addf %t, %o : {e}"])
        made = self.alloc(x.shape, e)
        self.generic([x, sums], made, [names, names[:-1], names], ["parallel"] * len(names),
                     [f"%s = arith.addf %x1, {tiny} : {e}", f"%t = math.rsqrt %s : {e}",
                      f"%r = arith.mulf %x0, %t : {e}"])
        return made

    def op_transpose(self, x):
        order = list(range(len(x.shape)))
        self.random.shuffle(order)
        made = self.alloc([x.shape[i] for i in order], x.element)
        self.lines.append(f"  linalg.transpose ins({x.name} : {x.type()}) outs({made.name} : {made.type()}) "
                          f"permutation = {order}")
        return made

    def op_columns(self, x):
        """A reduction over the first dimension, added to every row again."""
        sums = self.reduced(x, 0, self.random.choice(("sum", "max")))
        names = dims(len(x.shape))
        op = "arith.addi" if x.element[0] == "i" else "arith.addf"
        made = self.alloc(x.shape, x.element)
        self.generic([x, sums], made, [names, names[1:], names], ["parallel"] * len(names),
                     [f"%r = {op} %x0, %x1 : {x.element}"])
        return made if x.element[0] == "i" else self.scaled(made, x.shape[0])

    def op_attention(self, x):
        """x is q: softmax(q kT) v of a batch."""
        if len(x.shape) != 3 or x.element[0] == "i":
            return x
        (b, m, d), n = x.shape, self.random.choice(SIZES)
        k, v = self.argument((b, n, d), x.element), self.argument((b, n, self.random.choice((d, 16, 33))), x.element)
        scores = self.alloc((b, m, n), "f32" if self.random.random() < 0.7 else x.element)
        self.fill(scores)
        self.lines.append(f"  linalg.batch_matmul_transpose_b ins({x.name}, {k.name} : {x.type()}, {k.type()})"
                          f" outs({scores.name} : {scores.type()})")
        if self.random.random() < 0.7:
            self.scaled(scores, d)
        weights = self.op_softmax(scores)
        if weights.element != x.element:
            names, narrow = dims(3), self.alloc(weights.shape, x.element)
            self.generic([weights], narrow, [names, names], ["parallel"] * 3,
                         [f"%r = arith.truncf %x0 : f32 to {x.element}"])
            weights = narrow
        made = self.alloc((b, m, v.shape[2]), x.element)
        self.fill(made)
        self.lines.append(f"  linalg.batch_matmul ins({weights.name}, {v.name} : {weights.type()}, {v.type()})"
                          f" outs({made.name} : {made.type()})")
        return made

    def op_part(self, x):
        """Some rows and columns of it, in the memory of the whole."""
        if x.layout:
            return x
        strides = [1] * len(x.shape)
        for i in reversed(range(len(x.shape) - 1)):
            strides[i] = strides[i + 1] * x.shape[i + 1]
        steps = [self.random.choice((1, 1, 2)) if s > 2 else 1 for s in x.shape]
        offsets = [self.random.choice((0, 1)) if s > 3 else 0 for s in x.shape]
        sizes = [(s - o + t - 1) // t for s, o, t in zip(x.shape, offsets, steps)]
        offset = sum(o * s for o, s in zip(offsets, strides))
        layout = f", strided<{[s * t for s, t in zip(strides, steps)]}, offset: {offset}>"
        made = Tensor(self.name(), tuple(sizes), x.element, layout)
        self.lines.append(f"  {made.name} = memref.subview {x.name}{offsets} {sizes} {steps} : {x.type()} to {made.type()}")
        return made

    def op_mask(self, x):
        """What lies above a diagonal becomes a number."""
        names, e = dims(len(x.shape)), x.element
        other = self.constant("-3" if e[0] == "i" else "-3.0", e)
        first, second = self.random.sample(range(len(names)), 2)
        shift = self.random.choice((-3, 0, 1, 5))
        made = self.alloc(x.shape, e)
        self.generic([x], made, [names, names], ["parallel"] * len(names),
                     [f"%i = linalg.index {first} : index", f"%j = linalg.index {second} : index",
                      f"%s = arith.constant {shift} : index", "%k = arith.addi %i, %s : index",
                      "%c = arith.cmpi sle, %j, %k : index", f"%r = arith.select %c, %x0, {other} : {e}"])
        return made

    def op_turned(self, x):
        """Plus a number for each column, the result transposed in the same op."""
        names = dims(len(x.shape))
        turned = names[:-2] + [names[-1], names[-2]]
        other = self.argument(x.shape[-1:], x.element)
        made = self.alloc(x.shape[:-2] + (x.shape[-1], x.shape[-2]), x.element)
        op = "arith.addi" if x.element[0] == "i" else "arith.addf"
        self.generic([x, other], made, [turned, names[-2:-1], names], ["parallel"] * len(names),
                     [f"%r = {op} %x0, %x1 : {x.element}"])
        return made

    def op_middle(self, x):
        """A reduction over a dimension between others."""
        if len(x.shape) != 3:
            return x
        return self.scaled_if(self.reduced(x, 1, self.random.choice(("sum", "max"))), x.shape[1])

    def op_channels(self, x):
        """A reduction over the first and the last dimension of three, added to every row again; often of many elements."""
        rows = self.random.choice((1, 3, 24, 96))
        x = x if len(x.shape) == 3 else self.argument((rows, self.random.choice(SIZES), self.random.choice(SIZES)), x.element)
        names, kind = dims(3), self.random.choice(("sum", "max"))
        count = x.shape[0] * x.shape[2]
        # Sums of so many numbers in 16 bits would be far off in the loops of the interpreter.
        kind = "max" if x.element in ("f16", "bf16") and count > 64 else kind
        sums = self.alloc(x.shape[1:2], x.element)
        isInt = x.element[0] == "i"
        self.fill(sums, "0.0" if kind == "sum" else "-128.0")
        op = {"sum": "arith.addi" if isInt else "arith.addf", "max": "arith.maxsi" if isInt else "arith.maximumf"}[kind]
        self.generic([x], sums, [names, names[1:2]], ["reduction", "parallel", "reduction"], [f"%r = {op} %x0, %o : {x.element}"])
        if kind == "sum":
            self.scaled_if(sums, count)
        made = self.alloc(x.shape, x.element)
        op = "arith.addi" if isInt else "arith.addf"
        self.generic([x, sums], made, [names, names[1:2], names], ["parallel"] * 3, [f"%r = {op} %x0, %x1 : {x.element}"])
        return made

    def op_pack(self, x):
        """Tiles of it, filled up, and a part of them back."""
        tiled = self.random.sample(range(len(x.shape)), self.random.choice((1, 2)))
        tiles = [self.random.choice((1, 2, 4, 8, 16)) for _ in tiled]
        order = list(range(len(x.shape)))
        self.random.shuffle(order)
        counts = [-(-size // tiles[tiled.index(i)]) if i in tiled else size for i, size in enumerate(x.shape)]
        number = self.constant("2" if x.element[0] == "i" else "0.5", x.element)
        packed, made = self.alloc([counts[i] for i in order] + tiles, x.element), self.alloc(x.shape, x.element)
        how = f"outer_dims_perm = {order} inner_dims_pos = {tiled} inner_tiles = {tiles} into"
        self.lines.append(f"  linalg.pack {x.name} padding_value({number} : {x.element}) {how} {packed.name} : {x.type()} -> {packed.type()}")
        self.outputs.append(packed)
        self.lines.append(f"  linalg.unpack {packed.name} {how} {made.name} : {packed.type()} -> {made.type()}")
        return made

    def op_first(self, x):
        """Plus what lies first in a dimension of an array of its own."""
        names, at = dims(len(x.shape)), self.random.randrange(len(x.shape) + 1)
        other = self.argument(x.shape[:at] + (self.random.choice((1, 2, 3)),) + x.shape[at:], x.element)
        made = self.alloc(x.shape, x.element)
        op = "arith.addi" if x.element[0] == "i" else "arith.addf"
        self.generic([x, other], made, [names, names[:at] + ["0"] + names[at:], names], ["parallel"] * len(names),
                     [f"%r = {op} %x0, %x1 : {x.element}"])
        return made

    def op_contract(self, x):
        """A product whose loops are in any order, of a weight for all batches or for each."""
        sizes = {f"l{i}": size for i, size in enumerate(x.shape)} | {"n": self.random.choice(SIZES)}
        left, k = [f"l{i}" for i in range(len(x.shape))], f"l{len(x.shape) - 1}"
        right = [name for name in left[:-2] if self.random.random() < 0.5] + [k, "n"]
        out, loops = left[:-1] + ["n"], list(sizes)
        for names in (right, loops):
            self.random.shuffle(names)
        element = {"f16": "f32", "bf16": "f32", "i8": "i32"}.get(x.element, x.element)
        weight, made = self.argument([sizes[n] for n in right], x.element), self.alloc([sizes[n] for n in out], element)
        self.fill(made)
        maps = [f"affine_map<({', '.join(loops)}) -> ({', '.join(names)})>" for names in (left, right, out)]
        cast = " {cast = #linalg.type_fn<cast_unsigned>}" if x.element == "i8" and self.random.random() < 0.5 else ""
        self.lines.append(f"  linalg.contract indexing_maps = [{', '.join(maps)}]{cast} ins({x.name}, {weight.name} : {x.type()}, "
                          f"{weight.type()}) outs({made.name} : {made.type()})")
        return self.scaled_if(made, sizes[k])

    def op_quantized(self, x):
        """Bytes of its own with zero points, of which one may be zero, with or without signs: a product, or a convolution."""
        m, n, k = (self.random.choice(SIZES) for _ in range(3))
        form, cast = "quantized_matmul", self.random.choice(("", " {cast = #linalg.type_fn<cast_unsigned>}"))
        a, b, made = ((m, k), (k, n), (m, n))
        if self.random.random() < 0.5:
            form, c = "conv_2d_nhwc_fhwc_q", self.random.choice((1, 8, 16))
            a, b, made = (1, 7, 9, c), (n, 3, 2, c), (1, 5, 8, n)
        a, b, made = self.argument(a, "i8"), self.argument(b, "i8"), self.alloc(made, "i32")
        za, zb = (self.constant(self.random.choice((0, 3, -7)), "i32") for _ in range(2))
        self.fill(made)
        self.lines.append(f"  linalg.{form}{cast} ins({a.name}, {b.name}, {za}, {zb} : {a.type()}, {b.type()}, i32, i32)"
                          f" outs({made.name} : {made.type()})")
        self.outputs.append(made)
        return x

    def scaled_if(self, x, count):
        return x if x.element[0] == "i" else self.scaled(x, count)

    def op_convolution(self, x):
        """An image of its own, of which x is a part only in name: channels last."""
        n, h, w, c, f = (self.random.choice(s) for s in ((1, 2), (5, 8, 13), (5, 9, 16, 19), (1, 3, 8, 16), (1, 4, 16, 33)))
        kh, kw, stride, dilation = (self.random.choice(s) for s in ((1, 2, 3), (1, 3), (1, 2), (1, 1, 2)))
        oh, ow = (h - (kh - 1) * dilation - 1) // stride + 1, (w - (kw - 1) * dilation - 1) // stride + 1
        image, weights = self.argument((n, h, w, c), x.element), self.argument((kh, kw, c, f), x.element)
        # Sums of so many products in 16 bits would be far off in the loops of the interpreter.
        made = self.alloc((n, oh, ow, f), {"f16": "f32", "bf16": "f32"}.get(x.element, x.element))
        self.fill(made)
        self.lines.append(f"  linalg.conv_2d_nhwc_hwcf {{dilations = dense<{dilation}> : tensor<2xi64>, strides = "
                          f"dense<{stride}> : tensor<2xi64>}} ins({image.name}, {weights.name} : {image.type()}, "
                          f"{weights.type()}) outs({made.name} : {made.type()})")
        self.outputs.append(made)
        return x

    # -- A program -------------------------------------------------------------------------------------

    def make(self):
        self.outputs = []
        if self.random.random() < 0.15:
            self.element = self.random.choice(("i8", "i32"))
        rank = self.random.choice((2, 2, 3))
        x = self.argument([self.random.choice((1, 2, 3))] * (rank - 2) + [self.random.choice(SIZES) for _ in range(2)])
        methods = [self.op_product, self.op_product, self.op_unary, self.op_binary, self.op_binary, self.op_convert,
                   self.op_softmax, self.op_norm, self.op_transpose, self.op_columns, self.op_attention,
                   self.op_convolution, self.op_part, self.op_mask, self.op_turned, self.op_middle, self.op_channels,
                   self.op_quantized, self.op_pack, self.op_first, self.op_contract]
        if self.element == "f32" and self.random.random() < 0.3:  # kept in eight bits, computed in more
            x.element = self.random.choice(FLOAT8)
            first = self.random.choice(("product", "convert"))
            self.ops.append(f"{x.element} {first}")
            x = self.op_product(x) if first == "product" else self.op_convert(x)
        while not self.lines or self.random.random() < 0.8:
            method = self.random.choice(methods)
            self.ops.append(method.__name__[3:])
            x = method(x)
        copies = []
        for made in [x] + self.outputs:
            if made in self.arguments:
                continue
            out = self.argument(made.shape, made.element)
            copies.append(f"  memref.copy {made.name}, {out.name} : {made.type()} to {out.type()}")
        bound = max(BOUND.get(t, 0) for t in [self.element] + [a.element for a in self.arguments])
        if any("xbf16" in line for line in self.lines):
            bound = BOUND["bf16"]
        elif any("xf16" in line for line in self.lines):
            bound = max(bound, BOUND["f16"])
        signature = ", ".join(f"{a.name}: {a.type()}" for a in self.arguments)
        text = "\n".join([f"func.func @main({signature}) {{"] + self.lines + copies + ["  return", "}", ""])
        return Program(text, bound, self.ops)


def make(random):
    return Maker(random).make()
