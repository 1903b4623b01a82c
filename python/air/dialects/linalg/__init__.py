"""linalg: the named operations as functions, `add(a, b, outs=[c])`."""

import airlite

from ..._program import native_value
from .._common import result_or_op, spelling
from .._text import from_text

_NOT_NAMED = {"generic", "index", "yield", "pack", "unpack", "map", "reduce", "transpose", "broadcast"}


def _type(given):
    native = native_value(given)
    return native.type if isinstance(native, airlite.Value) else native.result.type


def _side(name, values, first):
    if not values:
        return ""
    names = ", ".join(f"%{first + at}" for at in range(len(values)))
    return f" {name}({names} : {', '.join(str(_type(each)) for each in values)})"


def named(op, inputs, outs, ip=None, attributes=""):
    """A named operation; on tensors its results."""
    inputs, outs = list(inputs), list(outs)
    tensors = [str(_type(each)) for each in outs if _type(each).kind == "tensor"]
    made = f"%r:{len(tensors)} = " if tensors else ""
    arrow = f" -> {', '.join(tensors)}" if len(tensors) == 1 else f" -> ({', '.join(tensors)})" if tensors else ""
    text = f"{made}{op}{attributes}{_side('ins', inputs, 0)}{_side('outs', outs, len(inputs))}{arrow}"
    return result_or_op(from_text(text, inputs + outs, ip))


def _maker(op):
    def function(*inputs, outs, loc=None, ip=None):
        return named(op, inputs, outs, ip)
    function.__doc__ = airlite.describe(op)
    return function


def __getattr__(name):
    ops = {spelling(each[7:]): each for each in airlite.Context.current().op_names()
           if each.startswith("linalg.") and each[7:] not in _NOT_NAMED}
    if name.startswith("_") or spelling(name) not in ops:
        raise AttributeError(f"module 'air.dialects.linalg' has no attribute {name!r}")
    return _maker(ops[spelling(name)])
