"""Elementwise expressions of buffers, and the loop that an assignment of one becomes."""

import math


from .. import _types
from .._affine import AffineDimExpr, AffineMap
from .._attributes import AffineMapAttr
from ..dialects import arith, memref, scf, vector
from ..dialects import math as math_ops
from ..dialects._common import constant
from ..dialects.affine import apply
from ._index import IndexExpr
from ._trace import current


# gelu(x) = x / 2 * (1 + tanh(GELU_SQRT_2_OVER_PI * (x + GELU_BETA * x^3))).
GELU_SQRT_2_OVER_PI = math.sqrt(2 / math.pi)
GELU_BETA = 0.044715


class Expr:
    """A tree of elementwise functions: nothing is made before it is assigned."""

    def __add__(self, other):
        return Apply("add", self, other)

    def __radd__(self, other):
        return Apply("add", other, self)

    def __sub__(self, other):
        return Apply("sub", self, other)

    def __rsub__(self, other):
        return Apply("sub", other, self)

    def __mul__(self, other):
        return Apply("mul", self, other)

    def __rmul__(self, other):
        return Apply("mul", other, self)

    def __truediv__(self, other):
        return Apply("div", self, other)

    def __rtruediv__(self, other):
        return Apply("div", other, self)

    def __neg__(self):
        return Apply("sub", 0, self)

    def checked_place(self):
        """Itself, where cores can compute with it."""
        return self


class Whole(Expr):
    """All elements of a buffer."""

    def __init__(self, buffer):
        self.buffer, self.offsets = buffer, None

    shape = property(lambda self: self.buffer.shape)
    dtype = property(lambda self: self.buffer.dtype)


class Apply(Expr):
    def __init__(self, function, *values):
        self.function, self.values = function, values


def places_of(expr):
    """The buffers, and parts of them, that an expression reads."""
    if isinstance(expr, Apply):
        for each in expr.values:
            yield from places_of(each)
    elif isinstance(expr, Expr):
        yield expr.checked_place()


def _without_ones(shape):
    return [size for size in shape if size != 1]


def assign(place, expr):
    """`buffer[:] = expr`, `buffer[2:4, :] = expr`: one loop over all elements of the place. Dimensions of one element count as
    none."""
    sources = list(places_of(expr))
    for source in sources:
        if _without_ones(source.shape) != _without_ones(place.shape):
            raise ValueError(f"a buffer of shape {source.shape} is assigned to one of shape {place.shape}")
        if source.dtype is not place.dtype:
            raise TypeError(f"elements of type {source.dtype} are assigned to elements of type {place.dtype}")
    buffer = place.buffer
    lanes = buffer.dtype.default_vector_width if buffer.vector is None else buffer.vector
    # The vectors of all lie along the same dimension, the last one.
    if lanes and any(each.shape[-1] % lanes for each in [place, *sources]):
        lanes = 0
    if buffer.dtype.is_unsigned and isinstance(expr, Apply):
        raise NotImplementedError(f"computation on {buffer.dtype}")
    if any(_is_overwritten(source, place) for source in sources):
        # The right side is read before anything is written.
        from ._memory import own
        made = Whole(own(place.shape, buffer))
        _Loop(made, expr, lanes).emit()
        expr = made
    _Loop(place, expr, lanes).emit()


def _is_overwritten(source, place):
    """Whether elements that an assignment reads may be others than those that it writes at the time."""
    if source.buffer is not place.buffer:
        return False
    distances = [IndexExpr.of(here) - IndexExpr.of(there) for here, there in zip(_offsets(source), _offsets(place))]
    if list(source.shape) == list(place.shape) and all(each == 0 for each in distances):
        return False
    return not any(each.is_constant and not -size < each.constant < wide
                   for each, size, wide in zip(distances, source.shape, place.shape))


def _offsets(place):
    return [0] * len(place.shape) if place.offsets is None else place.offsets


def _sum(loop, offset):
    """Of a variable, or None, and a number or a value."""
    if loop is None:
        return constant("index", offset).result if isinstance(offset, int) else offset
    if isinstance(offset, int):
        return loop if offset == 0 else apply(AffineMap.get(1, 0, [AffineDimExpr(0) + offset]), [loop])
    return apply(AffineMap.get(2, 0, [AffineDimExpr(0) + AffineDimExpr(1)]), [loop, offset])


class _Loop:
    def __init__(self, target, expr, lanes):
        self.target, self.expr, self.lanes = target, expr, lanes  # a Whole or a Region
        self.element = target.dtype.type
        self.type = _types.VectorType.get([lanes], self.element) if lanes else self.element

    def emit(self):
        self.nest(list(self.target.shape), [])

    def nest(self, sizes, at):
        if not sizes:
            return self.body(at)
        step = self.lanes if self.lanes and len(sizes) == 1 else 1
        for index in scf.for_(0, sizes[0], step):
            self.nest(sizes[1:], at + [index])
            scf.yield_()

    def body(self, at):
        self.at = at
        result = self.emit_expr(self.expr)
        target, at = self.target.buffer.value(), self.indices(self.target)
        if self.lanes:
            vector.transfer_write(None, result, target, at, self.map(at), [True])
        else:
            memref.store(result, target, at)

    def indices(self, place):
        """Where a buffer is read or written: the first element of the place, and the loops from there on."""
        if list(place.shape) == list(self.target.shape):
            loops = iter(self.at)
        else:  # dimensions of one element follow no loop
            wide = iter([index for index, size in zip(self.at, self.target.shape) if size != 1])
            loops = iter([None if size == 1 else next(wide) for size in place.shape])
        offsets = [current().scope.index(each) for each in place.offsets or [0] * len(place.shape)]
        return [_sum(loop, offset) for loop, offset in zip(loops, offsets)]

    def map(self, at):
        return AffineMapAttr.get(AffineMap.get_minor_identity(len(at), 1))

    def emit_expr(self, expr):
        if isinstance(expr, Apply):
            return self.apply(expr)
        if isinstance(expr, Expr):
            return self.read(expr)
        if isinstance(expr, IndexExpr):
            return self.spread(self.of_index(expr))
        return self.spread(constant(self.element, self.number(expr)).result)

    def number(self, given):
        if self.target.dtype.is_float:
            return float(given)
        if given != int(given):
            raise TypeError(f"{given} is no {self.target.dtype}")
        return int(given)

    def read(self, place):
        source, at = place.buffer.value(), self.indices(place)
        if not self.lanes:
            return memref.load(source, at)
        padding = constant(self.element, 0.0 if self.target.dtype.is_float else 0)
        return vector.transfer_read(self.type, source, at, self.map(at), padding, [True])

    def of_index(self, expr):
        made = current().scope.index(expr)
        if isinstance(made, int):
            return constant(self.element, self.number(made)).result
        if not self.target.dtype.is_float:
            return arith.index_cast(self.element, made)
        return arith.sitofp(self.element, arith.index_cast("i32", made))

    def spread(self, scalar):
        return vector.broadcast(self.type, scalar) if self.lanes else scalar

    def apply(self, expr):
        values = [self.emit_expr(each) for each in expr.values]
        is_float = self.target.dtype.is_float
        if expr.function in _COMPOSED:
            if not is_float:
                raise TypeError(f"{expr.function} is for floats, got {self.target.dtype}")
            return _COMPOSED[expr.function](self, *values)
        table = _FLOATS if is_float else _INTEGERS
        return table[expr.function](*values)

    # Functions of others.

    def number_value(self, number):
        return self.spread(constant(self.element, number).result)

    def sigmoid(self, x):
        # 1 / (1 + e^-x), by tanh, which cores have.
        half = self.number_value(0.5)
        return arith.addf(arith.mulf(math_ops.tanh(arith.mulf(x, half)), half), half)

    def silu(self, x):
        return arith.mulf(x, self.sigmoid(x))

    def gelu(self, x):
        cube = arith.mulf(arith.mulf(x, x), x)
        inner = arith.addf(x, arith.mulf(cube, self.number_value(GELU_BETA)))
        tanh = math_ops.tanh(arith.mulf(inner, self.number_value(GELU_SQRT_2_OVER_PI)))
        half = arith.mulf(x, self.number_value(0.5))
        return arith.addf(half, arith.mulf(half, tanh))


_FLOATS = {"add": lambda a, b: arith.addf(a, b), "sub": lambda a, b: arith.subf(a, b),
           "mul": lambda a, b: arith.mulf(a, b), "div": lambda a, b: arith.divf(a, b),
           "maximum": lambda a, b: arith.maximumf(a, b), "minimum": lambda a, b: arith.minimumf(a, b)}
_INTEGERS = {"add": lambda a, b: arith.addi(a, b), "sub": lambda a, b: arith.subi(a, b),
             "mul": lambda a, b: arith.muli(a, b), "div": lambda a, b: arith.divsi(a, b),
             "maximum": lambda a, b: arith.maxsi(a, b), "minimum": lambda a, b: arith.minsi(a, b)}
_COMPOSED = {"tanh": lambda loop, x: math_ops.tanh(x), "sigmoid": _Loop.sigmoid, "silu": _Loop.silu,
             "gelu": _Loop.gelu}
