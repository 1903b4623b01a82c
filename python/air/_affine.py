"""Affine expressions, maps and sets. airlite has them as text in attributes; here they are made of parts."""


class AffineExpr:
    """A sum, product, quotient or rest of dims, symbols and constants."""

    @staticmethod
    def get_dim(position, context=None):
        return AffineDimExpr(position)

    @staticmethod
    def get_symbol(position, context=None):
        return AffineSymbolExpr(position)

    @staticmethod
    def get_constant(value, context=None):
        return AffineConstantExpr(value)

    @staticmethod
    def get_add(left, right):
        return _binary("+", left, right)

    @staticmethod
    def get_mul(left, right):
        return _binary("*", left, right)

    @staticmethod
    def get_floor_div(left, right):
        return _binary("floordiv", left, right)

    @staticmethod
    def get_ceil_div(left, right):
        return _binary("ceildiv", left, right)

    @staticmethod
    def get_mod(left, right):
        return _binary("mod", left, right)

    def __add__(self, other):
        return _binary("+", self, other)

    def __radd__(self, other):
        return _binary("+", other, self)

    def __sub__(self, other):
        return _binary("+", self, _binary("*", other, -1))

    def __rsub__(self, other):
        return _binary("+", other, _binary("*", self, -1))

    def __mul__(self, other):
        return _binary("*", self, other)

    def __rmul__(self, other):
        return _binary("*", other, self)

    def __mod__(self, other):
        return _binary("mod", self, other)

    def __floordiv__(self, other):
        return _binary("floordiv", self, other)

    def __eq__(self, other):
        return isinstance(other, AffineExpr) and str(self) == str(other)

    def __hash__(self):
        return hash(str(self))

    def __repr__(self):
        return f"AffineExpr({self})"


class _Leaf(AffineExpr):
    prefix = ""

    def __init__(self, value):
        self.value = self.position = value

    @classmethod
    def get(cls, value, context=None):
        return cls(value)

    def __str__(self):
        return f"{self.prefix}{self.value}"


class AffineDimExpr(_Leaf):
    prefix = "d"


class AffineSymbolExpr(_Leaf):
    prefix = "s"


class AffineConstantExpr(_Leaf):
    pass


class _Binary(AffineExpr):
    def __init__(self, operator, left, right):
        self.operator, self.lhs, self.rhs = operator, left, right

    def __str__(self):
        return f"({self.lhs} {self.operator} {self.rhs})"


class AffineAddExpr(_Binary):
    @staticmethod
    def get(left, right):
        return _binary("+", left, right)


class AffineMulExpr(_Binary):
    @staticmethod
    def get(left, right):
        return _binary("*", left, right)


def _expr(value):
    return value if isinstance(value, AffineExpr) else AffineConstantExpr(int(value))


def _binary(operator, left, right):
    left, right = _expr(left), _expr(right)
    if operator == "*" and isinstance(left, AffineConstantExpr):
        left, right = right, left  # as the text has it
    made = {"+": AffineAddExpr, "*": AffineMulExpr}.get(operator, _Binary)
    return made(operator, left, right)


def _head(dims, symbols):
    text = "(" + ", ".join(f"d{at}" for at in range(dims)) + ")"
    return text + ("[" + ", ".join(f"s{at}" for at in range(symbols)) + "]" if symbols else "")


class AffineMap:
    def __init__(self, dims, symbols, results):
        self.n_dims, self.n_symbols, self.results = dims, symbols, list(results)
        self.n_inputs = dims + symbols

    @staticmethod
    def get(dim_count, symbol_count, exprs, context=None):
        return AffineMap(dim_count, symbol_count, [_expr(each) for each in exprs])

    @staticmethod
    def get_identity(n_dims, context=None):
        return AffineMap.get_permutation(range(n_dims))

    @staticmethod
    def get_constant(value, context=None):
        return AffineMap(0, 0, [AffineConstantExpr(value)])

    @staticmethod
    def get_empty(context=None):
        return AffineMap(0, 0, [])

    @staticmethod
    def get_minor_identity(n_dims, n_results, context=None):
        return AffineMap(n_dims, 0, [AffineDimExpr(at) for at in range(n_dims - n_results, n_dims)])

    @staticmethod
    def get_permutation(permutation, context=None):
        order = list(permutation)
        return AffineMap(len(order), 0, [AffineDimExpr(at) for at in order])

    def __str__(self):
        return f"{_head(self.n_dims, self.n_symbols)} -> ({', '.join(map(str, self.results))})"

    def __repr__(self):
        return f"AffineMap({self})"

    def __eq__(self, other):
        return isinstance(other, AffineMap) and str(self) == str(other)

    def __hash__(self):
        return hash(str(self))


class IntegerSet:
    """Where constraints hold: each expression is 0, or at least 0."""

    def __init__(self, dims, symbols, exprs, is_equality):
        self.n_dims, self.n_symbols = dims, symbols
        self.constraints = list(zip(exprs, is_equality))

    @staticmethod
    def get(num_dims, num_symbols, exprs, eq_flags, context=None):
        return IntegerSet(num_dims, num_symbols, [_expr(each) for each in exprs], list(eq_flags))

    def __str__(self):
        tests = ", ".join(f"{expr} {'==' if is_zero else '>='} 0" for expr, is_zero in self.constraints)
        return f"{_head(self.n_dims, self.n_symbols)} : ({tests})"

    def __repr__(self):
        return f"IntegerSet({self})"
