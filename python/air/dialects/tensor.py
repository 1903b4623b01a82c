"""tensor: empty tensors, and every other operation by its name."""

from .. import _types
from .._program import OpView, make
from ._common import Names, mixed

_names = Names("tensor", typed=["cast"])


class EmptyOp(OpView):
    def __init__(self, sizes, element_type, *, loc=None, ip=None):
        values, _ = mixed(sizes)
        shape = [_types.DYNAMIC if not isinstance(size, int) else size for size in sizes]
        self._native = make("tensor.empty", [values], [_types.RankedTensorType.get(shape, element_type)],
                            loc=loc, ip=ip)._native


def empty(sizes, element_type, **options):
    return EmptyOp(sizes, element_type, **options).result


def __getattr__(name):
    return _names.find(name)
