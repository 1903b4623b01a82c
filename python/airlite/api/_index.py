"""Numbers that are known when the program runs: coordinates of cores, variables of loops, and sums of them."""

import math

from .. import _native
from .._sums import LinearSum
from ._elements import index_constant


class Index(LinearSum):
    """A sum of values, each times a number, and a number. It becomes one affine.apply where it is used."""

    product_error = "the product of two indices of the program is not affine: one factor has to be a number"

    @staticmethod
    def of(given):
        """An integer of Python as an index."""
        if isinstance(given, Index):
            return given
        try:
            return Index(constant=given.__index__())
        except AttributeError:
            raise TypeError(f"expected an integer or an index of the program, got {type(given).__name__}") from None

    def __floordiv__(self, other):
        return self._divided("floordiv", other)

    def __mod__(self, other):
        return self._divided("mod", other)

    def _divided(self, what, other):
        by = Index.of(other)
        if not by.is_constant or by.constant <= 0:
            raise TypeError("an index of the program is divided by a positive number only")
        if self.is_constant:
            return Index(constant=self.constant // by.constant if what == "floordiv" else self.constant % by.constant)
        value = _apply(f"({_text(self)}) {what} {by.constant}", list(self.terms))
        low, high = self._limits()
        _note_limits(value, *((0, by.constant - 1) if what == "mod" else (low // by.constant, high // by.constant)))
        return Index({value: 1})

    @staticmethod
    def _variable(value, low, high):
        """That of a loop or a herd, with the least and the greatest number that it can be."""
        _note_limits(value, low, high)
        return Index({value: 1})

    def _limits(self):
        """The least and the greatest number that it can be, or infinities."""
        from ._trace import current
        low = high = self.constant
        for value, times in self.terms.items():
            ends = [times * end for end in current().limits.get(value, (-math.inf, math.inf))]
            low, high = low + min(ends), high + max(ends)
        return low, high

    def __index__(self):
        if not self.is_constant:
            raise TypeError("this index is known when the program runs: it has no value in Python")
        return self.constant

    def __bool__(self):
        raise TypeError("an index of the program is neither true nor false in Python")

    def __eq__(self, other):
        if not isinstance(other, (Index, int)):
            return NotImplemented
        other = Index.of(other)
        return self.terms == other.terms and self.constant == other.constant

    __hash__ = None

    def __repr__(self):
        return f"<airlite.api.Index {_text(self)} of values {[id(each) for each in self.terms]}>"

    def _check(self, location):
        """Loops and herds whose bodies have ended have no variables any more."""
        from ._trace import current, error_at
        bodies = [level.block for level in current().levels]
        for value in self.terms:
            if (value.owner if value.is_argument else value.owner.block) not in bodies:
                raise error_at(location, "a variable of a loop, or a coordinate, is used outside of the body that it belongs to")

    def emit(self):
        """The value, made at the insertion point."""
        if self.is_constant:
            return index_constant(self.constant)
        self._check(_native.Location.here())
        (value, times), *more = self.terms.items()
        if not more and times == 1 and self.constant == 0:
            return value
        return _apply(_text(self), list(self.terms))


def _note_limits(value, low, high):
    from ._trace import current
    current().limits[value] = low, high


def _text(index):
    parts = [f"d{at} * {times}" for at, times in enumerate(index.terms.values())]
    return " + ".join(parts + [str(index.constant)])


def _apply(text, values):
    dims = ", ".join(f"d{at}" for at in range(len(values)))
    mapping = _native.Attribute.parse(f"affine_map<({dims}) -> ({text})>")
    return _native.create("affine.apply", [values], ["index"], {"map": mapping}).result
