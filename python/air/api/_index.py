"""Index expressions: sums of multiples of values, and quotients and rests of such sums by constants.

They are kept as sums, so that `x + 4 - x` is 4, and become one affine.apply where they are used.
"""

from airlite._sums import LinearSum

from .._affine import AffineConstantExpr, AffineDimExpr, AffineMap


class IndexExpr(LinearSum):
    product_error = "an index expression is affine: it has no product of two values"

    @staticmethod
    def of_value(key):
        """`key` is what a scope knows a value by."""
        return IndexExpr({("value", key): 1})

    @staticmethod
    def of(given):
        return given if isinstance(given, IndexExpr) else IndexExpr(constant=given.__index__())

    def __floordiv__(self, other):
        return self._divided("floordiv", other, lambda a, b: a // b)

    def __mod__(self, other):
        return self._divided("mod", other, lambda a, b: a % b)

    def _divided(self, what, other, compute):
        divisor = IndexExpr.of(other)
        if not divisor.is_constant or divisor.constant <= 0:
            raise TypeError("an index expression is divided by a positive constant")
        if self.is_constant:
            return IndexExpr(constant=compute(self.constant, divisor.constant))
        return IndexExpr({(what, self._key(), divisor.constant): 1})

    def _key(self):
        return (tuple(sorted(self.terms.items(), key=repr)), self.constant)

    def __eq__(self, other):
        if not isinstance(other, (IndexExpr, int)):
            return NotImplemented
        return self._key() == IndexExpr.of(other)._key()

    def __hash__(self):
        return hash(self._key())

    def __index__(self):
        if not self.is_constant:
            raise TypeError("this index is known in the program alone: it has no value in Python")
        return self.constant

    def __repr__(self):
        return f"IndexExpr({self.terms}, {self.constant})"

    # -- As a value of the program

    def emit(self, value_of):
        """An int, or a value: `value_of` gives the values of this place for their keys."""
        if self.is_constant:
            return self.constant
        if self.constant == 0 and len(self.terms) == 1:
            (atom, times), = self.terms.items()
            if times == 1 and atom[0] == "value":
                return value_of(atom[1])
        from ..dialects.affine import apply
        keys = []
        expr = self._affine(keys)
        return apply(AffineMap.get(len(keys), 0, [expr]), [value_of(key) for key in keys])

    def _affine(self, keys):
        total = None
        for atom, times in self.terms.items():
            part = _atom(atom, keys)
            part = part if times == 1 else part * times
            total = part if total is None else total + part
        if total is None:
            return AffineConstantExpr(self.constant)
        return total + self.constant if self.constant else total


def _atom(atom, keys):
    if atom[0] == "value":
        if atom[1] not in keys:
            keys.append(atom[1])
        return AffineDimExpr(keys.index(atom[1]))
    what, (terms, constant), divisor = atom
    inner = IndexExpr(dict(terms), constant)._affine(keys)
    return inner // divisor if what == "floordiv" else inner % divisor
