"""Arrays in other shapes: parts, reshapes, arrays side by side; and the products of numpy that need them."""

import math

import numpy as np

from ._arrays import (Expression, Flip, Inset, Join, Pointwise, Reshape, View, Window, array, as_dtype, as_view, axis_of, broadcast_to, common_dtype, copied, full,
                      expression, own, product_of, reduce, select, view)
from ._choice import take_chosen
from ._elements import is_number
from ._index import Index


def reshape(x, *shape):
    """The elements in row-major order with other sizes; one of them may be -1."""
    x = expression(x)
    shape = shape[0] if len(shape) == 1 and isinstance(shape[0], (tuple, list)) else shape
    shape = [each.__index__() for each in shape]
    if shape.count(-1) == 1:
        rest = -math.prod(shape)
        shape[shape.index(-1)] = x.size // rest if rest else 0
    if any(each < 0 for each in shape) or math.prod(shape) != x.size:
        raise ValueError(f"an array of shape {x.shape} cannot be reshaped to {tuple(shape)}")
    if not x.size:
        return full(shape, 0, x.dtype)
    kept = [axis for axis, size in enumerate(x.shape) if size != 1]
    if [x.shape[axis] for axis in kept] == [size for size in shape if size != 1]:
        axes = iter(kept)
        return view(x, [None if size == 1 else next(axes) for size in shape])
    if isinstance(x, Reshape):
        x = x.operands[0]
    # Elements have to lie one after the other: those of a part or of other axes are copied.
    return Reshape(Pointwise("same", (x,), x.shape, x.dtype) if isinstance(x, (View, Window)) else x, shape)


def reshape_as_view(x, *shape):
    """The same as numpy makes it: a view where the elements follow each other, which shows and changes the array, else a copy."""
    from ._layout import reshaped_strides
    made = reshape(x, *shape)
    return _view_or_copy(x, made, lambda strides: reshaped_strides(x.shape, strides, made.shape) is not None, shape)


def ravel(x):
    """All elements in a row: in numpy a view of an array that is row-major, and no other one."""
    from ._layout import is_in_rows
    return _view_or_copy(x, reshape(x, -1), lambda strides: is_in_rows(x.shape, strides), (-1,))


def contiguous(x):
    """The array itself where it is row-major, else a copy."""
    from ._layout import is_in_rows, strides_of
    strides = strides_of(x)
    if strides is not None:
        return x if is_in_rows(x.shape, strides) else own(x)
    made = View(expression(x), range(x.ndim))
    made._source = x, expression(x), _refuse, _refuse
    return made


def _view_or_copy(x, made, can_be_view, shape):
    from ._layout import strides_of
    strides = strides_of(x)
    is_view = [size for size in x.shape if size != 1] == [size for size in made.shape if size != 1]
    if strides is not None and not can_be_view(strides):
        if made is expression(x) or made._source is not None:  # not moved
            made = View(made, range(made.ndim))
        made._is_copy = True
        return made
    made = as_view(x, lambda base: reshape(base, *shape), lambda base, made: base.__setitem__(..., reshape(made, *base.shape)))
    if not is_view and strides is None and made._source is not None:
        made._source = (*made._source[:2], _refuse, _refuse)
    return made


def _refuse(*_):
    raise TypeError("a reshape of an array whose axes may be in another order in memory, and what ascontiguousarray makes of it, may be a copy in "
                    "numpy: make it after the array has its elements, and assign to the array itself, or take x.copy()")


def axes_as_view(x, axes):
    """Its axes in another order, as a view. An axis that is left out is of size 1."""
    back = [axes.index(axis) if axis in axes else None for axis in range(x.ndim)]
    return as_view(x, lambda base: view(base, axes), lambda base, made: base.__setitem__(..., view(made, back)))


def concatenate(arrays, axis=0):
    """Arrays side by side along an axis."""
    arrays = [expression(each) for each in arrays]
    if not arrays:
        raise ValueError("concatenate takes at least one array")
    first = arrays[0]
    axis = axis_of(axis, first.ndim)
    dtype = common_dtype([each.dtype for each in arrays])
    for each in arrays:
        if each.ndim != first.ndim or any(a != b for at, (a, b) in enumerate(zip(each.shape, first.shape)) if at != axis):
            raise ValueError(f"arrays of shapes {first.shape} and {each.shape} side by side along axis {axis}")
    there = [as_dtype(each, dtype) for each in arrays if each.size]
    return Join(there, axis) if there else full([sum(each.shape[axis] for each in arrays) if at == axis else size for at, size in enumerate(first.shape)], 0, dtype)


_MOST_BESIDE = 4


def _beside(arrays):
    """The elements of a few arrays next to each other: computed at once, since single elements are moved slowly."""
    dtype = common_dtype([each.dtype for each in arrays])
    *others, made = [expand_dims(as_dtype(each, dtype), -1) for each in arrays]
    for at in reversed(range(len(others))):
        made = select(np.arange(len(arrays)) == at, others[at], made)
    return made


def part_of(base, ranges):
    """A rectangle of an array. Of every second element of a row, and the like, it is a column of a matrix."""
    start, extent, step = ranges[-1] if ranges else (None, 1, 1)
    size = base.shape[-1] if ranges else 1
    if step == 1 or size % step or extent != size // step or not start.is_constant or isinstance(base, (View, Window)):
        return Window(base, ranges)
    first = Index.of(0)
    ranges = [*ranges[:-1], (first, extent, 1), (start, 1, 1)]
    made = Window(reshape(base, *base.shape[:-1], extent, step), ranges)
    return view(made, range(len(ranges) - 1))


def stack(arrays, axis=0):
    """Arrays of one shape side by side along a new axis."""
    arrays = [expression(each) for each in arrays]
    if len({each.shape for each in arrays}) != 1:
        raise ValueError("stack takes arrays of one shape")
    if 1 < len(arrays) <= _MOST_BESIDE and axis_of(axis, arrays[0].ndim + 1) == arrays[0].ndim > 0:
        return _beside(arrays)
    return concatenate([expand_dims(each, axis) for each in arrays], axis)


def expand_dims(x, axis):
    return view(x, _expanded_axes(expression(x), axis))


def _expanded_axes(x, axis):
    axes, given = list(range(x.ndim)), np.atleast_1d(axis).tolist()
    places = sorted(axis_of(each, x.ndim + len(given)) for each in given)
    if len(set(places)) != len(places):
        raise ValueError(f"expand_dims with axis={axis}: an axis comes twice")
    for each in places:
        axes.insert(each, None)
    return axes


def squeeze(x, axis=None):
    """Without its axes of size 1, or without those that are given."""
    return view(x, squeezed_axes(expression(x), axis))


def squeezed_axes(x, axis):
    given = [at for at, size in enumerate(x.shape) if size == 1] if axis is None else \
        [axis_of(each, x.ndim) for each in (axis if isinstance(axis, (tuple, list)) else (axis,))]
    if any(x.shape[each] != 1 for each in given):
        raise ValueError(f"squeeze of an axis that is not of size 1 in {x.shape}")
    return [at for at in range(x.ndim) if at not in given]


def moveaxis(x, source, destination):
    return view(x, _moved_axes(expression(x), source, destination))


def _moved_axes(x, source, destination):
    sources, places = ([axis_of(each, x.ndim) for each in np.atleast_1d(given).tolist()] for given in (source, destination))
    if len(sources) != len(places) or len(set(sources)) != len(sources) or len(set(places)) != len(places):
        raise ValueError(f"moveaxis of axes {source} to {destination}")
    axes = [at for at in range(x.ndim) if at not in sources]
    for place, axis in sorted(zip(places, sources)):
        axes.insert(place, axis)
    return axes


def swapped_axes(x, first, second):
    axes = list(range(x.ndim))
    first, second = axis_of(first, x.ndim), axis_of(second, x.ndim)
    axes[first], axes[second] = axes[second], axes[first]
    return axes


def viewing(axes_of):
    """A function of numpy that shows the axes of an array in another order."""
    def function(x, *given, **named):
        x = array(x)
        return axes_as_view(x, axes_of(x, *given, **named))
    return function


expanded, moved = viewing(_expanded_axes), viewing(_moved_axes)


def tile(x, times):
    x = expression(x)
    times = list(times) if isinstance(times, (tuple, list)) else [times]
    x = view(x, [None] * (len(times) - x.ndim) + list(range(x.ndim)))
    for axis, count in enumerate([1] * (x.ndim - len(times)) + times):
        x = concatenate([x] * count, axis) if count != 1 else x
    return x if any(count != 1 for count in times) else own(x)


def repeat(x, times, axis=None):
    """Each element `times` times in a row; or each so many times as a list says."""
    x = reshape(x, -1) if axis is None else expression(x)
    axis = 0 if axis is None else axis_of(axis, x.ndim)
    if not is_number(times):
        if isinstance(times, Expression):
            raise TypeError("how many elements repeat makes is known when the program runs")
        return take(x, np.repeat(np.arange(x.shape[axis]), times), axis)
    if times == 1:
        return own(x)
    wide = list(x.shape)
    wide.insert(axis + 1, times.__index__())
    shape = [size * times if at == axis else size for at, size in enumerate(x.shape)]
    return reshape(broadcast_to(expand_dims(x, axis + 1), wide), shape)


def roll(x, shift, axis=None):
    """Elements moved along an axis, or all in a row; those that leave it come in at the other end."""
    x = expression(x)
    if axis is None:
        return reshape(roll(reshape(x, -1), shift, 0), *x.shape)
    if isinstance(axis, (tuple, list)) or isinstance(shift, (tuple, list)):
        shifts, axes = np.broadcast_arrays(shift, axis)
        for each, at in zip(shifts.tolist(), axes.tolist()):
            x = roll(x, each, at)
        return x
    if not x.size:
        return own(x)
    axis = axis_of(axis, x.ndim)
    cut = -shift.__index__() % x.shape[axis]
    before = (slice(None),) * axis
    return concatenate([x[before + (slice(cut, None),)], x[before + (slice(0, cut),)]], axis) if cut else own(x)


def pad(x, widths, mode="constant", constant_values=0):
    """A border of one number around an array."""
    x, widths = expression(x), _widths(widths, expression(x).ndim)
    if mode in _BORDERS:
        return _bordered(x, widths, _BORDERS[mode])
    if mode != "constant" or not is_number(constant_values):
        raise TypeError(f"pad with mode={mode!r}: borders are one number (mode='constant'), or elements of the array (mode="
                        f"{', '.join(map(repr, _BORDERS))})")
    return Inset(x, widths, constant_values) if any(before or after for before, after in widths) else own(x)


# Where an element of a border comes from: `at` is its distance from the array, from 1 on.
_BORDERS = {"edge": lambda at, size: 0, "reflect": lambda at, size: at, "symmetric": lambda at, size: at - 1,
            "wrap": lambda at, size: size - at}


def _bordered(x, widths, source):
    """A border of elements of the array, one axis after the other."""
    for axis, (before, after) in enumerate(widths):
        size = x.shape[axis]
        left = [source(at, size) for at in range(before, 0, -1)]
        right = [size - 1 - source(at, size) for at in range(1, after + 1)]
        if any(not 0 <= each < size for each in left + right):
            raise ValueError(f"a border of {max(before, after)} elements of an axis of size {size}")
        if left or right:
            parts = ([take(x, left, axis)] if left else []) + [x] + ([take(x, right, axis)] if right else [])
            x = concatenate(parts, axis)
    return x


def _widths(widths, rank):
    """(before, after) of each axis, as numpy reads them."""
    array = np.broadcast_to(np.asarray(widths), (rank, 2))
    if array.dtype.kind not in "iu" or (array < 0).any():
        raise ValueError(f"pad takes widths of at least 0, got {widths!r}")
    return [(int(before), int(after)) for before, after in array]


def split(x, parts, axis=0):
    """So many equal parts of an axis, or the parts between the places that are given."""
    x = array(x)
    axis = axis_of(axis, x.ndim)
    if isinstance(parts, (tuple, list, np.ndarray)):
        places = [0, *(int(each) for each in parts), x.shape[axis]]
    elif x.shape[axis] % parts:
        raise ValueError(f"an axis of size {x.shape[axis]} has no {parts} equal parts: np.array_split makes some larger")
    else:
        places = range(0, x.shape[axis] + 1, x.shape[axis] // parts)
    before = (slice(None),) * axis
    return [x[before + (slice(start, stop),)] for start, stop in zip(places, places[1:])]


def array_split(x, parts, axis=0):
    """So many parts of an axis, the first ones an element larger where they cannot be equal."""
    if isinstance(parts, (tuple, list, np.ndarray)):
        return split(x, parts, axis)
    size = expression(x).shape[axis]
    least, larger = divmod(size, parts)
    return split(x, [at * least + min(at, larger) for at in range(1, parts)], axis)


_MOST_RUNS, _LONGEST_CHOICE = 4, 512


def take(x, places, axis=None):
    """What lies at places along an axis. Where they are known when the function is traced, neighbours are moved together; for many
    places the elements are compared with them."""
    x = reshape(x, -1) if axis is None else expression(x)
    axis = 0 if axis is None else axis_of(axis, x.ndim)
    if isinstance(places, Expression):
        return take_chosen(x, places, axis)
    places = np.asarray(places)
    if places.dtype.kind not in "iu" or not places.size:
        raise TypeError(f"places along an axis are a list of integers, got {places.dtype} of shape {places.shape}")
    size, before = x.shape[axis], (slice(None),) * axis
    if places.min() < -size or places.max() >= size:
        raise IndexError(f"a place of {places.min()} to {places.max()} on an axis of size {size}")
    if not places.ndim:
        return copied(x[before + (int(places),)])
    if places.ndim > 1:
        return reshape(take(x, places.reshape(-1), axis), *x.shape[:axis], *places.shape, *x.shape[axis + 1:])
    places = places % size
    runs = np.split(places, np.flatnonzero(np.diff(places) != 1) + 1)
    if len(runs) > _MOST_RUNS and size <= _LONGEST_CHOICE:
        return take_chosen(x, expression(places.astype(np.int32)), axis)
    parts = [x[before + (slice(int(run[0]), int(run[-1]) + 1),)] for run in runs]
    return concatenate(parts, axis) if len(parts) > 1 else own(parts[0])


def diagonal(x, offset=0):
    """The elements of a matrix whose column is `offset` more than their row."""
    x = expression(x)
    if x.ndim != 2:
        raise ValueError(f"the diagonal of an array of {x.ndim} axes: it is for matrices")
    rows, columns = x.shape
    first, count = (offset, min(rows, columns - offset)) if offset >= 0 else (-offset * columns, min(rows + offset, columns))
    if count < 1:
        raise ValueError(f"a diagonal {offset} of a matrix of shape {x.shape}")
    return reshape(x, -1)[first:first + (count - 1) * (columns + 1) + 1:columns + 1]


_LONGEST_ROW, _LONGEST_COLUMN = 2048, 384  # that a core reads backwards, since it has all of it; longer axes are blocks


def flip(x, axes):
    """Axes that run backwards."""
    x = expression(x)
    for axis in axes:
        x = _backwards(x, axis)
    return x


def _backwards(x, axis):
    size, after = x.shape[axis], math.prod(x.shape[axis + 1:])
    if size == 1:
        return x
    if size <= (_LONGEST_ROW if after == 1 else _LONGEST_COLUMN):
        return reshape(Flip(reshape(x, *([-1, size] if after == 1 else [-1, size, after])), 1), *x.shape)
    near = math.isqrt(size)
    block = next((each for each in range(near, near // 4, -1) if size % each == 0), near)
    rest = -size % block
    whole = pad(x, [(0, rest if at == axis else 0) for at in range(x.ndim)]) if rest else x
    blocks = reshape(whole, *x.shape[:axis], -1, block, *x.shape[axis + 1:])
    made = reshape(_backwards(_backwards(blocks, axis + 1), axis), *whole.shape)
    return made[(slice(None),) * axis + (slice(rest, None),)]


def reversed_axes(x, axis=None):
    """Axes that run backwards: all, or those that are given."""
    x = array(x)
    axes = range(x.ndim) if axis is None else axis if isinstance(axis, (tuple, list)) else (axis,)
    axes = [axis_of(each, x.ndim) for each in axes]
    return as_view(x, lambda base: flip(base, axes), lambda base, made: base.__setitem__(..., flip(made, axes)))


def meshgrid(*arrays, indexing="xy", sparse=False, copy=True):
    """Arrays of as many axes as there are vectors: each follows one axis."""
    arrays = [reshape(each, -1) for each in arrays]
    places = list(range(len(arrays)))
    if indexing == "xy" and len(arrays) > 1:
        places[:2] = 1, 0
    wide = [view(each, [0 if at == place else None for at in range(len(arrays))]) for each, place in zip(arrays, places)]
    shape = np.broadcast_shapes(*(each.shape for each in wide))
    return wide if sparse else [broadcast_to(each, shape) for each in wide]


def diff(x, n=1, axis=-1, prepend=None, append=None):
    """What each element is more than the one before it; `prepend` and `append` are elements before the first and after the last one."""
    x = expression(x)
    axis = axis_of(axis, x.ndim)
    parts = [_end(prepend, x, axis), x, _end(append, x, axis)]
    parts = [each for each in parts if each is not None]
    x = concatenate(parts, axis) if len(parts) > 1 else x
    before = (slice(None),) * axis
    for _ in range(n):
        x = x[before + (slice(1, None),)] - x[before + (slice(None, -1),)]
    return x


def _end(given, x, axis):
    """One element in each row where it is a number."""
    if given is None:
        return None
    given = expression(given, x.dtype)
    return given if given.ndim else broadcast_to(given, [1 if at == axis else size for at, size in enumerate(x.shape)])


def kron(left, right):
    """A block of the right matrix for each element of the left one."""
    left, right = _operands(left, right)
    if left.ndim != right.ndim:
        raise ValueError(f"kron of arrays of shapes {left.shape} and {right.shape}")
    for axis in range(left.ndim):
        left, right = expand_dims(left, 2 * axis + 1), expand_dims(right, 2 * axis)
    sizes = [left.shape[at] * right.shape[at + 1] for at in range(0, left.ndim, 2)]
    return reshape(left * right, *sizes)


# -- Products

def matmul(left, right, dtype=None):
    """The product of matrices, vectors, or batches of matrices, with sums in `dtype`: that of the operands where
    it is not given. Batches are broadcast as in numpy."""
    left, right = _operands(left, right)
    if left.ndim <= 2 and right.ndim <= 2 or (left.ndim == right.ndim == 3 and left.shape[0] == right.shape[0]):
        return product_of(left, right, dtype)
    if left.ndim == 0 or right.ndim == 0:
        raise ValueError("a product with an array without axes: use *")
    if left.ndim == 1:
        return squeeze(matmul(left[None], right, dtype), -2)
    if right.ndim == 1:
        return squeeze(matmul(left, right[:, None], dtype), -1)
    rows, inner, columns = left.shape[-2], left.shape[-1], right.shape[-1]
    if right.ndim == 2:  # one matrix for all: the rows of the batch below each other
        return reshape(product_of(reshape(left, -1, inner), right, dtype), *left.shape[:-1], columns)
    try:
        batch = np.broadcast_shapes(left.shape[:-2], right.shape[:-2])
    except ValueError:
        raise ValueError(f"a product of arrays of shapes {left.shape} and {right.shape}") from None
    left = reshape(broadcast_to(left, batch + left.shape[-2:]), -1, rows, inner)
    right = reshape(broadcast_to(right, batch + right.shape[-2:]), -1, right.shape[-2], columns)
    return reshape(product_of(left, right, dtype), *batch, rows, columns)


def _operands(left, right):
    dtype = next((each.dtype for each in (left, right) if not is_number(each)), None)
    return expression(left, dtype), expression(right, dtype)


def outer(left, right):
    return reshape(left, -1)[:, None] * reshape(right, -1)[None, :]


def inner(left, right):
    """Sums of products along the last axes."""
    left, right = _operands(left, right)
    return tensordot(left, right, ([-1], [-1]))


def tensordot(left, right, axes=2):
    """Sums of products along axes of both arrays: the last ones of the left and the first ones of the right, or
    those that are given."""
    left, right = _operands(left, right)
    if isinstance(axes, int):
        axes = (list(range(left.ndim - axes, left.ndim)), list(range(axes)))
    first, second = ([axis_of(each, x.ndim) for each in (given if isinstance(given, (tuple, list)) else [given])]
                     for x, given in zip((left, right), axes))
    if [left.shape[each] for each in first] != [right.shape[each] for each in second]:
        raise ValueError(f"tensordot of arrays of shapes {left.shape} and {right.shape} along axes {axes}")
    names = iter("abcdefghijklmnopqrstuvwxyz")
    a = [next(names) for _ in range(left.ndim)]
    b = [a[first[second.index(at)]] if at in second else next(names) for at in range(right.ndim)]
    kept = [each for at, each in enumerate(a) if at not in first] + [each for at, each in enumerate(b) if at not in second]
    return einsum(f"{''.join(a)},{''.join(b)}->{''.join(kept)}", left, right)


def multi_dot(arrays):
    """Products of matrices from left to right."""
    made, *rest = arrays
    for each in rest:
        made = matmul(made, each)
    return made


def matrix_power(x, times):
    """The product of so many times the matrix."""
    times = times.__index__()
    if times < 1:
        raise ValueError(f"matrix_power with {times}: it is for positive numbers")
    half = expression(x) if times < 2 else matrix_power(x, times // 2)
    square = half if times < 2 else matmul(half, half)
    return matmul(square, x) if times > 1 and times % 2 else square


def einsum(subscripts, *arrays):
    """Sums of products of one or two arrays: each letter names an axis."""
    inputs, output = _letters(subscripts, len(arrays))
    if len(arrays) > 2:
        return _einsum_of_many(inputs, output, arrays)
    arrays, inputs = zip(*(_apart_letters(expression(array), letters) for array, letters in zip(arrays, inputs)))
    sizes = {}
    for letters, array in zip(inputs, arrays):
        if len(letters) != array.ndim:
            raise ValueError(f"einsum {subscripts!r}: '{letters}' for an array of {array.ndim} axes")
        for letter, size in zip(letters, array.shape):
            if sizes.setdefault(letter, size) != size:
                raise ValueError(f"einsum {subscripts!r}: '{letter}' is of size {sizes[letter]} and {size}")
    if any(letter not in sizes for letter in output) or len(set(output)) != len(output):
        raise ValueError(f"einsum {subscripts!r}: no output '{output}' of these arrays")
    kept = [set(output).union(*(other for at, other in enumerate(inputs) if at != which))
            for which in range(len(inputs))]
    terms = [_summed(array, letters, keep) for array, letters, keep in zip(arrays, inputs, kept)]
    made, letters = terms[0] if len(terms) == 1 else _contracted(*terms, output, sizes)
    return view(made, [letters.index(letter) for letter in output])


def _apart_letters(x, letters):
    """Without letters that come twice: their axes are one, a diagonal."""
    for letter in dict.fromkeys(letters):
        while letters.count(letter) > 1 and len(letters) == x.ndim:
            first = letters.index(letter)
            second = letters.index(letter, first + 1)
            if x.shape[first] != x.shape[second]:
                raise ValueError(f"einsum: '{letter}' is of size {x.shape[first]} and {x.shape[second]}")
            others = [at for at in range(x.ndim) if at not in (first, second)]
            size = x.shape[first]
            rows = reshape(view(x, [*others, first, second]), *(x.shape[at] for at in others), size * size)
            x = rows[..., ::size + 1]
            letters = "".join(letters[at] for at in others) + letter
    return expression(x), letters


def _einsum_of_many(inputs, output, arrays):
    """From left to right: letters that nothing needs any more are summed at once."""
    made, letters = arrays[0], inputs[0]
    for at in range(1, len(arrays)):
        needed = set(output).union(*inputs[at + 1:])
        both = "".join(each for each in dict.fromkeys(letters + inputs[at]) if each in needed)
        made = einsum(f"{letters},{inputs[at]}->{both}", made, arrays[at])
        letters = both
    return einsum(f"{letters}->{output}", made)


def _letters(subscripts, count):
    text = subscripts.replace(" ", "")
    inputs, arrow, output = text.partition("->")
    inputs = inputs.split(",")
    if len(inputs) != count or count < 1 or not "".join(inputs + [output]).isalpha():
        raise TypeError(f"einsum {subscripts!r} of {count} arrays: it takes a letter for each axis")
    every = "".join(inputs)
    return inputs, output if arrow else "".join(sorted(each for each in set(every) if every.count(each) == 1))


def _summed(array, letters, kept):
    """Sums along the axes that nothing else has."""
    gone = [axis for axis, letter in enumerate(letters) if letter not in kept]
    return (reduce("sum", array, gone) if gone else array), "".join(each for each in letters if each in kept)


def _contracted(left, right, output, sizes):
    """A product of matrices in batches."""
    (left, first), (right, second) = left, right
    batch = [each for each in first if each in second and each in output]
    inner = [each for each in first if each in second and each not in output]
    rows = [each for each in first if each not in second]
    columns = [each for each in second if each not in first]
    size = lambda letters: math.prod(sizes[each] for each in letters)
    order = lambda array, have, want: view(array, [have.index(each) for each in want])
    left, right = order(left, first, batch + rows + inner), order(right, second, batch + inner + columns)
    if not inner:
        left = reshape(left, size(batch), size(rows), 1)
        right = reshape(right, size(batch), 1, size(columns))
        made = left * right
    elif batch:
        made = matmul(reshape(left, size(batch), size(rows), size(inner)),
                      reshape(right, size(batch), size(inner), size(columns)))
    else:
        made = matmul(reshape(left, size(rows), size(inner)), reshape(right, size(inner), size(columns)))
    letters = batch + rows + columns
    return reshape(made, *(sizes[each] for each in letters)), "".join(letters)
