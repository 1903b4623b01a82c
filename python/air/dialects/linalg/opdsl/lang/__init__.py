"""Structured operations that a function of Python defines: a call makes a linalg.generic.

The function is called once for each use, with objects that stand for the operands; what it assigns to its
output is the body.
"""

import inspect

import airlite

from ...._common import result_or_op
from ...._text import from_text
from ....._program import native_value

__all__ = ["linalg_structured_op", "TensorDef", "ScalarDef", "TV", "T", "T1", "T2", "U", "I32", "I64", "F32", "F64",
           "S", "D", "domain", "implements", "index", "const", "TypeFn", "BinaryFn", "UnaryFn", "TypeFnAttrDef",
           "BinaryFnAttrDef", "UnaryFnAttrDef", "ContractionOpInterface", "ConvolutionOpInterface"]


class TypeVar:
    def __init__(self, name):
        self.name = name


class _Names:
    """TV.T1, S.M, D.m: anything by its name."""

    def __init__(self, cls):
        self._cls, self._made = cls, {}

    def __getattr__(self, name):
        return self._made.setdefault(name, self._cls(name))


class _SizeName:
    def __init__(self, name):
        self.name = name


class Dim:
    """A dimension of the iteration space; sums and multiples of dims are where an operand is accessed."""

    def __init__(self, text, dims=None):
        self.text, self.dims = text, dims if dims is not None else [text]

    def _with(self, operator, other):
        other = other if isinstance(other, Dim) else Dim(str(other), [])
        return Dim(f"({self.text} {operator} {other.text})", self.dims + other.dims)

    def __add__(self, other):
        return self._with("+", other)

    def __mul__(self, other):
        return self._with("*", other)


TV, S, D = _Names(TypeVar), _Names(_SizeName), _Names(Dim)
T, T1, T2, U = TV.T, TV.T1, TV.T2, TV.U
I32, I64, F32, F64 = TV.i32, TV.i64, TV.f32, TV.f64
_FIXED = {"i32", "i64", "f32", "f64"}


class TensorDef:
    def __init__(self, type_var, *shape, output=False, index_dims=None):
        self.type_var, self.shape, self.output = type_var, shape, output


class ScalarDef:
    def __init__(self, type_var):
        self.type_var, self.output = type_var, False


# -- Expressions

class _Expr:
    def __add__(self, other):
        return _Apply("add", [self, other])

    def __sub__(self, other):
        return _Apply("sub", [self, other])

    def __mul__(self, other):
        return _Apply("mul", [self, other])

    def __truediv__(self, other):
        return _Apply("div", [self, other])


class _Use(_Expr):
    def __init__(self, operand, dims):
        self.operand, self.dims = operand, dims


class _Scalar(_Expr):
    def __init__(self, operand):
        self.operand = operand


class _Cast(_Expr):
    def __init__(self, type_var, value, is_signed):
        self.type_var, self.value, self.is_signed = type_var, value, is_signed


class _Apply(_Expr):
    def __init__(self, function, values):
        self.function, self.values = function, values


class const(_Expr):
    def __init__(self, value):
        self.value = value


class index(_Expr):
    def __init__(self, dim):
        self.dim = dim


class _Function:
    def __init__(self, name):
        self.name = name

    def __call__(self, *values):
        return _Apply(self.name, list(values))


class _Casting:
    def __init__(self, is_signed):
        self.is_signed = is_signed

    def __call__(self, type_var, value):
        return _Cast(type_var, value, self.is_signed)


class TypeFn:
    cast_signed, cast_unsigned = _Casting(True), _Casting(False)


class BinaryFn:
    add, sub, mul, div = (_Function(name) for name in ("add", "sub", "mul", "div"))
    max_signed, min_signed = _Function("max_signed"), _Function("min_signed")
    max_unsigned, min_unsigned = _Function("max_unsigned"), _Function("min_unsigned")
    powf = _Function("powf")


class UnaryFn:
    exp, log, abs, ceil, floor, negf = (_Function(name) for name in ("exp", "log", "abs", "ceil", "floor", "negf"))
    sqrt, rsqrt, tanh, erf, square, reciprocal = (
        _Function(name) for name in ("sqrt", "rsqrt", "tanh", "erf", "square", "reciprocal"))


class _FunctionDef:
    """A function that a call may choose."""

    output = False

    def __init__(self, default=None):
        self.default = default


class TypeFnAttrDef(_FunctionDef):
    pass


class BinaryFnAttrDef(_FunctionDef):
    pass


class UnaryFnAttrDef(_FunctionDef):
    pass


class ContractionOpInterface:
    pass


class ConvolutionOpInterface:
    pass


def implements(*interfaces):
    """What a definition promises follows from its maps."""


_traces = []


def domain(*dims):
    """The order of the loops."""
    _traces[-1].order = [dim.text for dim in dims]


class _Operand:
    """Stands for an operand while the function runs."""

    def __init__(self, trace, name, definition):
        self._trace, self.name, self.definition = trace, name, definition

    def __getitem__(self, dims):
        return _Use(self, _dims(dims))

    def __setitem__(self, dims, value):
        if isinstance(value, _Sum):
            return  # `C[...] += x` has noted it
        self._trace.assignments.append((self, _dims(dims), value))


class _Sum(_Expr):
    pass


class _OutputUse(_Use):
    """`C[m, n] += x` adds x to what is there."""

    def __iadd__(self, value):
        self.operand._trace.assignments.append((self.operand, self.dims, _Apply("add", [self, value])))
        return _Sum()


class _Output(_Operand):
    def __getitem__(self, dims):
        return _OutputUse(self, _dims(dims))


def _dims(given):
    if given is None:
        return None  # of every dimension
    return list(given) if isinstance(given, tuple) else [given]


class _Trace:
    def __init__(self):
        self.order, self.assignments = None, []


def linalg_structured_op(function=None, *, op_name=None, **_):
    """Makes an operation of a function whose defaults are its definitions."""
    if function is None:
        return lambda given: linalg_structured_op(given)
    definitions = {name: each.default for name, each in inspect.signature(function).parameters.items()}

    def build(*inputs, outs, **chosen):
        return _Builder(function, definitions, list(inputs), list(outs), chosen).build()

    build.__name__, build.__doc__ = function.__name__, function.__doc__
    return build


def _casts_keep_signs(expr):
    if isinstance(expr, _Cast):
        return expr.is_signed and _casts_keep_signs(expr.value)
    return not isinstance(expr, _Apply) or all(_casts_keep_signs(each) for each in expr.values)


class _Builder:
    def __init__(self, function, definitions, inputs, outs, chosen):
        self.function, self.outs, self.inputs = function, outs, inputs
        self.trace = _Trace()
        self.arguments = {}
        tensors = [name for name, each in definitions.items() if not isinstance(each, _FunctionDef)]
        names = [name for name in tensors if not definitions[name].output] + \
                [name for name in tensors if definitions[name].output]
        if len(names) != len(inputs) + len(outs):
            raise ValueError(f"{function.__name__} takes {len(names)} operands, got {len(inputs) + len(outs)}")
        self.values = dict(zip(names, [native_value(each) for each in inputs + outs]))
        self.definitions = definitions
        for name, each in definitions.items():
            if isinstance(each, _FunctionDef):
                self.arguments[name] = chosen.pop(name, each.default)
            elif isinstance(each, ScalarDef):
                self.arguments[name] = _Scalar(_Operand(self.trace, name, each))
            else:
                made = _Output if each.output else _Operand
                self.arguments[name] = made(self.trace, name, each)
        if chosen:
            raise TypeError(f"{function.__name__} has no argument {sorted(chosen)[0]!r}")

    def type_of(self, name):
        value = self.values[name]
        return value.type if isinstance(value, airlite.Value) else value.result.type

    def element_of(self, name):
        type = self.type_of(name)
        return type.element_type if type.kind in ("memref", "tensor", "vector") else type

    def build(self):
        _traces.append(self.trace)
        try:
            self.function(**self.arguments)
        finally:
            _traces.pop()
        if len(self.trace.assignments) != 1:
            raise ValueError(f"{self.function.__name__} has to assign one output")
        output, dims, value = self.trace.assignments[0]
        if self.is_named_op(value):
            return result_or_op(from_text(self.named_text(), list(self.values.values())))
        self.bind_types()
        accesses = self.accesses(output, dims, value)
        order = self.loops(output, accesses)
        return result_or_op(from_text(self.text(output, value, accesses, order), list(self.values.values())))

    def is_named_op(self, value):
        """Whether linalg has an op of this name: it is that op, as with the other package."""
        tensors = all(isinstance(each, TensorDef) for each in self.definitions.values())
        return (tensors and _casts_keep_signs(value) and
                f"linalg.{self.function.__name__}" in set(airlite.Context.current().op_names()))

    def named_text(self):
        names, split = list(self.values), len(self.inputs)
        result = self.type_of(names[-1])
        ins, outs = self.side("ins", names[:split], 0), self.side("outs", names[split:], split)
        is_tensor = result.kind == "tensor"
        return f"{'%r = ' if is_tensor else ''}linalg.{self.function.__name__}{ins}{outs}{f' -> {result}' if is_tensor else ''}"

    def bind_types(self):
        self.types = {}
        for name in self.values:
            self.types.setdefault(self.definitions[name].type_var.name, self.element_of(name))

    # -- Where operands are accessed

    def accesses(self, output, dims, value):
        found = {output.name: dims}

        def visit(expr):
            if isinstance(expr, _Use):
                found.setdefault(expr.operand.name, expr.dims)
            elif isinstance(expr, _Cast):
                visit(expr.value)
            elif isinstance(expr, _Apply):
                for each in expr.values:
                    visit(each)

        visit(value)
        rank = self.type_of(output.name).rank
        every = [Dim(f"d{at}") for at in range(rank)]
        return {name: every if given is None else given for name, given in found.items()}

    def loops(self, output, accesses):
        if self.trace.order:
            return self.trace.order
        order = []
        for dims in [accesses[output.name], *accesses.values()]:
            for dim in dims:
                order += [each for each in dim.dims if each not in order]
        return order

    def text(self, output, value, accesses, order):
        head = f"({', '.join(order)})"
        maps = [f"affine_map<{head} -> ({', '.join(dim.text for dim in accesses.get(name, []))})>"
                for name in self.values]
        outer = {each for dim in accesses[output.name] for each in dim.dims}
        kinds = ", ".join('"parallel"' if dim in outer else '"reduction"' for dim in order)
        names = list(self.values)
        split = len(self.inputs)
        body = _Body(self, order)
        result, type = body.emit(value)
        wanted = self.element_of(output.name)
        if type != wanted:
            raise TypeError(f"{self.function.__name__} assigns {type} to an output of {wanted}: cast it")
        arguments = ", ".join(f"%{name}_: {self.element_of(name)}" for name in names)
        tensor = self.type_of(output.name).kind == "tensor"
        lines = "\n    ".join(body.lines + [f"linalg.yield {result} : {type}"])
        ins = self.side("ins", names[:split], 0)
        outs = self.side("outs", names[split:], split)
        return (f"{'%r = ' if tensor else ''}linalg.generic {{indexing_maps = [{', '.join(maps)}], "
                f"iterator_types = [{kinds}]}}{ins}{outs} {{\n  ^bb0({arguments}):\n    {lines}\n  }}"
                f"{' -> ' + str(self.type_of(output.name)) if tensor else ''}")

    def side(self, word, names, first):
        if not names:
            return ""
        values = ", ".join(f"%{first + at}" for at in range(len(names)))
        return f" {word}({values} : {', '.join(str(self.type_of(name)) for name in names)})"


_FLOATS = {"add": "arith.addf", "sub": "arith.subf", "mul": "arith.mulf", "div": "arith.divf",
           "max_signed": "arith.maximumf", "min_signed": "arith.minimumf", "max_unsigned": "arith.maximumf",
           "min_unsigned": "arith.minimumf", "powf": "math.powf", "exp": "math.exp", "log": "math.log",
           "abs": "math.absf", "ceil": "math.ceil", "floor": "math.floor", "negf": "arith.negf",
           "sqrt": "math.sqrt", "rsqrt": "math.rsqrt", "tanh": "math.tanh", "erf": "math.erf"}
_INTEGERS = {"add": "arith.addi", "sub": "arith.subi", "mul": "arith.muli", "div": "arith.divsi",
             "max_signed": "arith.maxsi", "min_signed": "arith.minsi", "max_unsigned": "arith.maxui",
             "min_unsigned": "arith.minui", "abs": "math.absi"}


class _Body:
    """The operations of the body, as text."""

    def __init__(self, builder, order):
        self.builder, self.order, self.lines = builder, order, []

    def line(self, text, type):
        name = f"%v{len(self.lines)}"
        self.lines.append(f"{name} = {text}")
        return name, type

    def emit(self, expr):
        if isinstance(expr, (_Use, _Scalar)):
            return f"%{expr.operand.name}_", self.builder.element_of(expr.operand.name)
        if isinstance(expr, _Cast):
            return self.cast(expr)
        if isinstance(expr, _Apply):
            return self.apply(expr)
        if isinstance(expr, index):
            return self.line(f"linalg.index {self.order.index(expr.dim.text)} : index", airlite.Type.index())
        number = expr.value if isinstance(expr, const) else expr
        type = airlite.Type.parse("i32" if isinstance(number, int) else "f32")
        return self.line(f"arith.constant {airlite.Attribute.of(number, type)}", type)

    def apply(self, expr):
        values = [self.emit(each) for each in expr.values]
        type = values[0][1]
        if any(other != type for _, other in values):
            raise TypeError(f"{expr.function} of {', '.join(str(each) for _, each in values)}: cast them first")
        if expr.function == "square":
            values, op = values * 2, "mul"
        else:
            op = expr.function
        table = _FLOATS if type.kind == "float" else _INTEGERS
        if op not in table:
            raise TypeError(f"there is no {op} of {type}")
        return self.line(f"{table[op]} {', '.join(name for name, _ in values)} : {type}", type)

    def cast(self, expr):
        name, type = self.emit(expr.value)
        wanted = expr.type_var.name
        to = airlite.Type.parse(wanted) if wanted in _FIXED else self.builder.types[wanted]
        if type == to:
            return name, type
        op = _conversion(type, to, expr.is_signed)
        return self.line(f"{op} {name} : {type} to {to}", to)


def _conversion(type, to, is_signed):
    sign = "s" if is_signed else "u"
    if type.kind == "float":
        if to.kind == "float":
            return "arith.extf" if to.width > type.width else "arith.truncf"
        return f"arith.fpto{sign}i"
    if to.kind == "float":
        return f"arith.{sign}itofp"
    if "index" in (type.kind, to.kind):
        return "arith.index_cast"
    return f"arith.ext{sign}i" if to.width > type.width else "arith.trunci"
