"""Arrays while a program is traced: what is computed from what, with shapes and dtypes as numpy has them."""

import inspect
import itertools

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from .. import _native
from ._elements import check_plain, checked_number, element_of, is_float, is_number
from ._subscripts import has_none, is_all, is_element, is_whole, shape_of, subscripts

_COMPARISONS = ("equal", "not_equal", "less", "less_equal", "greater", "greater_equal")
_FLOATS_ONLY = ("div", "exp", "exp2", "log", "log2", "log10", "sqrt", "rsqrt", "tanh", "erf", "sin", "cos", "floor",
                "ceil", "rint", "trunc")
_PYTHON_NUMBERS = {bool: np.bool_, int: np.int32, float: np.float32}  # where nothing else has a dtype
_INTEGERS_ONLY = ("floordiv", "mod", "and", "or", "xor", "shl", "shr")


_WHY = {"numpy.fft": ": programs have no complex numbers. Products with the matrices of cosines and sines, which numpy makes in the function, "
                     "give the real and the imaginary parts",
        "numpy.linalg": ": of this module there are det, inv, solve, norm, multi_dot and matrix_power"}
_MOST_ELEMENTS = 16  # that are taken one by one: each is a kernel
_numbers = itertools.count()  # of expressions, as they are made


class Expression:
    """An array that a program computes. It is made when it is assigned or returned.

    It has the operators of numpy's arrays, and numpy's functions take it: `np.exp(x)`, `np.maximum(x, 0)`,
    `x @ y`, `x.sum(axis=1, keepdims=True)`, `x.T`, `x[:, None]`. Shapes are broadcast as numpy does. Both sides
    of an operator have one dtype; a number of Python takes that of the array.
    """

    __array_priority__ = 1000

    traits = ()  # the names of what it is besides its operands, its shape and its dtype
    _elsewhere = None  # the memory that holds the elements since some of them were assigned
    _times = 0  # how often all of its elements were assigned
    _source = None  # of a view of an array: that array, its elements then, and what shows and assigns them
    _is_copy = False  # an array of its own, though no function has computed it

    def __init__(self, shape, dtype, operands=()):
        self.shape, self.dtype, self.operands = tuple(shape), np.dtype(dtype), tuple(operands)
        self.is_rows = all(each.is_rows for each in self.operands)  # whether it is known to be row-major in numpy
        self.location = _native.Location.here()  # the line of the function that computes it
        self.serial = next(_numbers)
        from ._trace import noted
        self.key, self.level = noted(self)  # what finds it in another trace of the function; the body that computes it

    ndim = property(lambda self: len(self.shape), doc="How many axes it has.")
    size = property(lambda self: int(np.prod(self.shape, dtype=np.int64)), doc="How many elements it has.")
    itemsize = property(lambda self: self.dtype.itemsize, doc="The bytes of an element.")
    nbytes = property(lambda self: self.size * self.itemsize, doc="The bytes of all elements.")
    T = property(lambda self: self.transpose(), doc="Its axes in the other order.")

    def __repr__(self):
        return f"<airlite.api {type(self).__name__} {self.dtype}{list(self.shape)}>"

    def __len__(self):
        if not self.shape:
            raise TypeError("an array without dimensions has no length")
        return self.shape[0]

    def __iter__(self):
        """The rows of a matrix, the matrices of a batch, and the elements of a short vector, as in `a, b, c = x`."""
        if not self.ndim or self.ndim < 2 and self.size > _MOST_ELEMENTS:
            raise TypeError(f"elements are known when the program runs: Python cannot iterate over more than {_MOST_ELEMENTS} of them")
        return (self[at] for at in range(self.shape[0]))

    def _number(self):
        raise TypeError("elements are known when the program runs: they cannot become a number of Python")

    __int__ = __float__ = __complex__ = __index__ = _number

    def __format__(self, form):
        if form:
            raise TypeError(f"elements are known when the program runs: they cannot become a text of the form {form!r}")
        return repr(self)

    def __bool__(self):
        raise TypeError("elements are known when the program runs: Python cannot branch on them; use where()")

    __hash__ = object.__hash__

    # -- Operators

    def __add__(self, other):
        return pointwise("add", self, other)

    def __radd__(self, other):
        return pointwise("add", other, self)

    def __sub__(self, other):
        return pointwise("sub", self, other)

    def __rsub__(self, other):
        return pointwise("sub", other, self)

    def __mul__(self, other):
        return pointwise("mul", self, other)

    def __rmul__(self, other):
        return pointwise("mul", other, self)

    def __truediv__(self, other):
        return pointwise("div", self, other)

    def __rtruediv__(self, other):
        return pointwise("div", other, self)

    def __floordiv__(self, other):
        return pointwise("floordiv", self, other)

    def __rfloordiv__(self, other):
        return pointwise("floordiv", other, self)

    def __mod__(self, other):
        return pointwise("mod", self, other)

    def __rmod__(self, other):
        return pointwise("mod", other, self)

    def __divmod__(self, other):
        return self // other, self % other

    def __rdivmod__(self, other):
        return other // self, other % self

    def __and__(self, other):
        return pointwise("and", self, other)

    def __rand__(self, other):
        return pointwise("and", other, self)

    def __or__(self, other):
        return pointwise("or", self, other)

    def __ror__(self, other):
        return pointwise("or", other, self)

    def __xor__(self, other):
        return pointwise("xor", self, other)

    def __rxor__(self, other):
        return pointwise("xor", other, self)

    def __lshift__(self, other):
        return pointwise("shl", self, other)

    def __rshift__(self, other):
        return pointwise("shr", self, other)

    def __rlshift__(self, other):
        return pointwise("shl", other, self)

    def __rrshift__(self, other):
        return pointwise("shr", other, self)

    def __neg__(self):
        return pointwise("sub", -0.0 if is_float(self.dtype) else 0, self)  # 0 - 0 is no -0

    def __pos__(self):
        return self.copy()

    def __invert__(self):
        """The other bits; of bools, not."""
        return pointwise("xor", self, True if self.dtype.kind == "b" else _all_bits(self.dtype))

    def __abs__(self):
        return pointwise("abs", self)

    def __pow__(self, exponent):
        return power(self, exponent)

    def __rpow__(self, base):
        return power(base, self)

    def __eq__(self, other):
        return pointwise("equal", self, other)

    def __ne__(self, other):
        return pointwise("not_equal", self, other)

    def __lt__(self, other):
        return pointwise("less", self, other)

    def __le__(self, other):
        return pointwise("less_equal", self, other)

    def __gt__(self, other):
        return pointwise("greater", self, other)

    def __ge__(self, other):
        return pointwise("greater_equal", self, other)

    def __matmul__(self, other):
        from ._shapes import matmul
        return matmul(self, other)

    def __rmatmul__(self, other):
        from ._shapes import matmul
        return matmul(other, self)

    # -- Functions

    def astype(self, dtype, copy=True):
        """The elements converted to another dtype: floats to integers towards zero."""
        dtype = np.dtype(dtype)
        element_of(dtype)  # whether programs have it
        if dtype != self.dtype:
            return Pointwise("cast", (expression(self),), self.shape, dtype)
        return in_order_of(self, self.copy()) if copy else self

    def sum(self, axis=None, dtype=None, keepdims=False, initial=None, where=None):
        """Sums along axes, in the dtype of the elements where none is given; of shorter integers and bools in 32 bits."""
        return reduce("sum", countable(self, dtype), axis, keepdims, initial, where)

    def max(self, axis=None, keepdims=False, initial=None, where=None):
        """The greatest elements along axes."""
        return reduce("max", self, axis, keepdims, initial, where)

    def min(self, axis=None, keepdims=False, initial=None, where=None):
        """The smallest elements along axes."""
        return reduce("min", self, axis, keepdims, initial, where)

    def mean(self, axis=None, dtype=None, keepdims=False):
        """Of floats: the sum times 1 / number of elements. With `dtype` the elements are converted first."""
        if dtype is not None:
            return as_dtype(self, np.dtype(dtype)).mean(axis, keepdims=keepdims)
        if not is_float(self.dtype):
            raise TypeError(f"mean is for floats, got {self.dtype}: x.mean(dtype=np.float32) converts")
        total = reduce("sum", self, axis, keepdims)
        if not self.size:
            return full(total.shape, np.nan, self.dtype)
        return total * (max(total.size, 1) / max(self.size, 1))

    def prod(self, axis=None, dtype=None, keepdims=False, initial=None, where=None):
        """Products along axes, in the dtype of the elements where none is given; of shorter integers in 32 bits."""
        return reduce("prod", countable(self, dtype), axis, keepdims, initial, where)

    def var(self, axis=None, dtype=None, ddof=0, keepdims=False):
        """Of floats: the mean of the squares of the distances from the mean; with `ddof` their sum is divided by the
        number of elements less `ddof`. With `dtype` the elements are converted first."""
        if dtype is not None:
            return as_dtype(self, np.dtype(dtype)).var(axis, ddof=ddof, keepdims=keepdims)
        distance = self - self.mean(axis, keepdims=True)
        squares = reduce("sum", distance * distance, axis, keepdims)
        count = self.size // max(squares.size, 1) - ddof
        if count < 1:
            raise ValueError(f"var with ddof={ddof} of {count + ddof} elements")
        return squares * (1 / count)

    def std(self, axis=None, dtype=None, ddof=0, keepdims=False):
        """The square root of var."""
        return pointwise("sqrt", self.var(axis, dtype, ddof, keepdims))

    def ptp(self, axis=None, keepdims=False):
        """How much the greatest element is more than the smallest one."""
        return self.max(axis, keepdims) - self.min(axis, keepdims)

    def any(self, axis=None, keepdims=False):
        """Whether an element is not 0."""
        return reduce("max" if self.size else "sum", _truth(self), axis, keepdims) != 0

    def all(self, axis=None, keepdims=False):
        """Whether no element is 0."""
        return reduce("min" if self.size else "prod", _truth(self), axis, keepdims) != 0

    def argmax(self, axis=None, keepdims=False):
        """Where the first of the greatest elements is, as int32."""
        return _place_of("max", self, axis, keepdims)

    def argmin(self, axis=None, keepdims=False):
        """Where the first of the smallest elements is, as int32."""
        return _place_of("min", self, axis, keepdims)

    def round(self, decimals=0):
        """To so many digits after the point, halves to even digits."""
        from ._functions import rounded
        return rounded(self, decimals)

    def sort(self, axis=-1):
        """Puts the elements along an axis in order."""
        from ._orders import sort
        self[...] = sort(self, axis)

    def argsort(self, axis=-1):
        """The places of the elements along an axis in their order, as int32."""
        from ._orders import argsort
        return argsort(self, axis)

    def clip(self, min=None, max=None):
        """Elements below `min` become `min`, those above `max` become `max`."""
        low = self if min is None else pointwise("maximum", self, min)
        return low if max is None else pointwise("minimum", low, max)

    def cumsum(self, axis=None, dtype=None):
        """The sum of each element and all before it along an axis, in the dtype that sum has."""
        from ._scans import accumulate
        return accumulate("sum", self, axis, dtype)

    def cumprod(self, axis=None, dtype=None):
        """The product of each element and all before it along an axis."""
        from ._scans import accumulate
        return accumulate("prod", self, axis, dtype)

    def diagonal(self, offset=0):
        """The elements of a matrix whose column is `offset` more than their row."""
        from ._shapes import diagonal
        return as_view(self, lambda base: diagonal(base, offset), refuse_to_assign)

    def trace(self, offset=0):
        """The sum of a diagonal."""
        return self.diagonal(offset).sum()

    def dot(self, other):
        """The product of vectors and matrices."""
        from ._shapes import matmul
        return matmul(self, other)

    def reshape(self, *shape):
        """The elements in row-major order with other sizes; one of them may be -1."""
        from ._shapes import reshape_as_view
        return reshape_as_view(self, *shape)

    def take(self, places, axis=None):
        """What lies at places along an axis, which are known when the function is traced."""
        from ._shapes import take
        return take(self, places, axis)

    def repeat(self, times, axis=None):
        """Each element `times` times in a row."""
        from ._shapes import repeat
        return repeat(self, times, axis)

    def ravel(self):
        """All elements in a row."""
        from ._shapes import ravel
        return ravel(self)

    def flatten(self):
        """All elements in a row, as an array of its own."""
        from ._shapes import reshape
        return own(reshape(self, -1))

    def squeeze(self, axis=None):
        """Without its axes of size 1, or without those that are given."""
        from ._shapes import axes_as_view, squeezed_axes
        return axes_as_view(self, squeezed_axes(self, axis))

    def swapaxes(self, first, second):
        """Two axes change their places."""
        from ._shapes import axes_as_view, swapped_axes
        return axes_as_view(self, swapped_axes(self, first, second))

    def transpose(self, *axes):
        """The axes in another order; without `axes` from the last to the first."""
        axes = axes[0] if len(axes) == 1 and isinstance(axes[0], (tuple, list)) else axes
        axes = [axis_of(axis, self.ndim) for axis in axes] or list(reversed(range(self.ndim)))
        if sorted(axes) != list(range(self.ndim)):
            raise ValueError(f"axes {tuple(axes)} are no permutation of the {self.ndim} axes")
        from ._shapes import axes_as_view
        return axes_as_view(self, axes)

    def view(self, dtype=None):
        """The same bits as elements of another dtype of as many bytes, to read."""
        dtype = self.dtype if dtype is None else np.dtype(dtype)
        if dtype == self.dtype:
            return self[...]
        if dtype.itemsize != self.itemsize or "b" in (dtype.kind, self.dtype.kind):
            raise TypeError(f"a view of elements of {self.dtype} as {dtype}: both have as many bytes, and are no bools")
        return as_view(self, lambda base: Pointwise("bits", (expression(base),), base.shape, dtype), refuse_to_assign)

    def fill(self, number):
        """Gives all elements one number."""
        self[...] = number

    def copy(self):
        """An array of its own, which an assignment to elements of this one does not change."""
        made = Pointwise("same", (expression(self),), self.shape, self.dtype)
        made.is_rows = True
        return made

    def __getitem__(self, index):
        """Parts, whole axes and new ones: `x[1:, ::2]`, `x[:, None]`, `x[..., 0]`; rows by a list of numbers."""
        from ._choice import chosen, gather
        from ._fancy import elements, is_fancy
        if is_fancy(index):
            return elements(self, index)
        if chosen(index):
            return gather(self, index)
        if is_element(index, self.ndim):
            return copied(_part(self, index))
        return as_view(self, lambda base: _part(base, index), lambda base, made: base.__setitem__(index, made))

    def __setitem__(self, index, given):
        """Assigns to elements of what was computed: they lie in memory from then on. Of a view those of its array change."""
        if given is self and is_all(index, self.shape):  # what `y[...] += 1` has done
            return
        if (shape := shape_without_elements(self, index)) is not None:
            assignable(given, self.dtype, shape)  # there is nothing to assign, but shapes have to agree
            return
        if self._source is not None:
            return self._assign(self._with(index, given))
        if isinstance(self, (Read, Constant)):
            raise TypeError("elements are assigned to an array of the function, or to what it has computed: this one may have a "
                            "second name. Assign to x.copy()")
        from ._trace import current
        is_here = self.level is current().levels[-1]
        if is_here and is_all(index, self.shape):
            self._elsewhere = Pointwise("same", (assignable(given, self.dtype, self.shape),), self.shape, self.dtype)
            self._times += 1
            return
        if not is_here and not self._has_memory():
            current().want(self, "elements are assigned in another body than the one that has computed the array: assign to memory "
                           "of this body, as of api.empty")
        self._keep()
        self._elsewhere[index] = given

    def _with(self, index, given):
        """The elements after an assignment to some of them."""
        if is_all(index, self.shape):
            return broadcast_to(assignable(given, self.dtype, self.shape), self.shape)
        made = self.copy()
        made[index] = given
        return made

    def _assign(self, made):
        """Assigns to the array that it is a view of."""
        base, _, _, assign = self._source
        assign(base, made)

    def _has_memory(self):
        return hasattr(self._elsewhere, "memref")

    def _keep(self):
        """Puts its elements into memory of the body that is open."""
        if not self._has_memory():
            from ._levels import empty
            memory = empty(self.shape, self.dtype)
            memory[...] = self
            memory.is_rows = self.is_rows
            self._elsewhere = memory

    # As of an array of numpy: they change the elements. Of what may have a second name they make a new array.

    def __iadd__(self, other):
        return self._changed("add", other)

    def __isub__(self, other):
        return self._changed("sub", other)

    def __imul__(self, other):
        return self._changed("mul", other)

    def __itruediv__(self, other):
        return self._changed("div", other)

    def __ifloordiv__(self, other):
        return self._changed("floordiv", other)

    def __imod__(self, other):
        return self._changed("mod", other)

    def __iand__(self, other):
        return self._changed("and", other)

    def __ior__(self, other):
        return self._changed("or", other)

    def __ixor__(self, other):
        return self._changed("xor", other)

    def __ilshift__(self, other):
        return self._changed("shl", other)

    def __irshift__(self, other):
        return self._changed("shr", other)

    def __ipow__(self, exponent):
        return self._became(of_same_kind(power(self, exponent), self.dtype))

    def _changed(self, function, other):
        return self._became(of_same_kind(pointwise(function, self, other), self.dtype))

    def _became(self, made):
        # What has no axes is a number in numpy: its name gets another one.
        if self._source is None and (not self.shape or not (self._is_copy or isinstance(self, _COMPUTED))):
            return made
        self[...] = made
        return self

    # -- numpy's functions

    def __array_ufunc__(self, ufunc, method, *inputs, **options):
        from ._functions import METHODS, UFUNCS
        make = UFUNCS.get(ufunc.__name__) if method == "__call__" else METHODS.get((method, ufunc.__name__))
        name = ufunc.__name__ if method == "__call__" else f"{ufunc.__name__}.{method}"
        if make is None:
            raise TypeError(f"numpy.{name} of arrays of a program is not supported")
        out, = options.pop("out", (None,))
        if method != "__call__":
            made = make(*inputs, **options)
            return made if out is None else _assigned(out, made)
        dtype, where = options.pop("dtype", None), options.pop("where", True)
        if options:
            raise TypeError(f"numpy.{name} of arrays of a program has no option {next(iter(options))!r}")
        made = make(*(inputs if dtype is None else [as_dtype(each, np.dtype(dtype)) for each in inputs]))
        if where is not True:
            if out is None:
                raise TypeError(f"numpy.{name} with where= needs out=: the other elements would be anything")
            made = select(where, made, out)
        return made if out is None else _assigned(out, made)

    def __getattr__(self, name):
        raise AttributeError(f"arrays of a program have no attribute {name!r}")

    def __array_function__(self, function, types, inputs, options):
        from ._functions import FUNCTIONS
        make = FUNCTIONS.get(function.__name__)
        if make is None:
            raise TypeError(f"{function.__module__}.{function.__name__} of arrays of a program is not supported{_WHY.get(function.__module__, '')}")
        inputs, options = _named_from_out(function, inputs, options)
        out = options.pop("out", None)
        made = make(*inputs, **options)
        return made if out is None else _assigned(out, made)

    def __array__(self, *_, **__):
        raise TypeError("elements are known when the program runs: they cannot become an array of numpy, as by np.array(x) or by "
                        "assigning x to elements of one that is made outside of the function. np.zeros_like(x), and np.zeros(shape, dtype) in the function, "
                        "make arrays of the program to assign to; api.take(table, x, axis=0) is table[x] of an array of numpy")


class Constant(Expression):
    """A number as an array without dimensions."""

    traits = ("number",)

    def __init__(self, number, dtype):
        super().__init__((), dtype)
        self.number = checked_number(number, dtype)


class Read(Expression):
    """The elements that a buffer has at this point of the program. `end` is the block, and the last operation before
    they were changed, where that is in the body where they were read; `kept` is the memory with a copy of them that was made there."""

    end = kept = None

    def __init__(self, buffer, level):
        super().__init__(buffer.shape, buffer.dtype)
        self.buffer, self.version, self.level, self.is_rows = buffer, buffer.version, level, buffer.is_rows

    def _keep(self):
        """Copies the elements, where the program is now, if that is needed and can be done."""
        if self.kept is None and self.version == self.buffer.version:
            from ._emit import copied
            self.kept = copied(self)


class Pointwise(Expression):
    traits = ("function",)

    def __init__(self, function, operands, shape, dtype):
        super().__init__(shape, dtype, operands)
        self.function = function


class View(Expression):
    """Axes of an array in another order, and new ones of size 1 (None)."""

    traits = ("axes",)

    def __init__(self, base, axes):
        super().__init__([1 if axis is None else base.shape[axis] for axis in axes], base.dtype, (base,))
        self.axes = tuple(axes)
        kept = [axis for axis in axes if axis is not None]
        self.is_rows = base.is_rows and kept == sorted(kept)


class Flip(Expression):
    """An array with one axis that runs backwards."""

    traits = ("axis",)

    def __init__(self, base, axis):
        super().__init__(base.shape, base.dtype, (base,))
        self.axis = axis


class Window(Expression):
    """A rectangle of an array: offsets are indices of the program, sizes and steps are numbers."""

    traits = ("offsets", "steps")

    def __init__(self, base, ranges):
        self.offsets, sizes, self.steps = zip(*ranges)
        super().__init__(sizes, base.dtype, (base,))


class Reshape(Expression):
    """The elements of an array, which lie in a row, with other sizes."""

    def __init__(self, base, shape):
        super().__init__(shape, base.dtype, (base,))
        self.is_rows = self.is_rows or isinstance(base, Pointwise)  # a copy, whose order is that of rows


class Join(Expression):
    """Arrays side by side along an axis: each is made in its part of the memory."""

    traits = ("axis",)

    def __init__(self, parts, axis):
        shape = list(parts[0].shape)
        shape[axis] = sum(each.shape[axis] for each in parts)
        copies = [Pointwise("same", (each,), each.shape, each.dtype) for each in parts]
        super().__init__(shape, parts[0].dtype, copies)
        self.axis = axis

    def ranges(self):
        """For each part its (offsets, sizes)."""
        start = 0
        for each in self.operands:
            yield [start if axis == self.axis else 0 for axis in range(self.ndim)], each.shape
            start += each.shape[self.axis]


class Inset(Expression):
    """An array in a larger one, whose other elements are one number."""

    traits = ("offsets", "number")

    def __init__(self, base, widths, number):
        shape = [before + size + after for size, (before, after) in zip(base.shape, widths)]
        super().__init__(shape, base.dtype, (Pointwise("same", (base,), base.shape, base.dtype),))
        self.offsets, self.number = [before for before, _ in widths], checked_number(number, base.dtype)

    def ranges(self):
        """For its part the (offsets, sizes)."""
        yield self.offsets, self.operands[0].shape


class Reduce(Expression):
    traits = ("kind", "axes")

    def __init__(self, kind, base, axes):
        kept = [size for axis, size in enumerate(base.shape) if axis not in axes]
        super().__init__(kept, base.dtype, (base,))
        self.kind, self.axes = kind, tuple(axes)


class Product(Expression):
    """`op` is the operation of linalg that computes it, from `first` on."""

    traits = ("op", "first")

    def __init__(self, op, left, right, shape, dtype, first=0):
        super().__init__(shape, dtype, (left, right))
        self.op, self.first, self.is_rows = op, first, True


_COMPUTED = (Pointwise, Reduce, Product, Flip, Join, Inset)  # they have memory of their own


def expression(given, dtype=None):
    """A buffer as its elements, a number as a constant of `dtype`."""
    if isinstance(given, Expression):
        if given._source is not None:
            base, elements, show, _ = given._source
            if expression(base) is not elements:  # which have changed
                return expression(show(base))
        given = given if given._elsewhere is None else given._elsewhere
        return given.read() if hasattr(given, "read") else given
    if is_number(given):
        if dtype is None:
            raise TypeError(f"{given!r} alone has no dtype of elements")
        return Constant(given, dtype)
    if isinstance(given, np.ndarray):
        from ._trace import current
        check_plain(given, "this array")
        if not given.size:
            return full(given.shape, 0, given.dtype)
        number = only_number(given)
        return current().captured_here(given).read() if number is None else Pointwise("same", (number,), given.shape, given.dtype)
    from ._index import Index
    if isinstance(given, Index):
        raise TypeError("the variable of a loop, or an integer that a loop changes, is an index of the program: it chooses elements, as "
                        "x[i], and is none itself")
    if isinstance(given, NDArrayOperatorsMixin):  # what a mask chooses says that it has no size
        np.asarray(given)
    raise TypeError(f"expected an array of the program or a number, got {type(given).__name__}")


def full(shape, number, dtype):
    """All elements are one number. Arrays without elements are such as well: what is computed of them has a number for each of its elements, or
    none, so that no program computes them."""
    return Pointwise("same", (Constant(number, dtype),), shape, dtype)


def only_number(given):
    """The number that all elements of an array of numpy are, as those of np.zeros(8); else None."""
    first = given.reshape(-1)[:1]
    is_one = given.size and np.isfinite(first.astype(np.float64))[0] and given.tobytes() == first.tobytes() * given.size
    return Constant(first[0], given.dtype) if is_one else None


def is_same(one, other):
    """Whether two expressions are the same elements, as `x < 0` written twice."""
    if one is other:
        return True
    if type(one) is not type(other) or isinstance(one, Read) or (one.shape, one.dtype) != (other.shape, other.dtype):
        return False
    has_same_traits = all(repr(getattr(one, name)) == repr(getattr(other, name)) for name in one.traits)
    return has_same_traits and all(map(is_same, one.operands, other.operands))


def array(given):
    """An array of the program itself, not its elements; one of numpy as a constant."""
    return given if isinstance(given, Expression) else expression(given)


def as_view(base, show, assign):
    """What numpy makes a view: it shows the elements that the array has when it is used, and assigning to it changes them."""
    before = next(_numbers)
    made, elements = show(base), expression(base)
    if made is elements:
        return base
    if made.serial < before or isinstance(made, Read):  # as of x.T.T, which shows x
        made = View(made, range(made.ndim))
    made._source = base, elements, show, assign
    return made


def _part(x, index):
    from ._shapes import flip, part_of
    ranges, axes, backwards = subscripts(index, x.shape)
    if has_none(ranges):
        return full(shape_of(ranges, axes), 0, x.dtype)
    base = expression(x)
    return flip(view(base if is_whole(ranges, x.shape) else part_of(base, ranges), axes), backwards)


def _named_from_out(function, inputs, options):
    """Where `out` is given by its place, as in np.sum(x, 0, None, y), it and what follows have names."""
    if len(inputs) < 3:
        return inputs, options
    try:
        parameters = inspect.signature(function).parameters.values()
    except ValueError:  # written in C
        return inputs, options
    names = [each.name for each in itertools.takewhile(lambda each: each.kind == each.POSITIONAL_OR_KEYWORD, parameters)]
    at = names.index("out") if "out" in names else len(inputs)
    return inputs[:at], {**options, **dict(zip(names[at:], inputs[at:]))}


def _assigned(out, made):
    """What a function of numpy does with its `out`."""
    if not isinstance(out, Expression):
        from ._making import want_array
        want_array(out)
        raise TypeError("out is an array of the program, as of np.zeros_like(x), got an array of numpy that is made outside of the function")
    out[...] = of_same_kind(made, out.dtype)
    return out


def own(x):
    """The elements as they are now, as an array of its own: in numpy a copy."""
    return expression(x).copy()


def in_order_of(x, made):
    """A copy whose axes lie in memory as those of x do: numpy keeps their order in np.copy, astype and zeros_like."""
    made.is_rows = expression(x).is_rows
    return made


def without_copies(x):
    """An expression whose elements those of a copy are: its memory will do where they are only read."""
    while isinstance(x, Pointwise) and x.function == "same" and x.operands[0].shape == x.shape and not isinstance(x.operands[0], View):
        x = x.operands[0]
    return x


def copied(array, dtype=None):
    """The elements as they are now: those of a view would follow its array."""
    made = expression(array, dtype)
    return made if made._source is None else Pointwise("same", (made,), made.shape, made.dtype)


def _common(operands, is_compared=False):
    """All of one dtype: the smallest that holds those of all arrays, as numpy chooses it."""
    operands = [each[()] if isinstance(each, np.ndarray) and not each.ndim else each for each in operands]
    arrays = [each for each in operands if isinstance(each, (Expression, np.ndarray))] or \
        [each for each in operands if isinstance(each, np.generic)]
    dtype = common_dtype([each.dtype for each in arrays])
    if not is_compared:
        check_numbers(operands, dtype)
    return [as_dtype(each, dtype) for each in operands], dtype


def check_numbers(operands, dtype):
    """A float beside integers, of which numpy makes float64, and an integer beside bools, of which it makes integers."""
    kinds = {"i": (float, np.floating), "u": (float, np.floating), "b": (int, float, np.number)}.get(dtype.kind, ())
    number = next((each for each in operands if isinstance(each, kinds) and not isinstance(each, bool)), None)
    if number is not None:
        made, wanted = ("integers", "int32") if dtype.kind == "b" else ("float64", "float32")
        raise TypeError(f"{number!r} beside elements of {dtype}: numpy makes {made} of both. Write a number of this kind, or convert the array, as in "
                        f"x.astype(np.{wanted})")


def _compared(operands):
    """Of one dtype as well: integers in an array of constants, often of int64 as numpy makes them, take the dtype of the others where that
    holds them."""
    kinds = {each.dtype for each in operands if isinstance(each, Expression)}
    dtype = kinds.pop() if len(kinds) == 1 else None
    if dtype is None or dtype.kind not in "iu":
        return _common(operands, is_compared=True)
    limits = np.iinfo(dtype)
    fits = lambda each: each.dtype.kind in "iu" and each.size and limits.min <= each.min() and each.max() <= limits.max
    return _common([each.astype(dtype) if isinstance(each, np.ndarray) and fits(each) else each for each in operands], is_compared=True)


def as_dtype(given, dtype):
    """An expression of this dtype: that itself where it has it."""
    made = expression(given, dtype)
    return made if made.dtype == dtype else made.astype(dtype)


def common_dtype(dtypes):
    """A TypeError where numpy would compute in float64: NPUs have no such arithmetic, and nothing is made less exact
    without a word."""
    kinds = list(dict.fromkeys(dtypes))
    if len(kinds) < 2:
        return kinds[0] if kinds else None
    bools, floats = [each for each in kinds if each.kind == "b"], [each for each in kinds if is_float(each)]
    if bools:
        return common_dtype([each for each in kinds if each.kind != "b"])
    if len(floats) == len(kinds):
        sizes = sorted(each.itemsize for each in kinds)
        return np.dtype(np.float32) if sizes[-1] < 4 else max(kinds, key=lambda each: each.itemsize)
    is_plain = all(each.kind in "iuf" for each in kinds)  # numpy knows no bfloat16
    made = np.result_type(*kinds) if is_plain else None
    if made is None or made == np.float64:
        raise TypeError(f"operands of dtypes {kinds[0]} and {kinds[1]}: numpy computes them in float64. Convert one of "
                        f"them, as in x.astype(np.{(floats or [np.dtype(np.int32)])[0]})")
    return made


def pointwise(function, *operands):
    """A function of each element, shapes broadcast."""
    made, dtype = _compared(operands) if function in _COMPARISONS else _common(operands)
    if function in _FLOATS_ONLY and not is_float(dtype):
        hint = ": // divides integers, x.astype(np.float32) makes floats" if function == "div" else ""
        raise TypeError(f"{function} is for floats, got {dtype}{hint}")
    if function in _INTEGERS_ONLY and is_float(dtype):
        if function in ("mod", "floordiv"):
            from ._functions import remainder
            rest = remainder(*made)
            return rest if function == "mod" else select(made[1] == 0, made[0] / made[1], pointwise("rint", (made[0] - rest) / made[1]))
        raise TypeError(f"{function} is for integers, got {dtype}")
    if dtype.kind == "b" and function not in ("and", "or", "xor", "equal", "not_equal"):
        return _of_bools(function, made)
    if function in ("shl", "shr") and not _is_constant(made[1], range(8 * dtype.itemsize)):
        return _shifted(function, *made)
    if function in ("floordiv", "mod") and not _divides_all(made[1]):
        return _divided(function, *made)
    if function == "power" and not is_float(dtype):
        return _whole_power(*made)
    result = np.bool_ if function in _COMPARISONS else dtype
    return Pointwise(function, made, broadcast_shape(made), result)


def _is_constant(x, numbers):
    return isinstance(x, Constant) and x.number in numbers


def _divides_all(divisor):
    """Whether it is a number by which each integer can be divided: neither 0 nor -1, by which the least one has no quotient."""
    return isinstance(divisor, Constant) and divisor.number not in (0, -1)


def _divided(function, x, by):
    """Integers: of a division by 0 numpy makes 0, and of the least integer by -1 that integer again."""
    is_undefined = by == 0
    if x.dtype.kind == "i":
        is_undefined |= (by == -1) & (x == int(np.iinfo(x.dtype).min))
    made = Pointwise(function, (x, select(is_undefined, 1, by)), broadcast_shape((x, by)), x.dtype)
    return select(by == 0, 0, made)


def _whole_power(base, exponent):
    """Of integers, modulo the range of their dtype as in numpy: the product of the squares of squares that the bits of the exponent choose.
    Exponents below 0, for which numpy has an error, give any number."""
    if isinstance(base, Constant) and base.number == 2:
        return pointwise("shl", 1, exponent)
    bits = 8 * exponent.dtype.itemsize - (exponent.dtype.kind == "i")
    made, square = None, base
    for bit in range(bits):
        factor = select((exponent & (1 << bit)) != 0, square, 1)
        made = factor if made is None else made * factor
        square = square * square
    return made


_OF_BOOLS = {"add": "or", "mul": "and", "maximum": "or", "minimum": "and"}


def _of_bools(function, operands):
    if function in _OF_BOOLS:
        return pointwise(_OF_BOOLS[function], *operands)
    if function in _COMPARISONS:
        return pointwise(function, *(each.astype(np.int8) for each in operands))
    if function == "abs":
        return own(operands[0])
    raise TypeError(f"{function} of bools: convert them, as in x.astype(np.int32)")


def _shifted(function, x, by):
    """By numbers that may be as many as there are bits, or more: by negative ones as well, as numpy does it."""
    bits = 8 * x.dtype.itemsize
    unsigned = np.dtype(f"uint{bits}")
    count = Pointwise("bits", (by,), by.shape, unsigned)
    near = Pointwise("bits", (pointwise("minimum", count, bits - 1),), by.shape, by.dtype)
    made = Pointwise(function, (x, near), broadcast_shape((x, near)), x.dtype)
    return made if function == "shr" and x.dtype.kind == "i" else select(count < bits, made, 0)


def fits(shape, wanted):
    """Whether an array of one shape is broadcast to another one."""
    return len(shape) <= len(wanted) and all(size in (1, other) for size, other in zip(reversed(shape), reversed(wanted)))


def broadcast_shape(arrays):
    try:
        return np.broadcast_shapes(*(each.shape for each in arrays))
    except ValueError:
        shapes = " and ".join(str(each.shape) for each in arrays if each.shape)
        raise ValueError(f"arrays of shapes {shapes} cannot be broadcast together") from None


def select(condition, left, right):
    """`left` where the condition holds, else `right`."""
    condition = expression(condition, np.bool_)
    if condition.dtype != np.bool_:
        raise TypeError(f"a condition is an array of bools, got {condition.dtype}")
    if type(left) in _PYTHON_NUMBERS and type(right) in _PYTHON_NUMBERS:
        left = expression(left, _PYTHON_NUMBERS[max(type(left), type(right), key=list(_PYTHON_NUMBERS).index)])
    (left, right), dtype = _common((left, right))
    return Pointwise("select", (condition, left, right), broadcast_shape((condition, left, right)), dtype)


def view(base, axes):
    base = expression(base)
    if isinstance(base, View):
        axes, base = [None if axis is None else base.axes[axis] for axis in axes], base.operands[0]
        # An axis of size 1 that the inner view made and the outer one moved is a new axis as well.
    if list(axes) == list(range(base.ndim)):
        return base
    return View(base, axes)


def of_same_kind(made, dtype):
    """Of a function whose result is put into an array: numpy refuses floats in integers, and the like."""
    if made.dtype != dtype and not (is_float(made.dtype) and is_float(dtype)) and not np.can_cast(made.dtype, dtype, "same_kind"):
        raise TypeError(f"elements of {made.dtype} are put into elements of {dtype}: convert them, as in x.astype(np.{dtype})")
    return made


def assignable(given, dtype, shape):
    """What is assigned to elements of this dtype, in an array of this shape: converted as numpy does it."""
    node = as_dtype(given, dtype)
    if not fits(node.shape, shape):
        raise ValueError(f"an array of shape {node.shape} is assigned to one of shape {shape}")
    return node


def shape_without_elements(x, index):
    """Of the part that slices choose, as `x[3:3]`, if that is known to have no elements; else None."""
    each = index if isinstance(index, tuple) else (index,)
    if not any(isinstance(one, slice) for one in each) or any(isinstance(one, (Expression, list, np.ndarray)) for one in each):
        return None
    ranges, axes, _ = subscripts(index, x.shape)
    return shape_of(ranges, axes) if has_none(ranges) else None


def broadcast_to(x, shape):
    """All elements of the larger shape, made where they are used."""
    x, shape = expression(x), tuple(shape)
    if not fits(x.shape, shape):
        raise ValueError(f"an array of shape {x.shape} cannot be broadcast to {shape}")
    return x if x.shape == shape else Pointwise("same", (x,), shape, x.dtype)


def broadcast_as_view(x, shape):
    """The same as numpy has it: it shows what the array becomes, and no elements are assigned to it."""
    return as_view(array(x), lambda base: broadcast_to(base, shape), refuse_to_assign)


def refuse_to_assign(*_):
    raise TypeError("elements are assigned to a view that is only read, as of broadcast_to, diagonal and x.view(dtype): assign to x.copy()")


def axis_of(axis, rank):
    axis = axis.__index__()
    if not -rank <= axis < rank:
        raise ValueError(f"axis {axis} of an array of {rank} axes")
    return axis % rank


_NUMBERS_OF_NOTHING = {"sum": 0, "prod": 1}
_FOLDS = {"sum": "add", "prod": "mul", "max": "maximum", "min": "minimum"}


def reduce(kind, base, axis=None, keepdims=False, initial=None, where=None):
    """Along axes; `initial` counts as one more element, and `where` says which elements count."""
    base = expression(base)
    if where is not None:
        from ._emit import neutral
        if initial is None and kind in ("max", "min"):
            raise ValueError(f"{kind} with where= needs initial=, the result where no element counts")
        base = select(where, base, Constant(neutral(kind, base.dtype), base.dtype))
    if initial is not None:
        return pointwise(_FOLDS[kind], reduce(kind, base, axis, keepdims), initial)
    if base.dtype.kind == "b" and kind in ("max", "min"):
        return reduce(kind, base.astype(np.int8), axis, keepdims) != 0
    given = range(base.ndim) if axis is None else axis if isinstance(axis, (tuple, list)) else (axis,)
    axes = sorted({axis_of(each, base.ndim) for each in given})
    if not axes:
        return own(base)
    if 0 in base.shape:
        return _of_nothing(kind, base, axes, keepdims)
    if all(base.shape[each] == 1 for each in axes):
        kept = [None if each in axes else each for each in range(base.ndim) if keepdims or each not in axes]
        return Pointwise("same", (view(base, kept),), [1 if each is None else base.shape[each] for each in kept], base.dtype)
    is_stack = isinstance(base, Join) and axes == [base.axis] and all(each.shape[base.axis] == 1 for each in base.operands)
    made = _folded(kind, base) if is_stack else Reduce(kind, base, axes)
    if not keepdims:
        return made
    kept = itertools.count()
    return view(made, [None if each in axes else next(kept) for each in range(base.ndim)])


def _of_nothing(kind, base, axes, keepdims):
    """What numpy makes of axes without elements."""
    if kind not in _NUMBERS_OF_NOTHING and any(base.shape[each] == 0 for each in axes):
        raise ValueError(f"{kind} of no elements")
    shape = [1 if each in axes else size for each, size in enumerate(base.shape) if keepdims or each not in axes]
    return full(shape, _NUMBERS_OF_NOTHING.get(kind, 0), base.dtype)


def _folded(kind, stack):
    """Of arrays side by side along a new axis: they need not lie there to be added."""
    kept = [axis for axis in range(stack.ndim) if axis != stack.axis]
    first, *others = [view(each.operands[0], kept) for each in stack.operands]
    for each in others:
        first = pointwise(_FOLDS[kind], first, each)
    return first


def power(base, exponent):
    """Numbers as exponents become products and roots where they can."""
    if is_number(base) or not is_number(exponent):
        return pointwise("power", base, exponent)
    check_numbers([exponent], base.dtype)
    if exponent < 0 and not is_float(base.dtype):
        raise ValueError("Integers to negative integer powers are not allowed.")
    roots = {0.5: "sqrt", -0.5: "rsqrt"}
    if exponent in roots:
        return pointwise(roots[exponent], base)
    if not np.isfinite(exponent) or exponent != int(exponent):
        return pointwise("power", base, exponent)
    if exponent == 0:
        return full(base.shape, 1, base.dtype)
    if exponent < 0:
        return 1 / power(base, -exponent)
    if exponent == 1:
        return own(base)
    half = expression(base) if exponent < 4 else power(base, int(exponent) // 2)
    return half * half if exponent % 2 == 0 else half * half * base


def countable(x, dtype):
    """The elements of a sum."""
    if dtype is not None:
        return as_dtype(x, np.dtype(dtype))
    is_short = x.dtype.kind in "biu" and x.dtype.itemsize < 4
    return x.astype(np.uint32 if x.dtype.kind == "u" else np.int32) if is_short else x


def reducible(kind, x, dtype):
    """The elements that a reduction takes."""
    x = expression(x)
    if kind in ("sum", "prod"):
        return countable(x, dtype)
    return x if dtype is None else as_dtype(x, np.dtype(dtype))


def _all_bits(dtype):
    if is_float(dtype):
        raise TypeError(f"~ is for integers and bools, got {dtype}")
    return -1 if dtype.kind == "i" else int(np.iinfo(dtype).max)


def _truth(x):
    """Bytes of 0 and 1."""
    return (x if x.dtype.kind == "b" else x != 0).astype(np.int8)


def _place_of(kind, x, axis, keepdims):
    """The least place of those where the extreme element is. Of floats, a NaN is extreme, as in numpy."""
    from ._shapes import reshape
    if axis is None:
        made = _place_of(kind, reshape(x, -1), 0, False)
        return reshape(made, *[1] * x.ndim) if keepdims else made
    axis = axis_of(axis, x.ndim)
    size = x.shape[axis]
    places = np.arange(size, dtype=np.int32).reshape([size if at == axis else 1 for at in range(x.ndim)])
    places = expression(places)
    is_extreme = pointwise("equal", x, reduce(kind, x, axis, keepdims=True))
    found = select(is_extreme, places, Constant(size, np.int32))
    if not is_float(x.dtype):
        return reduce("min", found, axis, keepdims)
    # A NaN is unlike itself. It comes before all numbers.
    found = reduce("min", select(x != x, places - size, found), axis, keepdims)
    return select(found < 0, found + size, found)


_PRODUCTS = {(2, 2): "linalg.matmul", (2, 1): "linalg.matvec", (1, 2): "linalg.vecmat", (1, 1): "linalg.dot",
             (3, 3): "linalg.batch_matmul"}


def product_of(left, right, dtype=None):
    """The product of matrices, vectors, or batches of as many matrices, as one operation."""
    (left, right), given = _common((left, right))
    op = _PRODUCTS.get((left.ndim, right.ndim))
    if op is None or given.kind == "b":
        raise TypeError(f"a product of arrays of {left.ndim} and {right.ndim} axes of {given} is not supported")
    batch = left.shape[:-2] if left.ndim > 2 else ()
    inner = right.shape[-2] if right.ndim > 1 else right.shape[0]
    if left.shape[-1] != inner or (batch and right.shape[:-2] != batch):
        raise ValueError(f"a product of arrays of shapes {left.shape} and {right.shape}")
    shape = batch + (left.shape[-2:-1] if left.ndim > 1 else ()) + (right.shape[-1:] if right.ndim > 1 else ())
    dtype = given if dtype is None else np.dtype(dtype)
    if is_float(dtype) != is_float(given) or dtype.itemsize < given.itemsize:
        raise TypeError(f"sums of products of {given} in {dtype}")
    if 0 in left.shape + right.shape:
        return full(shape, 0, dtype)
    return Product(*_transposed(op, without_copies(left), without_copies(right)), shape, dtype)


def _transposed(op, left, right):
    """The operation and its operands: it reads one factor transposed where that one is."""
    if op == "linalg.matvec" and _is_transposed(left):
        return "linalg.vecmat", right, left.operands[0]
    if op == "linalg.vecmat" and _is_transposed(right):
        return "linalg.matvec", right.operands[0], left
    if not op.endswith("matmul"):
        return op, left, right
    if _is_transposed(right):
        return f"{op}_transpose_b", left, right.operands[0]
    return (f"{op}_transpose_a", left.operands[0], right) if _is_transposed(left) else (op, left, right)


def _is_transposed(x):
    """Whether rows and columns are those of another array in the other order."""
    order = list(range(x.ndim))
    order[-2:] = order[:-3:-1]
    return isinstance(x, View) and x.ndim == x.operands[0].ndim > 1 and list(x.axes) == order
