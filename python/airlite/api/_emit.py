"""From expressions to operations of linalg.

A kernel is one operation. Products and reductions are kernels; elementwise functions become a part of the kernel
that uses them, unless two kernels do: then they are one of their own, and both read what it has written.
"""

import math

import numpy as np

from .. import _native
from ._arrays import Constant, Flip, Inset, Join, Pointwise, Product, Read, Reduce, Reshape, View, Window
from ._elements import constant, element_of, is_float, is_signed, stored_element
from ._index import Index
from ._memory import reshaped, window
from ._trace import current

_COMPARE_INT = {"equal": 0, "not_equal": 1, "less": 2, "less_equal": 3, "greater": 4, "greater_equal": 5}
_COMPARE_UINT = {"equal": 0, "not_equal": 1, "less": 6, "less_equal": 7, "greater": 8, "greater_equal": 9}
_COMPARE_FLOAT = {"equal": 1, "greater": 2, "greater_equal": 3, "less": 4, "less_equal": 5, "not_equal": 13}
_FLOAT_OPS = {"add": "arith.addf", "sub": "arith.subf", "mul": "arith.mulf", "div": "arith.divf",
              "maximum": "arith.maximumf", "minimum": "arith.minimumf", "abs": "math.absf", "exp": "math.exp",
              "exp2": "math.exp2", "log": "math.log", "log2": "math.log2", "log10": "math.log10",
              "rint": "math.roundeven", "trunc": "math.trunc", "power": "math.powf",
               "sqrt": "math.sqrt", "rsqrt": "math.rsqrt", "tanh": "math.tanh", "erf": "math.erf",
              "sin": "math.sin", "cos": "math.cos", "floor": "math.floor", "ceil": "math.ceil"}
_INTEGER_OPS = {"add": "arith.addi", "sub": "arith.subi", "mul": "arith.muli", "abs": "math.absi",
                "and": "arith.andi", "or": "arith.ori", "xor": "arith.xori", "shl": "arith.shli"}
_SIGNED_OPS = {"maximum": "arith.maxsi", "minimum": "arith.minsi", "shr": "arith.shrsi",
               "floordiv": "arith.floordivsi"}
_UNSIGNED_OPS = {"maximum": "arith.maxui", "minimum": "arith.minui", "shr": "arith.shrui", "floordiv": "arith.divui",
                 "mod": "arith.remui"}


_MOVED = (Read, Window, Reshape)  # they are memory that is there, and need no operation of their own


def emit(node, memory):
    """Makes what an expression says, into memory."""
    Emitter([node]).into(node, memory)


class Emitter:
    """Some expressions that are made at one place of the program; what they share is computed once."""

    def __init__(self, outputs):
        _check_dtypes(outputs)
        self.first = _merged(outputs)
        self.kernels = _kernels([self.first.get(id(node), node) for node in outputs])
        self.made = {}  # memory of a kernel, by the id of its expression

    def into(self, node, memory):
        node = self.first.get(id(node), node)
        if id(node) in self.made:
            node = _Made(node, self.made[id(node)])
        self._make_all_before(node)
        self._kernel(node, memory)
        self.made[id(node)] = memory

    def _make_all_before(self, root):
        """Makes the kernels that lead to this one, each after those that it reads: by a list, since each may read another one, thousands of times."""
        seen, stack = set(), [(root, False)]
        while stack:
            node, is_ready = stack.pop()
            if is_ready:
                self.memref(node)
            elif id(node) not in seen and not self._is_made(node):
                seen.add(id(node))
                stack += [(node, True)] * (node is not root)
                stack += [(each, False) for each in reversed(self._read_by(node))]

    def _is_made(self, node):
        return id(node) in self.made or id(node) in current().levels[-1].made

    def _read_by(self, node):
        """The kernels that are made before this one."""
        inner = _reshaped_inside(node)
        node = node if inner is None else inner
        if isinstance(node, Reduce):
            self._keep_repeated(node)
        return [each for part in (node.operands if isinstance(node, (Join, Inset)) else (node,)) for each in self._inputs(part)]

    def memref(self, node):
        """Where the elements of a kernel or a buffer are."""
        if isinstance(node, Read):
            return _checked(node)
        if isinstance(node, _Made):
            return node.memory
        if isinstance(node, Window):
            for each in node.offsets:
                each._check(node.location)
            return window(self.memref(node.operands[0]), node.offsets, node.shape, node.steps)
        if isinstance(node, Reshape):
            return reshaped(self.memref(node.operands[0]), node.shape)
        if id(node) not in self.made:
            kept = current().levels[-1].made
            if id(node) not in kept:
                memory = current().allocate(node.shape, node.dtype)
                self._kernel(node, memory)
                kept[id(node)] = node, memory
            self.made[id(node)] = kept[id(node)][1]
        return self.made[id(node)]

    def is_input(self, node):
        return isinstance(node, (*_MOVED, _Made)) or id(node) in self.kernels

    def _kernel(self, node, memory):
        """Makes all that the kernel reads before it writes: the memory may be of a buffer that this is computed of."""
        if isinstance(node, Product):
            self._make_inputs(node)
            fill(memory, node.first, node.dtype)
            return self.accumulate(node, memory)
        if isinstance(node, Inset):
            return self._inset(node, memory)
        if isinstance(node, Join):
            for part in node.operands:
                self._make_inputs(part)
            for part, (offsets, sizes) in zip(node.operands, node.ranges()):
                self._kernel(part, window(memory, [Index.of(each) for each in offsets], sizes, [1] * node.ndim))
            return None
        if isinstance(node, Pointwise) and node.function == "same" and isinstance(node.operands[0], Constant):
            return fill(memory, node.operands[0].number, node.dtype)
        inner = _reshaped_inside(node)
        if inner is not None and id(inner) not in self.made and _is_in_a_row(memory):
            return self.into(inner, reshaped(memory, inner.shape))
        if isinstance(node, Reduce):
            self._keep_repeated(node)
            self._make_inputs(node)
            fill(memory, neutral(node.kind, node.dtype), node.dtype)
        _Generic(self, node).emit(memory)

    def _keep_repeated(self, node):
        """Elements that are the same along an axis which is reduced, as those of broadcast_to, are made one by one: no input would say how many
        there are."""
        body = node.operands[0]
        if not {axis for axis in node.axes if body.shape[axis] > 1} <= self._followed(body, tuple(range(body.ndim))):
            self.kernels.add(id(body))

    def _followed(self, node, loops):
        """The loops that inputs follow."""
        found, seen, stack = set(), set(), [(node, loops)]
        while stack:
            each, loops = stack.pop()
            if self.is_input(each):
                found |= {loop if loop is None or loop >= 0 else ~loop for loop in loops}
            elif (id(each), loops) not in seen:  # what is used twice leads to the same inputs
                seen.add((id(each), loops))
                stack += _operands(each, loops)
        return found

    def _make_inputs(self, node):
        """The kernels that it reads."""
        for each in self._inputs(node):
            self.memref(each)

    def _inputs(self, node):
        found, seen, stack = [], set(), list(reversed(node.operands))
        while stack:
            each = stack.pop()
            if id(each) in seen:
                continue
            seen.add(id(each))
            if self.is_input(each) and not isinstance(each, _MOVED):
                found.append(each)
            else:
                stack += reversed(each.operands)
        return found

    def _inset(self, node, memory):
        self._make_inputs(node.operands[0])
        fill(memory, node.number, node.dtype)
        (offsets, sizes), = node.ranges()
        place = window(memory, [Index.of(each) for each in offsets], sizes, [1] * node.ndim)
        base = node.operands[0].operands[0]
        if self.is_input(base):
            current().count_kernel(base.size, base.dtype)
            _named("linalg.copy", [self.memref(base)], place)  # DMAs do it
        else:
            self._kernel(node.operands[0], place)

    def accumulate(self, product, memory):
        """Adds a product to what the memory holds."""
        unsigned = product.dtype.kind == "u" and product.dtype != product.operands[0].dtype
        if unsigned:
            raise TypeError(f"sums of products of {product.operands[0].dtype} in {product.dtype}: convert the "
                            "factors to signed integers")
        operands = [self.memref(each) for each in product.operands]
        left, right = product.operands
        current().count_kernel(product.size * math.isqrt(left.size * right.size // product.size), product.dtype)  # of matrices: rows, columns and what is between
        _named(product.op, operands, memory)


def _check_dtypes(outputs):
    """Notes what NPUs have no arithmetic for, other places can run it: float64, which cores can only move, and float16."""
    for node in _ordered(outputs):
        dtypes = {each.dtype.name for each in (node, *node.operands)}
        is_computed = isinstance(node, (Reduce, Product)) or isinstance(node, Pointwise) and node.function != "same"
        if "float16" in dtypes and node.operands:
            current().note_unsupported(node.location, "float16")
        elif "float64" in dtypes and is_computed:
            current().note_unsupported(node.location, "float64")


class _Made:
    """A kernel that was made before: it is an input now."""

    operands = ()

    def __init__(self, node, memory):
        self.shape, self.dtype, self.memory, self.location = node.shape, node.dtype, memory, node.location


def _checked(read):
    levels = current().levels
    read.buffer.check()
    if read.kept is not None and read.level in levels:
        return read.kept
    if read.version == read.buffer.version:
        outside = levels.index(read.level) if read.level in levels else len(levels)
        for level in levels[outside + 1:]:
            level.reads.append(read)
        return read.buffer.memref
    if read.end is None or read.level not in levels:
        current().want(read, f"this expression reads {read.buffer.name!r} as it was before it was written: assign the "
                       "expression first")
    block, last = read.end
    with _native.InsertionPoint.after(last) if last else _native.InsertionPoint.at_start(block):
        read.kept = copied(read)
    return read.kept


def copied(read):
    """A copy of a buffer, in the body that has read it."""
    memory = current().allocate(read.shape, read.dtype, read.buffer.memory, read.level)
    _named("linalg.copy", [read.buffer.memref], memory)
    return memory


def _is_in_a_row(memory):
    """Whether its elements follow each other."""
    return memory.type.layout is None


def _reshaped_inside(node):
    """What a kernel computes whose elements get other sizes, and nothing else: it is made in the memory itself."""
    if isinstance(node, Pointwise) and node.function == "same" and node.operands[0].shape == node.shape:
        node = node.operands[0]
    if not isinstance(node, Reshape):
        return None
    base = node.operands[0]
    return None if isinstance(base, (*_MOVED, _Made)) else base


def _merged(outputs):
    """Kernels that compute the same, and parts that are the same, become one. Gives the first one by the ids of all."""
    order, seen, first = _ordered(outputs), {}, {}
    for node in order:
        own = id(node) if isinstance(node, Read) else repr([getattr(node, name) for name in node.traits])
        key = (type(node), node.shape, node.dtype, own, *(id(first[id(each)]) for each in node.operands))
        first[id(node)] = seen.setdefault(key, node)
    # An elementwise function stays a part of each kernel that has it.
    kernels = {name: node for name, node in first.items() if isinstance(node, (Reduce, Product, Flip, Inset, Join, Window, Reshape))}
    for node in order:
        node.operands = tuple(kernels.get(id(each), each) for each in node.operands)
    return kernels


def _ordered(outputs):
    """All expressions, each after its operands."""
    order, seen = [], set()
    stack = [(node, False) for node in reversed(outputs)]
    while stack:
        node, is_done = stack.pop()
        if is_done:
            order.append(node)
        elif id(node) not in seen:
            seen.add(id(node))
            stack.append((node, True))
            stack += [(each, False) for each in reversed(node.operands)]
    return order


def _kernels(outputs):
    """The ids of expressions that are kernels of their own."""
    order = _ordered(outputs)
    kernels = {id(node) for node in outputs if not isinstance(node, _MOVED)}
    for node in order:
        if isinstance(node, (Product, Reduce, Flip, Inset, Join)):
            kernels.add(id(node))
        if isinstance(node, (Product, Flip, Window, Reshape, Inset, Join)):
            kernels |= {id(each) for each in node.operands if not isinstance(each, _MOVED)}
    kernels |= _shown_twice(order)
    users = {id(node): set() for node in order}
    for node in reversed(order):
        # Bools are cheap to compare again.
        if isinstance(node, Pointwise) and len(users[id(node)]) > 1 and node.dtype.kind != "b":
            kernels.add(id(node))
        inside = {id(node)} if id(node) in kernels else users[id(node)]
        for each in node.operands:
            users[id(each)] |= inside
    for node in order:
        if id(node) in kernels:
            _split(node, kernels)
    return kernels


def _shown_twice(order):
    """Functions that one kernel reads along two axes, as y[:, None] - y[None]: each element would be computed for all others."""
    views = {}
    for node in order:
        if isinstance(node, View) and isinstance(node.operands[0], Pointwise) and node.dtype.kind != "b":
            views.setdefault(id(node.operands[0]), set()).add(node.axes)
    return {name for name, axes in views.items() if len(axes) > 1}


_MOST_INPUTS = 5  # of a kernel: a memory tile has six channels in each direction


def _split(root, kernels):
    """Makes parts of a kernel that reads too many arrays kernels of their own."""
    while True:
        inputs = {}  # what each part of the kernel reads
        for node in _ordered([root]):
            is_input = isinstance(node, _MOVED) or (id(node) in kernels and node is not root)
            below = [inputs[id(each)] for each in node.operands]
            inputs[id(node)] = {id(node)} if is_input else set().union(*below)
        if len(inputs[id(root)]) <= _MOST_INPUTS:
            return
        parts = [node for node in _inside(root, kernels) if 1 < len(inputs[id(node)]) <= _MOST_INPUTS]
        if not parts:
            return
        kernels.add(id(max(parts, key=lambda node: len(inputs[id(node)]))))


def _inside(root, kernels):
    """The functions that are a part of a kernel, without the one that it ends in."""
    found, stack = [], list(root.operands)
    while stack:
        node = stack.pop()
        if id(node) in kernels or isinstance(node, _MOVED):
            continue
        stack += node.operands
        if isinstance(node, Pointwise) and node.dtype.kind != "b":
            found.append(node)
    return found


class _Generic:
    """One linalg.generic: a nest of loops, `dims` says which loop each axis of an expression follows (None: the
    axis is of size 1)."""

    def __init__(self, emitter, root):
        self.emitter, self.root = emitter, root
        self.shape = (root.operands[0].shape if isinstance(root, Reduce) else root.shape) or (1,)
        # An axis of one element needs no loop.
        self.loops = [None if size == 1 else axis for axis, size in enumerate(self.shape)]
        kept = [axis for axis in range(len(self.shape)) if not isinstance(root, Reduce) or axis not in root.axes]
        if kept and set(self.loops) == {None}:
            self.loops[kept[-1]] = kept[-1]  # an operation without loops would stay on the host
        self.inputs = {}  # (id of what is read, the loops of its axes) -> its number
        self.memory = []

    def emit(self, memory):
        root = self.root
        body = root.operands[0] if isinstance(root, Reduce) else root
        memory = memory if isinstance(root, Reduce) or root.shape else reshaped(memory, [1])
        loops = tuple(self.loops[:len(body.shape)])  # a single element has one loop, and no axis that follows it
        is_computed = not isinstance(root, (Reduce, *_MOVED, _Made))
        self.gather(body, loops, is_computed)
        reduced = root.axes if isinstance(root, Reduce) else ()
        kept = [loop for axis, loop in enumerate(self.loops) if axis not in reduced]
        maps = [self.map(loops) for _, loops in self.inputs] + [self.map(kept)]
        current().count_kernel(math.prod(self.shape), root.dtype)
        kinds = ["reduction" if loop in reduced else "parallel" for loop in self.loops if loop is not None]
        elements = [memref.type.element_type for memref in self.memory] + [stored_element(root.dtype)]
        made = _native.create(
            "linalg.generic", [self.memory, [memory]], [], regions=[elements], location=root.location, attributes={
                "indexing_maps": _native.Attribute.parse(f"[{', '.join(maps)}]"),
                "iterator_types": _native.Attribute.parse(
                    f"[{', '.join(f'#linalg.iterator_type<{kind}>' for kind in kinds)}]")})
        self.arguments, self.block, self.last = made.body.arguments, made.body, None
        with _native.InsertionPoint(made.body):
            value = self.value(body, loops, is_computed)
            if isinstance(root, Reduce):
                value = _reduction(root.kind, root.dtype, self.arguments[-1], value)
            _native.create("linalg.yield", [_stored(value, root.dtype)])

    def computed(self, node, values):
        for _ in self.new_operations():
            pass
        value = _apply(node, values)
        for op in self.new_operations():
            op.location = node.location
        return value

    def new_operations(self):
        """Those that were made in the block since the last call."""
        op = self.last.next if self.last else next(iter(self.block.operations), None)
        while op:
            self.last = op
            yield op
            op = op.next

    def map(self, loops):
        names = ", ".join(f"d{loop}" for loop in self.loops if loop is not None)
        return f"affine_map<({names}) -> ({', '.join(map(self.place, loops))})>"

    def place(self, loop):
        """Where an axis is read. A loop below 0 is ~loop, backwards."""
        if loop is None:
            return "0"
        return f"d{loop}" if loop >= 0 else f"{self.shape[~loop] - 1} - d{~loop}"

    def gather(self, body, loops, is_computed):
        """Finds what the body reads."""
        for node, loops in self.parts(body, loops, is_computed):
            if not isinstance(node, Constant) and self.reads(node, body, is_computed) and (id(node), loops) not in self.inputs:
                self.inputs[id(node), loops] = len(self.inputs)
                self.memory.append(self.emitter.memref(node))

    def reads(self, node, body, is_computed):
        return self.emitter.is_input(node) and not (is_computed and node is body)

    def parts(self, body, loops, is_computed):
        """The expressions of the body and the loops of their axes, once each, after their operands: by a list, since a function of Python may
        do thousands of operations one after the other."""
        order, seen, stack = [], set(), [(body, loops, False)]
        while stack:
            node, loops, is_done = stack.pop()
            if is_done:
                order.append((node, loops))
            elif (id(node), loops) not in seen:
                seen.add((id(node), loops))
                stack.append((node, loops, True))
                if not self.reads(node, body, is_computed):
                    stack += [(*each, False) for each in reversed(_operands(node, loops))]
        return order

    def value(self, body, loops, is_computed):
        done = {}
        for node, each in self.parts(body, loops, is_computed):
            if isinstance(node, Constant):
                made = constant(node.number, node.dtype)
            elif self.reads(node, body, is_computed):
                made = _loaded(self.arguments[self.inputs[id(node), each]], node.dtype)
            else:
                values = [done[id(operand), inner] for operand, inner in _operands(node, each)]
                made = values[0] if isinstance(node, (Flip, View, _Made)) else self.computed(node, values)
            done[id(node), each] = made
        return done[id(body), loops]


def _operands(node, loops):
    """The operands of a function or a view, with the loops of their axes."""
    if isinstance(node, View):
        base = node.operands[0]
        places = {axis: loops[at] for at, axis in enumerate(node.axes) if axis is not None}
        return [(base, tuple(places.get(axis) for axis in range(base.ndim)))]
    if isinstance(node, Flip):
        return [(node.operands[0], tuple(~loop if axis == node.axis else loop for axis, loop in enumerate(loops)))]
    result = []
    for operand in node.operands:
        first = len(loops) - operand.ndim
        result.append((operand, tuple(
            None if size < node.shape[first + axis] else loops[first + axis] for axis, size in enumerate(operand.shape))))
    return result


# -- Elements

def _loaded(value, dtype):
    return value if dtype.kind != "b" else _op(
        "arith.cmpi", value, constant(0, np.int8), type="i1", predicate=_native.Attribute.of(1, "i64"))


def _stored(value, dtype):
    return value if dtype.kind != "b" else _op("arith.extui", value, type="i8")


def _op(name, *values, type=None, **attributes):
    return _native.create(name, list(values), None if type is None else [type], attributes).result


def _apply(node, values):
    operand = node.operands[0]
    if node.function == "same":
        return values[0]
    if node.function == "cast":
        return _cast(values[0], operand.dtype, node.dtype)
    if node.function == "bits":
        is_same = element_of(node.dtype) == element_of(operand.dtype)  # signs are those of functions
        return values[0] if is_same else _op("arith.bitcast", *values, type=element_of(node.dtype))
    if node.function == "select":
        return _op("arith.select", *values)
    if node.function in _COMPARE_INT:
        return _compare(node.function, operand.dtype, values)
    if is_float(node.dtype):
        return _op(_FLOAT_OPS[node.function], *values)
    if node.function in _INTEGER_OPS:
        return _op(_INTEGER_OPS[node.function], *values) if node.function != "abs" or is_signed(node.dtype) \
            else values[0]
    if not is_signed(node.dtype):
        return _op(_UNSIGNED_OPS[node.function], *values)
    if node.function == "mod":  # with the sign of the divisor, as Python and numpy have it
        quotient = _op("arith.floordivsi", *values)
        return _op("arith.subi", values[0], _op("arith.muli", quotient, values[1]))
    return _op(_SIGNED_OPS[node.function], *values)


def _compare(function, dtype, values):
    table = _COMPARE_FLOAT if is_float(dtype) else _COMPARE_INT if is_signed(dtype) else _COMPARE_UINT
    name = "arith.cmpf" if is_float(dtype) else "arith.cmpi"
    return _op(name, *values, type="i1", predicate=_native.Attribute.of(table[function], "i64"))


def _cast(value, given, wanted):
    to = element_of(wanted)
    if is_float(given) and is_float(wanted):
        if given.itemsize == wanted.itemsize:  # bf16 and f16
            return _op("arith.truncf", _op("arith.extf", value, type="f32"), type=to)
        return _op("arith.extf" if given.itemsize < wanted.itemsize else "arith.truncf", value, type=to)
    if is_float(given):
        if wanted.kind == "b":
            return _compare("not_equal", given, [value, constant(0, given)])
        return _op("arith.fptosi" if is_signed(wanted) else "arith.fptoui", value, type=to)
    if is_float(wanted):
        return _op("arith.sitofp" if is_signed(given) else "arith.uitofp", value, type=to)
    if wanted.kind == "b":
        return _compare("not_equal", given, [value, constant(0, given)])
    width = 1 if given.kind == "b" else 8 * given.itemsize
    if width == 8 * wanted.itemsize:
        return value
    if width > 8 * wanted.itemsize:
        return _op("arith.trunci", value, type=to)
    return _op("arith.extsi" if is_signed(given) else "arith.extui", value, type=to)


def _reduction(kind, dtype, so_far, value):
    function = {"sum": "add", "prod": "mul", "max": "maximum", "min": "minimum"}[kind]
    if is_float(dtype):
        return _op(_FLOAT_OPS[function], so_far, value)
    table = {**_INTEGER_OPS, **(_SIGNED_OPS if is_signed(dtype) else _UNSIGNED_OPS)}
    return _op(table[function], so_far, value)


def neutral(kind, dtype):
    """What changes no result of a reduction."""
    if kind in ("sum", "prod"):
        return 0 if kind == "sum" else 1
    if is_float(dtype):
        return float("-inf" if kind == "max" else "inf")
    limits = np.iinfo(dtype)
    return int(limits.min if kind == "max" else limits.max)


# -- Named operations

def fill(memory, number, dtype):
    _named("linalg.fill", [constant(number, np.int8 if np.dtype(dtype).kind == "b" else dtype)], memory)


def _named(op, inputs, output):
    """A named operation: its syntax implies its body, so it is read from text."""
    values = [*inputs, output]
    arguments = ", ".join(f"%{at}: {value.type}" for at, value in enumerate(values))
    names = ", ".join(f"%{at}" for at in range(len(inputs)))
    types = ", ".join(str(value.type) for value in inputs)
    program = _native.parse(f"func.func private @f({arguments}) {{ {op} ins({names} : {types}) "
                            f"outs(%{len(inputs)} : {output.type}) return }}", "<operation>")
    made = program.functions[0].body.operations[0]
    for at, operand in enumerate(made.operands):
        made.set_operand(at, values[operand.index])
    made.remove_from_parent()
    made.location = _native.Location.here()
    _native.InsertionPoint.current().insert(made)
