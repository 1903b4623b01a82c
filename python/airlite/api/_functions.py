"""Functions on arrays of a program, and those of numpy that stand for them."""

import math

import numpy as np

from ._arrays import Expression, Pointwise, array, as_dtype, broadcast_as_view, broadcast_to, check_numbers, expression, in_order_of, own, pointwise, power, reduce, reducible, select, view
from ._choice import take_along_axis
from ._edits import block, compress, delete, insert, packbits, refuse_unknown_size, same_shape_and_elements, unpackbits
from ._elements import is_float, is_number
from ._linear import det, inv, solve
from ._orders import argsort, digitize, median, percentile, quantile, searchsorted, sort
from ._scans import accumulate
from ._shapes import (array_split, axes_as_view, concatenate, diagonal, diff, einsum, expanded, inner, kron, matmul, matrix_power, meshgrid, moveaxis, moved, multi_dot, outer,
                      pad, repeat, reshape, reversed_axes, roll, split, stack, take, tensordot, tile)
from ._signals import convolve, correlate, cross, sliding_window_view
from ._statistics import bincount, corrcoef, cov, gradient, histogram, interp, isin, nanvar, polyval, trapz


def exp(x):
    """e to the power of x."""
    return pointwise("exp", x)


def log(x):
    """The natural logarithm."""
    return pointwise("log", x)


def sqrt(x):
    """The square root."""
    return pointwise("sqrt", x)


def rsqrt(x):
    """1 / sqrt(x)."""
    return pointwise("rsqrt", x)


def tanh(x):
    """The hyperbolic tangent."""
    return pointwise("tanh", x)


def erf(x):
    """The error function."""
    return pointwise("erf", x)


def maximum(x, y):
    """The greater one of each two elements."""
    return pointwise("maximum", x, y)


def minimum(x, y):
    """The smaller one of each two elements."""
    return pointwise("minimum", x, y)


def where(condition, x, y):
    """x where the condition holds, else y."""
    return select(condition, x, y)


def _where(condition, *values):
    """numpy.where: what is not 0 holds."""
    if not values:
        refuse_unknown_size()
    if is_number(condition):
        return select(bool(condition), *values)
    condition = array(np.asarray(condition) if isinstance(condition, list) else condition)
    return select(condition if condition.dtype.kind == "b" else condition != 0, *values)


def relu(x):
    """x, and 0 where it is negative."""
    return maximum(x, 0)


def sigmoid(x):
    """1 / (1 + exp(-x)), computed as (1 + tanh(x / 2)) / 2, which does not overflow."""
    return tanh(x * 0.5) * 0.5 + 0.5


def silu(x):
    """x * sigmoid(x)."""
    return x * sigmoid(x)


def gelu(x):
    """x times the share of a normal distribution below x, by erf."""
    return x * 0.5 * (erf(x * math.sqrt(0.5)) + 1)


def softmax(x, axis=-1):
    """exp(x) / sum(exp(x)) along an axis, with the greatest element subtracted first."""
    x = expression(x)
    powers = exp(x - x.max(axis, keepdims=True))
    return powers / powers.sum(axis, keepdims=True)


def layer_norm(x, scale=None, shift=None, axis=-1, epsilon=1e-5):
    """(x - mean) / sqrt(variance + epsilon) * scale + shift along an axis."""
    x = expression(x)
    distance = x - x.mean(axis, keepdims=True)
    normal = distance / sqrt((distance * distance).mean(axis, keepdims=True) + epsilon)
    scaled = normal if scale is None else normal * scale
    return scaled if shift is None else scaled + shift


def rms_norm(x, scale=None, axis=-1, epsilon=1e-5):
    """x / sqrt(mean of squares + epsilon) * scale along an axis."""
    x = expression(x)
    normal = x / sqrt((x * x).mean(axis, keepdims=True) + epsilon)
    return normal if scale is None else normal * scale


def _square(x):
    """numpy has none of bools: they become int8."""
    x = expression(x)
    x = x.astype(np.int8) if x.dtype.kind == "b" else x
    return x * x


def _sign(x):
    x = expression(x)
    if x.dtype.kind == "u":
        return minimum(x, 1)
    return where(x > 0, 1, where(x < 0, expression(-1, x.dtype), x + 0.0 if is_float(x.dtype) else x * 0))  # of -0 it is 0


def _is_nan(x):
    x = expression(x)
    return x != x if is_float(x.dtype) else _full_like(x, False, np.bool_)


def _is_finite(x):
    x = expression(x)
    return abs(x) < math.inf if is_float(x.dtype) else _full_like(x, True, np.bool_)


def _log1p(x):
    """log(1 + x), where 1 + x has lost digits of x as well (Kahan)."""
    x = expression(x)
    rounded = x + 1
    lost = rounded - 1
    is_itself = _logical("or")(lost == 0, x == math.inf)
    return where(is_itself, x, log(rounded) * (x / where(is_itself, 1, lost)))


def _expm1(x):
    """exp(x) - 1, where exp(x) is near 1 as well (Kahan)."""
    x = expression(x)
    power_of_e = exp(x)
    less = power_of_e - 1
    is_plain = _logical("or")(abs(x) > 1, less == 0)
    exact = less * (x / log(where(is_plain, 2, power_of_e)))
    return where(abs(x) > 1, less, where(less == 0, x, exact))


def _logaddexp(x, y):
    x, y = _two(x, y)
    distance = where(x == y, 0, abs(x - y))  # of equal infinities as well
    return maximum(x, y) + _log1p(exp(-distance))


def _logaddexp2(x, y):
    return _logaddexp(x * math.log(2), y * math.log(2)) * (1 / math.log(2))


def _two(x, y):
    """Both as expressions, where one may be a number."""
    if is_number(x) or is_number(y):
        check_numbers([x, y], (y if is_number(x) else x).dtype)
    return (expression(x, y.dtype), expression(y)) if is_number(x) else (expression(x), expression(y, x.dtype))


def _hypot(x, y):
    """By the quotient of the two, whose square is finite where those of the numbers are not."""
    x, y = _two(x, y)
    long, short = maximum(abs(x), abs(y)), minimum(abs(x), abs(y))
    ratio = short / where(long == 0, 1, long)
    return where(long == math.inf, long, long * sqrt(ratio * ratio + 1))


def _norm(x, ord=None, axis=None, keepdims=False):
    """Of vectors, and of matrices the root of the sum of all squares."""
    x = expression(x)
    if ord == 1 and not isinstance(axis, (tuple, list)) and (axis is not None or x.ndim == 1):
        return abs(x).sum(axis, keepdims=keepdims)
    if ord in (math.inf, "inf") and not isinstance(axis, (tuple, list)) and (axis is not None or x.ndim == 1):
        return abs(x).max(axis, keepdims=keepdims)
    is_plain = ord is None or ord == "fro" or ord == 2 and (axis is not None or x.ndim == 1)
    if not is_plain:
        raise TypeError(f"norm with ord={ord!r} of arrays of a program is not supported")
    return sqrt((x * x).sum(axis, keepdims=keepdims))


def remainder(x, y):
    """Of floats, with the sign of the divisor: wrong by one step of x at most, where numpy is exact. A quotient that was rounded to another
    whole number is put right."""
    rest = x - pointwise("floor", x / y) * y
    has_other_sign = where(y > 0, rest < 0, rest > 0)
    rest = where(has_other_sign, rest + y, rest)
    return where(abs(rest) >= abs(y), rest - y, rest)


def _fmod(x, y):
    x, y = _two(x, y)
    if is_float(x.dtype):
        return _with_sign(pointwise("mod", abs(x), abs(y)), x)
    rest = x % y  # with the sign of y
    return where((rest != 0) & ((rest < 0) != (x < 0)), rest - y, rest)


def _modf(x):
    whole = UFUNCS["trunc"](expression(x))
    return x - whole, whole


def _logical(name):
    def bools(x):
        x = expression(x, np.bool_)
        return x if x.dtype.kind == "b" else x != 0
    return lambda x, y: pointwise(name, bools(x), bools(y))


def _logical_not(x):
    x = expression(x)
    return ~x if x.dtype.kind == "b" else x == 0


def rounded(x, decimals=0):
    """As numpy does it: times a power of ten, which is not exact."""
    x = expression(x)
    if not is_float(x.dtype):
        if decimals < 0:
            raise TypeError(f"round of {x.dtype} with decimals={decimals} is not supported")
        return own(x)
    if decimals == 0:
        return pointwise("rint", x)
    factor = float(10 ** abs(decimals))
    return pointwise("rint", x * factor) / factor if decimals > 0 else pointwise("rint", x / factor) * factor


def _rounded(name, given=None):
    """Integers are round already. What they become differs between releases of numpy: the installed one says it."""
    def function(x):
        x = expression(x)
        if is_float(x.dtype):
            return pointwise(name, x)
        made = getattr(np, name)(np.empty(0, x.dtype)).dtype
        if made.name in ("float16", "float64"):
            raise TypeError(f"{given or name} of {x.dtype} is {made} in numpy {np.__version__}, which NPUs do not compute: integers are round already, and "
                            "x.astype(np.float32) makes floats")
        return as_dtype(own(x), made)
    return function


def _full_like(x, number, dtype=None):
    x = expression(x)
    return in_order_of(x, own(broadcast_to(expression(number, x.dtype if dtype is None else np.dtype(dtype)), x.shape)))


def _triangle(is_kept):
    def function(x, k=0):
        x = expression(x)
        rows, columns = np.ogrid[:x.shape[-2], :x.shape[-1]]
        return where(is_kept(columns - rows, k), x, expression(0, x.dtype))
    return function


_ARCTAN = (-0.3333331346511841, 0.19998441636562347, -0.1424306482076645, 0.10590773075819016, -0.060713041573762894)


def _arctan(x):
    """A polynomial for tangents up to that of 22.5 degrees (fitted to 1.1 units in the last place of f32): larger ones
    are turned by 45 degrees, those above 1 by 90."""
    x = expression(x)
    size = abs(x)
    is_steep = size > 1
    angle = _angle_of(where(is_steep, 1 / maximum(size, 1), size), is_steep)
    return where(_has_sign(x), -angle, angle)


def _angle_of(slope, is_steep):
    """Of a tangent up to 1, or, where it is steep, of 1 / slope."""
    is_wide = slope > math.tan(math.pi / 8)
    slope = where(is_wide, (slope - 1) / (slope + 1), slope)
    square, factor = slope * slope, _ARCTAN[-1]
    for each in _ARCTAN[-2::-1]:
        factor = square * factor + each
    angle = slope + slope * (square * factor) + where(is_wide, expression(math.pi / 4, slope.dtype), 0)
    return where(is_steep, math.pi / 2 - angle, angle)


def _has_sign(x):
    """Of negative numbers and of -0."""
    return Pointwise("bits", (x,), x.shape, np.dtype(f"int{8 * x.dtype.itemsize}")) < 0


def _arctan2(y, x):
    """The angle in the first quadrant, then turned into the one that the signs say, those of 0 as well."""
    y, x = _two(y, x)
    height, width = abs(y), abs(x)
    is_diagonal = height == width
    slope = minimum(height, width) / maximum(height, width)
    slope = where(is_diagonal, where(height == 0, 0, expression(1, x.dtype)), slope)  # of two infinities as well
    angle = _angle_of(slope, height > width)
    angle = where(_has_sign(x), math.pi - angle, angle)
    return where(_has_sign(y), -angle, angle)


def _arcsin(x):
    return _arctan2(x, sqrt((1 - x) * (1 + x)))


def _arccos(x):
    return _arctan2(sqrt((1 - x) * (1 + x)), x)


def _arcsinh(x):
    """Of large numbers the logarithm of twice the number: their squares are infinite."""
    size = abs(x)
    small = minimum(size, 1e6)
    near = _log1p(small + small * small / (sqrt(small * small + 1) + 1))
    return _with_sign(where(size > 1e6, log(maximum(size, 1)) + math.log(2), near), x)


def _arccosh(x):
    small = minimum(x, 1e6) - 1
    return where(x > 1e6, log(maximum(x, 1)) + math.log(2), _log1p(small + sqrt(small * small + small * 2)))


def _arctanh(x):
    return _log1p(x * 2 / (1 - x)) * 0.5


def _tan(x):
    return pointwise("sin", x) / pointwise("cos", x)


def _sinh(x):
    """Near 0 half of (1 + less) - 1 / (1 + less), where exp(x) - 1 is exact there."""
    x = expression(x)
    less = _expm1(x)
    power, rest = _half_powers(x)
    far = where(x < 0, rest - power, power - rest)
    return where(abs(x) > 1, far, (less + less / (less + 1)) * 0.5)


def _cosh(x):
    power, rest = _half_powers(expression(x))
    return power + rest


def _half_powers(x):
    """Halves of e to the power of |x| and of -|x|. The first is finite where e to that power is too large for a float."""
    root = exp(abs(x) * 0.5)
    return root * (root * 0.5), 0.5 / root / root


def _average(x, axis=None, weights=None, keepdims=False):
    x = expression(x)
    if weights is None:
        return x.mean(axis, keepdims=keepdims)
    weights = expression(weights)
    if weights.shape != x.shape:
        if axis is None or isinstance(axis, (tuple, list)) or weights.ndim != 1:
            raise TypeError(f"average of an array of shape {x.shape} with weights of shape {weights.shape} along axis {axis}")
        weights = moveaxis(broadcast_to(weights, moveaxis(x, axis, -1).shape), -1, axis)
    return (x * weights).sum(axis, keepdims=keepdims) / weights.sum(axis, keepdims=keepdims)


def _count_nonzero(x, axis=None, keepdims=False):
    return (expression(x) != 0).sum(axis, keepdims=keepdims)


def _select(conditions, choices, default=0):
    """The choice of the first condition that holds."""
    if len(conditions) != len(choices):
        raise ValueError(f"select of {len(conditions)} conditions and {len(choices)} choices")
    made = default
    for condition, choice in zip(reversed(conditions), reversed(choices)):
        made = where(condition, choice, made)
    return made


def _is_close(x, y, rtol=1e-5, atol=1e-8):
    x, y = _two(x, y)
    is_whole = not is_float(x.dtype) and not is_float(y.dtype)
    distance, size = (each.astype(np.float32) if is_whole else each for each in (abs(x - y), abs(y)))
    is_near = _logical("and")(distance <= size * rtol + atol, _is_finite(y))
    return _logical("or")(x == y, is_near)


def _plain_numbers(x, copy=True, nan=0.0, posinf=None, neginf=None):
    if not copy:
        x[...] = _plain_numbers(x, True, nan, posinf, neginf)
        return x
    x = expression(x)
    if not is_float(x.dtype):
        return own(x)
    # The largest number of bf16 is one of f32, and of its own.
    limit = float(np.finfo(x.dtype).max) if x.dtype.kind == "f" else float.fromhex("0x1.fep127")
    high, low = limit if posinf is None else posinf, -limit if neginf is None else neginf
    return where(x != x, nan, where(x == math.inf, high, where(x == -math.inf, low, x)))


def _binary(name):
    return lambda x, y: pointwise(name, x, y)


def _unary(name):
    return lambda x: pointwise(name, x)


def _check_float(name, dtype):
    if not is_float(dtype):
        raise TypeError(f"{name} is for floats, got {dtype}: x.astype(np.float32) converts")


def _only_floats(name, function):
    """Of integers numpy makes float64."""
    def checked(*operands):
        dtype = next(each.dtype for each in operands if not is_number(each))
        _check_float(name, dtype)
        return function(*map(_as_operand, operands))
    return checked


def _as_operand(given):
    return given if is_number(given) else expression(given)


def _unless_nan(name):
    """Of a NaN and a number the number."""
    def function(x, y):
        x, y = _two(x, y)
        made = pointwise(name, x, y)
        return where(x != x, y, where(y != y, x, made)) if is_float(made.dtype) else made
    return function


def _with_sign(x, y):
    x, y = _two(x, y)
    return where(_has_sign(y), -abs(x), abs(x))


def _copysign(x, y):
    x, y = _two(x, y)
    _check_float("copysign", y.dtype)  # an integer has no bit of a sign where floats have it
    return _with_sign(x, y)


def _heaviside(x, y):
    x, y = _two(x, y)
    return where(x != x, x, where(x < 0, expression(0, x.dtype), where(x == 0, y, 1)))


def _cbrt(x):
    x = expression(x)
    return _with_sign(pointwise("power", abs(x), 1 / 3), x)


def _sinc(x):
    x = expression(x)
    angle = where(x == 0, 1, x) * math.pi
    return where(x == 0, 1, pointwise("sin", angle) / angle)


def _without_nans(kind, number):
    def function(x, axis=None, dtype=None, keepdims=False):
        x = expression(x)
        plain = where(x != x, expression(number, x.dtype), x) if is_float(x.dtype) else x
        return reduce(kind, reducible(kind, plain, dtype), axis, keepdims)
    return function


def _accumulated_without_nans(kind, number):
    def function(x, axis=None, dtype=None):
        x = expression(x)
        return accumulate(kind, where(x != x, expression(number, x.dtype), x), axis, dtype)
    return function


def _split_along(name, axis):
    def function(x, parts):
        x = array(x)
        if x.ndim <= axis and not (name == "hsplit" and x.ndim == 1):
            raise ValueError(f"{name} of an array of shape {x.shape}")
        return split(x, parts, min(axis, x.ndim - 1))
    return function


def _extreme_without_nans(kind):
    """NaN where there is nothing else."""
    def function(x, axis=None, keepdims=False):
        x = expression(x)
        if not is_float(x.dtype):
            return reduce(kind, x, axis, keepdims)
        made = _without_nans(kind, -math.inf if kind == "max" else math.inf)(x, axis, keepdims=keepdims)
        return where((x == x).any(axis, keepdims=keepdims), made, math.nan)
    return function


def _mean_without_nans(x, axis=None, keepdims=False):
    x = expression(x)
    count = (x == x).sum(axis, keepdims=keepdims).astype(x.dtype)
    return _without_nans("sum", 0)(x, axis, keepdims=keepdims) / count


def _at_least(rank):
    def function(*arrays):
        made = [_with_axes(array(each), rank) for each in arrays]
        return made[0] if len(made) == 1 else made
    return function


def _with_axes(x, rank):
    axes = {0: [None] * rank, 1: [None, 0, None], 2: [0, 1, None]}
    return axes_as_view(x, axes[x.ndim][:rank]) if x.ndim < rank else x


def _diag(x, k=0):
    """A matrix with the elements on its diagonal, or the diagonal of a matrix."""
    x = expression(x)
    if x.ndim != 1:
        return diagonal(x, k)
    below, right = max(-k, 0), max(k, 0)
    return pad(where(np.eye(x.size, dtype=bool), x[None], 0), ((below, right), (right, below)))


def _turned(x, k=1, axes=(0, 1)):
    """By k quarters, from the first axis to the second one."""
    x = array(x)
    first, second = axes
    k %= 4
    if k == 2:
        return reversed_axes(x, axes)
    turned = x.swapaxes(first, second) if k else x
    return reversed_axes(turned, first) if k == 1 else reversed_axes(turned, second) if k == 3 else turned


def _copied_to(target, given, where=True):
    from ._making import want_array
    if not isinstance(target, Expression):
        want_array(target)
        raise TypeError("copyto assigns to an array of the program, as of np.zeros_like(x)")
    target[...] = given if where is True else select(where, given, target)


def _fill_diagonal(x, number):
    """Of a matrix."""
    x[...] = where(np.eye(*x.shape, dtype=bool), number, x)


UFUNCS = {
    **{name: _binary(what) for name, what in {
        "add": "add", "subtract": "sub", "multiply": "mul", "divide": "div", "true_divide": "div",
        "floor_divide": "floordiv", "remainder": "mod", "maximum": "maximum", "minimum": "minimum",
        "bitwise_and": "and", "bitwise_or": "or", "bitwise_xor": "xor", "left_shift": "shl", "right_shift": "shr",
        "equal": "equal", "not_equal": "not_equal", "less": "less", "less_equal": "less_equal",
        "greater": "greater", "greater_equal": "greater_equal"}.items()},
    **{name: _unary(what) for name, what in {
        "absolute": "abs", "exp": "exp", "exp2": "exp2", "log": "log", "log2": "log2", "log10": "log10",
        "sqrt": "sqrt", "tanh": "tanh", "sin": "sin", "cos": "cos"}.items()},
    **{name: _rounded(name) for name in ("floor", "ceil", "trunc")}, "rint": _only_floats("rint", _unary("rint")),
    **{f"logical_{name}": _logical(name) for name in ("and", "or", "xor")},
    "logical_not": _logical_not, "invert": lambda x: ~expression(x), "negative": lambda x: -expression(x),
    "positive": own, "fabs": _only_floats("fabs", abs), "square": _square, "reciprocal": _only_floats("reciprocal", lambda x: 1 / x), "sign": _sign, "isnan": _is_nan,
    "isfinite": _is_finite, "power": power, "matmul": matmul,
    **{name: _only_floats(name, make) for name, make in (
        ("arcsin", _arcsin), ("arccos", _arccos), ("arcsinh", _arcsinh), ("arccosh", _arccosh), ("arctanh", _arctanh), ("logaddexp2", _logaddexp2))},
    "conjugate": own,  # of real numbers
    "arctan": _arctan, "arctan2": _arctan2, "tan": _tan, "sinh": _sinh, "cosh": _cosh,
    "isinf": lambda x: _logical_not(_logical("or")(_is_finite(x), _is_nan(x))),
    "deg2rad": lambda x: x * (math.pi / 180), "radians": lambda x: x * (math.pi / 180),
    "rad2deg": lambda x: x * (180 / math.pi), "degrees": lambda x: x * (180 / math.pi),
    "fmax": _unless_nan("maximum"), "fmin": _unless_nan("minimum"), "copysign": _only_floats("copysign", _copysign), "heaviside": _only_floats("heaviside", _heaviside), "cbrt": _cbrt,
    "fmod": _fmod, "modf": _modf, "divmod": lambda x, y: (pointwise("floordiv", x, y), pointwise("mod", x, y)),
    "signbit": lambda x: _has_sign(expression(x)) if is_float(expression(x).dtype) else expression(x) < 0,
    **{name: _only_floats(name, make) for name, make in (("log1p", _log1p), ("expm1", _expm1), ("logaddexp", _logaddexp), ("hypot", _hypot))},
}


_KINDS = {"add": "sum", "multiply": "prod", "maximum": "max", "minimum": "min"}


def _reducing(kind):
    return lambda x, axis=0, dtype=None, keepdims=False: reduce(kind, reducible(kind, x, dtype), axis, keepdims)


def _accumulating(kind):
    return lambda x, axis=0, dtype=None: accumulate(kind, x, axis, dtype)


def _outer_of(make):
    return lambda x, y: make(view(expression(x), [*range(expression(x).ndim), *[None] * expression(y).ndim]), y)


# Of numpy's functions of two numbers: np.add.reduce(x), np.maximum.accumulate(x), np.subtract.outer(x, y).
METHODS = {
    **{("reduce", name): _reducing(kind) for name, kind in _KINDS.items()},
    **{("accumulate", name): _accumulating(kind) for name, kind in _KINDS.items()},
    **{("outer", name): _outer_of(UFUNCS[name]) for name in (
        "add", "subtract", "multiply", "divide", "floor_divide", "maximum", "minimum", "equal", "less", "greater")},
}


def _method(name):
    return lambda x, *positional, **named: getattr(array(x), name)(*positional, **named)


FUNCTIONS = {
    **{name: _method(name) for name in (
        "sum", "prod", "max", "min", "mean", "var", "std", "any", "all", "argmax", "argmin", "transpose", "ravel",
        "dot", "cumsum", "cumprod", "diagonal", "trace")},
    **{name: refuse_unknown_size for name in ("nonzero", "argwhere", "flatnonzero", "unique", "extract", "setdiff1d", "intersect1d", "union1d")},
    "clip": lambda x, a_min=None, a_max=None: array(x).clip(a_min, a_max), "cov": cov, "corrcoef": corrcoef, "bincount": bincount, "histogram": histogram,
    "interp": interp, "gradient": gradient, "trapz": trapz, "polyval": polyval, "isin": isin, "in1d": lambda x, *given, **named: isin(reshape(x, -1), *given, **named), "insert": insert, "delete": delete,
    "block": block, "packbits": packbits, "unpackbits": unpackbits, "compress": compress, "array_equal": same_shape_and_elements,
    "allclose": lambda x, y, rtol=1e-5, atol=1e-8: _is_close(x, y, rtol, atol).all(), "ediff1d": lambda x: diff(reshape(x, -1)),
    "nanvar": nanvar, "nanstd": lambda *given, **named: sqrt(nanvar(*given, **named)),
    **{name: _split_along(name, axis) for name, axis in (("vsplit", 0), ("hsplit", 1), ("dsplit", 2))},
    "broadcast_arrays": lambda *arrays: [broadcast_as_view(each, np.broadcast_shapes(*(each.shape for each in arrays))) for each in arrays],
    "fix": _rounded("trunc", "fix"), "rollaxis": lambda x, axis, start=0: moved(x, axis, start - (start > axis % array(x).ndim)),
    "isposinf": lambda x: expression(x) == math.inf, "isneginf": lambda x: expression(x) == -math.inf, "diagflat": lambda x, k=0: _diag(reshape(x, -1), k),
    "nancumsum": _accumulated_without_nans("sum", 0), "nancumprod": _accumulated_without_nans("prod", 1),
    "partition": lambda x, kth, axis=-1: sort(x, axis), "argpartition": lambda x, kth, axis=-1: argsort(x, axis),
    "flip": reversed_axes, "fliplr": lambda x: reversed_axes(x, 1), "flipud": lambda x: reversed_axes(x, 0),
    "meshgrid": meshgrid, "take_along_axis": take_along_axis, "average": _average, "ptp": _method("ptp"),
    "count_nonzero": _count_nonzero, "select": _select, "isclose": _is_close, "nan_to_num": _plain_numbers,
    "column_stack": lambda arrays: concatenate([view(expression(each), [0, None]) if expression(each).ndim == 1 else each
                                                for each in arrays], 1),
    "append": lambda x, y, axis=None: concatenate([reshape(x, -1), reshape(y, -1)] if axis is None else [x, y], axis or 0),
    "amax": _method("max"), "amin": _method("min"), "round": rounded, "round_": rounded, "around": rounded,
    "where": _where, "ndim": lambda x: x.ndim, "shape": lambda x: x.shape, "size": lambda x, axis=None: x.size if axis is None else x.shape[axis],
    "expand_dims": expanded, "squeeze": _method("squeeze"), "moveaxis": moved, "swapaxes": _method("swapaxes"),
    "reshape": _method("reshape"),
    "broadcast_to": broadcast_as_view, "concatenate": concatenate, "stack": stack,
    "vstack": lambda arrays: concatenate([_with_axes(array(each), 2) for each in arrays], 0),
    "hstack": lambda arrays: concatenate(arrays, min(1, max(expression(each).ndim for each in arrays) - 1)),
    "dstack": lambda arrays: concatenate([_with_axes(array(each), 3) for each in arrays], 2), "tile": tile,
    "atleast_1d": _at_least(1), "atleast_2d": _at_least(2), "atleast_3d": _at_least(3), "diag": _diag, "rot90": _turned,
    "nansum": _without_nans("sum", 0), "nanprod": _without_nans("prod", 1), "nanmax": _extreme_without_nans("max"),
    "nanmin": _extreme_without_nans("min"), "nanmean": _mean_without_nans, "sinc": _sinc, "copyto": _copied_to, "fill_diagonal": _fill_diagonal,
    "sort": sort, "argsort": argsort, "median": median, "percentile": percentile, "quantile": quantile, "searchsorted": searchsorted,
    "digitize": digitize, "convolve": convolve, "correlate": correlate, "sliding_window_view": sliding_window_view, "cross": cross,
    "repeat": repeat, "roll": roll, "pad": pad, "outer": outer, "einsum": einsum,
    "inner": inner, "vdot": lambda x, y: matmul(reshape(x, -1), reshape(y, -1)), "tensordot": tensordot,
    "multi_dot": multi_dot, "det": det, "inv": inv, "solve": solve, "matrix_power": matrix_power, "array_split": array_split, "kron": kron, "diff": diff, "split": split, "take": take, "norm": _norm, "copy": lambda x: in_order_of(x, own(x)),
    "tril": _triangle(lambda distance, k: distance <= k), "triu": _triangle(lambda distance, k: distance >= k),
    "zeros_like": lambda x, dtype=None: _full_like(x, 0, dtype), "empty_like": lambda x, dtype=None: _full_like(x, 0, dtype),
    "ones_like": lambda x, dtype=None: _full_like(x, 1, dtype),
    "full_like": lambda x, number, dtype=None: _full_like(x, number, dtype),
}
