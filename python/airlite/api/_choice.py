"""Elements that other elements choose: rows by their numbers, and masks. Programs move data by addresses that are known
before they run: here each element of an axis is taken or left, and the greatest of what is taken is the one that is
wanted, with its bits.
"""

import numpy as np

from ._arrays import Expression, Pointwise, assignable, axis_of, broadcast_to, expression, is_same, reduce, select, view
from ._elements import is_float
from ._masked import Masked


def chosen(index):
    """Whether a subscript has elements of the program in it."""
    return any(isinstance(each, Expression) for each in (index if isinstance(index, tuple) else (index,)))


def gather(x, index):
    """`x[numbers]`, `x[:, numbers]`, `x[np.arange(n), numbers]` and `x[numbers, np.arange(n)]`."""
    x = expression(x)
    index = index[0] if isinstance(index, tuple) and len(index) == 1 else index
    if isinstance(index, Expression) and index.dtype.kind == "b":
        if index.shape != x.shape[:index.ndim]:
            raise IndexError(f"a mask of shape {index.shape} for an array of shape {x.shape}")
        return Masked(x, expression(index))
    index = index if isinstance(index, tuple) else (index,)
    axis = next(at for at, each in enumerate(index) if isinstance(each, Expression))
    others = [each for at, each in enumerate(index) if at != axis]
    if all(isinstance(each, slice) and each == slice(None) for each in others) and len(index) <= x.ndim:
        return take_chosen(x, index[axis], axis)
    places = _numbers(index[axis])
    if len(index) == 2 and places.ndim == 1 and _counts(others[0], x.shape[1 - axis]) and places.size == x.shape[1 - axis]:
        shown = [None if at != 1 - axis else 0 for at in range(x.ndim)]
        return take_along_axis(x, view(places, shown), axis)[(slice(None),) * axis + (0,)]
    raise TypeError("elements of the program choose along one axis, as in x[numbers], x[:, numbers] and "
                    "x[np.arange(len(x)), numbers]")


def take_chosen(x, places, axis):
    """What lies at the places along an axis; for places outside of it no element of the array."""
    places = _numbers(places)
    before, new = list(range(axis)), [None] * places.ndim
    after = list(range(axis, x.ndim))
    wide = view(_countable(x), before + new + after)
    is_there = _is_at(places, x.shape[axis])
    is_there = view(is_there, [None] * axis + list(range(is_there.ndim)) + [None] * (len(after) - 1))
    return only(is_there, wide, axis + places.ndim, x)


def take_along_axis(x, places, axis):
    """For each row along the axis what lies at places of its own."""
    x, places = expression(x), _numbers(places)
    axis = axis_of(axis, x.ndim)
    others = [at for at in range(x.ndim) if at != axis]
    if places.ndim != x.ndim or any(places.shape[at] not in (1, x.shape[at]) for at in others):
        raise ValueError(f"take_along_axis of arrays of shapes {x.shape} and {places.shape} along axis {axis}")
    # Taken along the last axis but one: cores compute neighbours along the last one side by side.
    wide = view(_countable(x), [*others, axis, None])
    is_there = _is_at(view(places, [*others, axis]), x.shape[axis])
    is_there = view(is_there, [*range(len(others)), x.ndim, x.ndim - 1])
    found = only(is_there, wide, -2, x)
    back = list(range(x.ndim - 1))
    back.insert(axis, x.ndim - 1)
    return view(found, back)


def placed(x, index, given):
    """`x[mask] = given`, `x[numbers] = given` and `x[np.arange(n), numbers] = given`: what x becomes."""
    index = index[0] if isinstance(index, tuple) and len(index) == 1 else index
    if not isinstance(index, tuple):
        return _masked(x, index, given) if index.dtype.kind == "b" else _scattered(x, index, given)
    if len(index) == x.ndim == 2 and _counts(index[0], x.shape[0]) and isinstance(index[1], Expression):
        is_there = _is_at(_numbers(index[1]), x.shape[1])
        return select(is_there, view(broadcast_to(expression(given, x.dtype), x.shape[:1]), [0, None]), x)
    raise TypeError("elements of the program choose what is assigned to along the first axis, as in x[numbers] = y, x[mask] = y and "
                    "x[np.arange(len(x)), numbers] = y; where() chooses by a condition")


def _counts(rows, size):
    return isinstance(rows, np.ndarray) and rows.shape == (size,) and (rows == np.arange(size)).all()


def _masked(x, mask, given):
    mask = expression(mask)
    wide = view(mask, [*range(mask.ndim), *[None] * (x.ndim - mask.ndim)])
    if isinstance(given, Masked) and is_same(given.mask, mask):
        return select(wide, broadcast_to(assignable(given.values, x.dtype, x.shape), x.shape), x)
    given = expression(given, x.dtype)
    if mask.shape != x.shape[:mask.ndim] or given.ndim > x.ndim - mask.ndim:
        raise ValueError(f"an array of shape {given.shape} is assigned where a mask of shape {mask.shape} holds in one of "
                         f"shape {x.shape}")
    return select(wide, given, x)


def _scattered(x, places, given):
    """Of what is assigned to one place the last counts, as in numpy."""
    places = _numbers(places)
    if places.ndim != 1:
        raise TypeError(f"numbers that choose what is assigned to have one axis, got {places.ndim}")
    given = broadcast_to(expression(given, x.dtype), (*places.shape, *x.shape[1:]))
    number = expression(np.arange(places.size, dtype=np.int32))
    last = reduce("max", select(_is_at(places, x.shape[0]), view(number, [0, None]), -1), 0)
    rows = take_chosen(given, last, 0)  # of -1 the last one, which is not taken
    return select(view(last >= 0, [0, *[None] * (x.ndim - 1)]), rows, x)


def _numbers(places):
    if places.dtype.kind == "b":
        raise TypeError("how many elements a mask chooses is known when the program runs: where(mask, x, 0) keeps the shape")
    if places.dtype.kind not in "iu":
        raise TypeError(f"places along an axis are integers, got {places.dtype}")
    return expression(places)


def _with_sign(places, size):
    """In a dtype that holds the places of both signs."""
    return places if np.iinfo(places.dtype).max >= size else places.astype(np.int32)


def _is_at(places, size):
    """With one more axis of this size: which of its places is meant. Negative ones count from its end."""
    places = _with_sign(places, size)
    places = select(places < 0, places + size, places) if places.dtype.kind == "i" else places
    return view(places, [*range(places.ndim), None]) == np.arange(size)


def _countable(x):
    return x.astype(np.int8) if x.dtype.kind == "b" else x


def only(is_wanted, wide, axis, x):
    """The one element along an axis that is wanted. Of floats the bits are taken: the greater one of a number and a NaN is not
    always NaN on an NPU."""
    from ._emit import neutral
    is_bits = is_float(wide.dtype)
    integers = np.dtype(f"int{8 * wide.dtype.itemsize}") if is_bits else wide.dtype
    bits = Pointwise("bits", (wide,), wide.shape, integers) if is_bits else wide
    found = reduce("max", select(is_wanted, bits, neutral("max", integers)), axis)
    if is_bits:
        return Pointwise("bits", (found,), found.shape, wide.dtype)
    return found != 0 if x.dtype.kind == "b" else found
