"""What the dialects share: names of operations, indices and numbers as values, lists of mixed offsets."""

import airlite

from .. import _types
from .._program import OpView, Value, make


def is_value(given):
    return isinstance(given, (Value, OpView, airlite.Value, airlite.Operation))


def constant(type, number, loc=None, ip=None):
    return make("arith.constant", results=[type],
                attributes={"value": airlite.Attribute.of(number, _types.native(type))}, loc=loc, ip=ip)


def index(given):
    """A value; an int becomes a constant of index type."""
    return given if is_value(given) else constant("index", int(given)).result


def indices(given):
    if given is None:
        return []
    return [index(each) for each in given] if isinstance(given, (list, tuple)) else [index(given)]


def mixed(given):
    """(values, array of the constants with a mark where there is a value)."""
    values, statics = [], []
    for each in given or ():
        if is_value(each):
            values.append(each)
            statics.append(_types.DYNAMIC)
        else:
            statics.append(int(each))
    return values, airlite.Attribute.dense_array(statics)


def result_or_op(op):
    results = op._native.results
    return op.result if len(results) == 1 else op


def spelling(name):
    return name.replace("_", "").replace(".", "").lower()


class Names:
    """Operations of a dialect that need nothing of their own: classes `AddFOp` and functions `addf`, whose
    arguments are the operands, after the types of the results where `typed` names the operation."""

    def __init__(self, dialect, typed=()):
        self.dialect, self.typed = dialect, set(typed)
        self.ops = None

    def find(self, name):
        if self.ops is None:
            start = self.dialect + "."
            self.ops = {spelling(each[len(start):]): each
                        for each in airlite.Context.current().op_names() if each.startswith(start)}
        is_class = name.endswith("Op")
        op = self.ops.get(spelling(name[:-2] if is_class else name))
        if op is None or name.startswith("_"):
            raise AttributeError(f"module 'air.dialects.{self.dialect}' has no attribute {name!r}")
        return self.make_class(op, name) if is_class else self.make_function(op, name)

    def build(self, op, arguments, results=None, loc=None, ip=None, **attributes):
        arguments = list(arguments)
        if op[len(self.dialect) + 1:] in self.typed:
            given = arguments.pop(0)
            results = list(given) if isinstance(given, (list, tuple)) else [given]
        return make(op, arguments, results, attributes, loc=loc, ip=ip)

    def make_function(self, op, name):
        def function(*arguments, **options):
            return result_or_op(self.build(op, arguments, **options))
        function.__name__, function.__doc__ = name, airlite.describe(op)
        return function

    def make_class(self, op, name):
        names = self

        def construct(self, *arguments, **options):
            self._native = names.build(op, arguments, **options)._native

        return type(name, (OpView,), {"__init__": construct, "__doc__": airlite.describe(op),
                                      "OPERATION_NAME": op})
