"""Functions on arrays of a program, and those of numpy that stand for them."""

import math

from ._arrays import Expression, expression, matmul, pointwise, reduce, select, view
from ._elements import is_float


def exp(x):
    return pointwise("exp", x)


def log(x):
    return pointwise("log", x)


def sqrt(x):
    return pointwise("sqrt", x)


def rsqrt(x):
    """1 / sqrt(x)."""
    return pointwise("rsqrt", x)


def tanh(x):
    return pointwise("tanh", x)


def erf(x):
    return pointwise("erf", x)


def maximum(x, y):
    return pointwise("maximum", x, y)


def minimum(x, y):
    return pointwise("minimum", x, y)


def where(condition, x, y):
    """x where the condition holds, else y."""
    return select(condition, x, y)


def relu(x):
    return maximum(x, 0)


def sigmoid(x):
    """1 / (1 + exp(-x)), computed as (1 + tanh(x / 2)) / 2, which does not overflow."""
    return tanh(x * 0.5) * 0.5 + 0.5


def silu(x):
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


def _positive(x):
    return expression(x)


def _square(x):
    x = expression(x)
    return x * x


def _reciprocal(x):
    x = expression(x)
    if not is_float(x.dtype):
        raise TypeError(f"reciprocal is for floats, got {x.dtype}")
    return 1 / x


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
        "absolute": "abs", "exp": "exp", "log": "log", "sqrt": "sqrt", "tanh": "tanh", "sin": "sin", "cos": "cos",
        "floor": "floor", "ceil": "ceil"}.items()},
    "negative": lambda x: -expression(x), "positive": _positive, "square": _square, "reciprocal": _reciprocal,
    "matmul": matmul,
}


def _reduction(kind):
    def function(x, axis=None, *, keepdims=False):
        return expression(x).mean(axis, keepdims) if kind == "mean" else reduce(kind, x, axis, keepdims)
    return function


def _expand_dims(x, axis):
    axes = list(range(x.ndim))
    axes.insert(axis if axis >= 0 else x.ndim + 1 + axis, None)
    return view(x, axes)


FUNCTIONS = {
    "sum": _reduction("sum"), "amax": _reduction("max"), "max": _reduction("max"), "amin": _reduction("min"),
    "min": _reduction("min"), "mean": _reduction("mean"), "where": where, "dot": matmul,
    "transpose": lambda x, axes=None: Expression.transpose(x, *(axes or ())), "expand_dims": _expand_dims,
}
