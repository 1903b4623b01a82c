"""Elements put in and taken out at places that are known when the function is traced, arrays in blocks, and bits."""

import numpy as np

from ._arrays import Expression, array, as_dtype, axis_of, broadcast_to, expression, reduce, view
from ._shapes import concatenate, expand_dims, moveaxis, pad, reshape, take


def _row_or_axis(x, axis):
    return (reshape(x, -1), 0) if axis is None else (expression(x), axis_of(axis, expression(x).ndim))


def insert(x, places, values, axis=None):
    """Elements before places of an axis."""
    if isinstance(places, Expression):
        raise TypeError("where insert puts elements is known when the function is traced")
    x, axis = _row_or_axis(x, axis)
    values = as_dtype(values if isinstance(values, Expression) else np.asarray(values), x.dtype)
    size = x.shape[axis]
    if isinstance(places, slice) or np.size(places) > 1:
        count = np.size(np.arange(size)[places]) if isinstance(places, slice) else np.size(places)
    else:  # all values are put there
        values = view(values, [None] * (x.ndim - values.ndim) + list(range(values.ndim)))
        values = values if np.ndim(places) else moveaxis(values, 0, axis)
        count = values.shape[axis]
    added = broadcast_to(values, [count if at == axis else size for at, size in enumerate(x.shape)])
    numbers = size + np.arange(count)
    return take(concatenate([x, added], axis), np.insert(np.arange(size), places, numbers), axis)


def delete(x, places, axis=None):
    """Without the elements at places of an axis."""
    if isinstance(places, Expression):
        refuse_unknown_size()
    x, axis = _row_or_axis(x, axis)
    return take(x, np.delete(np.arange(x.shape[axis]), places), axis)


def block(arrays):
    """Lists of arrays side by side along the last axis, lists of such lists along the one before it."""
    depth, rank = _depth(arrays), max(np.ndim(each) for each in _leaves(arrays))
    return _joined(arrays, depth, max(depth, rank))


def _depth(arrays):
    return 1 + _depth(arrays[0]) if isinstance(arrays, list) else 0


def _leaves(arrays):
    return [leaf for each in arrays for leaf in _leaves(each)] if isinstance(arrays, list) else [arrays]


def _joined(arrays, depth, rank):
    if isinstance(arrays, list):
        return concatenate([_joined(each, depth - 1, rank) for each in arrays], -depth)
    x = expression(arrays if isinstance(arrays, Expression) else np.asarray(arrays))
    return view(x, [None] * (rank - x.ndim) + list(range(x.ndim)))


_PLACES = {"big": np.arange(8)[::-1], "little": np.arange(8)}


def packbits(x, axis=None, bitorder="big"):
    """A byte of each eight elements along an axis: a bit says whether one is not 0."""
    x, axis = _row_or_axis(x, axis)
    rest = -x.shape[axis] % 8
    bits = pad((x != 0).astype(np.uint8), [(0, rest if at == axis else 0) for at in range(x.ndim)]) if rest else (x != 0).astype(np.uint8)
    bits = reshape(bits, *x.shape[:axis], bits.shape[axis] // 8, 8, *x.shape[axis + 1:])
    values = (1 << _PLACES[bitorder]).astype(np.uint8)
    return reduce("sum", bits * view(values, [0, *[None] * (x.ndim - axis - 1)]), axis + 1)


def unpackbits(x, axis=None, count=None, bitorder="big"):
    """The bits of bytes as elements."""
    x, axis = _row_or_axis(x, axis)
    if x.dtype != np.uint8:
        raise TypeError(f"unpackbits is for uint8, got {x.dtype}")
    places = view(_PLACES[bitorder].astype(np.uint8), [0, *[None] * (x.ndim - axis - 1)])
    bits = reshape((expand_dims(x, axis + 1) >> places) & 1, *x.shape[:axis], -1, *x.shape[axis + 1:])
    return bits if count is None else bits[(slice(None),) * axis + (slice(count),)]


def compress(condition, x, axis=None):
    """The elements where a condition holds, which is known when the function is traced."""
    if isinstance(condition, Expression):
        refuse_unknown_size()
    x, axis = _row_or_axis(x, axis)
    return take(x, np.flatnonzero(condition), axis)


def refuse_unknown_size(*_, **__):
    raise TypeError("how many elements are found is known when the program runs: where(condition, x, y) and sums over (x == y) keep the shape, and "
                    "np.argsort puts what is wanted first")


def same_shape_and_elements(x, y):
    """numpy.array_equal."""
    x, y = array(x), array(y)
    return (x == y).all() if x.shape == y.shape else False
