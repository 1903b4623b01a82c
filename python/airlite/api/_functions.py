"""Functions on arrays of a program, and those of numpy that stand for them."""

import math

import numpy as np

from ._arrays import Expression, expression, pointwise, power, reduce, select, shared
from ._elements import is_float, is_number
from ._shapes import (broadcast_to, concatenate, diff, einsum, expand_dims, inner, kron, matmul, moveaxis, multi_dot, outer,
                      pad, repeat, reshape, roll, split, squeeze, stack, swapaxes, take, tensordot, tile)


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
    x = expression(x)
    return x * x


def _reciprocal(x):
    x = expression(x)
    if not is_float(x.dtype):
        raise TypeError(f"reciprocal is for floats, got {x.dtype}")
    return 1 / x


def _sign(x):
    x = expression(x)
    if x.dtype.kind == "u":
        return minimum(x, 1)
    return where(x > 0, 1, where(x < 0, expression(-1, x.dtype), x if is_float(x.dtype) else x * 0))


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
    return where(lost == 0, x, log(rounded) * (x / where(lost == 0, 1, lost)))


def _expm1(x):
    """exp(x) - 1, where exp(x) is near 1 as well (Kahan)."""
    x = expression(x)
    power_of_e = exp(x)
    less = power_of_e - 1
    is_plain = _logical("or")(abs(x) > 1, less == 0)
    exact = less * (x / log(where(is_plain, 2, power_of_e)))
    return where(abs(x) > 1, less, where(less == 0, x, exact))


def _logaddexp(x, y):
    return maximum(x, y) + _log1p(exp(-abs(expression(x) - y if not is_number(x) else x - expression(y))))


def _hypot(x, y):
    return sqrt(_square_of(x) + _square_of(y))


def _square_of(x):
    return x * x if is_number(x) else _square(x)


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


def _logical(name):
    def bools(x):
        x = expression(x, np.bool_)
        return x if x.dtype.kind == "b" else x != 0
    return lambda x, y: pointwise(name, bools(x), bools(y))


def _logical_not(x):
    x = expression(x)
    return ~x if x.dtype.kind == "b" else x == 0


def _rounded(name):
    """Integers are round already."""
    return lambda x: pointwise(name, x) if is_float(expression(x).dtype) else shared(expression(x))


def _full_like(x, number, dtype=None):
    x = expression(x)
    return broadcast_to(expression(number, x.dtype if dtype is None else np.dtype(dtype)), x.shape)


def _triangle(is_kept):
    def function(x, k=0):
        x = expression(x)
        rows, columns = np.ogrid[:x.shape[-2], :x.shape[-1]]
        return where(is_kept(columns - rows, k), x, 0)
    return function


def _binary(name):
    return lambda x, y: pointwise(name, x, y)


def _unary(name):
    return lambda x: pointwise(name, x)


UFUNCS = {
    **{name: _binary(what) for name, what in {
        "add": "add", "subtract": "sub", "multiply": "mul", "divide": "div", "true_divide": "div",
        "floor_divide": "floordiv", "remainder": "mod", "maximum": "maximum", "minimum": "minimum",
        "bitwise_and": "and", "bitwise_or": "or", "bitwise_xor": "xor", "left_shift": "shl", "right_shift": "shr",
        "equal": "equal", "not_equal": "not_equal", "less": "less", "less_equal": "less_equal",
        "greater": "greater", "greater_equal": "greater_equal"}.items()},
    **{name: _unary(what) for name, what in {
        "absolute": "abs", "fabs": "abs", "exp": "exp", "exp2": "exp2", "log": "log", "log2": "log2", "log10": "log10",
        "sqrt": "sqrt", "tanh": "tanh", "sin": "sin", "cos": "cos"}.items()},
    **{name: _rounded(name) for name in ("floor", "ceil", "rint", "trunc")},
    **{f"logical_{name}": _logical(name) for name in ("and", "or", "xor")},
    "logical_not": _logical_not, "invert": lambda x: ~expression(x), "negative": lambda x: -expression(x),
    "positive": expression, "square": _square, "reciprocal": _reciprocal, "sign": _sign, "isnan": _is_nan,
    "isfinite": _is_finite, "power": power, "float_power": power, "matmul": matmul,
    "log1p": _log1p, "expm1": _expm1, "logaddexp": _logaddexp, "hypot": _hypot,
}


def _method(name):
    return lambda x, *positional, **named: getattr(expression(x), name)(*positional, **named)


FUNCTIONS = {
    **{name: _method(name) for name in (
        "sum", "prod", "max", "min", "mean", "var", "std", "any", "all", "argmax", "argmin", "clip", "transpose", "ravel",
        "dot")},
    "amax": _method("max"), "amin": _method("min"), "round": UFUNCS["rint"], "round_": UFUNCS["rint"], "around": UFUNCS["rint"], "where": where,
    "expand_dims": expand_dims, "squeeze": squeeze, "moveaxis": moveaxis, "swapaxes": swapaxes, "reshape": reshape,
    "broadcast_to": broadcast_to, "concatenate": concatenate, "stack": stack,
    "vstack": lambda arrays: concatenate(arrays, 0), "hstack": lambda arrays: concatenate(arrays, 1), "tile": tile,
    "repeat": repeat, "roll": roll, "pad": pad, "outer": outer, "einsum": einsum,
    "inner": inner, "vdot": lambda x, y: matmul(reshape(x, -1), reshape(y, -1)), "tensordot": tensordot,
    "multi_dot": multi_dot, "kron": kron, "diff": diff, "split": split, "take": take, "norm": _norm, "copy": _method("copy"),
    "tril": _triangle(lambda distance, k: distance <= k), "triu": _triangle(lambda distance, k: distance >= k),
    "zeros_like": lambda x, dtype=None: _full_like(x, 0, dtype), "ones_like": lambda x, dtype=None: _full_like(x, 1, dtype),
    "full_like": lambda x, number, dtype=None: _full_like(x, number, dtype),
}
