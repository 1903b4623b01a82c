"""What is between the brackets of `x[...]`: a range for each axis, and the axes that numpy gives the result."""

import itertools

import numpy as np

from ._index import Index


def subscripts(index, shape):
    """(ranges, axes, reversed): for each axis of `shape` its start, size and step, which is positive; for each axis of
    the result that axis, None for a new one; which axes of the result run backwards. An integer leaves its axis out."""
    ranges, axes, backwards, numbers = [], [], [], itertools.count()
    for each in complete(index, len(shape)):
        if each is None:
            axes.append(None)
            continue
        axis = next(numbers)
        if isinstance(each, slice) and each.step is not None and each.step.__index__() < 0:
            backwards.append(len(axes))
            each = _forwards(each, shape[axis])
        ranges.append(_range(each, shape[axis]))
        if isinstance(each, slice):
            axes.append(axis)
    return ranges, axes, backwards


def is_whole(ranges, shape):
    """All elements, in their order."""
    return all(start.is_constant and start.constant == 0 and step == 1 and extent == size
               for (start, extent, step), size in zip(ranges, shape))


def shape_of(ranges, axes):
    """Of a part; an axis of None is a new one."""
    return tuple(1 if axis is None else ranges[axis][1] for axis in axes)


def has_none(ranges):
    """Whether it is a part without elements."""
    return any(extent == 0 for _, extent, _ in ranges)


def is_all(index, shape):
    """Whether a subscript means the array itself."""
    if index is Ellipsis or isinstance(index, slice) and index == slice(None):
        return True
    if not isinstance(index, tuple) or not all(each is Ellipsis or isinstance(each, slice) for each in index):
        return False
    ranges, _, backwards = subscripts(index, shape)
    return is_whole(ranges, shape) and not backwards


def is_element(index, rank):
    """Whether a subscript has an integer for each axis: numpy copies the element then."""
    given = index if isinstance(index, tuple) else (index,)
    return len(given) == rank and not any(each is None or each is Ellipsis or isinstance(each, slice) for each in given)


def positive(given):
    size = given.__index__()
    if size < 1:
        raise ValueError(f"a size of {size}: sizes are positive")
    return size


def complete(index, rank):
    """A subscript for each axis, with `...` written out."""
    given = list(index) if isinstance(index, tuple) else [index]
    if sum(each is Ellipsis for each in given) > 1:
        raise IndexError("more than one '...'")
    named = sum(each is not None and each is not Ellipsis for each in given)
    if named > rank:
        raise IndexError(f"{named} subscripts of an array of {rank} axes")
    if not any(each is Ellipsis for each in given):
        given.append(Ellipsis)
    at = next(at for at, each in enumerate(given) if each is Ellipsis)
    given[at:at + 1] = [slice(None)] * (rank - named)
    return given


def _forwards(given, size):
    """The slice with the same elements in the other order."""
    if any(isinstance(each, Index) and not each.is_constant for each in (given.start, given.stop)):
        raise ValueError(f"a step of {given.step}: with bounds that are known when the program runs, steps are positive")
    places = range(*given.indices(size))
    return slice(places[-1], places[0] + 1, -places.step) if places else slice(0, 0)


def _range(given, size):
    if not isinstance(given, slice):
        start, extent, step = _from_end(given, size), 1, 1
    elif all(_is_known(each) for each in (given.start, given.stop)):
        return _known_range(given, size)
    else:
        step = _step_of(given)
        start = _from_end(0 if given.start is None else given.start, size)
        distance = _from_end(size if given.stop is None else given.stop, size) - start
        if not distance.is_constant:
            raise ValueError("the size of a part is a number: stop - start of this slice is not")
        extent = -(-distance.constant // step)
        if not extent:
            return Index.of(0), 0, step
    last = (extent - 1) * step
    is_outside = start.is_constant and not 0 <= start.constant <= size - 1 - last
    if extent < 1 or last >= size or is_outside:
        raise IndexError(f"a part of {extent} elements from {start.constant if start.is_constant else 'there'} of an "
                         f"axis of size {size}")
    return start, extent, step


def _step_of(given):
    if given.step is not None and given.step.__index__() == 0:
        raise ValueError("a step of 0")
    return 1 if given.step is None else given.step.__index__()


def _is_known(bound):
    if isinstance(bound, Index):
        return bound.is_constant
    return bound is None or hasattr(bound, "__index__") and not _is_array(bound)


def _is_array(given):
    """Of the program."""
    return hasattr(given, "__array_ufunc__") and not isinstance(given, (np.generic, np.ndarray))


def _known_range(given, size):
    """As numpy cuts it to the axis: there may be no elements."""
    bounds = [None if each is None else Index.of(each).constant for each in (given.start, given.stop)]
    places = range(size)[slice(*bounds, _step_of(given))]
    return Index.of(places.start if places else 0), len(places), places.step


def _from_end(given, size):
    """A place on an axis; a negative number counts from its end."""
    if _is_array(given):
        raise TypeError("elements of the program cannot choose elements: a subscript is known when the function is traced. "
                        "where() chooses by a condition")
    if isinstance(given, bool) or not (isinstance(given, Index) or hasattr(given, "__index__")):
        raise TypeError(f"a subscript is an integer, an index of the program or a slice of them, got "
                        f"{type(given).__name__}")
    place = Index.of(given)
    return place + size if place.is_constant and place.constant < 0 else place
