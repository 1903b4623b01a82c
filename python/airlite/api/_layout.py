"""How numpy lays out the elements of an array in memory: a reshape is a view where they follow each other, else a copy."""

import math

from ._arrays import Flip, Read, Reshape, View, Window


def rows(shape):
    """The strides of an array in row-major order, in elements."""
    return tuple(math.prod(shape[axis + 1:]) for axis in range(len(shape)))


def is_in_rows(shape, strides):
    """Whether these are the strides of an array in row-major order."""
    return all(size == 1 or given == wanted for size, given, wanted in zip(shape, strides, rows(shape)))


def strides_of(x):
    """Of each axis, in elements; None where they are not known: numpy keeps the order of axes in what it computes."""
    if x._source is not None:
        base, elements, *_ = x._source
        return _through(x, elements, strides_of(base))
    if hasattr(x, "ranges") and hasattr(x, "buffer"):  # a part
        given = rows(x.buffer.shape) if x.buffer.is_rows else None
        return given and tuple(0 if axis is None else given[axis] * x.ranges[axis][2] for axis in x.axes)
    return _through(x, None, None)


def _through(node, elements, known):
    """Of what shows the elements of a view in another way: from `elements`, whose strides are known, to a node."""
    if node is elements:
        return known
    if not isinstance(node, (View, Window, Flip, Reshape)):
        is_known = node.is_rows and (elements is None or isinstance(node, Read))
        return rows(node.shape) if is_known or node.ndim < 2 and elements is None else None
    given = _through(node.operands[0], elements, known)
    if given is None:
        return None
    if isinstance(node, View):
        return tuple(0 if axis is None else given[axis] for axis in node.axes)
    if isinstance(node, Window):
        return tuple(stride * step for stride, step in zip(given, node.steps))
    if isinstance(node, Flip):
        return tuple(-stride if axis == node.axis else stride for axis, stride in enumerate(given))
    return reshaped_strides(node.operands[0].shape, given, node.shape)


def reshaped_strides(shape, strides, wanted):
    """After a reshape without a copy; None where there has to be one."""
    left = [(size, stride) for size, stride in zip(shape, strides) if size != 1]
    made, rest = [0] * len(wanted), [axis for axis, size in enumerate(wanted) if size != 1]
    while left:
        (have, last), axes, want = left.pop(0), [], 1
        while want != have:
            if want < have:
                axes.append(rest.pop(0))
                want *= wanted[axes[-1]]
                continue
            size, stride = left.pop(0)
            if last != size * stride:
                return None
            have, last = have * size, stride
        for axis in reversed(axes):
            made[axis], last = last, last * wanted[axis]
    return tuple(made)
