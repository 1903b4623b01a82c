"""Elements that lists and arrays of numpy choose: `x[[3, 0, 1]]`, `x[:, mask]`, `x[rows, columns]`, `x[np.ix_(rows, columns)]`. numpy says
which elements that are, when the function is traced."""

import numpy as np

from ._arrays import Expression, broadcast_to, expression, fits, select, view
from ._index import Index
from ._subscripts import complete


def is_fancy(index):
    """Whether lists or arrays of numpy are among subscripts, and nothing that is known when the program runs."""
    each = index if isinstance(index, tuple) else (index,)
    return any(isinstance(one, (list, np.ndarray)) for one in each) and not any(
        isinstance(one, Expression) or isinstance(one, Index) and not one.is_constant for one in each)


def elements(x, index):
    """`x[index]`."""
    from ._shapes import reshape, take
    index = _checked(index)
    part, axis, places = _along_axis(x, index)
    if axis is None:
        places = _places(x.shape, index)
        return reshape(take(reshape(x, -1), places.reshape(-1)), places.shape)
    part = x if part is None else x[part]
    made = take(part, places.reshape(-1), axis)
    return made if places.ndim == 1 else reshape(made, *part.shape[:axis], *places.shape, *part.shape[axis + 1:])


def replaced(x, index, given):
    """`x[index] = given`: what x becomes."""
    from ._shapes import reshape, take
    index, given = _checked(index), expression(given, x.dtype)
    part, axis, places = _along_axis(x, index)
    is_rows = axis is not None and part is None and places.ndim == 1
    wanted = x.shape[:axis] + places.shape + x.shape[axis + 1:] if is_rows else _places(x.shape, index).shape
    if not fits(given.shape, wanted):
        raise ValueError(f"an array of shape {given.shape} is assigned to elements of shape {wanted}")
    if is_rows:
        sources = _sources(x.shape[axis], places, np.arange(len(places)))
        shown = [None] * axis + [0] + [None] * (x.ndim - axis - 1)
        values = given if given.size == 1 else take(broadcast_to(given, wanted), np.maximum(sources, 0), axis)
        return select(view(sources >= 0, shown), values, x)
    numbers = np.broadcast_to(np.arange(given.size).reshape(given.shape), wanted)
    sources = _sources(x.size, _places(x.shape, index).reshape(-1), numbers.reshape(-1))
    values = given if given.size == 1 else reshape(take(reshape(given, -1), np.maximum(sources, 0)), *x.shape)
    return select((sources >= 0).reshape(x.shape), values, x)


def _sources(size, places, numbers):
    """Which number comes to each place: of some the last one; -1 where none does."""
    made = np.full(size, -1)
    made[places] = numbers
    return made


def _places(shape, index):
    """Where the elements are, counted in rows."""
    places = np.arange(int(np.prod(shape))).reshape(shape)[index]
    if not places.size:
        raise ValueError("a part of no elements")
    return places


def _checked(index):
    """With arrays in the place of lists."""
    made = tuple(np.asarray(each) if isinstance(each, list) else each for each in (index if isinstance(index, tuple) else (index,)))
    for each in made:
        if isinstance(each, np.ndarray) and (each.dtype.kind not in "iub" or not each.size):
            raise TypeError(f"places along an axis are a list of integers, got {each.dtype} of shape {each.shape}")
    return made


def _along_axis(x, index):
    """(slices of the other axes or None, axis, places), where one array chooses along one axis; else (None, None, None)."""
    arrays = [each for each in index if isinstance(each, np.ndarray)]
    others = [each for each in index if not isinstance(each, np.ndarray)]
    if len(arrays) != 1 or arrays[0].ndim == 0 or not all(each is Ellipsis or isinstance(each, slice) for each in others) or \
            arrays[0].dtype.kind == "b" and arrays[0].ndim > 1:
        return None, None, None
    given, places = complete(index, x.ndim), arrays[0]
    axis = next(at for at, each in enumerate(given) if isinstance(each, np.ndarray))
    size = x.shape[axis]
    if places.dtype.kind == "b":
        if len(places) != size:
            raise IndexError(f"a mask of {len(places)} elements for an axis of size {size}")
        places = np.flatnonzero(places)
    if not places.size or places.min() < -size or places.max() >= size:
        raise IndexError(f"a place of {places.min()} to {places.max()} on an axis of size {size}" if places.size else "a mask without True")
    part = tuple(slice(None) if at == axis else each for at, each in enumerate(given))
    return None if all(each == slice(None) for each in part) else part, axis, places % size
