"""Sums of multiples of what is known when the program runs: the arithmetic that index values have in common."""


class LinearSum:
    """The sum of `terms`, each times its number, and of `constant`. Kinds of sums say what else becomes one (`of`)."""

    product_error = "the product of two sums is no sum"

    def __init__(self, terms=None, constant=0):
        self.terms = {term: times for term, times in (terms or {}).items() if times}
        self.constant = constant

    @property
    def is_constant(self):
        return not self.terms

    def __add__(self, other):
        other = self.of(other)
        terms = dict(self.terms)
        for term, times in other.terms.items():
            terms[term] = terms.get(term, 0) + times
        return type(self)(terms, self.constant + other.constant)

    __radd__ = __add__

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + -self.of(other)

    def __rsub__(self, other):
        return self.of(other) - self

    def __mul__(self, other):
        other = self.of(other)
        if self.is_constant:
            self, other = other, self
        if not other.is_constant:
            raise TypeError(self.product_error)
        return type(self)({term: times * other.constant for term, times in self.terms.items()},
                          self.constant * other.constant)

    __rmul__ = __mul__
