"""Windows along an axis, and sums over them."""

import itertools

from ._arrays import as_dtype, axis_of, common_dtype, expression
from ._shapes import pad, reshape, stack
from ._windows import conv2d


def convolve(x, taps, mode="full"):
    """Sums of the elements of a row times those of another one, which runs backwards: numpy.convolve."""
    x, taps = expression(x), expression(taps)
    if x.ndim != 1 or taps.ndim != 1:
        raise ValueError(f"convolve of arrays of shapes {x.shape} and {taps.shape}: both have one axis")
    return _slid(*((x, taps) if x.size >= taps.size else (taps, x)), True, mode)


def correlate(x, taps, mode="valid"):
    """Sums of the elements of a row times those of another one, which begins at each place: numpy.correlate."""
    x, taps = expression(x), expression(taps)
    if x.ndim != 1 or taps.ndim != 1 or x.size < taps.size:
        raise ValueError(f"correlate of arrays of shapes {x.shape} and {taps.shape}: both have one axis, and the first is the longer one")
    return _slid(x, taps, False, mode)


def _slid(x, taps, is_backwards, mode):
    dtype, size = common_dtype([x.dtype, taps.dtype]), taps.size
    borders = {"full": (size - 1, size - 1), "same": (size // 2, size - 1 - size // 2), "valid": (0, 0)}
    if mode not in borders:
        raise ValueError(f"mode is 'full', 'same' or 'valid', got {mode!r}")
    x, taps = as_dtype(x, dtype), as_dtype(taps[::-1] if is_backwards else taps, dtype)
    x = pad(x, [borders[mode]])
    return reshape(conv2d(reshape(x, 1, 1, -1), reshape(taps, 1, 1, 1, -1)), -1)


def sliding_window_view(x, window_shape, axis=None):
    """All windows of a shape, which are new axes at the end. Nothing is assigned to them, as in numpy."""
    x = expression(x)
    window = tuple(window_shape) if isinstance(window_shape, (tuple, list)) else (window_shape,)
    axes = list(range(x.ndim)) if axis is None else [axis_of(each, x.ndim) for each in (axis if isinstance(axis, (tuple, list)) else (axis,))]
    if len(window) != len(axes) or any(not 0 < size <= x.shape[at] for size, at in zip(window, axes)):
        raise ValueError(f"windows of shape {window} in an array of shape {x.shape}, along axes {axes}")
    parts = []
    for place in itertools.product(*map(range, window)):
        index = [slice(None)] * x.ndim
        for at, start, size in zip(axes, place, window):
            index[at] = slice(start, x.shape[at] - size + 1 + start)
        parts.append(x[tuple(index)])
    return reshape(stack(parts, -1), *parts[0].shape, *window)


def cross(left, right):
    """Of vectors of three elements along the last axis."""
    left, right = expression(left), expression(right)
    if left.shape[-1:] != (3,) or right.shape[-1:] != (3,):
        raise ValueError(f"cross of arrays of shapes {left.shape} and {right.shape}: vectors have three elements here")
    a, b = ([x[..., at] for at in range(3)] for x in (left, right))
    return stack([a[at - 2] * b[at - 1] - a[at - 1] * b[at - 2] for at in range(3)], -1)
