"""What a mask of the program chooses, `x[x < 0]`: how many elements that are is known when the program runs. So they can be computed
with, assigned where the same mask holds, and reduced to one."""

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from ._arrays import Expression, expression, is_same, reduce, reducible, select, view
from ._elements import is_number

_UNKNOWN = "how many elements a mask chooses is known when the program runs: where(mask, x, 0) keeps the shape"


class Masked(NDArrayOperatorsMixin):
    """Elements of an array, those where a mask holds."""

    def __init__(self, values, mask):
        self.values, self.mask = values, mask
        self.dtype = values.dtype

    def __array_ufunc__(self, ufunc, method, *inputs, out=None, **options):
        if out is not None and out[0] is not self or method != "__call__" or options or any(
                not is_number(each) and not self._has_mask_of(each) for each in inputs):
            raise TypeError(_UNKNOWN)
        return Masked(ufunc(*(each.values if isinstance(each, Masked) else each for each in inputs)), self.mask)

    def __array_function__(self, function, types, inputs, options):
        if function.__name__ not in ("sum", "prod", "mean", "max", "amax", "min", "amin", "any", "all") or inputs[0] is not self:
            raise TypeError(_UNKNOWN)
        return getattr(self, function.__name__.replace("amax", "max").replace("amin", "min"))(*inputs[1:], **options)

    def _has_mask_of(self, other):
        return isinstance(other, Masked) and is_same(self.mask, other.mask)

    def astype(self, dtype):
        return Masked(self.values.astype(dtype), self.mask)

    def copy(self):
        return self

    def sum(self, dtype=None):
        return self._reduced("sum", dtype)

    def prod(self, dtype=None):
        return self._reduced("prod", dtype)

    def max(self):
        """Of no elements the least number, where numpy has an error."""
        return self._reduced("max", None)

    def min(self):
        """Of no elements the greatest number, where numpy has an error."""
        return self._reduced("min", None)

    def mean(self, dtype=None):
        values = self.values if dtype is None else self.values.astype(dtype)
        values.mean()  # says what is wrong with the elements
        count = self._where().astype(np.int32).sum().astype(values.dtype)
        return Masked(values, self.mask).sum() / count

    def any(self):
        return select(self._where(), self.values != 0, False).any()

    def all(self):
        return select(self._where(), self.values != 0, True).all()

    def _reduced(self, kind, dtype):
        from ._emit import neutral
        values = reducible(kind, self.values, dtype)
        return reduce(kind, select(self._where(), values, expression(neutral(kind, values.dtype), values.dtype)))

    def _where(self):
        """The mask, with the shape of the array."""
        shown = view(self.mask, [*range(self.mask.ndim), *[None] * (self.values.ndim - self.mask.ndim)])
        return shown if shown.shape == self.values.shape else select(shown, np.ones(self.values.shape, bool), False)

    def _unknown(self, *_, **__):
        raise TypeError(_UNKNOWN)

    __array__ = __len__ = __iter__ = __getitem__ = __bool__ = __setitem__ = _unknown

    def __getattr__(self, name):
        raise TypeError(_UNKNOWN) if name in dir(Expression) else AttributeError(f"what a mask chooses has no attribute {name!r}")
