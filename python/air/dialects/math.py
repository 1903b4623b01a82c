"""math: every operation by its name (exp, ExpOp ...)."""

from ._common import Names

_names = Names("math")


def __getattr__(name):
    return _names.find(name)
