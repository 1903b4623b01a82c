"""Elements in order: each is compared with all others of its axis, which counts those before it."""

import numpy as np

from ._arrays import Expression, axis_of, broadcast_to, copied, expression, reduce, select, view
from ._choice import only
from ._elements import is_float

_LONGEST = 1024


def sort(x, axis=-1, kind=None):
    """The elements along an axis from the smallest to the greatest one; NaNs come last."""
    made = _in_order(x, axis, lambda x: x)
    return made != 0 if expression(x).dtype.kind == "b" else made


def argsort(x, axis=-1, kind=None):
    """The places of the elements in their order, as int32; of equal ones the first comes first."""
    return _in_order(x, axis, lambda x: expression(np.arange(x.shape[-1], dtype=np.int32)))


def _in_order(x, axis, what):
    """Along an axis, each element of what belongs to the elements, at the place of its rank."""
    from ._shapes import moveaxis, reshape
    x = reshape(x, -1) if axis is None else expression(x)
    axis = axis_of(-1 if axis is None else axis, x.ndim)
    if x.shape[axis] > _LONGEST:
        raise TypeError(f"sorting an axis of {x.shape[axis]} elements is not supported: each is compared with all others, so it has at "
                        f"most {_LONGEST}")
    rows = moveaxis(x.astype(np.int8) if x.dtype.kind == "b" else x, axis, -1)
    given = what(rows)
    if not x.size:  # nothing has an order
        return moveaxis(broadcast_to(given, rows.shape), -1, axis)
    is_there = view(_ranks(rows), [*range(rows.ndim), None]) == np.arange(rows.shape[-1], dtype=np.int32)
    return moveaxis(only(is_there, view(given, [*range(given.ndim), None]), -2, given), -1, axis)


def _ranks(x):
    """How many elements of the last axis come before each one. The sums are along the last axis but one: cores compute neighbours
    along the last one side by side."""
    before, size = list(range(x.ndim - 1)), x.shape[-1]
    other, own = view(x, [*before, x.ndim - 1, None]), view(x, [*before, None, x.ndim - 1])
    is_less, is_equal = other < own, other == own
    if is_float(x.dtype):
        is_less = is_less | ((other == other) & (own != own))
        is_equal = is_equal | ((other != other) & (own != own))
    is_earlier = np.ascontiguousarray(np.tri(size, k=-1, dtype=bool).T)
    return reduce("sum", select(is_less | (is_equal & is_earlier), expression(1, np.int32), 0), -2)


def median(x, axis=None, keepdims=False):
    """The element in the middle of the order, or the mean of the two there."""
    return quantile(x, 0.5, axis, keepdims=keepdims)


def percentile(x, q, axis=None, keepdims=False):
    return quantile(x, np.asarray(q) / 100, axis, keepdims=keepdims)


def quantile(x, q, axis=None, keepdims=False):
    """Between two elements of the order, in proportion to the distance from them."""
    from ._shapes import moveaxis, reshape, stack
    x = expression(x)
    if not is_float(x.dtype):
        raise TypeError(f"quantiles are for floats, got {x.dtype}: x.astype(np.float32) converts")
    if isinstance(axis, (tuple, list)) or isinstance(q, Expression):
        raise TypeError("quantiles are along one axis, or of all elements, and known when the function is traced")
    rows = sort(reshape(x, -1) if axis is None else moveaxis(x, axis, -1), -1)
    has_nan = rows[..., -1] != rows[..., -1]

    def at(part):
        place = part * (rows.shape[-1] - 1)
        below = int(np.floor(place))
        low, high = rows[..., below], rows[..., min(below + 1, rows.shape[-1] - 1)]
        made = copied(low) if place == below else low * 0.5 + high * 0.5 if place - below == 0.5 else low + (high - low) * float(place - below)
        made = select(has_nan, np.nan, made)
        if not keepdims:
            return made
        return reshape(made, *[1] * x.ndim) if axis is None else reshape(made, *(1 if each == axis_of(axis, x.ndim) else size for each, size in enumerate(x.shape)))

    q = np.asarray(q)
    if (q < 0).any() or (q > 1).any() or q.ndim > 1:
        raise ValueError("quantiles are numbers from 0 to 1, percentiles from 0 to 100")
    return stack([at(each) for each in q.tolist()]) if q.ndim else at(float(q))


def searchsorted(x, wanted, side="left"):
    """How many elements of a row in order are less than each one, or not greater: as int32."""
    x, wanted = expression(x), expression(wanted, x.dtype)
    if x.ndim != 1:
        raise ValueError(f"searchsorted in an array of shape {x.shape}: it has one axis")
    row, each = view(x, [0, *[None] * wanted.ndim]), view(wanted, [None, *range(wanted.ndim)])
    is_before = row < each if side == "left" else row <= each
    return reduce("sum", select(is_before, expression(1, np.int32), 0), 0)


def digitize(x, bins, right=False):
    """In which interval between the bins each element is; the bins grow."""
    return searchsorted(bins, x, "left" if right else "right")
