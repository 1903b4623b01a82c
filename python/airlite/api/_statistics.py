"""Statistics, and functions of one variable that points describe. Where numpy computes in float64 what it is given in another dtype of
floats, the result has the dtype of the elements."""

import numpy as np

from ._arrays import Expression, as_dtype, axis_of, broadcast_to, expression, pointwise, reduce, select, view
from ._elements import is_float


def _floats(x, what):
    x = expression(x)
    if not is_float(x.dtype):
        raise TypeError(f"{what} is for floats, got {x.dtype}: x.astype(np.float32) converts")
    return x


def cov(x, y=None, rowvar=True, bias=False, ddof=None, dtype=None):
    """How much the rows of x, and of y, vary together: a matrix; of one row a number."""
    from ._shapes import squeeze
    rows = _rows(x, rowvar, dtype) if y is None else _both(_rows(x, rowvar, dtype), _rows(y, rowvar, dtype))
    less = ddof if ddof is not None else 0 if bias else 1
    count = rows.shape[1] - less
    if count < 1:
        raise ValueError(f"cov with ddof={less} of {rows.shape[1]} observations")
    distance = rows - rows.mean(1, keepdims=True)
    return squeeze((distance @ distance.T) * (1 / count))


def _rows(x, rowvar, dtype):
    x = _floats(x if dtype is None else as_dtype(x, np.dtype(dtype)), "cov")
    if x.ndim not in (1, 2):
        raise ValueError(f"cov of an array of shape {x.shape}: it has one axis or two")
    wide = view(x, [None, 0]) if x.ndim == 1 else x
    return wide if rowvar or wide.shape[0] == 1 else view(wide, [1, 0])


def _both(left, right):
    from ._shapes import concatenate
    return concatenate([left, right], 0)


def corrcoef(x, y=None, rowvar=True, dtype=None):
    """The covariances divided by both standard deviations, from -1 to 1."""
    from ._shapes import diagonal
    made = cov(x, y, rowvar, dtype=dtype)
    if not made.ndim:
        return made / made
    deviation = pointwise("sqrt", diagonal(made))
    return (made / view(deviation, [0, None]) / view(deviation, [None, 0])).clip(-1, 1)


def bincount(x, weights=None, minlength=0):
    """How often each number comes: of unsigned integers, all of which are below minlength by their dtype. Of others the greatest one says how
    many counts there are."""
    x = expression(x)
    count = np.iinfo(x.dtype).max + 1 if x.dtype.kind == "u" else None
    if x.ndim != 1 or count is None or count > minlength:
        raise TypeError(f"bincount of {x.dtype}{list(x.shape)} with minlength={minlength}: how many counts there are is known when the program runs, but "
                        "of one axis of uint8 with minlength=256. (x[:, None] == np.arange(n)).sum(axis=0) counts n numbers")
    is_there = view(x, [0, None]).astype(np.int32) == np.arange(minlength, dtype=np.int32)
    return _counted(is_there, weights)


def _counted(is_there, weights):
    """Of each column of a matrix how many elements hold, or the sum of their weights."""
    if weights is None:
        return reduce("sum", select(is_there, expression(1, np.int32), 0), 0)
    weights = _floats(weights, "a sum of weights")
    return reduce("sum", select(is_there, view(weights, [0, None]), 0), 0)


def histogram(x, bins=10, range=None, density=None, weights=None):
    """How many elements are in each interval, as int32, and the edges of the intervals, which are known when the function is traced."""
    from ._shapes import reshape
    x = reshape(x, -1)
    edges = _edges(x, bins, range)
    numbers, lower, upper = _comparable(x, edges)
    is_there = (view(numbers, [0, None]) >= lower) & (view(numbers, [0, None]) < upper)
    counts = _counted(is_there, None if weights is None else reshape(weights, -1))
    if not density:
        return counts, edges
    counts = counts if is_float(counts.dtype) else counts.astype(np.float32)
    return counts / counts.sum() / np.diff(edges).astype(counts.dtype), edges


def _edges(x, bins, range):
    if isinstance(bins, (str, Expression)) or range is None and np.ndim(bins) == 0:
        raise TypeError("the edges of a histogram are known when the function is traced: give range=(first, last), or the edges as bins")
    kind = x.dtype if x.dtype.kind in "iuf" else np.float32
    return np.asarray(np.histogram_bin_edges(np.zeros(1, kind), bins, range))


def _comparable(x, edges):
    """The elements, and the first number of each interval and the first one after it in their dtype. The last edge is in the last interval."""
    if not is_float(x.dtype):
        x = x if x.dtype.itemsize > 3 else x.astype(np.int32)
        limits = np.iinfo(x.dtype)
        if edges[0] < limits.min or edges[-1] >= limits.max:
            raise ValueError(f"edges of a histogram from {edges[0]} to {edges[-1]} of elements of {x.dtype}")
        starts, end = np.ceil(edges[:-1]), np.floor(edges[-1]) + 1
    else:
        x = x if x.dtype.kind == "f" else x.astype(np.float32)
        near = edges.astype(x.dtype)
        starts = np.where(near < edges, np.nextafter(near, x.dtype.type(np.inf)), near)[:-1]
        last = near[-1] if near[-1] <= edges[-1] else np.nextafter(near[-1], x.dtype.type(-np.inf))
        end = np.nextafter(last, x.dtype.type(np.inf))
    made = np.append(starts, end).astype(x.dtype)
    return x, made[:-1], made[1:]


def interp(x, xp, fp, left=None, right=None, period=None):
    """The line from point to point at x; the points xp grow."""
    dtype = next(each.dtype for each in (x, xp, fp) if isinstance(each, Expression))
    x, xp, fp = (_floats(each if isinstance(each, Expression) else np.asarray(each).astype(dtype), "interp") for each in (x, xp, fp))
    if period is not None or xp.ndim != 1 or xp.shape != fp.shape:
        raise TypeError(f"interp of points of shapes {xp.shape} and {fp.shape}: both have one axis, and there is no period=")
    first, last = fp[0] if left is None else left, fp[-1] if right is None else right
    if xp.size == 1:
        made = broadcast_to(fp[0], x.shape)
    else:
        shown = [0, *[None] * x.ndim]
        low, high, start, end = (view(each, shown) for each in (xp[:-1], xp[1:], fp[:-1], fp[1:]))
        is_there = (x >= low) & (x < high)
        made = reduce("sum", select(is_there, (end - start) / (high - low) * (x - low) + start, 0), 0)
        made = select(x == xp[-1], fp[-1], made)
    return select(x < xp[0], first, select(x > xp[-1], last, select(x != x, x, made)))


def gradient(x, *distances, axis=None, edge_order=1):
    """Half the difference of both neighbours, at the ends that of an element and its neighbour, divided by the distance."""
    x = _floats(x, "gradient")
    axes = range(x.ndim) if axis is None else axis if isinstance(axis, (tuple, list)) else (axis,)
    distances = distances * len(axes) if len(distances) == 1 else distances or (1.0,) * len(axes)
    if edge_order != 1 or len(distances) != len(axes) or any(np.ndim(each) for each in distances):
        raise TypeError("gradient takes a number for the distance, or one for each axis, and edge_order=1")
    made = [_along(x, axis_of(each, x.ndim), distance) for each, distance in zip(axes, distances)]
    return made[0] if axis is not None and not isinstance(axis, (tuple, list)) or len(made) == 1 else made


def _along(x, axis, distance):
    from ._shapes import concatenate
    if x.shape[axis] < 2:
        raise ValueError(f"gradient along an axis of size {x.shape[axis]}")
    part = lambda start, stop: x[(slice(None),) * axis + (slice(start, stop),)]
    ends = [(part(1, 2) - part(0, 1)) / distance, (part(-1, None) - part(-2, -1)) / distance]
    inside = [(part(2, None) - part(None, -2)) / (2 * distance)] if x.shape[axis] > 2 else []
    return concatenate([ends[0], *inside, ends[1]], axis)


def trapz(y, x=None, dx=1.0, axis=-1):
    """The area below the line from point to point."""
    from ._shapes import diff
    y = _floats(y, "trapz")
    axis = axis_of(axis, y.ndim)
    if x is not None:
        dx = diff(x, axis=-1 if expression(x).ndim == 1 else axis)
        dx = view(dx, [0 if at == axis else None for at in range(y.ndim)]) if dx.ndim == 1 else dx
    before = (slice(None),) * axis
    return ((y[before + (slice(1, None),)] + y[before + (slice(None, -1),)]) * dx / 2).sum(axis)


def polyval(coefficients, x):
    """A polynomial; its first coefficient is that of the highest power."""
    x = expression(x)
    made = x * 0
    for each in coefficients:
        made = made * x + (each if isinstance(each, Expression) else np.asarray(each)[()])
    return made


def isin(x, wanted, assume_unique=False, invert=False):
    """Whether each element is one of those that are wanted."""
    from ._shapes import reshape
    x = expression(x)
    wanted = reshape(wanted, -1) if isinstance(wanted, Expression) else _that_can_be(np.ravel(wanted), x.dtype)
    made = (view(x, [*range(x.ndim), None]) == wanted).any(-1)
    return ~made if invert else made


def _that_can_be(numbers, dtype):
    """In a dtype those numbers that it has; others equal no element."""
    with np.errstate(invalid="ignore"):
        made = numbers.astype(dtype)
    return expression(made[made == numbers])


def nanvar(x, axis=None, dtype=None, ddof=0, keepdims=False):
    """numpy.nanvar."""
    x = _floats(x if dtype is None else as_dtype(x, np.dtype(dtype)), "nanvar")
    is_number = x == x
    count = is_number.sum(axis, keepdims=True).astype(x.dtype)
    plain = select(is_number, x, 0)
    distance = select(is_number, x - plain.sum(axis, keepdims=True) / count, 0)
    count = is_number.sum(axis, keepdims=keepdims).astype(x.dtype)
    made = (distance * distance).sum(axis, keepdims=keepdims) / (count - ddof)
    return select(count > ddof, made, np.nan)
