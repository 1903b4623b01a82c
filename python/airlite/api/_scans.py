"""Sums, products and extremes of all elements up to each one."""

import numpy as np

from ._arrays import axis_of, pointwise, reduce, reducible, select, view

_BLOCK = 32  # elements that are compared with each other: longer axes are blocks of them, and the blocks a shorter axis
_FUNCTIONS = {"sum": "add", "prod": "mul", "max": "maximum", "min": "minimum"}


def accumulate(kind, x, axis=None, dtype=None):
    """Of each element and all before it along an axis, in the dtype of the elements; without `axis` of all in a row."""
    from ._shapes import reshape
    x = reducible(kind, x, dtype)
    if axis is None:
        x, axis = reshape(x, -1), 0
    axis = axis_of(axis, x.ndim)
    others = [each for each in range(x.ndim) if each != axis]
    made = _scanned(kind, view(x, [*others, axis]), False)
    back = list(range(x.ndim - 1))
    back.insert(axis, x.ndim - 1)
    return view(made, back)


def _scanned(kind, x, is_before):
    """Along the last axis; `is_before` leaves out the element itself."""
    from ._emit import neutral
    from ._shapes import pad, reshape
    size, first = x.shape[-1], neutral(kind, x.dtype)
    if size <= _BLOCK:
        # The sums are along the last axis but one: cores compute neighbours along the last one side by side.
        is_part = np.ascontiguousarray(np.tri(size, k=-1 if is_before else 0, dtype=bool).T)
        return reduce(kind, select(is_part, view(x, [*range(x.ndim), None]), first), -2)
    blocks = -(-size // _BLOCK)
    rest = blocks * _BLOCK - size
    x = pad(x, [(0, 0)] * (x.ndim - 1) + [(0, rest)], constant_values=first) if rest else x
    rows = reshape(x, *x.shape[:-1], blocks, _BLOCK)
    before = _scanned(kind, reduce(kind, rows, -1), True)
    made = pointwise(_FUNCTIONS[kind], view(before, [*range(before.ndim), None]), _scanned(kind, rows, is_before))
    return reshape(made, *x.shape)[..., :size]
